import { expect, test } from "vitest";
import { isAsking, isOver, type RecheckState } from "../../../src/model/ports/index.ts";
import type { Bench } from "./contract.ts";
import { comment, firing, kept, recheck, start } from "./samples.ts";

/** Rechecks and comments: what GitHub is written from. */
export function outboxContract(it: () => Bench): void {
  async function twoFirings(): Promise<number[]> {
    await it().keep(kept("a", { firings: [firing("t", "one"), firing("t", "two")] }));
    return (await it().store.firings()).map((one) => one.id);
  }

  const linked = async () => (await it().store.firings()).map((one) => one.recheck);

  test("a recheck is opened for its firings, and later ones join", async () => {
    const [one, two] = (await twoFirings()) as [number, number];
    const { store } = it();
    const id = await store.openRecheck(recheck("t"), [one]);
    expect(await store.rechecks()).toEqual([{ id, ...recheck("t") }]);
    expect(await linked()).toEqual([id, undefined]);
    await store.joinRecheck(id, [two, two], start, { marker: "m", body: "It moved.", done: false });
    expect(await linked()).toEqual([id, id]);
    expect(await store.comments(false)).toMatchObject([{ recheck: id, marker: "m" }]);
  });

  test("a trigger has one open recheck; after it closed, the next names it", async () => {
    const { store } = it();
    const first = await store.openRecheck(recheck("t"), []);
    await expect(store.openRecheck(recheck("t", { marker: "m2" }), [])).rejects.toThrow("open recheck already");
    await store.openRecheck(recheck("u"), []);
    await store.updateRecheck(first, { state: "closed", closed: start + 1 });
    const second = await store.openRecheck(recheck("t", { marker: "m2", previous: first }), []);
    expect((await store.rechecks()).filter(isOver)).toMatchObject([{ id: first, closed: start + 1 }]);
    expect((await store.rechecks()).filter(isAsking).map((one) => one.trigger)).toEqual(["u", "t"]);
    expect(await store.rechecks()).toHaveLength(3);
    expect((await store.rechecks()).find((one) => one.id === second)?.previous).toBe(first);
  });

  test("nothing is opened or joined when a firing is unknown", async () => {
    const [one, two] = (await twoFirings()) as [number, number];
    const { store } = it();
    await expect(store.openRecheck(recheck("t"), [one, two + 99])).rejects.toThrow("has not all");
    expect([await store.rechecks(), await linked()]).toEqual([[], [undefined, undefined]]);
    const id = await store.openRecheck(recheck("t"), [one]);
    await store.addComment(comment(id, "taken"));
    await expect(store.joinRecheck(id, [two], start, { marker: "taken", body: "b", done: false })).rejects.toThrow();
    expect(await linked()).toEqual([id, undefined]);
    await expect(store.joinRecheck(id + 99, [two], start)).rejects.toThrow("no recheck");
    await expect(store.addComment(comment(id + 99, "m"))).rejects.toThrow("no recheck");
  });

  test("a change sets what it names and empties what it names as undefined", async () => {
    const { store } = it();
    const id = await store.openRecheck(recheck("t", { attempted: start, written: "hash" }), []);
    await store.updateRecheck(id, { reported: "line", attempted: undefined });
    expect(await store.rechecks()).toEqual([{ id, ...recheck("t", { written: "hash" }), reported: "line" }]);
    await store.updateRecheck(id, {});
    expect(await store.rechecks()).toHaveLength(1);
    await expect(store.updateRecheck(id + 1, {})).rejects.toThrow("no recheck");
  });

  test.each<RecheckState>([
    { state: "queued" },
    { state: "planned" },
    { state: "open", issue: 12 },
    { state: "open", issue: 12, snoozed: start },
    { state: "open", issue: 12, snoozed: "next-event" },
    { state: "closing", closed: start },
    { state: "closing", issue: 12, closed: start, verdict: { kind: "dismiss", by: "author", because: "a typo" } },
    { state: "closed", issue: 12, closed: start, verdict: { kind: "keep", by: "author" } },
    { state: "closed", issue: 12, closed: start, gone: true },
  ])("a state replaces all of the one before: %j", async (state) => {
    const { store } = it();
    const rest = { trigger: "t", marker: "m", opened: start, written: "hash" };
    const id = await store.openRecheck({ ...rest, state: "planned" }, []);
    for (const before of [{ state: "planned" }, { state: "open", issue: 1, snoozed: 5 }] as const) {
      await store.updateRecheck(id, before);
      await store.updateRecheck(id, state);
      expect(await store.rechecks()).toEqual([{ id, ...rest, ...state }]);
    }
  });

  test("comments are listed by whether they are done", async () => {
    const { store } = it();
    const id = await store.openRecheck(recheck("t"), []);
    const first = await store.addComment(comment(id, "m1"));
    const second = await store.addComment(comment(id, "m2"));
    await store.updateComment(first, { attempted: start });
    expect(await store.comments(false)).toEqual([
      { id: first, ...comment(id, "m1"), attempted: start },
      { id: second, ...comment(id, "m2") },
    ]);
    await store.updateComment(first, { done: true });
    expect((await store.comments(false)).map((one) => one.id)).toEqual([second]);
    expect((await store.comments(true)).map((one) => one.id)).toEqual([first]);
    await expect(store.addComment(comment(id, "m1"))).rejects.toThrow();
  });

  test("a comment is known by its marker, done or not, in its own repository", async () => {
    const { store, other } = it();
    const id = await store.openRecheck(recheck("t"), []);
    expect(await store.isSaid("m1")).toBe(false);
    const first = await store.addComment(comment(id, "m1"));
    expect(await store.isSaid("m1")).toBe(true);
    await store.updateComment(first, { done: true });
    await store.commit((tx) => tx.say({ issue: 7, marker: "m2", body: "b", done: false }));
    expect(await Promise.all(["m1", "m2", "m", "m3"].map((marker) => store.isSaid(marker)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await other.isSaid("m1")).toBe(false);
  });

  test("creations are counted from a time on", async () => {
    const { store } = it();
    for (const at of [1, 5, 5, 9]) await store.countCreation(at);
    expect(await Promise.all([0, 5, 6, 10].map((since) => store.creations(since)))).toEqual([4, 3, 1, 0]);
  });

  test("a message is kept once for its channel, and changes are of what they name", async () => {
    const { store, other } = it();
    const message = { kind: "digest" as const, report: "R", title: "T", lead: "L", sections: [] };
    const one = { channel: "team", key: "weekly 2026-W47", planned: start, firings: [], message };
    await store.addMessages([one, { ...one, channel: "press" }]);
    await store.addMessages([{ ...one, planned: start + 1 }]);
    const known = { ...one, next: start, state: "waiting", tries: 0 };
    expect(await store.messages()).toEqual([
      { id: 1, ...known },
      { id: 2, ...known, channel: "press" },
    ]);
    await store.updateMessage(1, { attempted: start + 5 });
    await store.updateMessage(2, { state: "dead", says: "410", tries: 2 });
    expect(await store.messages()).toEqual([
      { id: 1, ...known, attempted: start + 5 },
      { id: 2, ...known, channel: "press", state: "dead", says: "410", tries: 2 },
    ]);
    await store.updateMessage(1, { attempted: undefined, state: "sent", next: start + 9 });
    expect((await store.messages())[0]).toEqual({ id: 1, ...known, state: "sent", next: start + 9 });
    expect(await other.messages()).toEqual([]);
    await expect(other.updateMessage(1, { state: "sent" })).rejects.toThrow();
  });
}
