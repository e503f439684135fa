import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import { correctionOf } from "../../src/model/claim.ts";
import { digest } from "../../src/model/digest.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Firing } from "../../src/model/firing.ts";
import { readers } from "../../src/read/index.ts";
import { findLines, type LineRange } from "../../src/read/shared/cited-lines.ts";
import { acceptedEdits, isUntrue, untrueSentences } from "../../src/recheck/correct.ts";
import { addressOf } from "../../src/recheck/issue/question.ts";
import { headline } from "../../src/recheck/issue/title.ts";
import { play } from "../../src/watch/replay/play.ts";
import { storedTapes } from "../../src/watch/replay/tape.ts";
import { configOf } from "../support/config-of.ts";
import { runs } from "../support/runs.ts";
import { type Answer, openWorld, type World } from "../support/world-of.ts";

/** Links to lines of code, as scans see them. */

const raw = "https://raw.githubusercontent.com/marsh/woods";
const commit = "0123456789abcdef0123456789abcdef01234567";
const head = `${raw}/HEAD/src/woods.ts`;
const main = `${raw}/main/src/woods.ts`;
const pinned = `https://github.com/marsh/woods/blob/${commit}/src/woods.ts#L3-L5`;
const ofBranch = "https://github.com/marsh/woods/blob/main/src/woods.ts#L3-L5";
const file = `// Woods of the marsh

export function countTrees(rings: number): number {
  return rings * limit;
}

export const limit = 4;
`;
const longer = `// One more line\n${file}`;
const edited = longer.replace("rings * limit", "rings + limit");
const without = "// Woods of the marsh\n\nexport const limit = 4;\n";

const config = (address: string, trigger = "") =>
  configOf(
    `report: { title: Woods, audited: 2026-05-16 }
ratings: { size: small }
sources:
  trees:
    lines: ${address}
    claims: { counts: { says: It counts the trees, fact: lines, ratings: [size] } }
`,
    trigger === "" ? {} : { trees: trigger },
  );

const day = 86_400_000;
let web: Map<string, Answer>;
let world: World;
let now: number;
beforeEach(() => {
  web = new Map();
  now = Date.UTC(2026, 5, 1);
});
afterEach(() => world.close());

/** What fires in so many days. */
async function said(days = 1): Promise<string[]> {
  const all: string[] = [];
  for (let passed = 0; passed < days; passed++) {
    now += day;
    for (const { weight, evidence } of (await world.scanAt(now)).firings)
      for (const { change } of evidence)
        if (change.kind === "claim") all.push(`${weight} ${change.from} → ${change.to}: ${change.after ?? ""}`);
        else all.push(`${weight} ${change.kind} ${change.kind === "link" ? change.to : ""}`);
  }
  return all;
}
const serve = (text: Answer) => web.set(head, text).set(main, text).set(`${raw}/${commit}/src/woods.ts`, file);

describe("lines of a commit", () => {
  beforeEach(async () => {
    world = await openWorld(config(pinned), web);
  });

  test("are compared with the default branch at the first check", async () => {
    serve(longer);
    expect(await said(3)).toEqual([
      "routine supported → supported: https://github.com/marsh/woods/blob/HEAD/src/woods.ts#L4-L6",
    ]);
  });

  test("that changed before the first check are contrary, with both texts", async () => {
    serve(edited);
    expect(await said(3)).toEqual([
      "contrary supported → altered: export function countTrees(rings: number): number {\n  return rings + limit;\n}",
    ]);
  });

  test("that are gone are contrary", async () => {
    serve(without);
    expect(await said(3)).toEqual(["contrary supported → gone: "]);
  });

  test("are asked for again if the file of the commit could not be read", async () => {
    serve(longer);
    web.set(`${raw}/${commit}/src/woods.ts`, { body: "", type: "text/plain" });
    expect(await said(1)).toEqual([]);
    serve(longer);
    expect(await said(2)).toHaveLength(1);
  });

  test("are silent as long as they are the same", async () => {
    serve(file);
    expect(await said(3)).toEqual([]);
    serve(file.replaceAll("\n", "\r\n"));
    expect(await said(3)).toEqual([]);
    serve(file.replace("limit = 4", "limit = 5"));
    expect(await said(3)).toEqual([]);
  });
});

describe("lines of a branch", () => {
  beforeEach(async () => {
    world = await openWorld(config(ofBranch), web);
    serve(file);
    expect(await said()).toEqual([]);
  });

  test("move, change and vanish, each once", async () => {
    serve(longer);
    expect(await said(3)).toEqual([
      "routine supported → supported: https://github.com/marsh/woods/blob/main/src/woods.ts#L4-L6",
    ]);
    serve(edited);
    expect(await said(3)).toEqual([expect.stringContaining("contrary supported → altered: ")]);
    serve(`// And one more\n${edited}`);
    expect(await said(3)).toEqual([]);
    serve(without);
    expect(await said(3)).toEqual(["contrary altered → gone: "]);
  });

  test("that come back are not reported again, and not while they come and go", async () => {
    serve(edited);
    expect(await said(3)).toHaveLength(1);
    serve(file);
    expect(await said(10)).toEqual([]);
    serve(longer);
    await said(3);
    for (let i = 0; i < 4; i++) {
      serve(i % 2 === 0 ? file : longer);
      expect(await said(2)).toEqual([]);
    }
  });

  test("are unknown after a failure, never gone", async () => {
    for (const failure of [
      new Failure("status", { status: 503 }),
      new Failure("rate-limited"),
      { body: "a\0b", type: "application/octet-stream" },
      { body: "x\n".repeat(60_000) },
      { body: "// a long line\n".repeat(200_000) },
      { body: "<!doctype html><title>Sign in</title>", type: "text/html" },
      { body: "Retry later\n", type: "text/plain" },
      {
        body: '{"message":"API rate limit exceeded for 10.0.0.1.","documentation_url":"https://docs.github.com/rest"}',
      },
      { body: '{"message":"429 Too Many Requests"}', type: "application/json" },
      new Failure("status", { status: 403 }),
    ]) {
      serve(failure);
      expect(await said(5)).toEqual([]);
      const [state] = await world.store.claims();
      expect(state).toMatchObject({ status: "supported" });
    }
    serve(file);
    expect(await said(3)).toEqual([]);
  });

  test("of a file that no longer exists are gone with their link, once", async () => {
    web.clear();
    expect(await said(8)).toEqual(["contrary link gone"]);
  });

  test("of a renamed branch are read from the default branch", async () => {
    web.delete(main);
    expect(await said(5)).toEqual([]);
    web.set(head, without);
    expect(await said(3)).toEqual(["contrary supported → gone: "]);
  });
});

/** What the API of GitHub says of the last commit of a file. */
function lastCommit(path: string, files: readonly object[]) {
  const [api, id] = ["https://api.github.com/repos/marsh/woods/commits", digest(path).repeat(3).slice(0, 40)];
  web.set(`${api}?path=${encodeURIComponent(path)}&per_page=1`, JSON.stringify([{ sha: id }]));
  web.set(`${api}/${id}`, JSON.stringify({ sha: id, files }));
}

describe("a file that the default branch does not have", () => {
  const renamed = { filename: "src/deep wood.ts", previous_filename: "src/woods.ts", status: "renamed" };
  const newFile = `${raw}/HEAD/src/deep%20wood.ts`;
  beforeEach(async () => {
    world = await openWorld(config(pinned), web);
    serve(file);
    expect(await said()).toEqual([]);
    web.delete(head);
  });

  test("was renamed: its lines moved, and are followed there", async () => {
    lastCommit("src/woods.ts", [{ filename: "README.md", status: "modified" }, renamed]);
    web.set(newFile, file);
    const page = "https://github.com/marsh/woods/blob/HEAD/src/deep%20wood.ts";
    expect(await said(3)).toEqual([`routine supported → supported: ${page}#L3-L5`]);
    web.set(newFile, longer);
    expect(await said(3)).toEqual([`routine supported → supported: ${page}#L4-L6`]);
    web.set(newFile, edited);
    expect(await said(3)).toEqual([expect.stringContaining("contrary supported → altered: ")]);
  });

  test("was renamed twice", async () => {
    lastCommit("src/woods.ts", [renamed]);
    lastCommit("src/deep wood.ts", [{ filename: "lib/wood.ts", previous_filename: "src/deep wood.ts" }]);
    web.set(`${raw}/HEAD/lib/wood.ts`, file);
    expect(await said(3)).toEqual([
      "routine supported → supported: https://github.com/marsh/woods/blob/HEAD/lib/wood.ts#L3-L5",
    ]);
  });

  test("was deleted: its lines are gone there, and their link is not", async () => {
    lastCommit("src/woods.ts", [{ filename: "src/woods.ts", status: "removed" }]);
    now += day;
    await world.scanAt(now);
    now += day;
    const [firing] = (await world.scanAt(now)).firings;
    expect(firing?.evidence.map(({ change }) => change)).toMatchObject([{ to: "gone", isFileGone: true }]);
    expect(headline(firing as Firing, config(pinned)).text).toBe(
      "trees: the link still works; its file is gone on the default branch",
    );
    expect(await said(8)).toEqual([]);
    web.set(head, file);
    expect(await said(10)).toEqual([]);
    expect(await world.store.claims()).toMatchObject([{ status: "supported" }]);
  });

  test("is gone there if the commit that took it away is too large to be read", async () => {
    lastCommit("src/woods.ts", [renamed]);
    for (const address of web.keys())
      if (/\/commits\/\w+$/.test(address)) web.set(address, new Failure("too-large", { limit: 1 }));
    expect(await said(3)).toEqual(["contrary supported → gone: "]);
  });

  test("is gone with its link if the commit is not there either", async () => {
    web.clear();
    expect(await said(8)).toEqual(["contrary link gone"]);
  });

  test("is unknown while GitHub does not say whether it exists", async () => {
    for (const failure of [new Failure("rate-limited"), new Failure("status", { status: 500 }), "<html>", "[]x"]) {
      web.set("https://api.github.com/repos/marsh/woods/commits?path=src%2Fwoods.ts&per_page=1", failure);
      expect(await said(5)).toEqual([]);
    }
  });
});

describe("of a repository or a branch under another name", () => {
  const address = ofBranch.replace("#", "?plain=1#");
  const trigger = "name: Trees\nratings: [size]\non:\n  - { link: trees, when: [moved] }\n";
  beforeEach(async () => {
    world = await openWorld(config(address, trigger), web);
    serve(file);
    expect(await said()).toEqual([]);
  });
  /** The links that are offered in the next days. */
  async function offered(): Promise<(string | undefined)[]> {
    const earlier = (await world.store.firings()).length;
    await said(3);
    const firings = (await world.store.firings()).slice(earlier);
    return firings.flatMap(({ evidence }) =>
      evidence.map(({ change }) =>
        change.kind === "link" ? change.address : change.kind === "claim" ? change.after : undefined,
      ),
    );
  }

  test("the page that people read is offered, shown as before", async () => {
    web.set(main, { body: file, moved: `${raw.replace("marsh", "moor")}/main/src/woods.ts` });
    expect(await offered()).toEqual(["https://github.com/moor/woods/blob/main/src/woods.ts?plain=1#L3-L5"]);
    web.delete(main);
    expect(await offered()).toEqual(["https://github.com/marsh/woods/blob/HEAD/src/woods.ts?plain=1#L3-L5"]);
  });

  test("lines that moved as well are offered at their new place", async () => {
    serve(longer);
    web.delete(main);
    const place = "https://github.com/marsh/woods/blob/HEAD/src/woods.ts?plain=1#L4-L6";
    expect(await offered()).toEqual([place, place]);
  });
});

test("the stored past plays a file that is gone on the default branch again", async () => {
  world = await openWorld(config(pinned), web);
  serve(file);
  await said(2);
  web.delete(head);
  expect(await said(3)).toEqual(["contrary supported → gone: "]);
  const database = await openStore(":memory:");
  const { tapes } = await storedTapes(config(pinned), world.store);
  const { firings } = await play(tapes, {
    config: config(pinned),
    readers,
    store: database.repository("again"),
  });
  expect(firings.map(({ weight, event }) => `${weight} ${event.key}`)).toEqual(
    (await world.store.firings()).map(({ weight, event }) => `${weight} ${event.key}`),
  );
  await database.close();
});

describe("lines of a ref that only looks like a version", () => {
  test.each(["7.4", "v2-dev", "v1.2.3", "0123abc"])(
    "%s are followed there, and not on the default branch",
    async (ref) => {
      const there = `${raw}/${ref}/src/woods.ts`;
      world = await openWorld(config(ofBranch.replace("main", ref)), web);
      serve(edited);
      web.set(there, file);
      expect(await said(3)).toEqual([]);
      web.set(there, longer);
      expect(await said(3)).toEqual([
        `routine supported → supported: https://github.com/marsh/woods/blob/${ref}/src/woods.ts#L4-L6`,
      ]);
    },
  );

  test("is a tag if the link says so: they are compared with the default branch", async () => {
    world = await openWorld(config(ofBranch.replace("main", "refs/tags/v2-dev")), web);
    serve(longer);
    web.set(`${raw}/refs/tags/v2-dev/src/woods.ts`, file);
    expect(await said(3)).toEqual([
      "routine supported → supported: https://github.com/marsh/woods/blob/HEAD/src/woods.ts#L4-L6",
    ]);
  });
});

test("the stored past plays the same again, with the file of the commit", async () => {
  world = await openWorld(config(pinned), web);
  serve(longer);
  await said(2);
  serve(edited);
  await said(3);
  const fired = (firings: readonly Firing[]) => firings.map(({ event, weight }) => `${weight} ${event.key}`);
  const database = await openStore(":memory:");
  const { tapes } = await storedTapes(config(pinned), world.store);
  const settings = { config: config(pinned), readers, store: database.repository("again") };
  const { firings } = await play(tapes, settings);
  expect(fired(firings)).toHaveLength(2);
  expect(fired(firings)).toEqual(fired(await world.store.firings()));
  await database.close();
});

test("lines that are back in their place need no correction", async () => {
  world = await openWorld(config(ofBranch), web);
  serve(file);
  await said();
  serve(longer);
  expect(await said(10)).toHaveLength(1);
  const [sentence] = untrueSentences(await world.store.firings(), config(ofBranch));
  const isOffered = async () => sentence && isUntrue(sentence, await world.store.claims(), new Set());
  expect(await isOffered()).toBe(true);
  const corrected = "https://github.com/marsh/woods/blob/main/src/woods.ts#L4-L6";
  const answer = {
    rating: correctionOf("trees/counts"),
    verdict: "change",
    level: corrected,
    by: "heron",
    at: now,
  } as const;
  const accepted = acceptedEdits([answer], await world.store.firings(), { config: config(ofBranch), link: addressOf });
  expect(accepted.corrections).toMatchObject([{ figure: { old: ofBranch, now: corrected } }]);
  serve(file);
  expect(await said(10)).toEqual([]);
  expect(await isOffered()).toBe(false);
});

test("a claim starts from the beginning when its link is corrected", async () => {
  world = await openWorld(config(pinned), web);
  serve(edited);
  expect(await said(2)).toHaveLength(1);
  world.reconfigure(config("https://github.com/marsh/woods/blob/main/src/woods.ts#L4-L6"));
  expect(await said(3)).toEqual([]);
  expect(await world.store.claims()).toMatchObject([{ status: "supported" }]);
});

test("lines that the file never had are asked about at the first check", async () => {
  world = await openWorld(config(ofBranch.replace("L3-L5", "L1-L999999")), web);
  serve(file);
  expect(await said(3)).toEqual(["routine not found → not found: "]);
});

test("a condition on claims may leave moves out", async () => {
  const trigger = "name: Trees\nratings: [size]\non:\n  - { claim: trees, when: [altered, gone] }\n";
  world = await openWorld(config(pinned, trigger), web);
  serve(longer);
  expect(await said(3)).toHaveLength(1);
});

describe("of any edits of a file", () => {
  const line = fc.constantFrom("", "{", "}", "  call(one);", "  call(two);", "  return width;", "function other() {");
  const edit = fc.record({ at: fc.nat(12), removes: fc.nat(3), adds: fc.array(line, { maxLength: 3 }) });
  const original = file.split("\n");

  /** What a scan says, by the engine that the audit uses. */
  function stateOf(version: string, cited: LineRange): string {
    const found = findLines(file, version, cited);
    switch (found.state) {
      case "moved":
        return `routine supported → supported: https://github.com/marsh/woods/blob/HEAD/src/woods.ts#L${found.at.from}-L${found.at.to}`;
      case "changed":
        return `contrary supported → altered: ${version
          .split("\n")
          .slice(found.at.from - 1, found.at.to)
          .join("\n")}`;
      case "gone":
        return "contrary supported → gone: ";
      default:
        return found.state;
    }
  }

  test("the first check reports the findings of the audit's comparison, once and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 4 }), async (edits) => {
        const lines = [...original];
        for (const { at, removes, adds } of edits) lines.splice(at, removes, ...adds);
        const version = `${lines.join("\n")}\nend\n`;
        world = await openWorld(config(pinned), web);
        serve(version);
        const state = stateOf(version, { from: 3, to: 5 });
        expect(await said(3)).toEqual(state === "same" ? [] : [state]);
        await world.close();
      }),
      { numRuns: runs(60) },
    );
    world = await openWorld(config(pinned), web);
  });
});
