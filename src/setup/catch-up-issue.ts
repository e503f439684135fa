import { counted, day } from "../describe.ts";
import type { Config, Firing } from "../model.ts";
import { clip, mostCharacters, type Part } from "../recheck/clip.ts";
import { evidenceEntries } from "../recheck/evidence.ts";
import { paragraph, words } from "../recheck/inert.ts";
import type { Label } from "../recheck/labels.ts";
import { beginLine, end } from "../recheck/marker.ts";
import { ratingNames } from "../recheck/names.ts";
import { askedRatings, inOrder, type Link, triggerOf } from "../recheck/question.ts";

/** The routine events since the audit, put to people at once. */
export interface CatchUpQuestion {
  readonly config: Config;
  /** Routine ones; contrary ones have rechecks of their own. */
  readonly firings: readonly Firing[];
  /** The random word by which the issue is found again. */
  readonly marker: string;
  readonly link: Link;
}

export interface CatchUpIssue {
  readonly title: string;
  /** The bot's section, from its first marker to its last. */
  readonly body: string;
  readonly labels: readonly Label[];
}

const catchUpTitle = "Catch up";

/** The one issue of what was routine between the audit and the first look; undefined where nothing was. Pure. */
export function renderCatchUp(question: CatchUpQuestion, room = mostCharacters): CatchUpIssue | undefined {
  const { config, marker } = question;
  const firings = inOrder(question.firings.filter(({ weight }) => weight === "routine"));
  if (firings.length === 0) return undefined;
  const byTrigger = Map.groupBy(firings, ({ trigger }) => trigger);
  const since = day(config.report.audited);
  const lead = `**${counted(firings.length, "routine event")} between the audit of ${since} and the first look.** The report asks to look again at each of them; none says otherwise than the report does.`;
  // Numbered through, so that what several triggers ask about is told once.
  const entries = evidenceEntries([...byTrigger.values()].flat(), question);
  const parts = [...byTrigger].map(([trigger, own]) =>
    triggerPart(trigger, own, entries.splice(0, own.length), question),
  );
  const answer = [
    "### Answer",
    "",
    "Closing this issue answers all of it: it sets no rating's `reviewed` date, and none of these events is asked about again.",
    "What changes a rating is written in `sources.yaml` (its level, and `reviewed:`); raising `report.audited` says that all of it was checked.",
  ].join("\n");
  const body = clip(
    [beginLine(marker, "catch-up", firings, []), lead].join("\n\n"),
    parts,
    [answer, end].join("\n\n"),
    room,
  );
  return { title: catchUpTitle, body, labels };
}

const labels: readonly Label[] = [
  { name: "recheck", color: "0e8a16", description: "A source has moved under a rating" },
  { name: "catch-up", color: "c2e0c6", description: "What happened between the audit and the first look" },
];

function triggerPart(
  id: string,
  firings: readonly Firing[],
  entries: readonly string[],
  { config }: CatchUpQuestion,
): Part {
  const trigger = triggerOf({ trigger: id, config, firings });
  const asked = askedRatings(firings, config);
  const about = asked.length > 0 ? [`About ${ratingNames(asked, config)}.`, ""] : [];
  const ask = trigger.ask.map((line) => `- [ ] ${paragraph(line)}`);
  return {
    head: [`### ${words(trigger.name, 100)}`, "", ...about],
    entries,
    ...(ask.length > 0 && { tail: ["", ...ask] }),
    between: "\n\n",
    least: 0,
    one: "event",
    many: "events",
  };
}
