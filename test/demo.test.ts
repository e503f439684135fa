import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkAll } from "../demo/check.ts";
import { story } from "../demo/days.ts";
import { startLookAround } from "../demo/look-around.ts";
import { type Demo, type Played, startDemo } from "../demo/play.ts";
import type { Day, Story } from "../demo/story.ts";
import { tellDay, tellEnd } from "../demo/tell.ts";
import { faultsOf } from "./publish/pages/faults.ts";
import { openSite } from "./publish/pages/visit.ts";
import { linesOut } from "./support/lines-out.ts";
import { wordsBeforeFolds } from "./support/words-before-folds.ts";

const folder = resolve(import.meta.dirname, "..");
/** So long a play may take on a machine with other work: it is here to end one that hangs. */
const patience = 900_000;

interface Around {
  /** Texts of the pages, by their paths. */
  readonly pages: ReadonlyMap<string, string>;
  /** Those and all that they load, by their paths without the first slash. */
  readonly files: ReadonlyMap<string, string>;
  /** Addresses on this machine that lead nowhere. */
  readonly dead: readonly string[];
}

/** Follows every link that stays on this machine, from the page that `--keep` names. */
async function lookAround(demo: Demo, played: Played): Promise<Around> {
  await demo.leave();
  const { url, close } = await startLookAround(demo, played, folder);
  const pages = new Map<string, string>();
  const files = new Map<string, string>();
  const dead: string[] = [];
  const met = new Set([`${url}/`]);
  for (const address of met) {
    const answer = await fetch(address);
    const text = await answer.text();
    if (!answer.ok) dead.push(address);
    if (address.startsWith(url)) files.set(decodeURIComponent(address.slice(url.length + 1)), text);
    if (!address.startsWith(url) || !answer.headers.get("content-type")?.includes("html")) continue;
    pages.set(address.slice(url.length), text);
    for (const [, href = ""] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      const { origin, pathname, hostname } = new URL(href.replaceAll("&amp;", "&"), address);
      if (hostname === "127.0.0.1") met.add(origin + pathname);
    }
  }
  await close();
  return { pages, files, dead };
}

/** Every page that is one of its kind; of those that are alike, in one folder, the longest and the shortest. */
function samplesOf(pages: Around["pages"]): string[] {
  const folders = Map.groupBy([...pages], ([path]) => path.slice(0, path.lastIndexOf("/")));
  return [...folders].flatMap(([folder, its]) => {
    const paths = its.sort(([, a], [, b]) => b.length - a.length).map(([path]) => path);
    return /\/(ratings|sources|issues)$/.test(folder) ? [...paths.slice(0, 1), ...paths.slice(-1)] : paths;
  });
}

/** By their paths, the faults of pages as a browser shows them, light and dark, on a desk and on a phone. */
async function faultsOn(paths: readonly string[], { files }: Around, { firings }: Played) {
  const site = await openSite();
  const faults: Record<string, readonly string[]> = {};
  try {
    for (const path of paths) {
      const visit = await site.open(files, path.slice(1), Math.max(...firings.map(({ seen }) => seen)));
      if (path === "/report") await visit.page.waitForSelector("recheck-mark", { state: "attached" });
      const found = await faultsOf(visit);
      if (found.length > 0) faults[path] = found;
      await visit.page.context().close();
    }
  } finally {
    await site.close();
  }
  return faults;
}

const problemsOf = (played: Played, told: Story) => checkAll(played, told).flatMap(({ problems }) => problems);

function dayOf(date: string): Day {
  const day = story.days.find((one) => one.date === date);
  if (!day) throw new Error(`no ${date} in the story`);
  return day;
}

describe("the demo's story", () => {
  let demo: Demo;
  let played: Played;
  beforeAll(async () => {
    demo = await startDemo({ story, folder });
    played = await demo.play();
  }, patience);
  afterAll(() => demo.close());

  it("shows at most 600 words of an issue before anything is unfolded", () => {
    for (const { body } of played.issues) expect(wordsBeforeFolds(body)).toBeLessThanOrEqual(600);
  });

  it(
    "ends in pages of this machine that all lead somewhere and have no fault, by the story's clock",
    async () => {
      const around = await lookAround(demo, played);
      expect(around.dead).toEqual([]);
      expect(around.pages.size).toBeGreaterThan(100);
      expect(around.pages.get("/report")).toContain("NVIDIA CUDA");
      for (const { number } of played.issues) {
        expect(around.pages.get("/")).toContain(`/issues/${number}"`);
        expect(around.pages.get(`/example/report/issues/${number}`)).toContain("<article>");
      }
      expect(around.pages.get("/pages/references.html")).toContain('<p class="stopped" id="stopped" hidden>');
      expect(await faultsOn(samplesOf(around.pages), around, played)).toEqual({});
    },
    patience,
  );

  it("holds what it promises", () => {
    expect(problemsOf(played, story)).toEqual([]);
  });

  it("opens one recheck for each of the five triggers, with its marker and labels", () => {
    const five = ["apple-memory", "cuda", "mps", "rocm", "tpu"];
    expect(played.rechecks.map(({ trigger }) => trigger).sort()).toEqual([...five, "not-found"].sort());
    for (const { marker, issue } of played.rechecks) {
      const found = played.issues.find(({ number }) => number === issue);
      expect(found?.body).toContain(marker);
      expect(found?.labels).toContain("recheck");
    }
  });

  it("has quiet days of several kinds, on which sources sent other bytes and nothing was said", () => {
    const quiet = played.days.filter(({ day }) => day.fires.length === 0);
    expect(quiet.length).toBeGreaterThanOrEqual(6);
    for (const { day, runs, repeats } of quiet) {
      expect(runs[0]?.otherBytes.length === 0, day.date).toBe(day.weather?.offline === true);
      for (const run of [...runs, ...repeats]) expect([run.scan.firings, run.writes], day.date).toEqual([[], 0]);
    }
  });

  it("fires once for an event that several sources announce", () => {
    const its = played.firings.filter(({ event, trigger }) => event.product === "pytorch" && trigger === "cuda");
    expect(its.map(({ evidence }) => new Set(evidence.map(({ source }) => source)).size)).toEqual([2, 5]);
  });

  it("sees every source at last, for nothing in it is unreadable", () => {
    expect(played.status.unseen).toEqual([]);
  });

  it("is reported day by day, with its issues and its checks", () => {
    const { out, lines } = linesOut(() => {});
    for (const day of played.days) tellDay(day, played.config, out);
    tellEnd(played, checkAll(played, story), out);
    const text = lines.join("\n");
    for (const { date } of story.days) expect(text).toContain(date);
    for (const { title } of played.issues) expect(text).toContain(title);
    expect(text).toContain("### Evidence");
    expect(text).not.toContain("✗ each");
  });

  it("notices a second run that wrote, and an outage that was not said", () => {
    const altered = played.days.map((one) => ({
      ...one,
      runs: one.runs.map((run) => ({ ...run, scan: { ...run.scan, outage: false } })),
      repeats: one.repeats.map((run, i) => ({ ...run, writes: one.day.date === "2026-06-18" && i === 0 ? 1 : 0 })),
    }));
    expect(problemsOf({ ...played, days: altered }, story)).toEqual([
      "the second run of 2026-06-18 wrote to GitHub 1 times",
      expect.stringMatching(/^2026-06-10: 0 of \d runs said that most hosts gave no response/),
    ]);
  });

  it("notices an issue without its marker, and a firing that came twice", () => {
    const cuda = played.rechecks.find(({ trigger }) => trigger === "cuda");
    const issues = played.issues.map((one) => (one.number === cuda?.issue ? { ...one, body: "" } : one));
    expect(problemsOf({ ...played, issues }, story)).toEqual(["0 issues on GitHub hold the marker of cuda"]);
    const twice = played.firings.filter(({ event, trigger }) => event.key === "pytorch 2.12.1" && trigger === "rocm");
    expect(problemsOf({ ...played, firings: [...played.firings, ...twice] }, story)).toEqual([
      "pytorch 2.12.1 fired 2 times for rocm",
    ]);
  });
});

describe("a broken story", () => {
  let problems: readonly string[];
  beforeAll(async () => {
    const release = dayOf("2026-06-18");
    const days: Day[] = [
      dayOf("2026-05-16"),
      {
        ...dayOf("2026-05-19"),
        publishes: [{ kind: "entry", source: "rocm-releases", name: "rocm-7.3.0" }],
      },
      { ...dayOf("2026-06-01"), publishes: [{ kind: "edit", source: "tpu7x", from: "nobody says this", to: "" }] },
      {
        ...release,
        publishes: release.publishes?.map((one) =>
          one.kind === "entry" && one.source === "pytorch-pypi" ? { ...one, name: "2.12.2" } : one,
        ),
      },
      { ...dayOf("2026-08-05"), publishes: [] },
    ];
    const told = { ...story, days };
    const demo = await startDemo({ story: told, folder });
    try {
      problems = problemsOf(await demo.play(), told);
    } finally {
      await demo.close();
    }
  }, patience);

  it("fails if a trigger has nothing to ask about", () => {
    expect(problems.filter((problem) => problem.endsWith("has no recheck"))).toEqual(
      ["apple-memory", "mps", "tpu"].map((id) => `${id} has no recheck`),
    );
  });

  it("fails if a release comes on a quiet day, and if two places name two versions", () => {
    expect(problems).toEqual(
      expect.arrayContaining([
        "2026-05-19 was quiet, and rocm fired: rocm 7.3.0",
        "2026-05-19 was quiet, and GitHub was written to",
        "cuda fired for pytorch 2.12.2, which nobody announced",
        "pytorch 2.12.1 has evidence from 1 sources for cuda, not from 2",
      ]),
    );
  });

  it("fails if an announced event is in no source, and if it edits text that no page has", () => {
    expect(problems).toEqual(
      expect.arrayContaining([
        "2026-06-01 should have fired tpu; it fired: nothing",
        "2026-08-05 should have fired apple-memory; it fired: nothing",
      ]),
    );
  });
});
