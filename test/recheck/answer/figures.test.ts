import { expect, test } from "vitest";
import type { GivenAnswer } from "../../../src/recheck/answer/answers.ts";
import { type AnsweredRecheck, figures, figuresText, historyOf } from "../../../src/recheck/answer/figures.ts";
import { madePublic, matrixChanged, released } from "../samples.ts";

const asked = (...verdicts: AnsweredRecheck["verdict"][]): AnsweredRecheck[] =>
  verdicts.map((verdict) => ({ verdict, firings: [] }));

test("from five answers on two figures, below the counts alone", () => {
  const seven = asked("keep", "keep", "keep", "change", "change", "keep", "dismiss");
  expect(figures(seven)).toEqual({ answered: 7, relevant: 6, consequential: 2 });
  expect(figuresText(figures(seven))).toBe("answered 7: relevant 6 of 7, consequential 2 of 7");
  expect(figuresText(figures(asked("dismiss", "dismiss", "dismiss", "dismiss", "dismiss")))).toBe(
    "answered 5: relevant 0 of 5, consequential 0 of 5",
  );
  expect(figuresText(figures(asked("keep", "change", "dismiss", "dismiss")))).toBe(
    "answered 4: 1 changed, 1 kept, 2 dismissed",
  );
  expect(figuresText(figures([]))).toBe("not answered yet");
});

test("a recheck's verdict is the strongest of its answers, and none if it was closed by hand", () => {
  const closed = { trigger: "tensor", marker: "m", opened: 1, state: "closed", closed: 2 } as const;
  const dismissed = (because: string) => ({ kind: "dismiss", by: "alice", because }) as const;
  const rechecks = [
    { ...closed, id: 1 },
    { ...closed, id: 2 },
    { ...closed, id: 3, verdict: dismissed("a typo") },
    { ...closed, id: 4 },
    { id: 5, trigger: "tensor", marker: "m", opened: 1, state: "open" as const, issue: 5 },
    { ...closed, id: 6, trigger: "other", verdict: dismissed("x") },
  ];
  const answer = (recheck: number, verdict: GivenAnswer["verdict"], settled: number | undefined = 2) => ({
    recheck,
    rating: "tensor/maturity",
    verdict,
    by: "alice",
    at: 1,
    settled,
  });
  const answers = [answer(1, "keep"), answer(1, "change"), answer(2, "keep"), answer(3, "keep"), answer(5, "keep")];
  const firings = [
    { ...released, recheck: 1 },
    { ...madePublic, recheck: 1 },
    { ...matrixChanged, recheck: 3 },
    matrixChanged,
  ];
  expect(historyOf("tensor", rechecks, firings, answers)).toEqual([
    { verdict: "change", firings: firings.slice(0, 2) },
    { verdict: "keep", firings: [] },
    { verdict: "dismiss", firings: [firings[2]] },
  ]);
});
