import { describe, expect, test } from "vitest";
import type { Config } from "../../src/model/config.ts";
import type { Item, Reading } from "../../src/model/reading.ts";
import { afterFirstCheck, type FirstAnswers } from "../../src/onboard/first-check.ts";
import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";
import { configOf } from "../support/config-of.ts";

/** What the first check the sources of a draft changes in it. */

const at = Date.UTC(2026, 5, 1);
const report = `# Kites

| Kite | Day | Night |
|-|-|-|
| [Delta](https://github.com/delta/wing/releases) | high | low |
| [Box](https://box.example.org/guide) | low | high |
| [Rokkaku](https://rokkaku.example.org/guide) | high | high |

Kites fly [1], and some do not [2].

## References

1. Museum. Kites. https://museum.example.org/kites
2. Journal. No kites. https://journal.example.org/none
3. Maker. Talk. https://maker.example.org/talk.mp4
`;

async function settled(check: Partial<FirstAnswers> = {}, text = report) {
  const made = draft({ path: "a.md", text }, { at, readers });
  const files = made?.files ?? [];
  const parts = (all: typeof files) => {
    const own = new Map(all.map((file) => [file.path.replace(/^triggers\/|\.yaml$/g, ""), file.text]));
    const sources = own.get("sources") ?? "";
    own.delete("sources");
    return configOf(sources, Object.fromEntries(own));
  };
  const config = parts(files);
  const after = await afterFirstCheck(
    { files, config },
    [{ path: "a.md", text }],
    { at, readings: new Map(), failures: new Map(), ...check },
    readers,
  );
  return { before: { files, config }, after, written: parts(after.files) };
}

const ids = new Map([...(await settled()).before.config.sources.values()].map(({ id, address }) => [address, id]));
const idOf = (address: string) => ids.get(address) ?? "";
const failing = (address: string, kind: string, says: string) => new Map([[idOf(address), { kind, says }]]);

describe("sources that refuse to be read", () => {
  test.each([
    ["status", "403"],
    ["status", "401"],
    ["bot-wall", "bot wall"],
    ["login-wall", "login page"],
    ["robots", "robots.txt asks not to read it"],
    ["shell", "a page that only shows its text in a browser"],
    ["wrong-type", "image/png where HTML was expected"],
  ])("goes to unwatchable with its reason and its numbers: %s %s", async (kind, says) => {
    const journal = "https://journal.example.org/none";
    const { before, after, written } = await settled({ failures: failing(journal, kind, says) });
    expect(after.givenUp).toEqual([idOf(journal)]);
    expect(written.sources.size).toBe(before.config.sources.size - 1);
    expect(written.unwatchable.map(({ url, cites, because }) => ({ url, cites, because }))).toEqual([
      { url: "https://maker.example.org/talk.mp4", cites: [3], because: expect.stringContaining("recording") },
      { url: journal, cites: [2], because: `it could not be read when this was drafted: ${says}` },
    ]);
    expect(written).toEqual(after.config);
    expect(JSON.stringify(after.files)).not.toContain(`link: ${idOf(journal)}`);
    expect(JSON.stringify([...written.triggers])).toContain(idOf("https://museum.example.org/kites"));
  });

  test.each([
    ["not-found", "404, not found"],
    ["rate-limited", "429, asked to slow down"],
    ["timeout", "timed out after 20 s"],
    ["status", "503"],
    ["deferred", "left for later"],
  ])("and sources that may be there tomorrow, or are gone, stay watched: %s %s", async (kind, says) => {
    const { before, after } = await settled({ failures: failing("https://journal.example.org/none", kind, says) });
    expect(after.files).toEqual(before.files);
    expect(after.givenUp).toEqual([]);
  });

  test("takes its conditions along, and its trigger stays with the question", async () => {
    const { before, after, written } = await settled({
      failures: failing("https://box.example.org/guide", "bot-wall", "bot wall"),
    });
    expect(before.config.triggers.get("box")?.on).toHaveLength(1);
    expect(written.triggers.get("box")).toMatchObject({ on: [], ratings: ["box/day", "box/night"] });
    expect(written.unwatchable.at(-1)?.url).toBe("https://box.example.org/guide");
    expect(after.config.ratings).toEqual(before.config.ratings);
  });

  test("stays if nothing else would be left: that is our network's doing", async () => {
    const text = "# Kites\n\n- [One](https://one.example.org/a)\n- [Two](https://two.example.org/a)\n";
    const all = new Map(["one", "two"].map((id) => [id, { kind: "bot-wall", says: "bot wall" }]));
    const { before, after } = await settled({ failures: all }, text);
    expect([...before.config.sources.keys()]).toEqual(["one", "two"]);
    expect(after.files).toEqual(before.files);
    expect(after.givenUp).toEqual([]);
  });
});

test("a rated repository is watched for releases, unless it has none", async () => {
  const text = report.replaceAll("/releases", "");
  const [releases, repository] = ["github-releases", "github-repo"];
  const kinds = ({ sources }: Config) => [...sources.values()].map(({ kind }) => kind);
  const { before } = await settled({}, text);
  const id = [...before.config.sources.values()].find(({ kind }) => kind === releases)?.id ?? "";
  const conditions = ({ triggers }: Config) => [...triggers.values()].flatMap(({ on }) => on.map(({ kind }) => kind));
  const some = await settled(
    { readings: new Map([[id, { items: [{ id: "v1", title: "v1", version: "v1" }] }]]) },
    text,
  );
  expect(kinds(some.written)).toEqual(expect.arrayContaining([repository, releases]));
  expect(conditions(some.written)).toEqual(expect.arrayContaining(["fact", "release"]));
  for (const check of [
    { readings: new Map([[id, { items: [] }]]) },
    { failures: new Map([[id, { kind: "not-found", says: "404, not found" }]]) },
  ]) {
    const none = await settled(check, text);
    expect(kinds(none.written)).toEqual(kinds(before.config).filter((kind) => kind !== releases));
    expect(conditions(none.written)).not.toContain("release");
    expect(none.written.products.size).toBe(0);
  }
});

describe("releases that come often", () => {
  const releases = idOf("delta/wing");
  const item = (version: string, day: number): Item => ({
    id: version,
    title: version,
    version,
    at: at - day * 86_400_000,
  });
  const patches = Array.from({ length: 20 }, (_, i) => item(`v2.1.${i + 1}`, 100 - i));
  const checked = (items: readonly Item[]) => new Map<string, Reading>([[releases, { items: [...items] }]]);

  test("ask without patches if those are many", async () => {
    const { after, written } = await settled({
      readings: checked([item("v1.0.0", 400), item("v2.0.0", 170), item("v2.1.0", 101), ...patches]),
    });
    expect(written.triggers.get("delta")?.on).toMatchObject([{ kind: "release", bump: ["major", "minor"] }]);
    expect(after.files.find(({ path }) => path === "triggers/delta.yaml")?.text).toContain(
      "  - release: wing\n    bump: [major, minor] # of all releases there were 22 in half a year\n",
    );
    expect(after.asked).toEqual([{ trigger: "delta", times: 2 }]);
  });

  test("ask at each if they are few, if none is a patch, and if there is nothing but patches", async () => {
    const minor = Array.from({ length: 20 }, (_, i) => item(`v2.${i + 1}.0`, 100 - i));
    for (const items of [patches.slice(0, 12), minor, patches]) {
      const { before, after } = await settled({ readings: checked(items) });
      expect(after.files).toEqual(before.files);
      expect(after.asked).toEqual([{ trigger: "delta", times: items.length }]);
    }
  });
});
