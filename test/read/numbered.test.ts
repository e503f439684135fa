import fc from "fast-check";
import { expect, test } from "vitest";
import { resolveIndexes } from "../../src/read/html/embedded.ts";

test.each([
  [
    "as SvelteKit writes it",
    [{ title: 1, parts: 2 }, "Gauges", [3, 4], "One.", { text: 5, none: -1 }, "Two."],
    { title: "Gauges", parts: ["One.", { text: "Two.", none: undefined }] },
  ],
  [
    "as Nuxt writes it",
    [{ data: 1, at: 5 }, ["ShallowReactive", 2], { page: 3 }, { title: 4 }, "Gauges", 1_795_741_261_396],
    { data: [undefined, { page: { title: "Gauges" } }], at: 1_795_741_261_396 },
  ],
  [
    "as React Router writes it",
    [{ _1: 2 }, "loaderData", { _3: 4 }, "title", "Gauges"],
    { loaderData: { title: "Gauges" } },
  ],
  ["whose parts hold each other", [{ up: 0, text: 1 }, "One."], { up: undefined, text: "One." }],
])("a list %s is a value", (_, list, value) => {
  expect(resolveIndexes(list)).toEqual(value);
});

test.each([
  ["of texts", ["One.", "Two."]],
  ["of objects", [{ id: 1 }, { text: "One." }]],
  ["of one object", [{ id: 0 }]],
  ["without entries", []],
])("a list %s is no numbered one", (_, list) => {
  expect(resolveIndexes(list)).toBeUndefined();
});

test("a list whose parts are named again and again costs no more than itself", () => {
  const list = [{ a: 1, b: 1 }, ...Array.from({ length: 50_000 }, (_, n) => ({ a: n + 2, b: n + 2 })), "end"];
  expect(JSON.stringify(resolveIndexes(list)).length).toBeLessThan(1_000_000);
});

test("any list is taken", () => {
  fc.assert(fc.property(fc.array(fc.anything()), (list) => void resolveIndexes(list)));
});
