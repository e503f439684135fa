import { triggerName } from "../../describe.ts";
import { digest } from "../../digest.ts";
import type { Config } from "../../model.ts";
import type { StoredAnswer, StoredFiring, StoredRecheck } from "../../ports.ts";
import { headline } from "../../recheck/headline.ts";
import { askedRatings, inOrder } from "../../recheck/question.ts";
import type { Edition } from "../edition.ts";
import { nameOf } from "../names.ts";
import { date, issueAddress } from "../plain.ts";
import type { Entry } from "./entry.ts";

/** What a recheck was opened for, and how it was answered: an entry each. */
export function recheckEntries(edition: Edition): Entry[] {
  const firings = Map.groupBy(edition.firings, ({ recheck }) => recheck);
  const answers = Map.groupBy(edition.answers, ({ recheck }) => recheck);
  return edition.rechecks.flatMap((recheck) => {
    const fed = firings.get(recheck.id) ?? [];
    const settled = newest(answers.get(recheck.id) ?? []);
    return [opened(recheck, fed, edition), ...answered(recheck, fed, settled, edition)];
  });
}

/** Firings that one entry tells of. */
const mostFirings = 20;

function opened(recheck: StoredRecheck, firings: readonly StoredFiring[], { config, repository }: Edition): Entry {
  const ordered = inOrder(firings);
  const [strongest] = ordered;
  const asked = askedRatings(firings, config);
  const joined = firings.map(({ joined }) => joined ?? recheck.opened);
  const what = strongest ? `: ${headline(strongest, config).text}` : "";
  const more = ordered.length - mostFirings;
  return {
    key: `opened/${digest(recheck.marker)}`,
    kind: "opened",
    title: `${triggerName(recheck.trigger, config)}${what}`,
    published: recheck.opened,
    updated: joined.reduce((latest, at) => Math.max(latest, at), recheck.opened),
    link: issueAddress(recheck.issue, repository),
    says: asked.length > 0 ? `It asks about ${inWords(asked, config)}. What was seen:` : "What was seen:",
    list: [
      ...ordered
        .slice(0, mostFirings)
        .map((firing) => `${headline(firing, config).text} (${firing.weight}, seen ${date(firing.seen)})`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ],
    ratings: new Set(asked),
  };
}

function answered(
  recheck: StoredRecheck,
  firings: readonly StoredFiring[],
  settled: readonly StoredAnswer[],
  { config, repository }: Edition,
): Entry[] {
  const { closed, dismissed, state } = recheck;
  const moments = [...settled.flatMap(({ settled }) => settled ?? []), ...(state === "closed" ? [closed ?? 0] : [])];
  const [first] = moments;
  if (first === undefined) return [];
  const asked = askedRatings(firings, config);
  return [
    {
      key: `answered/${digest(recheck.marker)}`,
      kind: "answered",
      title: `${triggerName(recheck.trigger, config)}: ${verdictOf(settled, dismissed !== undefined)}`,
      published: moments.reduce((earliest, at) => Math.min(earliest, at), first),
      updated: moments.reduce((latest, at) => Math.max(latest, at), first),
      link: issueAddress(recheck.issue, repository),
      says: state === "closed" ? "The recheck is closed." : "The recheck is still open for other ratings.",
      list: settled.map(
        ({ rating, verdict, level }) =>
          `${nameOf(rating, config)}: ${verdict === "keep" || level === undefined ? "kept" : `changed to ${level}`}`,
      ),
      ratings: new Set([...asked, ...settled.map(({ rating }) => rating)]),
    },
  ];
}

/** `1 changed, 3 kept`, `dismissed`, or closed without a word. */
function verdictOf(settled: readonly StoredAnswer[], dismissed: boolean): string {
  if (dismissed) return "dismissed, no rating changes";
  const changed = settled.filter(({ verdict }) => verdict === "change").length;
  const counts: [number, string][] = [
    [changed, "changed"],
    [settled.length - changed, "kept"],
  ];
  const told = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return told.length > 0 ? told.join(", ") : "closed, no rating was reviewed";
}

/** The newest settled answer about each rating. */
function newest(answers: readonly StoredAnswer[]): StoredAnswer[] {
  const settled = answers.filter((answer) => answer.settled !== undefined).toSorted((a, b) => a.at - b.at);
  return [...new Map(settled.map((answer) => [answer.rating, answer])).values()];
}

const mostNames = 12;

function inWords(ratings: readonly string[], config: Config): string {
  const names = ratings.slice(0, mostNames).map((id) => nameOf(id, config));
  const more = ratings.length - mostNames;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
