import { expect, test } from "vitest";
import type { Bench } from "./contract.ts";
import { evidence, firing, kept, recheck, sighting, start } from "./samples.ts";

/** Events and the firings they cause. */
export function firingContract(it: () => Bench): void {
  test("the first sighting of an event in a source stands", async () => {
    const first = sighting("pytorch 2.13.0", "feed", {
      baseline: true,
      event: { key: "pytorch 2.13.0", product: "pytorch", version: "2.13.0", at: start },
    });
    const elsewhere = { ...first, source: "releases", seen: start - 1, baseline: false };
    await it().keep(kept("feed", { events: [first] }));
    await it().keep(kept("feed", { events: [{ ...first, seen: start + 9, baseline: false }, elsewhere] }));
    expect(await it().store.events("feed")).toEqual([first]);
    await it().store.commit(async (tx) => {
      expect(await tx.sightings(["pytorch 2.13.0", "pytorch 2.14.0"])).toEqual([elsewhere, first]);
      expect(await tx.sightingsOf("pytorch")).toEqual([elsewhere, first]);
      expect(await tx.sightingsOf("cuda")).toEqual([]);
      expect(await tx.sightings([])).toEqual([]);
    });
  });

  test("thousands of keys can be asked about at once", async () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `p ${index}`);
    const some = keys.filter((_, index) => index % 10_000 === 0);
    await it().keep(
      kept("a", { events: keys.map((key) => sighting(key, "a")), firings: some.map((key) => firing("t", key)) }),
    );
    await it().store.commit(async (tx) => {
      expect(await tx.sightings(keys)).toHaveLength(40_000);
      expect((await tx.firingsOf(keys)).map((one) => one.event.key)).toEqual(some);
    });
  });

  test("a firing comes back as it was, evidence in the order it was seen", async () => {
    const one = firing("tpu", "torchtpu public yes", {
      event: { key: "torchtpu public yes", product: "torchtpu", at: start },
      weight: "contrary",
      seen: start + 1,
      fired: start + 2,
      evidence: [
        evidence("repo", start + 5, {
          change: { kind: "fact", name: "public", before: "no", after: "yes" },
          condition: { kind: "fact", source: "repo", name: "public", becomes: "yes", awaited: true },
        }),
        evidence("page", start + 4, { part: "until", claim: "c", excerpt: "It is public." }),
      ],
    });
    await it().keep(kept("repo", { firings: [one] }));
    const stored = await it().store.firings();
    expect(stored).toEqual([{ ...one, id: stored[0]?.id, evidence: one.evidence.toReversed() }]);
    expect(await it().store.commit((tx) => tx.firingsOf(["torchtpu public yes"]))).toEqual(stored);
  });

  test("the same event of the same trigger gathers evidence, without repeating any", async () => {
    const change = { kind: "fact", name: "version", after: "2.13.0" } as const;
    await it().keep(kept("a", { firings: [firing("t", "e", { evidence: [evidence("a", start, { change })] })] }));
    const before = await it().firing("t", "e");
    const sameWithKeysTurned = { after: "2.13.0", name: "version", kind: "fact" } as const;
    await it().keep(
      kept("b", {
        firings: [
          firing("t", "e", {
            seen: start + 9,
            fired: start + 9,
            evidence: [
              evidence("a", start + 9, { change: sameWithKeysTurned }),
              evidence("a", start + 9, { change, part: "also" }),
              evidence("b", start + 9, { change }),
            ],
          }),
          firing("other", "e"),
        ],
      }),
    );
    const after = await it().firing("t", "e");
    expect(after).toEqual({
      ...before,
      evidence: [
        evidence("a", start, { change }),
        evidence("a", start + 9, { change, part: "also" }),
        evidence("b", start + 9, { change }),
      ],
    });
    expect(await it().store.firings()).toHaveLength(2);
  });

  test("contrary evidence makes a firing contrary for good, and its recheck stays", async () => {
    await it().keep(kept("a", { firings: [firing("t", "e", { evidence: [evidence("a")] })] }));
    const { id } = await it().firing("t", "e");
    const number = await it().store.openRecheck(recheck("t"), [id]);
    const contrary = firing("t", "e", { weight: "contrary", evidence: [evidence("b")] });
    await it().keep(kept("b", { firings: [contrary] }));
    await it().keep(kept("c", { firings: [firing("t", "e", { evidence: [evidence("c")] })] }));
    const after = await it().firing("t", "e");
    expect(after).toMatchObject({ id, weight: "contrary", recheck: number, reported: "routine" });
    expect(after.evidence.map((one) => one.source)).toEqual(["a", "b", "c"]);
    await it().store.joinRecheck(number, [id], start + 1);
    expect(await it().firing("t", "e")).toMatchObject({ recheck: number, reported: "contrary", joined: start + 1 });
  });

  test("a later source tells of the event what the first did not know, and changes nothing it knew", async () => {
    await it().keep(kept("a", { firings: [firing("t", "e", { event: { key: "e", version: "1" } })] }));
    const later = { key: "e", version: "1.0", product: "p", at: start };
    await it().keep(kept("b", { firings: [firing("t", "e", { event: later, seen: start - 5 })] }));
    const { event, seen } = await it().firing("t", "e");
    expect(event).toEqual({ key: "e", version: "1", product: "p", at: start });
    expect(seen).toBe(start - 5);
  });

  test("what fired without a check is merged the same way", async () => {
    await it().keep(kept("a", { firings: [firing("t", "e", { evidence: [evidence("a")] })] }));
    await it().store.commit((tx) => tx.fire([firing("t", "e", { evidence: [evidence("b")] }), firing("t", "silence")]));
    const found = (await it().store.firings()).map((one) => [one.event.key, one.evidence.length]);
    expect(found).toEqual([
      ["e", 2],
      ["silence", 0],
    ]);
  });

  test("firings come newest last", async () => {
    await it().keep(kept("a", { firings: [firing("t", "late", { fired: 9 }), firing("t", "early", { fired: 1 })] }));
    await it().keep(kept("a", { firings: [firing("t", "middle", { fired: 5 })] }));
    const keys = (await it().store.firings()).map((one) => one.event.key);
    expect(keys).toEqual(["early", "middle", "late"]);
  });
}
