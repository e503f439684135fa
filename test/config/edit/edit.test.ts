import { expect, test } from "vitest";
import { editAll, type Review } from "../../../src/config/edit/index.ts";
import { configOf } from "../../support/config-of.ts";

const sources = `report: { title: Boards, audited: 2026-05-16, text: report.md, log: LOG.md }
levels: [Low, Medium, High]
axes: [board, area]
names: { tensor: Tensor Board }
ratings:
  tensor/maturity: Medium   # the prose says why
  tensor/compile: { level: Medium, volatility: High }
  vector/maturity: High
conclusions:
  training: { text: Train on vector, rests-on: [vector/maturity, tensor/maturity] }
  final: { text: Buy vector, rests-on: [training] }
`;
const report = "| Board | Maturity | Compile |\n|-|-|-|\n| Tensor Board | Medium | Medium |\n| Vector | High | Low |\n";
const config = configOf(sources);
const at = Date.parse("2026-11-20T10:00:00Z");
const change: Review = { rating: "tensor/maturity", verdict: "change", level: "High", because: "it is public", at };
const keep: Review = { rating: "tensor/compile", verdict: "keep", at };

test("answers are written into config, the report and its log, and no more", () => {
  const files = {
    sources: { path: "sources.yaml", text: sources },
    text: { path: "report.md", text: report },
    log: { path: "LOG.md" },
  };
  const edited = editAll([change, keep], config, files, { issue: 12 });
  expect(Object.fromEntries(edited.changes.map(({ path, after }) => [path, after]))).toEqual({
    "sources.yaml": sources
      .replace("Medium   # the", "{ level: High, reviewed: 2026-11-20 }   # the")
      .replace("volatility: High }", "volatility: High, reviewed: 2026-11-20 }"),
    "report.md": report.replace("Board | Medium", "Board | High"),
    "LOG.md":
      "# Log of reviews\n\n- 2026-11-20: tensor/maturity Medium → High, because it is public (#12)\n- 2026-11-20: tensor/compile Medium kept (#12)\n",
  });
  expect(edited).toMatchObject({ byHand: [], unfound: [], problems: [] });
  expect(edited.conclusions.map(({ id }) => id)).toEqual(["training", "final"]);
});

test("ratings that are kept touch neither the report nor a conclusion", () => {
  const files = { sources: { path: "sources.yaml", text: sources }, text: { path: "report.md", text: report } };
  const edited = editAll([keep], config, files);
  expect(edited.changes.map(({ path }) => path)).toEqual(["sources.yaml"]);
  expect(edited.conclusions).toEqual([]);
});

test("the log may be a part of the report", () => {
  const files = {
    sources: { path: "sources.yaml", text: sources },
    text: { path: "report.md", text: report },
    log: { path: "report.md", text: report },
  };
  const [, both, ...more] = editAll([change], config, files, { issue: 12 }).changes;
  expect(more).toEqual([]);
  expect(both).toEqual({
    path: "report.md",
    before: report,
    after: `${report.replace("Board | Medium", "Board | High")}\n- 2026-11-20: tensor/maturity Medium → High, because it is public (#12)\n`,
  });
});

test("an edit that cannot be written is reported", () => {
  const moved = sources.replace("  tensor/maturity: Medium   # the prose says why\n", "");
  const files = {
    sources: { path: "sources.yaml", text: moved },
    text: { path: "report.md", text: "Nothing of the kind." },
    log: { path: "LOG.md", text: "" },
  };
  const edited = editAll([change], config, files);
  expect(edited.problems).toEqual([
    "Edit `tensor/maturity` in `sources.yaml` by hand: it is not among the ratings of this file.",
  ]);
  expect(edited.unfound).toEqual(["tensor/maturity"]);
  expect(edited.changes).toEqual([]);
});
