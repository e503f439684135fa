import { expect, test } from "vitest";
import { createSandbox } from "../../../src/faces/app/sandbox.ts";
import { workersHere } from "../../support/workers-here.ts";

const config = (title: string) => ({
  ...{ commit: title, folder: "" as const },
  files: [{ path: "sources.yaml", text: `report: { title: ${title}, audited: 2026-05-16 }\n` }],
});
const titleOf = async (parsed: ReturnType<ReturnType<typeof createSandbox>["parse"]>) =>
  (await parsed)?.config?.report.title;

test("closed, it refuses what is asked later, and the next one of the process goes on", async () => {
  const first = createSandbox("nowhere.sqlite", workersHere());
  expect(await titleOf(first.parse(config("One")))).toBe("One");
  await first.close();
  await expect(first.parse(config("One"))).rejects.toThrow("the sandbox was closed");
  const second = createSandbox("nowhere.sqlite", workersHere());
  expect(await titleOf(second.parse(config("Two")))).toBe("Two");
  await second.close();
});

test("closed while something is under way, it waits for nothing, and leaves nothing of it to the next one", async () => {
  const first = createSandbox("nowhere.sqlite", workersHere());
  const asked = first.parseProposed(config("One"));
  const refused = expect(asked).rejects.toThrow("the thread was closed");
  await first.close();
  await refused;
  const second = createSandbox("nowhere.sqlite", workersHere());
  expect(await titleOf(second.parseProposed(config("Two")))).toBe("Two");
  await second.close();
});

test("two that are open have nothing in common", async () => {
  const [first, second] = [
    createSandbox("nowhere.sqlite", workersHere()),
    createSandbox("nowhere.sqlite", workersHere()),
  ];
  const asked = first.parse(config("One"));
  await asked;
  await first.close();
  expect(await titleOf(second.parse(config("Two")))).toBe("Two");
  await second.close();
});
