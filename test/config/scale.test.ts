import { expect, it } from "vitest";
import { parseDocument } from "yaml";
import { parseConfig } from "../../src/config/index.ts";
import { readers } from "../../src/read/index.ts";
import { processorTime } from "../processor-time.ts";

function cpuOf(work: () => void): number {
  const before = processorTime();
  work();
  return processorTime() - before;
}

it("10,000 sources are read, in a time that keeps to what the YAML alone takes", () => {
  const many = Array.from(
    { length: 10_000 },
    (_, i) => `  s${i}:\n    page: https://example.org/pages/${i}\n    cites: [${i + 1}]\n`,
  );
  const text = `report: { title: Kites, audited: 2026-05-16 }\nsources:\n${many.join("")}`;
  const floor = cpuOf(() => parseDocument(text));
  let size: number | undefined;
  const ours = cpuOf(() => {
    size = parseConfig([{ path: "sources.yaml", text }], readers).config?.sources.size;
  });
  expect(size).toBe(10_000);
  // Whatever grows with the square of the sources is hundreds of times the floor.
  expect(ours / floor).toBeLessThan(40);
});
