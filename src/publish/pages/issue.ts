import type { StoredAnswer, StoredRecheck } from "../../ports.ts";
import type { Drawing } from "./drawing.ts";
import { dayOf, homeward, html, type Markup } from "./markup.ts";

/** `#12`, linked where the repository has an address. */
export function issueLink(issue: number | undefined, { repository }: Drawing): Markup {
  if (issue === undefined) return html`its issue is not written yet`;
  return homeward(`#${issue}`, repository === undefined ? undefined : `${repository}/issues/${issue}`);
}

/** What became of a question: `open in #12`, `answered in #12 on 2026-09-12: 1 changed, 3 kept`. */
export function answerOf(recheck: StoredRecheck | undefined, drawing: Drawing): Markup {
  if (!recheck) return html`not asked about yet`;
  const link = issueLink(recheck.issue, drawing);
  if (recheck.state === "open") return html`${link}, open`;
  const when = recheck.closed === undefined ? "" : html` on ${dayOf(recheck.closed)}`;
  if (recheck.dismissed !== undefined) return html`${link}, dismissed${when}: “${recheck.dismissed}”`;
  const verdicts = verdictWords(drawing.answers.filter((one) => one.recheck === recheck.id));
  if (verdicts !== "") return html`${link}, answered${when}: ${verdicts}`;
  if (recheck.by === undefined) return html`${link}, closed without an answer`;
  return html`${link}, kept${when}${recheck.because !== undefined && html`: “${recheck.because}”`}`;
}

/** `1 changed, 3 kept`. */
export function verdictWords(answers: readonly Pick<StoredAnswer, "verdict">[]): string {
  const changed = answers.filter(({ verdict }) => verdict === "change").length;
  const kept = answers.length - changed;
  return [changed > 0 && `${changed} changed`, kept > 0 && `${kept} kept`].filter(Boolean).join(", ");
}
