import { describe, expect, test } from "vitest";
import type { Change, Seen } from "../../src/model/change.ts";
import type { Config } from "../../src/model/config.ts";
import type { Firing } from "../../src/model/firing.ts";
import type { EventSighting, StoredFiring } from "../../src/model/ports/index.ts";
import type { Block, Item } from "../../src/model/reading.ts";
import { evaluate, type Remembered } from "../../src/watch/evaluate.ts";
import { occurrencesOf } from "../../src/watch/events.ts";
import { configOf } from "../support/config-of.ts";

const at = Date.UTC(2026, 6, 8, 12);
const hour = 3_600_000;

const sources = `
report: { title: Report, audited: 2026-05-16 }
axes: [platform, area]
levels: [Low, Medium, High]
ratings: { gpu/maturity: High, gpu/cost: Low, tpu/maturity: Medium, mps/kernels: Low }
products:
  torch: { name: Torch }
  rocm: { name: ROCm, tags: ["rocm-{version}", "therock-{version}"] }
sources:
  releases: { github-releases: acme/torch, announces: torch }
  index: { pypi: torch, announces: torch }
  blog: { feed: "https://example.org/feed", announces: torch }
  rocm-releases: { github-releases: acme/rocm, announces: rocm }
  repo: { github-repo: acme/tpu }
  tracker: { github-issue: "acme/torch#1" }
  kernels: { github-commits: acme/torch, path: kernels/mps }
  operators: { github-commits: acme/torch, path: operators/mps }
  notes:
    page: https://example.org/notes
    claims:
      early: { says: It is early, quote: is an early prototype, ratings: [mps/kernels] }
      unrated: { says: It is fast, quote: is very fast }
      gated: { says: Not public yet, quote: is not public, ratings: [tpu/maturity], until: [{ fact: repo, name: public, becomes: yes }] }
  specs: { page: "https://example.org/specs" }
`;

function config(triggers: Readonly<Record<string, string>>): Config {
  return configOf(sources, triggers);
}

const nothing: Remembered = { sightings: [], firings: [] };

function fired(config: Config, source: string, changes: readonly Change[], remembered = nothing): readonly Firing[] {
  return evaluated(config, source, changes, remembered).firings;
}

function evaluated(config: Config, source: string, changes: readonly Change[], remembered = nothing) {
  const watched = config.sources.get(source);
  if (!watched) throw new Error(`no source ${source}`);
  const seen = changes.map((change): Seen => ({ change, since: at - hour, absent: at - 2 * hour }));
  return evaluate(occurrencesOf(seen, watched, config), { source: watched, config, remembered, at });
}

const said = (firings: readonly Firing[]) =>
  firings.map(({ trigger, event, weight }) => `${trigger}: ${event.key} (${weight})`);

function added(item: Partial<Item> & { id: string }): Change {
  return { kind: "item-added", item: { title: item.id, version: item.id, ...item } };
}

function block(before: string | undefined, after: string | undefined, more: Partial<Block> = {}): Change {
  const make = (text: string | undefined): Block | undefined =>
    text === undefined ? undefined : { path: [], kind: "paragraph", text, ...more };
  return { kind: "block", before: make(before), after: make(after) };
}

function sighting(key: string, source: string, more: Partial<EventSighting> = {}): EventSighting {
  return { key, source, seen: at - 24 * hour, baseline: false, event: { key }, ...more };
}

function stored(firing: Firing): StoredFiring {
  return { ...firing, id: 1 };
}

describe("a release", () => {
  const torch = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch }]" });

  test("fires once, with the same key in each announcement", () => {
    expect(said(fired(torch, "releases", [added({ id: "v2.13.0" })]))).toEqual(["gpu: torch 2.13.0 (routine)"]);
    expect(said(fired(torch, "index", [added({ id: "2.13" })]))).toEqual(["gpu: torch 2.13.0 (routine)"]);
    expect(
      said(fired(torch, "blog", [added({ id: "x", title: "Torch 2.13 Release Blog", version: undefined })])),
    ).toEqual(["gpu: torch 2.13.0 (routine)"]);
  });

  test("seen in another source adds evidence to the firing that is there", () => {
    const [first] = fired(torch, "releases", [added({ id: "v2.13.0" })]);
    if (!first) throw new Error("did not fire");
    const remembered = { sightings: [sighting("torch 2.13.0", "releases")], firings: [stored(first)] };
    const [second] = fired(torch, "index", [added({ id: "2.13.0" })], remembered);
    expect(second?.evidence.map(({ source }) => source)).toEqual(["index"]);
    expect(fired(torch, "releases", [added({ id: "v2.13.0" })], remembered)).toEqual([]);
  });

  test("is named by a title that is nothing but a version, if the source announces one product", () => {
    const titled = (title: string) => said(fired(torch, "blog", [{ kind: "item-added", item: { id: "p1", title } }]));
    expect(titled("v2.13.0")).toEqual(["gpu: torch 2.13.0 (routine)"]);
    expect(titled("2.13.0")).toEqual(["gpu: torch 2.13.0 (routine)"]);
    for (const title of ["2026", "Release 2.13.0", "v2.13.0-rc1", "2026-07-08", "Top 10.5 ideas"])
      expect(titled(title)).toEqual([]);
  });

  describe("that is withdrawn", () => {
    const gone = (id: string, more: Partial<Item> = {}): Change => {
      return { kind: "item-withdrawn", item: { id, title: id, version: id, at: Date.UTC(2026, 5, 1), ...more } };
    };
    const hearing = (options: string) =>
      config({ gpu: `name: GPU\nratings: [gpu/maturity]\non: [{ release: torch${options} }]` });
    const withdrawn = hearing(", when: [withdrawn]");
    const known = { sightings: [sighting("torch 2.13.0", "releases", { baseline: true })], firings: [] };

    test("is heard by a condition that says so, whenever it was published, and by no other", () => {
      expect(said(fired(withdrawn, "index", [gone("2.13.0")], known))).toEqual([
        "gpu: torch 2.13.0 withdrawn (routine)",
      ]);
      expect(fired(withdrawn, "index", [added({ id: "2.14.0" })], known)).toEqual([]);
      expect(fired(hearing(""), "index", [gone("2.13.0")], known)).toEqual([]);
      const both = hearing(", when: [published, withdrawn]");
      const seen = said(fired(both, "index", [added({ id: "2.14.0" }), gone("2.13.0")], known));
      expect(seen).toEqual(["gpu: torch 2.14.0 (routine)", "gpu: torch 2.13.0 withdrawn (routine)"]);
    });

    test("is an event of its own, also for a trigger that asked about the release, and one in all sources together", () => {
      const both = hearing(", when: [published, withdrawn]");
      const [first] = fired(both, "index", [added({ id: "2.14.0" })]);
      if (!first) throw new Error("did not fire");
      const asked = { ...known, firings: [stored(first)] };
      const [second] = fired(both, "index", [gone("2.14.0")], asked);
      expect(second?.event).toEqual({ key: "torch 2.14.0 withdrawn", product: "torch", version: "2.14.0" });
      if (!second) throw new Error("did not fire");
      const told = { ...known, firings: [stored(first), { ...stored(second), id: 2 }] };
      expect(fired(both, "index", [gone("2.14.0")], told)).toEqual([]);
      expect(fired(both, "releases", [gone("v2.14.0")], told)).toMatchObject([{ event: second.event }]);
    });

    test("counts by how far it had moved, and not if it names no version or was a pre-release", () => {
      const before = {
        sightings: [
          sighting("torch 2.12.0", "index", { event: { key: "torch 2.12.0", product: "torch", version: "2.12.0" } }),
          sighting("torch 2.13.0", "index", { event: { key: "torch 2.13.0", product: "torch", version: "2.13.0" } }),
        ],
        firings: [],
      };
      const minor = hearing(", when: [withdrawn], bump: [minor]");
      expect(fired(minor, "index", [gone("2.13.0")], before)).toHaveLength(1);
      expect(fired(hearing(", when: [withdrawn], bump: [patch]"), "index", [gone("2.13.0")], before)).toEqual([]);
      expect(fired(withdrawn, "index", [gone("nightly")], before)).toEqual([]);
      expect(fired(withdrawn, "index", [gone("2.14.0rc1")], before)).toEqual([]);
      expect(fired(hearing(", when: [withdrawn], pre: only"), "index", [gone("2.14.0rc1")], before)).toHaveLength(1);
    });

    test("is shown to those who ask why nothing was said", () => {
      const { happenings } = evaluated(hearing(""), "index", [gone("2.13.0")], known);
      expect(happenings[0]?.results[0]?.verdicts).toMatchObject([
        { met: false, because: 'not asked about "withdrawn"' },
      ]);
    });

    test("may end a claim", () => {
      const until = configOf(
        sources.replace("[{ fact: repo, name: public, becomes: yes }]", "[{ release: torch, when: [withdrawn] }]"),
      );
      expect(evaluated(until, "index", [gone("2.13.0")], known).overturned).toMatchObject([{ claim: "notes/gated" }]);
    });
  });

  test("that was known before the trigger could fire stays silent", () => {
    const remembered = { sightings: [sighting("torch 2.12.0", "index", { baseline: true })], firings: [] };
    expect(fired(torch, "releases", [added({ id: "v2.12.0" })], remembered)).toEqual([]);
  });

  test("that a page held undated at its first check is still news if its date comes after the audit", () => {
    const undated = sighting("torch 2.13.0", "index", { baseline: true });
    const remembered = { sightings: [undated], firings: [] };
    const dated = (date: number) => fired(torch, "releases", [added({ id: "v2.13.0", at: date })], remembered);
    expect(said(dated(Date.UTC(2026, 6, 8)))).toEqual(["gpu: torch 2.13.0 (routine)"]);
    expect(dated(Date.UTC(2026, 3, 8))).toEqual([]);
    const known = { ...undated, event: { ...undated.event, at: Date.UTC(2026, 3, 8) } };
    const late = [added({ id: "v2.13.0", at: Date.UTC(2026, 6, 8) })];
    expect(fired(torch, "releases", late, { sightings: [known], firings: [] })).toEqual([]);
  });

  test("that is a pre-release fires only if config asks for it, and again when it becomes a release", () => {
    expect(fired(torch, "releases", [added({ id: "v2.14.0-rc1" })])).toEqual([]);
    const pre = evaluated(torch, "releases", [added({ id: "v2.14.0", pre: true })]);
    expect(pre.firings).toEqual([]);
    const promoted: Change = {
      kind: "item-edited",
      before: { id: "v2.14.0", title: "x", version: "v2.14.0", pre: true },
      item: { id: "v2.14.0", title: "x", version: "v2.14.0", pre: false },
    };
    expect(said(fired(torch, "releases", [promoted], { sightings: pre.events, firings: [] }))).toEqual([
      "gpu: torch 2.14.0 (routine)",
    ]);
    const eager = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch, pre: only }]" });
    expect(said(fired(eager, "releases", [added({ id: "v2.14.0-rc1" })]))).toEqual(["gpu: torch 2.14.0-rc1 (routine)"]);
    expect(fired(eager, "releases", [added({ id: "v2.14.0" })])).toEqual([]);
  });

  test("is filtered by bump, against the versions known", () => {
    const minor = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch, bump: [major, minor] }]" });
    const known = {
      sightings: [
        sighting("torch 2.13.0", "releases", { event: { key: "torch 2.13.0", product: "torch", version: "2.13.0" } }),
      ],
      firings: [],
    };
    expect(fired(minor, "releases", [added({ id: "v2.13.1" })], known)).toEqual([]);
    expect(said(fired(minor, "releases", [added({ id: "v2.14.0" })], known))).toEqual(["gpu: torch 2.14.0 (routine)"]);
  });

  test("is filtered by bump, against the lower versions that came in the same check", () => {
    const minor = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch, bump: [major, minor] }]" });
    const event = { key: "torch 2.13.0", product: "torch", version: "2.13.0" };
    const known = { sightings: [sighting(event.key, "releases", { event })], firings: [] };
    const together = ["v2.14.1", "v2.14.0", "v2.13.1", "v2.15.0-rc1", "v3.0.1"].map((id) => added({ id }));
    const told = ["gpu: torch 2.14.0 (routine)", "gpu: torch 3.0.1 (routine)"];
    expect(said(fired(minor, "releases", together, known))).toEqual(told);
    expect(said(fired(minor, "releases", together.toReversed(), known))).toEqual(told.toReversed());
  });

  test("that is called a pre-release afterwards fires no second time, and does so as a release it becomes", () => {
    const both = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch, pre: yes }]" });
    const called = (pre: boolean) => ({ id: "v2.14.0", title: "x", version: "v2.14.0", pre });
    const told = (was: boolean, is: boolean) =>
      said(fired(both, "releases", [{ kind: "item-edited", before: called(was), item: called(is) }]));
    expect(told(false, true)).toEqual([]);
    expect(told(true, false)).toEqual(["gpu: torch 2.14.0 (routine)"]);
  });

  test("is the first of its line if all that is known of it was called a pre-release", () => {
    const minor = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch, bump: [major, minor] }]" });
    const known = (...versions: string[]) => ({
      sightings: versions.map((text) => {
        const version = text.replace(" pre-release", "");
        const key = `torch ${text}`;
        return sighting(key, "releases", { event: { key, product: "torch", version } });
      }),
      firings: [],
    });
    const told = (id: string, ...versions: string[]) =>
      said(fired(minor, "releases", [added({ id })], known(...versions)));
    expect(told("v3.0.1", "2.13.0", "3.0.0 pre-release")).toEqual(["gpu: torch 3.0.1 (routine)"]);
    expect(told("v2.14.1", "2.13.0", "2.14.0 pre-release")).toEqual(["gpu: torch 2.14.1 (routine)"]);
    expect(told("v3.0.2", "2.13.0", "3.0.0 pre-release", "3.0.1")).toEqual([]);
    expect(told("v3.0.1", "2.13.0", "3.0.0 pre-release", "3.0.0")).toEqual([]);
    expect(told("v2.12.1", "2.13.0", "2.12.0 pre-release")).toEqual([]);
  });

  test("called a pre-release is compared with all known ones, so that a source which calls all of them so gives each line once", () => {
    const all = config({
      gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch, bump: [major, minor], pre: yes }]",
    });
    const event = { key: "torch 3.0.0 pre-release", product: "torch", version: "3.0.0" };
    const known = {
      sightings: [
        sighting("torch 2.13.0", "releases", { event: { key: "torch 2.13.0", product: "torch", version: "2.13.0" } }),
        sighting(event.key, "releases", { event }),
      ],
      firings: [],
    };
    expect(fired(all, "releases", [added({ id: "v3.0.1", pre: true })], known)).toEqual([]);
    expect(fired(all, "releases", [added({ id: "v3.1.0", pre: true })], known)).toHaveLength(1);
  });

  test("of a tag that is not the product's is none", () => {
    expect(fired(torch, "releases", [added({ id: "ciflow/trunk/123" })])).toEqual([]);
    const rocm = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: rocm }]" });
    expect(said(fired(rocm, "rocm-releases", [added({ id: "therock-10.0" })]))).toEqual(["gpu: rocm 10.0.0 (routine)"]);
    expect(fired(rocm, "rocm-releases", [added({ id: "hip-9.9" })])).toEqual([]);
  });

  test("of a tag that is no version is named by the tag or the title, unless the product has shapes of its own", () => {
    const tag = (id: string, title = id) => said(fired(torch, "releases", [added({ id, title })]));
    const told = ["gpu: torch 2.13.0 (routine)"];
    expect([tag("torch-v2.13.0"), tag("torch@2.13.0"), tag("rel-2-13-0", "Torch 2.13")]).toEqual([told, told, told]);
    for (const other of ["torch-lite-v2.13.0", "libtorch-2.13.0", "rel-2-13-0"]) expect(tag(other)).toEqual([]);
    expect(tag("nightly", "Torch 2.13 nightly")).toEqual([]);
    expect(tag("v2.13.0-next.3", "Torch 2.13")).toEqual([]);
    const rocm = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: rocm }]" });
    expect(fired(rocm, "rocm-releases", [added({ id: "hip-9.9", title: "ROCm 9.9" })])).toEqual([]);
  });

  test("is known by its tag, with any title, in a repository of several products", () => {
    const many = configOf(
      sources
        .replace("announces: rocm", "announces: [rocm, cli]")
        .replace("{ name: Torch }", '{ name: Torch }\n  cli: { name: CLI, tags: ["cli-{version}"] }'),
      { gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: cli }]" },
    );
    const tag = (id: string) => said(fired(many, "rocm-releases", [added({ id, title: "A great one" })]));
    expect(tag("cli-1.4.0")).toEqual(["gpu: cli 1.4.0 (routine)"]);
    for (const other of ["rocm-1.4.0", "v1.4.0", "cli-docs"]) expect(tag(other)).toEqual([]);
  });

  test("announced by a source that the condition does not name is not met", () => {
    const strict = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch, sources: [index] }]" });
    expect(fired(strict, "releases", [added({ id: "v2.13.0" })])).toEqual([]);
    const remembered = { sightings: [sighting("torch 2.13.0", "releases")], firings: [] };
    expect(said(fired(strict, "index", [added({ id: "2.13.0" })], remembered))).toEqual([
      "gpu: torch 2.13.0 (routine)",
    ]);
  });
});

describe("entries, commits, facts and issues", () => {
  test("an item is matched in title and text, and the section that matches is quoted", () => {
    const mps = config({
      mps: "name: MPS\nratings: [mps/kernels]\nalso: [{ item: releases, matches: '\\bMetal\\b' }]",
    });
    const blocks: Block[] = [{ path: ["Apple"], kind: "item", text: "Metal kernels are faster" }];
    const [firing] = fired(mps, "releases", [added({ id: "v2.13.0", blocks })]);
    expect(firing?.event.key).toBe("torch 2.13.0");
    expect(firing?.evidence[0]).toMatchObject({ part: "also", excerpt: "Apple\nMetal kernels are faster" });
    expect(fired(mps, "releases", [added({ id: "v2.13.0" })])).toEqual([]);
  });

  test("an item's title is matched alone, or beside its text", () => {
    const when = (more: string) =>
      config({ gpu: `name: GPU\nratings: [gpu/maturity]\non: [{ item: blog, title: '\\bMPS\\b'${more} }]` });
    const blocks: Block[] = [{ path: [], kind: "paragraph", text: "Faster on MPS and on Metal" }];
    const titled = (title: string) => [added({ id: "post", title, version: undefined, blocks })];
    expect(fired(when(""), "blog", titled("News of MPS"))).toHaveLength(1);
    expect(fired(when(""), "blog", titled("News of everything"))).toEqual([]);
    expect(fired(when(", matches: Metal"), "blog", titled("News of MPS"))).toHaveLength(1);
    expect(fired(when(", matches: Vulkan"), "blog", titled("News of MPS"))).toEqual([]);
    expect(fired(when(", not: old"), "blog", titled("News of MPS, old"))).toEqual([]);
  });

  describe("a further entry about a version that the source had before", () => {
    const first: Change = added({ id: "p1", title: "Torch 2.13 Release Blog", version: undefined });
    const second: Change = added({ id: "p2", title: "Torch 2.13: MPS graduates", version: undefined });
    const having = (config: Config, ...changes: Change[]) =>
      changes.reduce<Remembered>((known, change) => {
        const { events, firings } = evaluated(config, "blog", [change], known);
        const kept = [...known.firings, ...firings.map(stored)];
        return { sightings: [...known.sightings, ...events], firings: kept };
      }, nothing);

    test("is an event of its own to those who ask for entries, once", () => {
      const mps = config({ mps: "name: MPS\nratings: [mps/kernels]\non: [{ item: blog, matches: MPS }]" });
      expect(said(fired(mps, "blog", [second]))).toEqual(["mps: torch 2.13.0 (routine)"]);
      const known = having(mps, first);
      expect(said(fired(mps, "blog", [second], known))).toEqual(["mps: blog p2 (routine)"]);
      expect(fired(mps, "blog", [second], having(mps, first, second))).toEqual([]);
      expect(having(mps, first, second).sightings.map(({ key }) => key)).toEqual(["torch 2.13.0", "blog p2"]);
      const there = sighting("torch 2.13.0", "blog", { baseline: true });
      expect(fired(mps, "blog", [second], { sightings: [there], firings: [] })).toHaveLength(1);
    });

    test("is none to those who ask for releases, and fires once for a trigger that asks for both", () => {
      const both = config({
        gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ release: torch }, { item: blog }]",
        cost: "name: Cost\nratings: [gpu/cost]\non: [{ release: torch }]",
      });
      expect(said(fired(both, "blog", [first]))).toEqual([
        "gpu: torch 2.13.0 (routine)",
        "cost: torch 2.13.0 (routine)",
      ]);
      const { firings, happenings } = evaluated(both, "blog", [second], having(both, first));
      expect(said(firings)).toEqual(["gpu: blog p2 (routine)"]);
      expect(happenings.map(({ event, results }) => [event.key, results.map(({ outcome }) => outcome)])).toEqual([
        ["torch 2.13.0", ["known", "known"]],
        ["blog p2", ["fired"]],
      ]);
      expect(fired(both, "blog", [second], having(both, first, second))).toEqual([]);
    });

    test("of another source stays evidence of the version", () => {
      const both = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ item: releases }, { item: blog }]" });
      const { events, firings } = evaluated(both, "releases", [added({ id: "v2.13.0" })]);
      const known = { sightings: events, firings: firings.map(stored) };
      expect(said(fired(both, "blog", [first], known))).toEqual(["gpu: torch 2.13.0 (routine)"]);
    });

    test("is not seen in one that a first check finds again", () => {
      const mps = config({ mps: "name: MPS\nratings: [mps/kernels]\non: [{ item: blog }]" });
      const known = having(mps, first);
      const source = mps.sources.get("blog");
      if (!source) throw new Error("no source");
      const occurrences = occurrencesOf([{ change: first, since: at }], source, mps);
      expect(evaluate(occurrences, { source, config: mps, remembered: known, at }).firings).toEqual([]);
    });
  });

  describe("text that is written into an entry that was seen", () => {
    const mps = config({
      mps: "name: MPS\nratings: [mps/kernels]\non: [{ item: releases, matches: MPS, awaited: true }]",
    });
    const event = { key: "torch 2.13.0", product: "torch", version: "2.13.0" };
    const seen = (ago: number, baseline = false) => ({
      sightings: [sighting(event.key, "releases", { event, seen: at - ago * 24 * hour, baseline })],
      firings: [],
    });
    const written = (text: string, more: Partial<Item> = {}): Change => {
      const item = { id: "v2.13.0", title: "v2.13.0", version: "v2.13.0" };
      return {
        kind: "item-edited",
        before: item,
        item: { ...item, blocks: [{ path: [], kind: "paragraph", text }], ...more },
      };
    };

    test("fires within a week of its coming, once", () => {
      const [firing] = fired(mps, "releases", [written("Runs on MPS.")], seen(1));
      expect(firing).toMatchObject({ event: { key: "torch 2.13.0" }, weight: "contrary" });
      expect(firing?.evidence[0]).toMatchObject({ excerpt: "Runs on MPS." });
      expect(fired(mps, "releases", [written("Runs on CUDA.")], seen(1))).toEqual([]);
      expect(fired(mps, "releases", [written("Runs on MPS.")], seen(8))).toEqual([]);
      expect(fired(mps, "releases", [written("Runs on MPS.")], seen(1, true))).toEqual([]);
      const told = { ...seen(1), firings: firing ? [stored(firing)] : [] };
      expect(fired(mps, "releases", [written("Runs on MPS, too.")], told)).toEqual([]);
    });

    test("is nothing new to a condition that asks for no words, or that fired for the release", () => {
      const any = config({ gpu: "name: GPU\nratings: [gpu/maturity]\non: [{ item: releases }, { release: torch }]" });
      expect(fired(any, "releases", [written("Runs on MPS.")], seen(1))).toEqual([]);
      const both = config({
        mps: "name: MPS\nratings: [mps/kernels]\non: [{ release: torch }, { item: releases, matches: MPS }]",
      });
      const { events, firings } = evaluated(both, "releases", [added({ id: "v2.13.0" })]);
      expect(firings).toHaveLength(1);
      const known = { sightings: events, firings: firings.map(stored) };
      expect(fired(both, "releases", [written("Runs on MPS.")], known)).toEqual([]);
    });

    test("goes by the entry if it is a further one about its version", () => {
      const further = { id: "p2", title: "Torch 2.13: more" };
      const posts = config({ mps: "name: MPS\nratings: [mps/kernels]\non: [{ item: blog, matches: MPS }]" });
      const known = { sightings: [sighting(event.key, "blog", { event, seen: at - 90 * 24 * hour })], firings: [] };
      const { events, firings } = evaluated(posts, "blog", [{ kind: "item-added", item: further }], known);
      expect(firings).toEqual([]);
      const remembered = { sightings: [...known.sightings, ...events], firings: [] };
      const edit = written("Runs on MPS.", { ...further, version: undefined });
      expect(said(fired(posts, "blog", [edit], remembered))).toEqual(["mps: blog p2 (routine)"]);
    });
  });

  test("a commit is one event, in any number of lists", () => {
    const sha = "0123456789abcdef0123456789abcdef01234567";
    const mps = config({ mps: "name: MPS\nratings: [mps/kernels]\non: [{ commit: kernels }, { commit: operators }]" });
    const commit: Change = { kind: "item-added", item: { id: sha, title: "Faster kernels" } };
    const [first] = fired(mps, "kernels", [commit]);
    if (!first) throw new Error("did not fire");
    const remembered = { sightings: [], firings: [stored(first)] };
    expect(fired(mps, "operators", [commit], remembered)).toMatchObject([
      { event: { key: `commit ${sha}` }, evidence: [{ source: "operators" }] },
    ]);
  });

  test("a commit may be excluded by its title", () => {
    const mps = config({ mps: "name: MPS\nratings: [mps/kernels]\non: [{ commit: kernels, not: '(?i)lint' }]" });
    expect(fired(mps, "kernels", [added({ id: "abc", title: "Fix lint", version: undefined })])).toEqual([]);
    expect(said(fired(mps, "kernels", [added({ id: "abc", title: "Add a kernel", version: undefined })]))).toEqual([
      "mps: kernels abc (routine)",
    ]);
  });

  test("an awaited fact is contrary, and touches the ratings that its condition names", () => {
    const tpu = config({
      tpu: "name: TPU\nratings: [tpu/maturity]\non: [{ fact: repo, name: public, becomes: yes, awaited: true }]",
    });
    const change: Change = { kind: "fact", name: "public", before: "no", after: "yes" };
    expect(said(fired(tpu, "repo", [change]))).toEqual(["tpu: repo public yes (contrary)"]);
    expect(fired(tpu, "repo", [{ ...change, before: "yes", after: "no" }])).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ trigger: "tpu" })]),
    );
  });

  test("an issue fires at the moments that are named", () => {
    const mps = config({
      mps: "name: MPS\nratings: [mps/kernels]\non: [{ issue: tracker, when: [closed, checklist] }]",
    });
    expect(said(fired(mps, "tracker", [{ kind: "fact", name: "state", before: "open", after: "closed" }]))).toEqual([
      "mps: tracker state closed (routine)",
    ]);
    expect(fired(mps, "tracker", [{ kind: "fact", name: "state", before: "closed", after: "open" }])).toEqual([]);
    expect(fired(mps, "tracker", [block("[ ] FlexAttention", "[x] FlexAttention", { kind: "item" })])).toHaveLength(1);
    expect(fired(mps, "tracker", [block("Some words", "Other words")])).toEqual([]);
  });

  test("an issue's title and labels are matched by their changes", () => {
    const mps = config({
      mps: "name: MPS\nratings: [mps/kernels]\non: [{ issue: tracker, when: [closed, title, labels], matches: MPS }]",
    });
    const fires = (name: string, before: string, after: string) =>
      fired(mps, "tracker", [{ kind: "fact", name, before, after }]).length;
    expect(fires("title", "Tracker", "Tracker of CUDA")).toBe(0);
    expect(fires("title", "Tracker", "Tracker of MPS")).toBe(1);
    expect(fires("title", "Tracker of MPS", "Tracker")).toBe(1);
    expect(fires("labels", "a, MPS", "a, MPS, stale")).toBe(0);
    expect(fires("labels", "a", "a, MPS")).toBe(1);
    expect(fires("labels", "a, topic: MPS", "a")).toBe(1);
    expect(fires("state", "open", "closed")).toBe(1);
  });
});

describe("pages", () => {
  test("all blocks of one check are one event", () => {
    const gpu = config({ gpu: "name: GPU\nratings: [gpu/cost]\non: [{ change: specs }]" });
    const firings = fired(gpu, "specs", [block("128 GB", "192 GB"), block(undefined, "New")]);
    expect(firings).toHaveLength(1);
    expect(firings[0]?.evidence).toHaveLength(2);
  });

  test("the same words that come twice are one piece of evidence, as they are when they are reported later", () => {
    const gpu = config({ gpu: "name: GPU\nratings: [gpu/cost]\non: [{ change: specs }]" });
    const [one] = fired(gpu, "specs", [block(undefined, "New"), block(undefined, "New"), block(undefined, "Newer")]);
    expect(one?.evidence.map(({ change }) => change)).toEqual([block(undefined, "New"), block(undefined, "Newer")]);
  });

  test("a change is asked for under a heading and by its words", () => {
    const gpu = config({ gpu: "name: GPU\nratings: [gpu/cost]\non: [{ change: specs, under: memory, matches: GB }]" });
    expect(fired(gpu, "specs", [block("128 GB", "192 GB", { path: ["Tech specs", "Memory"] })])).toHaveLength(1);
    expect(fired(gpu, "specs", [block("128 GB", "192 GB", { path: ["Display"] })])).toEqual([]);
    expect(fired(gpu, "specs", [block("one", "two", { path: ["Memory"] })])).toEqual([]);
  });

  test("a change may be asked for without code or rows", () => {
    const fires = (without: string, kind: Block["kind"]) => {
      const gpu = config({ gpu: `name: GPU\nratings: [gpu/cost]\non: [{ change: specs, without: ${without} }]` });
      return fired(gpu, "specs", [block("run --fast", "run --slow", { kind })]).length;
    };
    expect([fires("[code]", "code"), fires("[code]", "row"), fires("[code]", "paragraph")]).toEqual([0, 1, 1]);
    expect([fires("[rows]", "code"), fires("[rows]", "row"), fires("[code, rows]", "row")]).toEqual([1, 0, 0]);
  });

  test("words are looked for in the sentences that changed, and in the whole of a row", () => {
    const gpu = config({ gpu: "name: GPU\nratings: [gpu/cost]\non: [{ change: specs, matches: Windows }]" });
    const said = "Windows is supported. Linux has 3 modes. Mac is not.";
    const fires = (before: string, after: string, more = {}) =>
      fired(gpu, "specs", [block(before, after, more)]).length;
    expect(fires(said, said.replace("3", "4"))).toBe(0);
    expect(fires(said, said.replace("is supported", "has left"))).toBe(1);
    expect(fires(said, "Linux has 3 modes. Mac is not.")).toBe(1);
    expect(fires("Windows | 3 modes", "Windows | 4 modes", { kind: "row" })).toBe(1);
    expect(fires(said, "Mac is not. Windows is supported. Linux has 3 modes.")).toBe(1);
  });

  test("a row appears, goes or changes", () => {
    const gpu = config({ gpu: "name: GPU\nratings: [gpu/cost]\non: [{ row: specs, when: [added] }]" });
    expect(fired(gpu, "specs", [block(undefined, "M5 | 192 GB", { kind: "row" })])).toHaveLength(1);
    expect(fired(gpu, "specs", [block("M5 | 128 GB", "M5 | 192 GB", { kind: "row" })])).toEqual([]);
    expect(fired(gpu, "specs", [block(undefined, "a paragraph")])).toEqual([]);
  });
});

describe("claims", () => {
  const altered: Change = {
    kind: "claim",
    claim: "notes/early",
    from: "supported",
    to: "altered",
    before: "a",
    after: "b",
  };
  const mps = config({ mps: "name: MPS\nratings: [mps/kernels]\non: [{ commit: kernels }]" });

  test("fire the trigger that names their rating, contrary", () => {
    expect(fired(mps, "notes", [altered]).map(({ trigger, weight }) => [trigger, weight])).toEqual([
      ["mps", "contrary"],
    ]);
  });

  test("fire the built-in trigger if no trigger names a rating of theirs", () => {
    const unrated: Change = { ...altered, claim: "notes/unrated", to: "gone" };
    expect(fired(mps, "notes", [unrated]).map(({ trigger }) => trigger)).toEqual(["claims"]);
  });

  test("not found at the first check go into a question of their own, routine", () => {
    const missing: Change = { kind: "claim", claim: "notes/early", from: "not found", to: "not found" };
    expect(fired(mps, "notes", [missing]).map(({ trigger, weight }) => [trigger, weight])).toEqual([
      ["not-found", "routine"],
    ]);
  });

  test("are contrary at the first check already if the source says something else in place of the proof", () => {
    const missing = { kind: "claim", claim: "notes/early", from: "not found", to: "not found", after: "b" } as const;
    expect(fired(mps, "notes", [missing]).map(({ weight }) => weight)).toEqual(["routine"]);
    const denied: Change = { ...missing, otherwise: true };
    expect(fired(mps, "notes", [denied]).map(({ trigger, weight }) => [trigger, weight])).toEqual([
      ["not-found", "contrary"],
    ]);
  });

  test("supported again is no alarm", () => {
    expect(fired(mps, "notes", [{ ...altered, from: "altered", to: "supported" }])).toEqual([]);
  });

  test("are overturned by the events that end them, behind a page that still says it", () => {
    const change: Change = { kind: "fact", name: "public", before: "no", after: "yes" };
    const { firings, overturned } = evaluated(mps, "repo", [change]);
    expect(firings.map(({ trigger, weight }) => [trigger, weight])).toEqual([["claims", "contrary"]]);
    expect(overturned).toMatchObject([{ claim: "notes/gated", status: "contradicted" }]);
  });

  describe("report an edit once", () => {
    const page = (condition: string) =>
      config({ mps: `name: MPS\nratings: [mps/kernels]\non: [{ change: notes${condition} }]` });
    const claim = (before: string, after?: string, to: "altered" | "gone" = "altered"): Change => ({
      ...{ kind: "claim", claim: "notes/early", from: "supported", to, before },
      ...(after !== undefined && { after }),
    });
    const weights = (config: Config, ...changes: Change[]) =>
      fired(config, "notes", changes).map(({ weight }) => weight);

    test("that a claim of the same trigger covers", () => {
      const prose = block("Max supports 128 GB of memory.", "Max supports 192 GB of memory.");
      expect(weights(page(""), prose)).toEqual(["routine"]);
      expect(weights(page(""), prose, claim("128 GB", "192 GB"))).toEqual(["contrary"]);
      expect(weights(page(""), block("A. It is early. B.", "A. B."), claim("It is early", undefined, "gone"))).toEqual([
        "contrary",
      ]);
      const rewritten = block("It is early. B.", "It is ready for use.");
      expect(weights(page(""), rewritten, claim("It is early", "It is ready for use.", "gone"))).toEqual(["contrary"]);
    });

    test("but not by text that is not in the claim, or that the trigger asks for by name", () => {
      const more = block("It costs $29 and holds 10 GB.", "It costs $39 and holds 20 GB.");
      expect(weights(page(""), more, claim("$29", "$39"))).toEqual(["routine", "contrary"].toSorted());
      const price = block("It costs $29.", "It costs $39.");
      expect(weights(page(", means: the price moved"), price, claim("$29", "$39"))).toHaveLength(2);
      expect(weights(page(", awaited: true"), price, claim("$29", "$39"))).toHaveLength(2);
      const back: Change = { ...altered, from: "altered", to: "supported", before: "$39", after: "$29" };
      expect(weights(page(""), block("It costs $39.", "It costs $29."), back)).toEqual(["routine"]);
    });

    test("with all claims of a sentence together", () => {
      const both = block("It costs $29 and holds 10 GB.", "It costs $39 and holds 20 GB.");
      const second: Change = { ...claim("10 GB", "20 GB"), claim: "notes/room" } as Change;
      const two = configOf(
        sources.replace(
          "      unrated:",
          "      room: { says: Room, value: 10 GB, ratings: [mps/kernels] }\n      unrated:",
        ),
        { mps: "name: MPS\nratings: [mps/kernels]\non: [{ change: notes }]" },
      );
      expect(weights(two, both, claim("$29", "$39"), second)).toEqual(["contrary", "contrary"]);
    });

    test("in a fact", () => {
      const repo = configOf(
        sources.replace(
          "repo: { github-repo: acme/tpu }",
          "repo: { github-repo: acme/tpu, claims: { alive: { says: It is alive, fact: archived, is: no, ratings: [tpu/maturity] } } }",
        ),
        {
          tpu: "name: TPU\nratings: [tpu/maturity]\non: [{ fact: repo, name: archived }, { fact: repo, name: public }]",
        },
      );
      const fact = (name: string): Change => ({ kind: "fact", name, before: "no", after: "yes" });
      const dead: Change = { ...altered, claim: "repo/alive", before: "no", after: "yes" };
      expect(said(fired(repo, "repo", [fact("archived"), dead]))).toHaveLength(1);
      expect(said(fired(repo, "repo", [fact("public"), dead]))).toHaveLength(2);
    });
  });

  test("of a source that is gone are in question", () => {
    const firings = fired(mps, "notes", [{ kind: "link", to: "gone" }]);
    expect(firings.map(({ trigger }) => trigger).sort()).toEqual(["claims", "mps"]);
  });

  test("of a source that is gone are asked about instead of its address, if that concerns no ratings", () => {
    const links = (more: string) => config({ links: `name: Links\n${more}on: [{ link: notes }, { link: specs }]` });
    const triggers = (of: Config, source: string) =>
      fired(of, source, [{ kind: "link", to: "gone" }]).map(({ trigger }) => trigger);
    expect(triggers(links(""), "notes")).toEqual(["claims"]);
    expect(triggers(links(""), "specs")).toEqual(["links"]);
    expect(triggers(links("ratings: [gpu/cost]\n"), "notes").toSorted()).toEqual(["claims", "links"]);
  });
});

test.each([
  ["retracted", undefined, "10.5555/notice", "contrary"],
  ["retracted", "10.5555/notice", undefined, "routine"],
  ["withdrawn", "no", "yes", "contrary"],
  ["withdrawn", "yes", "no", "routine"],
  ["corrected", undefined, "10.5555/notice", "routine"],
])("a work that was taken back is against the report: %s from %s to %s", (name, before, after, weight) => {
  const id = name === "withdrawn" ? 'arxiv: "2401.00001"' : "doi: 10.5555/paper";
  const watched = configOf(
    `report: { title: T, audited: 2026-05-16 }\nratings: { a: Low }\nsources: { paper: { ${id} } }`,
    { works: `name: Works\nratings: [a]\non: [{ fact: paper, name: ${name} }]` },
  );
  const firings = fired(watched, "paper", [{ kind: "fact", name, before, after } as Change]);
  expect(firings.map((one) => one.weight)).toEqual([weight]);
});

test("two conditions of one trigger met by one event are one firing, and the weightier word counts", () => {
  const tpu = config({
    tpu: "name: TPU\nratings: [tpu/maturity]\non:\n  - fact: repo\n    name: public\nalso:\n  - fact: repo\n    name: public\n    becomes: yes\n    awaited: true\n    means: it is public",
  });
  const firings = fired(tpu, "repo", [{ kind: "fact", name: "public", before: "no", after: "yes" }]).filter(
    ({ trigger }) => trigger === "tpu",
  );
  expect(firings).toHaveLength(1);
  expect(firings[0]?.weight).toBe("contrary");
});
