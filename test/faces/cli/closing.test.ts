import { expect, test } from "vitest";
import { explainError } from "../../../src/faces/cli/run.ts";
import { exits, type Terminal, WrongUsage } from "../../../src/faces/cli/terminal.ts";
import { closing } from "../../../src/model/closing.ts";

test("a resource is closed when its block ends, the last one first", async () => {
  const closed: string[] = [];
  const named = (name: string) => closing({ name, close: async () => void closed.push(name) });
  const use = async (): Promise<string> => {
    await using first = named("first");
    await using second = named("second");
    expect(closed).toEqual([]);
    return first.name + second.name;
  };
  expect(await use()).toBe("firstsecond");
  expect(closed).toEqual(["second", "first"]);
});

test("a command whose resources fail to close as well ends as what failed first", async () => {
  const broken = {
    close() {
      throw new Error("not closed");
    },
  };
  const use = async (): Promise<void> => {
    await using _broken = closing(broken);
    throw new WrongUsage("no such source");
  };
  const noted: string[] = [];
  const out: Terminal = { live: false, paint: (_, text) => text, line() {}, note: (text) => noted.push(text) };
  const code = await use().catch((error: unknown) => explainError(error, out));
  expect([code, noted]).toEqual([exits.wrong, ["no such source"]]);
});
