import { expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { manyRobots } from "./robots.ts";

test("rules of robots.txt are kept up to 64 MiB, those that were read last", async () => {
  const { hosts, close } = await openStore(":memory:");
  expect(await manyRobots(hosts)).toEqual([3, 4, 5, 6, 7, 8]);
  await close();
});
