import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Firing } from "../../../src/model/firing.ts";
import {
  type AskedFiring,
  answeredByAudit,
  answerStatus,
  answersTo,
  type GivenAnswer,
  isAnswered,
  isInConfig,
} from "../../../src/recheck/answer/answers.ts";
import { isFinal } from "../../../src/recheck/answer/carry-out.ts";
import { runs } from "../../support/runs.ts";
import { at, claimAltered, config, evidence, firing, released } from "../samples.ts";

const speaker = { by: "alice", at: at("2026-10-01T10:00:00Z") };

function given(rating: string, more: Partial<GivenAnswer> = {}): GivenAnswer {
  return { rating, verdict: "keep", ...speaker, ...more };
}

/** A firing that touches only one rating. */
function only(rating: string, fired: number, key = rating): Firing {
  const condition = { kind: "change", source: "loom-blog", ratings: [rating] } as const;
  return firing("tensor", key, { seen: fired, evidence: [evidence("loom-blog", { condition })] });
}

const keep = { kind: "keep", ratings: [] } as const;
const changed = { kind: "change", rating: "tensor/maturity", level: "High", because: "it is public" } as const;

describe("a recheck", () => {
  test("asks about the ratings that its firings touch, in the order of config", () => {
    const { asked, open, done } = answerStatus([only("tensor/compile", 5), released], [], config);
    expect(asked).toEqual(["tensor/maturity", "tensor/compile"]);
    expect(open).toEqual(asked);
    expect(done).toBe(false);
    expect(answerStatus([only("tensor/compile", 5)], [], config).asked).toEqual(["tensor/compile"]);
  });

  test("is done once every rating is answered and every answer is in config", () => {
    const one = given("tensor/maturity");
    const both = [one, given("tensor/compile", { verdict: "change", level: "High", because: "x" })];
    expect(answerStatus([released], [one], config)).toMatchObject({
      open: ["tensor/compile"],
      unsettled: [one],
      done: false,
    });
    expect(answerStatus([released], both, config)).toMatchObject({ open: [], unsettled: both, done: false });
    const settled = both.map((answer) => ({ ...answer, settled: speaker.at + 1 }));
    expect(answerStatus([released], settled, config)).toMatchObject({ open: [], unsettled: [], done: true });
  });

  test("asks again if evidence came after the answer, and only then", () => {
    const answers = ["tensor/maturity", "tensor/compile"].map((rating) => given(rating, { settled: speaker.at }));
    const later = only("tensor/compile", speaker.at + 1);
    const { open, answered, done } = answerStatus([released, later], answers, config);
    expect(open).toEqual(["tensor/compile"]);
    expect([...answered.keys()]).toEqual(["tensor/maturity"]);
    expect(done).toBe(false);
    expect(isAnswered(released, "tensor/compile", answers)).toBe(true);
    expect(isAnswered(later, "tensor/compile", answers)).toBe(false);
  });

  test("counts a firing from when people were asked about it", () => {
    const escalated: AskedFiring = { ...claimAltered, joined: speaker.at + 1 };
    expect(answerStatus([claimAltered], [given("tensor/maturity")], config).open).toEqual(["tensor/compile"]);
    expect(answerStatus([escalated], [given("tensor/maturity")], config).open).toContain("tensor/maturity");
    expect(isAnswered(escalated, "tensor/maturity", [given("tensor/maturity", { settled: 9 })])).toBe(false);
  });

  test("takes a change of mind, the newest word of all", () => {
    const first = given("tensor/maturity");
    const second = given("tensor/maturity", { verdict: "change", level: "Low", because: "no", at: speaker.at + 1 });
    expect(answerStatus([released], [second, first], config).unsettled).toEqual([second]);
    const atOnce = given("tensor/maturity", { verdict: "change", level: "High", because: "yes" });
    expect(answerStatus([released], [first, atOnce], config).unsettled).toEqual([atOnce]);
  });

  test("has no answer for ratings and levels that config no longer has", () => {
    expect(answerStatus([released], [given("tensor/gone")], config).unsettled).toEqual([]);
  });
});

describe("the result of a command", () => {
  test("keep without names answers what is open, and no more", () => {
    const before = answerStatus([released], [given("tensor/maturity")], config);
    expect(answersTo(keep, before, speaker)).toEqual([given("tensor/compile")]);
    const all = answerStatus([released], [given("tensor/maturity"), given("tensor/compile")], config);
    expect(answersTo(keep, all, speaker)).toEqual([]);
  });

  test("keep of a rating that is answered is a change of mind", () => {
    const all = answerStatus([released], [given("tensor/maturity"), given("tensor/compile")], config);
    const again = { kind: "keep", ratings: ["tensor/maturity"], because: "after all" } as const;
    expect(answersTo(again, all, speaker)).toEqual([given("tensor/maturity", { because: "after all" })]);
  });

  test("change is one answer; if no rating is asked about, keep closes", () => {
    const { kind: _, ...rest } = changed;
    const asked = answerStatus([released], [], config);
    expect(answersTo(changed, asked, speaker)).toEqual([{ ...rest, verdict: "change", ...speaker }]);
    expect([isFinal(keep, asked), isFinal(changed, asked)]).toEqual([false, false]);
    const none = answerStatus(
      [firing("claims", "x", { evidence: [evidence("loom-blog", { part: "claim" })] })],
      [],
      config,
    );
    expect(isFinal(keep, none)).toBe(true);
    expect(none.done).toBe(false);
  });

  test("of the others, only dismiss ends the recheck", () => {
    const asked = answerStatus([released], [], config);
    expect(isFinal({ kind: "dismiss", because: "x" }, asked)).toBe(true);
    for (const command of [{ kind: "snooze", until: 5 }, { kind: "check" }] as const)
      expect(isFinal(command, asked)).toBe(false);
  });
});

test("an answer that config shows needs no pull request", () => {
  const day = at("2026-10-01");
  const rated = (level: string, reviewed?: number) => ({
    ...config,
    ratings: new Map([["tensor/maturity", { id: "tensor/maturity", level, reviewed, owners: [] }]]),
  });
  const high = given("tensor/maturity", { verdict: "change", level: "High" });
  expect(isInConfig(high, rated("High", day))).toBe(true);
  expect(isInConfig(high, rated("Medium", day))).toBe(false);
  expect(isInConfig(high, rated("High", day - 1))).toBe(false);
  expect(isInConfig(given("tensor/maturity"), rated("Low", day))).toBe(true);
  expect(isInConfig(given("tensor/maturity"), rated("Low"))).toBe(false);
  expect(isInConfig(given("tensor/gone"), rated("Low", day))).toBe(false);
});

test("a push that raises audited answers the questions that people had seen, up to that day", () => {
  const [old, sameDay, nextDay] = ["2026-09-30T23:00:00Z", "2026-10-01T08:00:00Z", "2026-10-02T00:00:00Z"].map((time) =>
    only("tensor/maturity", at(time), time),
  );
  if (!old || !sameDay || !nextDay) throw new Error("three");
  const all = [old, sameDay, nextDay];
  expect(answeredByAudit(all, at("2026-10-01"), at("2026-10-05"))).toEqual([old, sameDay]);
  expect(answeredByAudit(all, at("2026-10-01"), at("2026-10-01T07:00:00Z"))).toEqual([old]);
  expect(answeredByAudit(all, at("2026-09-01"), at("2026-10-05"))).toEqual([]);
});

test("in any order of commands, nothing is asked twice, nothing is answered before it was seen", () => {
  const ratings = ["tensor/maturity", "tensor/compile"];
  const step = fc.oneof(
    fc.record({ do: fc.constant("fire" as const), rating: fc.constantFrom(...ratings) }),
    fc.record({ do: fc.constant("keep" as const) }),
    fc.record({ do: fc.constant("change" as const), rating: fc.constantFrom(...ratings) }),
    fc.record({ do: fc.constant("merge" as const) }),
    fc.record({ do: fc.constant("drop" as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const firings: Firing[] = [released];
      let answers: GivenAnswer[] = [];
      /** What was seen after the last word on a rating that was not withdrawn. */
      const unheard = new Set(ratings);
      const inPull = new Set<string>();
      steps.forEach((one, i) => {
        const now = speaker.at + i * 10;
        const before = answerStatus(firings, answers, config);
        expect(new Set(before.open)).toEqual(unheard);
        expect(new Set(before.unsettled.map(({ rating }) => rating))).toEqual(inPull);
        if (one.do === "fire") {
          firings.push(only(one.rating, now, `${i}`));
          unheard.add(one.rating);
        } else if (one.do === "keep" || one.do === "change") {
          const command = one.do === "keep" ? keep : ({ ...changed, rating: one.rating } as const);
          const said = answersTo(command, before, { by: "bob", at: now });
          for (const { rating } of said) {
            unheard.delete(rating);
            inPull.add(rating);
          }
          answers = [...answers, ...said];
        } else {
          const [settle, withdraw] = one.do === "merge" ? [before.unsettled, []] : [[], before.unsettled];
          for (const { rating } of withdraw)
            if (!isStillAnswered(rating, answers, withdraw, firings)) unheard.add(rating);
          inPull.clear();
          // A withdrawn answer takes with it what was said before and is not settled.
          answers = answers.flatMap((answer) => {
            if (settle.some(({ rating }) => rating === answer.rating)) return [{ ...answer, settled: now }];
            return withdraw.some(({ rating }) => rating === answer.rating) && !answer.settled ? [] : [answer];
          });
          expect(answerStatus(firings, answers, config).done).toBe(unheard.size === 0);
        }
      });
    }),
    { numRuns: runs(300) },
  );
});

/** Whether an answer that is settled already covers what was seen. */
function isStillAnswered(
  rating: string,
  answers: readonly GivenAnswer[],
  gone: readonly GivenAnswer[],
  firings: readonly Firing[],
) {
  const left = answers.filter((one) => one.settled !== undefined && !gone.includes(one));
  return firings
    .filter((one) => answerStatus([one], [], config).asked.includes(rating))
    .every((one) => isAnswered(one, rating, left));
}
