import { describe, expect, test } from "vitest";
import { checkAll } from "../../src/audit/check-citations.ts";
import { citationsOf } from "../../src/audit/cited.ts";
import { findingsOf } from "../../src/audit/findings.ts";
import type { Web } from "../../src/audit/visit.ts";
import { readers } from "../../src/read/index.ts";

const at = Date.UTC(2026, 10, 22);

/** What is said of the parts that a report cites by their names. */
async function said(report: string, body: string): Promise<string[]> {
  const { cited } = citationsOf([{ path: "report.md", text: report }]);
  const html = `<!doctype html><html><title>Guide</title><main>${body}<p>${"The guide says how kites are flown. ".repeat(30)}</p></main></html>`;
  const fetch = {
    get: async ({ url }: { url: string }) => ({
      kind: "response",
      response: { url, status: 200, headers: { "content-type": "text/html" }, body: new TextEncoder().encode(html) },
    }),
  };
  const web = { fetch, access: {}, readers } as unknown as Web;
  const citedPages = await checkAll(cited, web, { minutes: 1, stop: async () => {}, onChecked: () => {} });
  return citedPages.flatMap((one) => findingsOf(one, at, readers).map(({ kind, evidence }) => `${kind} ${evidence}`));
}

const headings = '<h2 id="install">Install</h2><h2><a name="use"></a>Use</h2><h2 id="user-content-caf%C3%A9">Café</h2>';

describe("a part of a page that is cited by its name", () => {
  test("is looked for on the page", async () => {
    const report = `See [how](https://docs.example/guide#install), [why](https://docs.example/guide#gone-section).`;
    expect(await said(report, headings)).toEqual(["unsupported #gone-section"]);
    expect(
      await said("See “https://docs.example/guide#install” and „https://docs.example/guide#use“.", headings),
    ).toEqual([]);
    expect(
      await said("[a](https://docs.example/guide#use) and <https://docs.example/guide#Install>.", headings),
    ).toEqual([]);
  });

  test("is left alone if a script may name the parts, and if it is none of the text", async () => {
    const report = "See [how](https://docs.example/guide#gone-section).";
    expect(await said(report, "<h2>Install</h2>")).toEqual([]);
    for (const part of [
      "L12",
      "top",
      "comment-4711",
      ":~:text=kites",
      "install:~:text=kites",
      "!/route",
      "page=3",
      "issuecomment-1",
    ]) {
      expect(await said(`See [how](https://docs.example/guide#${part}).`, headings)).toEqual([]);
    }
  });

  test("is looked for on the page if it is a passage, in any case, across markup, and between its ends", async () => {
    const link = (passage: string) => `See [why](https://docs.example/guide#:~:text=${passage}).`;
    const page = "<p>The <b>red</b>\nkite&nbsp;needs wind, and “Übung”.</p><p>It lands softly.</p>";
    for (const there of [
      "red%20kite%20needs",
      "The%20RED,wind",
      "needs-,wind,ubung,-It%20lands",
      "red&text=kite",
      "%zz",
    ])
      expect(await said(link(there), page)).toEqual([]);
    expect(await said(link("the-,red%20kite%20needs%20no%20wind"), page)).toEqual([
      "unsupported “red kite needs no wind”",
    ]);
    expect(await said(link("The%20red,wind&text=softly,lands"), page)).toEqual(["unsupported “softly … lands”"]);
    // The page is in another language, or a script shows its text.
    expect(await said(link("Der%20rote%20Drachen%20braucht%20Wind"), page)).toEqual([]);
  });
});
