import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { Failure } from "../../../src/model/failure.ts";
import { readers } from "../../../src/read/index.ts";
import { compareReplays } from "../../../src/watch/replay/both.ts";
import { play, type Replay, type ReplaySettings } from "../../../src/watch/replay/play.ts";
import type { Tape } from "../../../src/watch/replay/tape.ts";
import { configOf } from "../../support/config-of.ts";

const sources = `report: { title: Kites, audited: 2026-05-16 }
levels: [Low, High]
ratings: { lift: Low }
products: { spar: { name: Spar } }
sources:
  releases: { github-releases: example/spar, announces: spar }
  limits: { text: "https://example.org/limits.md" }
`;
const wide = "name: Delta\nratings: [lift]\non:\n  - release: spar\n  - change: limits\n";
const narrow =
  "name: Delta\nratings: [lift]\non:\n  - release: spar\n    bump: [major]\nalso:\n  - silence: releases\n    for: 30d\n";
const quiet = "name: Delta\nratings: [lift]\non:\n  - unreviewed: 30d\n";

const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
const answer = (body: string) => ({ url: "https://example.org/", status: 200, headers: {}, body: Buffer.from(body) });
const releases = (...versions: string[]) =>
  answer(
    JSON.stringify(
      versions.map((v, i) => ({ tag_name: v, published_at: `2026-05-${String(20 - i).padStart(2, "0")}T00:00:00Z` })),
    ),
  );

async function played(
  trigger: string,
  tapes: (config: ReplaySettings["config"]) => Tape[],
  more: Partial<ReplaySettings> = {},
): Promise<Replay> {
  const config = configOf(sources, { delta: trigger });
  const database = await openStore(":memory:");
  try {
    return await play(tapes(config), { config, readers, store: database.repository("test"), ...more });
  } finally {
    await database.close();
  }
}

function tape(config: ReplaySettings["config"], id: string, frames: Tape["frames"]): Tape {
  const source = config.sources.get(id);
  if (!source) throw new Error(id);
  return { source, frames };
}

const story = (config: ReplaySettings["config"]): Tape[] => [
  tape(config, "releases", [
    { at: day("2026-05-17"), response: releases("v1.0.0") },
    { at: day("2026-06-01"), response: releases("v1.1.0", "v1.0.0") },
    { at: day("2026-06-10"), failure: new Failure("status", { status: 503 }) },
    { at: day("2026-06-20"), response: releases("v2.0.0", "v1.1.0", "v1.0.0") },
  ]),
  tape(config, "limits", [
    { at: day("2026-05-17"), response: answer("# Payload\n\n95 g.") },
    { at: day("2026-06-05"), response: answer("# Payload\n\n80 g.") },
  ]),
];
const keys = ({ firings }: Replay) =>
  firings.map(({ event, fired }) => [
    event.key.replace(/ [0-9a-f]{16}$/, ""),
    new Date(fired).toISOString().slice(0, 16),
  ]);

describe("a replay", () => {
  it("checks every frame, comes back for second checks, and opens rechecks as the outbox would", async () => {
    const told = await played(wide, story, { answers: [{ trigger: "delta", at: day("2026-06-06") }] });
    expect(keys(told)).toEqual([
      ["spar 1.1.0", "2026-06-01T00:00"],
      ["limits changed", "2026-06-05T06:00"],
      ["spar 2.0.0", "2026-06-20T00:00"],
    ]);
    expect(told.rechecks.map(({ state, opened }) => [state, new Date(opened).toISOString().slice(0, 10)])).toEqual([
      ["closed", "2026-06-01"],
      ["planned", "2026-06-20"],
    ]);
    expect(told.checks.map(({ outcome }) => outcome)).toEqual([
      "first",
      "first",
      "changed",
      "unchanged",
      "changed",
      "unknown",
      "changed",
    ]);
  });

  it("does not come back if the tapes hold every check", async () => {
    expect(keys(await played(wide, story, { until: day("2026-06-20") })).map(([key]) => key)).toEqual([
      "spar 1.1.0",
      "spar 2.0.0",
    ]);
  });

  it("lets time pass if a condition waits for it, and not while a source is unseen", async () => {
    expect(keys(await played(narrow, story, { until: day("2026-07-30") }))).toEqual([
      ["spar 2.0.0", "2026-06-20T00:00"],
      ["releases silent since 2026-05-20", "2026-06-20T00:00"],
    ]);
    expect(keys(await played(quiet, story))).toEqual([["lift unreviewed since 2026-05-16", "2026-06-15T00:00"]]);
  });

  it("sees nothing in a source with unusable answers", async () => {
    const told = await played(wide, (config) => [
      tape(config, "limits", [{ at: day("2026-05-17"), response: { ...answer("gone"), status: 404 } }]),
    ]);
    expect(told.checks[0]?.failure?.kind).toBe("not-found");
  });
});

describe("the difference between two", () => {
  it("is by trigger and event, from a day on", async () => {
    const [before, after] = [await played(wide, story), await played(narrow, story)];
    const since = day("2026-06-03");
    const { came, went, stayed } = compareReplays(before, after, since);
    expect(came.map(({ event }) => event.key)).toEqual(["releases silent since 2026-05-20"]);
    expect(went.map(({ event }) => event.key.slice(0, 14))).toEqual(["limits changed"]);
    expect(stayed).toBe(1);
  });

  const open = "name: Delta\nratings: [lift]\non:\n  - release: spar\n";
  const patches = "name: Delta\nratings: [lift]\non:\n  - release: spar\n    bump: [patch]\n";
  const releasing = (config: ReplaySettings["config"]): Tape[] => [
    tape(config, "releases", [
      { at: day("2026-05-17"), response: releases("v1.0.0") },
      { at: day("2026-06-01"), response: releases("v1.1.0", "v1.0.0") },
      { at: day("2026-06-10"), response: releases("v1.2.0", "v1.1.0", "v1.0.0") },
      { at: day("2026-06-20"), response: releases("v2.0.0", "v1.2.0", "v1.1.0", "v1.0.0") },
    ]),
  ];

  it("counts rechecks as they are opened: an event that joins an open one is no other", async () => {
    const [all, none] = [await played(open, releasing), await played(patches, releasing)];
    const { went, rechecks } = compareReplays(all, none);
    expect([went.length, rechecks]).toEqual([3, { came: 0, went: 1 }]);
    expect(compareReplays(none, all).rechecks).toEqual({ came: 1, went: 0 });
    const answers = [{ trigger: "delta", at: day("2026-06-12") }];
    const answered = await played(open, releasing, { answers });
    expect(compareReplays(answered, none).rechecks).toEqual({ came: 0, went: 2 });
    expect(compareReplays(answered, none, day("2026-06-15")).rechecks).toEqual({ came: 0, went: 1 });
  });

  it("counts none if one of its events is asked about either way", async () => {
    const major = "name: Delta\nratings: [lift]\non:\n  - release: spar\n    bump: [major]\n";
    const { went, stayed, rechecks } = compareReplays(await played(open, releasing), await played(major, releasing));
    expect([went.length, stayed, rechecks]).toEqual([2, 1, { came: 0, went: 0 }]);
  });
});
