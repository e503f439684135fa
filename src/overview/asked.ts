import { day, triggerName } from "../describe.ts";
import { boxLine } from "../recheck/box.ts";
import type { Part } from "../recheck/clip.ts";
import { headline } from "../recheck/headline.ts";
import { words } from "../recheck/inert.ts";
import { ratingNames } from "../recheck/names.ts";
import { askedRatings, inOrder } from "../recheck/question.ts";
import type { Drawing, OpenRecheck, Waiting } from "./overview.ts";

/** What waits for an answer: in doubt, to review, snoozed. */
export function askedParts(drawing: Drawing): { readonly doubt: Part; readonly review: Part; readonly snoozed: Part } {
  const { status, rechecks } = drawing;
  const sleeping = rechecks.filter(({ snoozed }) => snoozed !== undefined);
  const awake = status.open.filter((one) => !sleeping.some((recheck) => isAskedIn(recheck, one)));
  const isContrary = ({ firings }: Waiting): boolean => firings.some(({ weight }) => weight === "contrary");
  return {
    doubt: part(
      "### In doubt",
      awake.filter(isContrary).map((one) => asked(one, drawing)),
    ),
    review: part(
      "### To review",
      awake.filter((one) => !isContrary(one)).map((one) => asked(one, drawing)),
    ),
    snoozed: part(
      "### Snoozed",
      sleeping.map((recheck) => resting(recheck, drawing)),
    ),
  };
}

/** One recheck may ask for several triggers. */
function isAskedIn({ id, trigger }: OpenRecheck, waiting: Waiting): boolean {
  return waiting.recheck === undefined ? waiting.trigger === trigger : waiting.recheck === id;
}

function part(head: string, entries: readonly string[]): Part {
  return { head: [head, ""], entries, between: "\n", least: 1, one: "recheck", many: "rechecks" };
}

function asked(waiting: Waiting, drawing: Drawing): string {
  const { config } = drawing;
  const [strongest] = inOrder(waiting.firings);
  const what = strongest ? `${headline(strongest, config).markdown}, seen ${day(strongest.seen)}` : "";
  const more = waiting.firings.length > 1 ? `, and ${waiting.firings.length - 1} more` : "";
  const about = aboutOf(waiting, drawing);
  return [`- ${called(waiting, drawing)}: ${what}${more}`, ...(about ? [`  ${about}`] : [])].join("\n");
}

/** `#12 **TPU**`. */
function called({ trigger, issue }: Pick<Waiting, "trigger" | "issue">, { config }: Drawing): string {
  const name = `**${words(triggerName(trigger, config), 100)}**`;
  return issue === undefined ? `${name} (its issue is not written yet)` : `#${issue} ${name}`;
}

/** The ratings in question, those in doubt apart from those that are only to review. */
function aboutOf({ firings }: Waiting, { config }: Drawing): string {
  const all = askedRatings(firings, config);
  const doubted = askedRatings(
    firings.filter(({ weight }) => weight === "contrary"),
    config,
  );
  const others = all.filter((id) => !doubted.includes(id));
  if (doubted.length === 0 || others.length === 0) return ratingNames(all, config);
  return `${ratingNames(doubted, config)}; to review: ${ratingNames(others, config)}`;
}

function resting({ id, trigger, issue, snoozed }: OpenRecheck, drawing: Drawing): string {
  const until = typeof snoozed === "number" ? day(snoozed) : "something new is seen";
  const told = `${called({ trigger, issue }, drawing)}, until ${until}`;
  return drawing.commands ? boxLine(`unsnooze ${id}`, `ask again now: ${told}`) : `- ${told}`;
}
