import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readerStates } from "../../../src/model/states.ts";
import { script, style } from "../../../src/publish/pages/files.ts";
import { stateClass } from "../../../src/publish/pages/filter.ts";

test("style.css and recheck.js are those of pages/: else `npm run margin`", () => {
  expect(style).toBe(readFileSync("pages/style.css", "utf8"));
  expect(script).toBe(readFileSync("pages/recheck.js", "utf8"));
});

test.each(readerStates.map(stateClass))("a list can be filtered by the state %s without a script", (state) => {
  const rule = `main:has(#show-${state}:checked) .filtered > :not(thead, caption, .${state}) { display: none; }`;
  expect(style).toContain(rule);
});
