import { expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { Ids } from "../../src/report/cite/sources.ts";
import { draft } from "../../src/report/index.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";

test("no id is given twice, and the next free number is given", () => {
  const ids = new Ids(["kite-3"]);
  expect([1, 2, 3, 4].map(() => ids.give("Kite", "source"))).toEqual(["kite", "kite-2", "kite-4", "kite-5"]);
  expect(ids.give("Kite 5", "source")).toBe("kite-5-2");
});

test("thousands with the same wished id take time that grows with their number", () => {
  const ids = new Ids();
  const started = processorTime();
  const given = Array.from({ length: 20_000 }, () => ids.give("Entry", "source"));
  expectTime(processorTime() - started, 2_000);
  expect(new Set(given).size).toBe(given.length);
});

test("a source whose title has few Latin letters is called by its address", () => {
  const text = `# 凧
- [凧の歴史](https://www.kite.example.org/past/old-kites.html)
- [HTML で凧](https://kite.example.org/%E5%87%A7/)
- [Обзор змеев](https://reel.example.org/review)
- [凧 in 2 days](https://reel.example.org/course)
`;
  const written = draft({ path: "a.md", text }, { at: Date.parse("2026-06-01"), readers })?.files[0]?.text ?? "";
  const ids = [...written.matchAll(/^ {2}(\S+):\n {4}page:/gm)].map(([, id]) => id);
  expect(ids).toEqual(["kite-example-old-kites", "html", "obzor-zmeev", "in-2-days"]);
});
