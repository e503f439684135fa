import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { statusFile } from "../../src/model/status-file.ts";
import { statusJson } from "../../src/publish/json.ts";
import { runs } from "../support/runs.ts";
import { anyEdition, editionWith } from "./edition-of.ts";

describe("status.json", () => {
  test("keeps to its schema, for any store", async () => {
    await fc.assert(
      fc.asyncProperty(anyEdition, async ({ config, remembered, at }) => {
        const made = statusJson(await editionWith(config, remembered, at));
        expect(statusFile.parse(made)).toEqual(made);
      }),
      { numRuns: runs(300) },
    );
  });
});
