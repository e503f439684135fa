import { expect, test } from "vitest";
import { createServer, keepPast, type ServerParts } from "../../../../src/faces/app/repository.ts";
import type { Reading } from "../../../../src/model/reading.ts";
import { usualKeep } from "../../../../src/wire/settings.ts";

const clock = { now: () => Date.UTC(2026, 5, 1) };

test("results of an archive for drafts that never get their claims do not fill the memory", () => {
  const server = createServer({ instance: { clock, keep: usualKeep } } as ServerParts);
  const page: Reading = { blocks: [{ kind: "paragraph", path: [], text: "a".repeat(100_000) }] };
  const readings = new Map(Array.from({ length: 30 }, (_, n) => [`page-${n}`, page]));
  for (let id = 1; id <= 10; id++) keepPast(id, { commit: "abc", readings }, server);
  const kept = Array.from({ length: 10 }, (_, n) => server.past.get(n + 1) !== undefined);
  expect(kept).toEqual([...Array(8).fill(false), true, true]);
});
