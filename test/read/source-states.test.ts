import { expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { sourceStatesOf } from "../../src/read/source-states.ts";

test.each([
  ["osv", { withdrawn: "2026-08-02T10:00:00Z" }, "was withdrawn on 2026-08-02"],
  ["rfc", { "obsoleted-by": "RFC 9110" }, "was obsoleted"],
])("a state of %s is said with its date if its fact is one", (kind, facts, says) => {
  expect(sourceStatesOf(readers.get(kind), "a", facts).map((state) => state.says)).toEqual([says]);
});
