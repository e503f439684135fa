import { expect, test } from "vitest";
import { statusFile } from "../../src/model/status-file.ts";
import { publish } from "../../src/publish/index.ts";
import { configOf } from "../support/config-of.ts";
import { watchOf } from "../support/watch-of.ts";
import { editionWith, type Remembered } from "./edition-of.ts";
import { readAtom, withXml } from "./xml.ts";

const evil = `</title><script>alert(1)</script>"'&amp;]]>\u202e\u200b`;
const shown = `</title><script>alert(1)</script>"'&amp;]]>`;
const seen = Date.UTC(2026, 10, 1);
const now = Date.UTC(2026, 10, 20);
const text = JSON.stringify(evil);

const config = configOf(
  `
report: { title: ${text}, version: ${text}, url: "https://example.org/<script>\\"'", audited: 2026-05-16 }
names: { speed: ${text} }
ratings: { speed: { level: ${text} } }
sources:
  blog:
    feed: https://example.org/feed?<script>"'
    title: ${text}
    cites: [1]
    claims:
      one: { says: ${text}, quote: it is so, ratings: [speed] }
  other: { page: "https://example.org/other", title: ${text}, cites: [2] }
unwatchable:
  - { title: ${text}, cites: [3], because: ${text} }
`,
  { speed: `name: ${text}\nwording: ${text}\nratings: [speed]\non: [{ item: blog }]\n` },
);
const failure = { kind: "status", says: evil, since: seen, count: 3 };
const remembered: Partial<Remembered> = {
  watches: [
    watchOf("blog", { next: now, firstSeen: seen, lastSeen: now, lastCheck: now }),
    watchOf("other", { next: now, firstSeen: seen - 1, lastSeen: seen - 1, lastCheck: now, trouble: failure }),
  ],
  firings: [
    {
      ...{ id: 1, trigger: "speed", event: { key: evil }, weight: "contrary", seen, fired: seen, recheck: 1 },
      evidence: [
        {
          ...{ source: "blog", seen, part: "on", excerpt: evil },
          change: { kind: "item-added", item: { id: evil, title: evil, url: evil } },
        },
      ],
    },
  ],
  rechecks: [{ id: 1, trigger: "speed", state: "closed", marker: "m", opened: seen, closed: now, issue: 12 }],
  answers: [
    {
      ...{ id: 1, recheck: 1, rating: "speed", verdict: "change", level: evil, because: evil, by: evil },
      ...{ at: now, settled: now },
    },
  ],
  claims: [{ claim: "blog/one", status: "altered", since: seen, found: evil, before: evil }],
};

test("a title with markup in every field is text in every file", async () => {
  const files = publish(await editionWith(config, remembered, now));
  const status = statusFile.parse(JSON.parse(files.get("status.json") ?? ""));
  expect(status.report.title).toBe(shown);
  expect(status.ratings[0]?.names).toEqual([shown]);
  expect(status.references[1]?.says).toBe(`Could not be read since 2026-11-01: ${shown}`);
  expect(status.report.url).toBe("https://example.org/%3Cscript%3E%22'");
  let entries = 0;
  for (const [path, file] of files) {
    if (path.endsWith(".svg")) {
      const alive = withXml(file, ({ root }) => root.find("//*[local-name()='script'] | //@onload").length);
      expect(alive, path).toBe(0);
    }
    if (!path.endsWith(".xml")) continue;
    const feed = readAtom(file);
    entries += feed.entries.length;
    expect(feed.title, path).toContain(shown);
    // What the source called its entry has lost all but its letters.
    const titles = feed.entries.map(({ title }) => title).join();
    // A digest tells of days, and names no entry.
    if (path !== "digests.xml") expect(titles, path).toContain("new entry title script alert 1 script amp");
    for (const { content } of feed.entries) expect(content, path).not.toContain("<script");
  }
  expect(entries).toBe(7);
  for (const file of files.values()) expect(file).not.toMatch(/[\u202e\u200b]/);
});
