import { expect, test } from "vitest";
import type { Reading } from "../../src/model/reading.ts";
import { askedBy, triggerCounts } from "../../src/onboard/question-counts.ts";
import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";
import { configOf } from "../support/config-of.ts";

const at = Date.UTC(2026, 5, 1);
const release = (version: string, day: string) => ({ id: version, title: version, version, at: Date.parse(day) });

test("a draft's triggers would have asked at each release and entry since, and at none before or without a day", () => {
  const text = `# Kites

| Kite | Day | Night |
|-|-|-|
| [Delta](https://github.com/delta/wing/releases) | high | low |
| [Box](https://box.example.org/feed.xml) | low | high |
| [Rokkaku](https://rokkaku.example.org/guide) | high | high |`;
  const made = draft({ path: "a.md", text }, { at, readers });
  const files = new Map(made?.files.map((file) => [file.path.replace(/^triggers\/|\.yaml$/g, ""), file.text]));
  const sources = files.get("sources") ?? "";
  files.delete("sources");
  const config = configOf(sources, Object.fromEntries(files));
  const ids = new Map([...config.sources.values()].map(({ id, kind }) => [kind, id]));
  const readings = new Map<string, Reading>([
    [
      ids.get("github-releases") ?? "",
      {
        items: [
          release("v2.0.0", "2026-05-01"),
          release("v1.1.0", "2026-03-01"),
          release("v1.1.1", "2026-03-09"),
          release("v1.0.0", "2025-10-01"),
          { id: "v3.0.0", title: "v3.0.0", version: "v3.0.0" },
        ],
      },
    ],
    [ids.get("feed") ?? "", { items: [{ id: "1", title: "A new box", at: Date.parse("2026-04-01") }] }],
  ]);
  const since = Date.UTC(2025, 11, 1);
  const before = [...config.sources.values()].flatMap((source) =>
    askedBy({ source, items: readings.get(source.id)?.items ?? [], since }, config),
  );
  expect(triggerCounts(config, before, () => false)).toEqual([
    { trigger: "delta", times: 3 },
    { trigger: "box", times: 1 },
  ]);
  expect(triggerCounts(config, [], () => false)).toEqual([]);
});
