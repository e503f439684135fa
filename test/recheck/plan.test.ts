import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecheckState, StoredFiring, StoredRecheck } from "../../src/model/ports/index.ts";
import { type Action, plan } from "../../src/recheck/plan.ts";
import { firing } from "./samples.ts";

const always = () => true;
const stored = (id: number, trigger: string, more: Partial<StoredFiring> = {}): StoredFiring => ({
  ...firing(trigger, `event ${id}`),
  id,
  ...more,
});
const recheck = (
  id: number,
  trigger: string,
  state: RecheckState = { state: "planned" },
  attempted?: number,
): StoredRecheck => ({ id, trigger, marker: `m${id}`, opened: id, attempted, ...state });
const closed: RecheckState = { state: "closed", issue: 12, closed: 9 };

describe("a firing", () => {
  test("opens a recheck for its trigger, together with the others", () => {
    expect(plan([stored(1, "a"), stored(2, "b"), stored(3, "a")], [], always)).toEqual([
      { kind: "open", trigger: "a", firings: [1, 3], previous: undefined },
      { kind: "open", trigger: "b", firings: [2], previous: undefined },
    ]);
  });

  test("joins the open one; if people may have read that, a contrary one is reported on its own", () => {
    const firings = [stored(1, "a", { recheck: 7 }), stored(2, "a"), stored(3, "a", { weight: "contrary" })];
    const joined = (open: StoredRecheck) => plan(firings, [open], always);
    const join = { kind: "join", recheck: 7, firings: [2, 3] };
    expect(joined(recheck(7, "a"))).toEqual([{ ...join, contrary: [] }]);
    expect(joined(recheck(7, "a", { state: "open", issue: 12 }))).toEqual([{ ...join, contrary: [3] }]);
    expect(joined(recheck(7, "a", { state: "planned" }, 5))).toEqual([{ ...join, contrary: [3] }]);
  });

  test("opens a new one after the last that was closed", () => {
    const rechecks = [recheck(3, "a", closed), recheck(9, "a", closed), recheck(4, "b")];
    expect(plan([stored(1, "a")], rechecks, always)).toEqual([
      { kind: "open", trigger: "a", firings: [1], previous: 9 },
    ]);
  });

  test("that was asked about is never asked about again", () => {
    expect(plan([stored(1, "a", { recheck: 3 })], [recheck(3, "a", closed)], always)).toEqual([]);
  });

  test("that turned contrary after it was asked about is asked about again, once", () => {
    const turned = stored(1, "a", { recheck: 7, reported: "routine", weight: "contrary" });
    const told = { ...turned, reported: "contrary" } as const;
    const open = recheck(7, "a", { state: "open", issue: 12 });
    expect(plan([turned], [open], always)).toEqual([{ kind: "join", recheck: 7, firings: [1], contrary: [1] }]);
    expect(plan([turned], [recheck(7, "a")], always)).toEqual([
      { kind: "join", recheck: 7, firings: [1], contrary: [] },
    ]);
    expect(plan([turned], [recheck(7, "a", closed)], always)).toEqual([
      { kind: "open", trigger: "a", firings: [1], previous: 7 },
    ]);
    expect(plan([told], [open], always)).toEqual([]);
    expect(plan([told], [recheck(7, "a", closed)], always)).toEqual([]);
  });

  test("of a trigger that config no longer has waits", () => {
    expect(plan([stored(1, "gone")], [], (trigger) => trigger !== "gone")).toEqual([]);
  });
});

/** Carries a plan out, as the store would. */
function carried(actions: readonly Action[], firings: readonly StoredFiring[], rechecks: readonly StoredRecheck[]) {
  const after = [...rechecks];
  const where = new Map<number, number>();
  for (const action of actions) {
    const id = action.kind === "open" ? 1000 + after.length : action.recheck;
    if (action.kind === "open") after.push(recheck(id, action.trigger));
    for (const one of action.firings) where.set(one, id);
  }
  return { rechecks: after, firings: firings.map((one) => ({ ...one, recheck: where.get(one.id) ?? one.recheck })) };
}

test("no firing is lost, none asked about twice, and a trigger has one open recheck", () => {
  const name = fc.constantFrom("a", "b", "c");
  const rechecksOf = fc.array(fc.record({ trigger: name, closed: fc.boolean() }), { maxLength: 8 }).map((list) => {
    const open = new Set<string>();
    return list.map(({ trigger, closed: over }, index) => {
      const isClosed = over || open.has(trigger);
      if (!isClosed) open.add(trigger);
      return recheck(index + 1, trigger, isClosed ? closed : { state: "open", issue: index });
    });
  });
  fc.assert(
    fc.property(rechecksOf, fc.array(fc.tuple(name, fc.boolean(), fc.boolean())), (rechecks, list) => {
      const firings = list.map(([trigger, contrary, asked], index) => {
        const of = rechecks.find((one) => one.trigger === trigger);
        return stored(index, trigger, {
          weight: contrary ? "contrary" : "routine",
          recheck: asked ? of?.id : undefined,
        });
      });
      const actions = plan(firings, rechecks, always);
      const planned = actions.flatMap((action) => action.firings);
      expect(new Set(planned).size).toBe(planned.length);
      expect([...planned].sort((a, b) => a - b)).toEqual(
        firings.filter((one) => one.recheck === undefined).map(({ id }) => id),
      );

      const after = carried(actions, firings, rechecks);
      expect(plan(after.firings, after.rechecks, always)).toEqual([]);
      for (const trigger of ["a", "b", "c"]) {
        const open = after.rechecks.filter((one) => one.trigger === trigger && one.state === "open");
        expect(open.length).toBeLessThanOrEqual(1);
      }
      for (const one of after.firings) {
        expect(after.rechecks.find(({ id }) => id === one.recheck)?.trigger).toBe(one.trigger);
      }
    }),
  );
});
