import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import { sourceLines } from "../../src/faces/cli/explain/source.ts";
import { editionOf } from "../../src/publish/edition.ts";
import { publish } from "../../src/publish/index.ts";
import { readers } from "../../src/read/index.ts";
import { scan } from "../../src/watch/scan.ts";
import { localSite } from "../adapters/browser/local-site.ts";
import { closeAll } from "../adapters/fetch/local-web.ts";
import { type RunningChromium, startChromium } from "../support/chromium.ts";
import { configOf } from "../support/config-of.ts";
import { begin, day } from "../support/story.ts";

let chromium: RunningChromium;

beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium.close());
afterEach(closeAll);

const shell = (build: string) =>
  `<!doctype html><html lang="en"><head><title>Gauges</title></head><body><div id="root"></div><script src="/main.${build}.js"></script></body></html>`;
const script = (people: string, build: string) => {
  const steps = Array.from(
    { length: 12 },
    (_, i) => `<p>Step ${i} of the survey takes the gauge to station ${i + 3}.</p>`,
  );
  const html = `<main class="c-${build}"><h1>Surveys</h1>${steps.join("")}<p>The last step needs ${people}.</p></main>`;
  return `document.getElementById("root").innerHTML = ${JSON.stringify(html)};`;
};
const config = configOf(
  `report: { title: Gauges, audited: 2026-05-31 }
ratings: { gauge/effort: { level: low } }
sources:
  surveys: { page: "https://app.example/", browser: true }
`,
  { effort: "name: Effort\nratings: [gauge/effort]\non: [{ change: surveys }]\n" },
);

it("a sentence that a script shows is reported once, a new build of the same text never", async () => {
  const files: Record<string, string> = {};
  const { fetch } = await localSite(chromium.address, files);
  const database = await openStore(":memory:");
  let now = begin;
  const store = database.repository("gauges");
  const world = { config, clock: { now: () => now }, fetch, store, readers, access: { githubToken: true } };
  const fired: string[][] = [];
  for (const [people, build] of [
    ["one person", "a1"],
    ["one person", "b2"],
    ["two people and a permit", "c3"],
    ["two people and a permit", "c3"],
    ["two people and a permit", "d4"],
  ] as const) {
    files["app.example/"] = shell(build);
    files[`app.example/main.${build}.js`] = script(people, build);
    const { checks, firings } = await scan(world);
    expect(checks.map(({ failure }) => failure?.says)).toEqual([undefined]);
    fired.push(
      firings.flatMap(({ evidence }) =>
        evidence.map(({ change }) => (change.kind === "block" ? (change.after?.text ?? "") : "")),
      ),
    );
    now += day;
  }
  const link = () => undefined;
  const limits: number[] = [];
  const snapshots: typeof store.snapshots = async (source, limit) => {
    limits.push(limit);
    return await store.snapshots(source, limit);
  };
  const edition = await editionOf({ config, store: { ...store, snapshots }, at: now, link });
  await database.close();
  expect(fired).toEqual([[], [], [], ["The last step needs two people and a permit."], []]);
  const pictures = edition.pictures.get("surveys") ?? [];
  expect(pictures.map(({ at }) => (at - begin) / day)).toEqual([0, 2]);
  // No more responses are unpacked than there were checks since.
  expect(limits.every((limit) => limit <= 4)).toBe(true);
  expect(pictures.every(({ picture }) => picture.length <= 80_000)).toBe(true);
  const page = publish(edition).get("sources/surveys.html") ?? "";
  const [story] = edition.sources;
  expect(story && sourceLines(story, now)).toContain("Opened in a browser. Frames of other origins are not read.");
  expect(page.split("data:image/webp;base64,UklGR")).toHaveLength(3);
});
