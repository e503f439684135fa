import type { Config } from "../../model/config.ts";
import { claimOf } from "../../model/dependencies.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { day } from "../../model/time.ts";
import { issueName, partWords, pluralize, triggerName, upTo } from "../../model/words.ts";
import { groupReleases, leadOf, strongestFirst } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import type { Status } from "../../status/status.ts";
import { weightColumn } from "./columns.ts";
import type { LinePlaces } from "./summary.ts";
import type { Terminal } from "./terminal.ts";

/** The strongest event of each open recheck; those of the first check are listed apart. */
export function recheckRows(status: Status, config: Config, names: LinePlaces): string[][] {
  return status.open.map(({ trigger, issue, firings, says }) => {
    const [strongest, ...others] = trigger === builtIn.notFound ? [] : groupReleases(strongestFirst(firings));
    const more = others.length > 0 ? `, and ${pluralize(others.length, "more event")}` : "";
    const lead = strongest && leadOf(strongest);
    const what = strongest
      ? `${names.line(lead?.source, claimOf(lead?.claim, config))}${headline(strongest, config).text}${more}`
      : pluralize(firings.length, "event");
    return [triggerName(trigger, config), issueName(issue), `${what}${says ? `: ${says}` : ""}`];
  });
}

/** A list that was rewritten fires hundreds of entries at once: the issue and `explain` have the others. */
const maxFiredLines = 30;

/** One line for each firing, those against the report first. Firings with the same words share a line. */
export function firedLines(firings: readonly Firing[], config: Config, out: Terminal): string[] {
  const order = (firing: Firing) => (firing.weight === "contrary" ? 0 : 1);
  const widest = Math.max(...firings.map(({ trigger }) => trigger.length));
  const lines = groupReleases(firings.filter(({ trigger }) => trigger !== builtIn.notFound))
    .toSorted((a, b) => order(a) - order(b) || (b.event.at ?? b.seen) - (a.event.at ?? a.seen))
    .map((firing) => {
      const weight = out.paint(firing.weight === "contrary" ? "red" : "yellow", `● ${weightColumn(firing.weight)}`);
      const sources = new Set(firing.evidence.map(({ source }) => source)).size;
      const seen = sources > 1 ? ` (seen in ${sources} sources)` : "";
      const also = firing.evidence.every(({ part }) => part === "also") ? ` (${partWords({ part: "also" })})` : "";
      return `${weight}  ${firing.trigger.padEnd(widest)}  ${headline(firing, config).text}${seen}${also}  ${day(firing.event.at ?? firing.seen)}`;
    });
  return [...upTo(maxFiredLines, [...new Set(lines)])];
}
