import { expect, it } from "vitest";
import { parseConfig } from "../../src/config/index.ts";
import { readers } from "../../src/read/index.ts";

it("10,000 sources are read in less than 2 s of CPU", () => {
  const many = Array.from(
    { length: 10_000 },
    (_, i) => `  s${i}:\n    page: https://example.org/pages/${i}\n    cites: [${i + 1}]\n`,
  );
  const text = `report: { title: Kites, audited: 2026-05-16 }\nsources:\n${many.join("")}`;
  const before = process.cpuUsage();
  const { config } = parseConfig([{ path: "sources.yaml", text }], readers);
  const { user, system } = process.cpuUsage(before);
  expect(config?.sources.size).toBe(10_000);
  expect((user + system) / 1e6).toBeLessThan(2);
});
