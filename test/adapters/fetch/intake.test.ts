import { expect, test } from "vitest";
import { Intake } from "../../../src/adapters/fetch/intake.ts";

const megabytes = (count: number) => count * 1_000_000;

/** Whether there is room by now. */
async function isThere(room: Promise<unknown>): Promise<boolean> {
  return (await Promise.race([room.then(() => true), new Promise((no) => setImmediate(() => no(false)))])) === true;
}

test("a body waits until there is room for it beside the others", async () => {
  const intake = new Intake();
  const first = await intake.room(megabytes(40));
  const second = intake.room(megabytes(30));
  const third = intake.room(megabytes(1));
  expect([await isThere(second), await isThere(third)]).toEqual([false, false]);
  first.shrink(megabytes(30));
  expect([await isThere(second), await isThere(third)]).toEqual([true, true]);
});

test("a body that is larger than all the room has it once it is alone", async () => {
  const intake = new Intake();
  const first = await intake.room(1);
  const large = intake.room(megabytes(100));
  expect(await isThere(large)).toBe(false);
  first.free();
  first.free();
  expect(await isThere(large)).toBe(true);
});

test("answers that come all at once are deferred where they are too much together", () => {
  const intake = new Intake();
  intake.arrive(megabytes(100));
  expect(() => intake.arrive(megabytes(30))).toThrow(expect.objectContaining({ kind: "deferred" }));
  intake.arrived(megabytes(100));
  intake.arrive(megabytes(30));
});
