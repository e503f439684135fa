import { expect, test } from "vitest";
import type { Permission } from "../../../src/model/ports/index.ts";
import { type Tick, tickOf } from "../../../src/recheck/answer/boxes.ts";
import { mayAnswer } from "../../../src/recheck/answer/repository.ts";
import { boxLine, newTicks } from "../../../src/recheck/issue/marker.ts";

test.each<[string, Tick | undefined]>([
  ["keep", { kind: "keep" }],
  ["check", { kind: "check" }],
  ["unsnooze 12", { kind: "unsnooze", recheck: 12 }],
  ["retry a-page b2", { kind: "retry", sources: ["a-page", "b2"] }],
  ["retry a a", { kind: "retry", sources: ["a"] }],
  ["keep tensor/maturity", undefined],
  ["unsnooze", undefined],
  ["unsnooze 0", undefined],
  ["unsnooze 1 2", undefined],
  ["unsnooze 99999999999999999", undefined],
  ["retry", undefined],
  ["retry ../x", undefined],
  ["dismiss", undefined],
  ["", undefined],
])("the box %j asks for %j", (id, tick) => {
  expect(tickOf(id)).toEqual(tick);
});

test("a box that is written can be ticked and read", () => {
  const body = (line: string) =>
    `mine\n<!-- recheck:begin {} -->\n\n### Answer\n\n${line}\n\n<!-- recheck:end -->\n- [x] mine`;
  const line = boxLine("retry a-page b-page", "try again");
  expect(newTicks(body(line), body(line.replace("[ ]", "[x]"))).map(tickOf)).toEqual([
    { kind: "retry", sources: ["a-page", "b-page"] },
  ]);
});

test("commands are for triage and above, boxes for those who may write", () => {
  const all: Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];
  expect(all.filter((one) => mayAnswer(one, "command"))).toEqual(["triage", "write", "maintain", "admin"]);
  expect(all.filter((one) => mayAnswer(one, "box"))).toEqual(["write", "maintain", "admin"]);
  expect(mayAnswer("owner" as Permission, "command")).toBe(false);
});
