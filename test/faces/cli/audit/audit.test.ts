import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/index.ts";
import { type AuditOptions, auditCommand } from "../../../../src/faces/cli/audit/index.ts";
import type { Settings } from "../../../../src/wire.ts";
import { type LocalWeb, openWeb } from "../add/web.ts";

/** A report whose sources fare in every way that sources fare, and a web on this machine that serves them. */

const prose = (about: string) =>
  `<p>${`The ${about} is described here at some length, so that a reader finds all that is known of it. `.repeat(25)}</p>`;
const page = (title: string, body: string) => ({
  body: `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main></html>`,
});
const repo = (name: string, more: object = {}) => ({
  type: "application/json",
  body: JSON.stringify({
    private: false,
    archived: false,
    full_name: name,
    pushed_at: "2026-11-01T00:00:00Z",
    ...more,
  }),
});
const to = (location: string, status = 301) => ({ status, headers: { location } });

const answers = {
  "fine.example/guide": page("Guide", `${prose("guide")}<p>The device has 96 GB of memory.</p>`),
  "figure.example/device": page("Device", `${prose("device")}<p>The device has 96 GB of memory.</p>`),
  "quote.example/terms": page("Terms", `${prose("terms")}<p>You may use it for any purpose.</p>`),
  "moved.example/old": to("http://moved.example/new"),
  "moved.example/new": page("New", prose("new place")),
  "home.example/deep/page": to("http://home.example/", 302),
  "home.example/": page("Home", prose("home")),
  "wall.example/paper": { status: 403, body: "no" },
  "docs.example/1.2/install.html": page("Install", `${prose("installation")}<a href="/stable/install.html">stable</a>`),
  "docs.example/stable/install.html": page("Install", `${prose("installation")}<p>Version 3.</p>`),
  "api.github.com/repos/kites/alive": repo("kites/alive"),
  "api.github.com/repos/kites/archived": repo("kites/archived", { archived: true }),
  "api.github.com/repos/kites/before": repo("kites/after"),
  "api.github.com/repos/kites/silent": repo("kites/silent", { pushed_at: "2021-03-01T00:00:00Z" }),
};

const report = `# Kites

A [guide](http://fine.example/guide) to devices with 96 GB.

The device has 128 GB of memory ([maker](http://figure.example/device)).

They say “you may never ever sell it to anybody” in the [terms](http://quote.example/terms).

- [gone](http://gone.example/page)
- [old place](http://moved.example/old), [deep page](http://home.example/deep/page)
- [paper](http://wall.example/paper)
- [installation](http://docs.example/1.2/install.html)
- [alive](https://github.com/kites/alive), [archived](https://github.com/kites/archived),
  [before](https://github.com/kites/before), [silent](https://github.com/kites/silent),
  [nowhere](https://github.com/kites/nowhere)
`;

const folder = mkdtempSync(join(tmpdir(), "recheck-audit-"));
let web: LocalWeb;
beforeAll(async () => {
  web = await openWeb(answers);
  writeFileSync(join(folder, "report.md"), report);
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

async function audit(written: string, options: AuditOptions = {}, changed: Partial<Settings["fetch"]> = {}) {
  const lines: string[] = [];
  const settings: Settings = {
    config: folder,
    data: join(folder, "data"),
    clock: { now: () => Date.UTC(2026, 10, 22) },
    auth: { token: "t" },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0, ...changed },
  };
  const out = {
    live: false,
    paint: (_: unknown, text: string) => text,
    line: (text = "") => void lines.push(text),
    note: () => {},
  };
  const code = await auditCommand(written, settings, options, out);
  return { code, out: lines.join("\n") };
}

interface Told {
  readonly kind: string;
  readonly address: string;
  readonly line: number;
  readonly says: string;
  readonly evidence: string;
}

describe("audit", () => {
  test("says of each citation what a careful reader would want to know, worst first, and of no other", async () => {
    const { code, out } = await audit(join(folder, "report.md"), { json: true });
    const { findings, citations } = JSON.parse(out) as { findings: Told[]; citations: number };
    expect(code).toBe(0);
    expect(citations).toBe(13);
    expect(findings.map(({ kind, address, line, says }) => [kind, line, address, says])).toEqual([
      ["gone", 9, "http://gone.example/page", "is not there any more"],
      ["gone", 10, "http://home.example/deep/page", "leads to a home page"],
      ["gone", 15, "https://github.com/kites/nowhere", "is not public, or not there"],
      ["unsupported", 5, "http://figure.example/device", "does not hold the figure 128 GB"],
      ["unsupported", 7, "http://quote.example/terms", "does not hold the words that are quoted from it"],
      ["ended", 13, "https://github.com/kites/archived", "is archived: nobody maintains it"],
      ["outdated", 12, "http://docs.example/1.2/install.html", "is of one version, and there is a current one"],
      ["moved", 10, "http://moved.example/old", "has moved for good"],
      ["moved", 14, "https://github.com/kites/before", "was renamed"],
      ["silent", 14, "https://github.com/kites/silent", "has been silent for 5 years"],
      ["unseen", 11, "http://wall.example/paper", "could not be read"],
    ]);
  });

  test("tells it in lines, with a count at the end", async () => {
    const { out } = await audit(join(folder, "report.md"));
    expect(out).toContain(
      "report.md:10  old place has moved for good\n    http://moved.example/old  (http://moved.example/new)",
    );
    expect(out.split("\n").at(-1)).toBe("13 citations on 9 hosts: 11 findings about 11 of them.");
  });

  test("fails on what it is told to fail on", async () => {
    const file = join(folder, "report.md");
    expect((await audit(file, { failOn: "ended" })).code).toBe(2);
    writeFileSync(join(folder, "good.md"), "[guide](http://fine.example/guide)\n");
    expect(await audit(join(folder, "good.md"), { failOn: "gone,ended" })).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 citation on 1 host: nothing to tell."),
    });
    await expect(audit(file, { failOn: "gon" })).rejects.toThrow('did you mean "gone"?');
  });

  test("writes a page without a script, and a summary, in which nothing of a report is markup", async () => {
    writeFileSync(join(folder, "bad.md"), "[<img src=x onerror=alert(1)> **b**](http://gone.example/x)\n");
    const [html, summary] = [join(folder, "audit.html"), join(folder, "summary.md")];
    await audit(join(folder, "bad.md"), { html, summary });
    const written = readFileSync(html, "utf8");
    expect(written).toContain("is not there any more");
    expect(written).not.toMatch(/<img|<script|onerror=alert\(1\)>/);
    expect(readFileSync(summary, "utf8")).toMatch(/^- `[^`]*bad\.md:1` `b` is not there any more: /m);
  });

  test("reads a folder, a page and a repository's README", async () => {
    const chapters = join(folder, "chapters");
    mkdirSync(join(chapters, "more"), { recursive: true });
    writeFileSync(join(chapters, "a.md"), "[guide](http://fine.example/guide)\n");
    writeFileSync(join(chapters, "more", "b.md"), "[gone](http://gone.example/b)\n");
    expect((await audit(chapters)).out).toContain("more/b.md:1  gone is not there any more");
    Object.assign(answers, {
      "report.example/": page("Report", `${prose("report")}<a href="http://gone.example/p">gone</a>`),
      "api.github.com/repos/kites/report/git/trees/HEAD?recursive=1": {
        type: "application/json",
        body: JSON.stringify({ tree: [{ path: "README.md", type: "blob", sha: "1", size: 30 }] }),
      },
      "api.github.com/repos/kites/report/contents/README.md": {
        type: "text/plain",
        body: "[gone](http://gone.example/r)\n",
      },
    });
    expect((await audit("http://report.example/")).out).toContain("gone is not there any more");
    expect((await audit("kites/report")).out).toContain("README.md:1  gone is not there any more");
  });

  test.each([
    ["nowhere.md", "nowhere.md is no file, folder, owner/name or address"],
    ["http://gone.example/", "http://gone.example/ could not be read: 404, not found"],
  ])("says in one sentence why it cannot read %s", async (written, says) => {
    await expect(audit(written)).rejects.toThrow(says);
  });

  test("takes silence of most hosts for an outage of ours", async () => {
    const { code, out } = await audit(
      join(folder, "report.md"),
      { json: true },
      { origin: () => "http://127.0.0.1:1" },
    );
    expect(code).toBe(3);
    expect(new Set((JSON.parse(out).findings as Told[]).map(({ kind }) => kind))).toEqual(new Set(["unseen"]));
  });
});
