import { expect, test } from "vitest";
import { isSameConfig } from "../../src/config/files.ts";

test("configs that are too large are the same if the same is wrong with them", () => {
  const wrong = (message: string) => [{ file: "sources.yaml", line: 1, column: 1, message }];
  const config = (message: string) => ({ commit: "c", folder: "", files: [], excess: wrong(message) }) as const;
  expect(isSameConfig(config("201 files"), { ...config("201 files"), commit: "d" })).toBe(true);
  expect(isSameConfig(config("201 files"), config("205 files"))).toBe(false);
});
