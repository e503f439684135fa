import { expect, test } from "vitest";
import { RecentlyUsed } from "../../src/model/cache.ts";

const kept = (used: RecentlyUsed<string, string>, keys = "abcd"): string =>
  [...keys].filter((key) => used.get(key) !== undefined).join("");

test("the entry that was not used for longest is forgotten once all weighs too much", () => {
  const used = new RecentlyUsed<string, string>(3);
  for (const key of "abc") used.set(key, key);
  used.get("a");
  used.set("d", "d");
  expect(kept(used)).toBe("acd");
  used.set("b", "b", 2);
  expect(kept(used)).toBe("bd");
});

test("an entry that is set again or deleted has its last weight", () => {
  const used = new RecentlyUsed<string, string>(10);
  for (let time = 0; time < 50; time++) used.set("a", "a", 6);
  used.set("b", "b", 4);
  expect(kept(used)).toBe("ab");
  used.delete("a");
  used.delete("a");
  used.set("c", "c", 6);
  expect(kept(used)).toBe("bc");
});

test("the newest is kept, however heavy, and goes with the next one", () => {
  const used = new RecentlyUsed<string, string>(10);
  used.set("a", "a");
  used.set("b", "b", 100);
  expect(kept(used)).toBe("b");
  used.set("c", "c");
  expect(kept(used)).toBe("c");
});

test("once all of it is forgotten there is room for as much as at first", () => {
  const used = new RecentlyUsed<string, string>(2);
  for (const key of "ab") used.set(key, key);
  used.clear();
  expect(kept(used)).toBe("");
  for (const key of "cd") used.set(key, key);
  expect(kept(used)).toBe("cd");
});
