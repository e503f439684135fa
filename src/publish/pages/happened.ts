import { isOver, type StoredAnswer, type StoredRecheck } from "../../model/ports/index.ts";
import { dayNumber, type Instant } from "../../model/time.ts";
import { asSentence, triggerName, verdictCounts, weightWords } from "../../model/words.ts";
import { groupReleases } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import type { Edition } from "../edition.ts";
import { answerWords, type Drawing, issueLink } from "./drawing.ts";
import { dayOf, html, internalLink, type Markup } from "./markup.ts";

export interface Happened {
  readonly at: Instant;
  readonly trigger: string;
  readonly kind: "contrary" | "routine" | "verdict";
  readonly says: string;
  readonly recheck?: number;
}

export function historySinceAudit({ firings, rechecks, answers, config }: Edition): Happened[] {
  const seen = groupReleases(firings).map((firing): Happened => {
    const { trigger, weight: kind, seen: at, recheck } = firing;
    return { at, trigger, kind, says: headline(firing, config).sentence, recheck };
  });
  const verdicts = rechecks.flatMap((recheck): Happened[] => {
    const { id, trigger } = recheck;
    const days = Map.groupBy(
      answers.filter((answer) => answer.recheck === id),
      ({ at }) => dayNumber(at),
    );
    const given = [...days.values()].map((its) => ({ at: latest(its), says: asSentence(verdictCounts(its)) }));
    const ended = isOver(recheck) ? wholeVerdict(recheck) : [];
    return [...given, ...ended].map((one) => ({ ...one, trigger, kind: "verdict", recheck: id }));
  });
  return [...seen, ...verdicts].sort((a, b) => b.at - a.at);
}

function latest(answers: readonly StoredAnswer[]): Instant {
  return Math.max(...answers.map(({ at }) => at));
}

/** One person's verdict on a whole recheck, if a reason was given. */
function wholeVerdict({ closed, verdict }: Extract<StoredRecheck, { state: "closing" | "closed" }>) {
  if (verdict?.because === undefined) return [];
  return [{ at: closed, says: `${verdict.kind === "keep" ? "Kept" : "Dismissed"}: ${verdict.because}` }];
}

const kindWords: Readonly<Record<Happened["kind"], string>> = { ...weightWords, verdict: "answer" };
const signs: Readonly<Record<Happened["kind"], string>> = { contrary: "◆", routine: "○", verdict: "▲" };

export function happenedItem({ at, kind, says, trigger, recheck }: Happened, drawing: Drawing, on?: string): Markup {
  const asked = drawing.recheck.get(recheck);
  const name =
    trigger !== on && html`${internalLink(triggerName(trigger, drawing.config), drawing.places.trigger(trigger))} · `;
  return html`<li class="${kind}">${dayOf(at)} <span class="sign" aria-hidden="true">${signs[kind]}</span> <span class="what"><span class="weight">${kindWords[kind]}</span> ${says} <span class="about">${name}${kind === "verdict" ? asked?.issue !== undefined && html`in ${issueLink(asked.issue, drawing)}` : answerWords(asked, drawing)}</span></span></li>`;
}
