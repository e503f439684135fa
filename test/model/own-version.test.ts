import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { version } from "../../src/model/own-version.ts";

test("the program's version is that of its package", () => {
  expect(JSON.parse(readFileSync("package.json", "utf8")).version).toBe(version);
});
