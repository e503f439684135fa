import { describe, expect, test } from "vitest";
import { checkAll } from "../../src/audit/check-citations.ts";
import { citationsOf } from "../../src/audit/cited.ts";
import { findingsOf } from "../../src/audit/findings.ts";
import type { Web } from "../../src/audit/see.ts";
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
  const sighted = await checkAll(cited, web, { minutes: 1, stop: async () => {}, seen: () => {} });
  return sighted.flatMap((one) => findingsOf(one, at, readers).map(({ kind, evidence }) => `${kind} ${evidence}`));
}

const headings = '<h2 id="install">Install</h2><h2><a name="use"></a>Use</h2><h2 id="user-content-caf%C3%A9">Café</h2>';

describe("a part of a page that is cited by its name", () => {
  test("is looked for on the page", async () => {
    const report = `See [how](https://docs.example/guide#install), [why](https://docs.example/guide#gone-section).`;
    expect(await said(report, headings)).toEqual(["unsupported #gone-section"]);
    expect(
      await said("[a](https://docs.example/guide#use) and <https://docs.example/guide#Install>.", headings),
    ).toEqual([]);
  });

  test("is left alone if a script may name the parts, and if it is none of the text", async () => {
    const report = "See [how](https://docs.example/guide#gone-section).";
    expect(await said(report, "<h2>Install</h2>")).toEqual([]);
    for (const part of ["L12", "top", "comment-4711", ":~:text=kites", "!/route", "page=3", "issuecomment-1"]) {
      expect(await said(`See [how](https://docs.example/guide#${part}).`, headings)).toEqual([]);
    }
  });
});
