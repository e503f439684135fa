import { expect, test } from "vitest";
import { turnsByKey } from "../../src/model/concurrency.ts";

/** Works that end when they are told to, in the order in which they began. */
function works(turns: ReturnType<typeof turnsByKey<string>>) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    async begin(key: string, name: string) {
      using _turn = await turns(key);
      begun.push(name);
      await new Promise<void>((end) => ends.set(name, end));
    },
    end: async (name: string) => {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

test("who asks for much keeps nobody waiting: keys take turns", async () => {
  const { begun, begin, end } = works(turnsByKey({ atOnce: 2, each: 2 }));
  const all = [begin("a", "a1"), begin("a", "a2"), begin("a", "a3"), begin("a", "a4"), begin("b", "b1")];
  await new Promise(setImmediate);
  expect(begun).toEqual(["a1", "a2"]);
  await end("a1");
  await end("a2");
  expect(begun).toEqual(["a1", "a2", "a3", "b1"]);
  for (const name of ["a3", "b1", "a4"]) await end(name);
  await Promise.all(all);
  expect(begun.at(-1)).toBe("a4");
});

test("one key has no more than its share, however much is free", async () => {
  const { begun, begin, end } = works(turnsByKey({ atOnce: 5, each: 1 }));
  const all = [begin("a", "a1"), begin("a", "a2"), begin("b", "b1")];
  await new Promise(setImmediate);
  expect(begun).toEqual(["a1", "b1"]);
  for (const name of ["a1", "b1", "a2"]) await end(name);
  await Promise.all(all);
});

test("work that fails gives its turn back", async () => {
  const turns = turnsByKey<string>({ atOnce: 1, each: 1 });
  const work = async () => {
    using _turn = await turns("a");
    throw new Error("on purpose");
  };
  await expect(work()).rejects.toThrow("on purpose");
  await expect(work()).rejects.toThrow("on purpose");
});
