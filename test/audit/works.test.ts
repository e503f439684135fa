import { expect, test } from "vitest";
import { checkWorks, worksIn, worksLeft } from "../../src/audit/works.ts";
import type { Fetch } from "../../src/model/ports/index.ts";

test("one run makes 5,000 requests of registries at most, and says how far it came", async () => {
  const bib = Array.from(
    { length: 10_000 },
    (_, i) => `@article{k${i}, title = {Slow echoes of wet sand ${i}}, author = {Narew, Ute}, year = {2017}}\n`,
  ).join("");
  const works = worksIn([{ path: "refs.bib", text: bib }]);
  expect(works).toHaveLength(10_000);
  let requests = 0;
  const fetch: Fetch = {
    async get({ url }) {
      requests++;
      const body = new TextEncoder().encode(JSON.stringify({ message: { items: [] }, results: [] }));
      const response = { url, status: 200, headers: {}, body, at: 0 };
      return { kind: "response", response, validators: {}, hash: "" };
    },
    githubAllowance: () => undefined,
    close: async () => {},
  };
  const answers = { answers: async () => [], saveAnswers: async () => {} };
  const time = { minutes: 10, stop: async () => {}, seen: () => {} };
  const check = await checkWorks(works, { fetch, answers }, Date.UTC(2026, 10, 26), time);
  expect(requests).toBe(5_000);
  expect(worksLeft(check, false)).toEqual([
    "Registries were asked about 0 of 10,000 works; the next run asks about the rest.",
  ]);
});
