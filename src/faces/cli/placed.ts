import type { Claim } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { claimOf } from "../../model/rests.ts";
import { day } from "../../model/time.ts";
import { counted, issueName, partWords, placeText, triggerName } from "../../model/words.ts";
import { placesIn } from "../../recheck/correct.ts";
import { groupReleases, leadOf, strongestFirst } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import type { Status } from "../../status/status.ts";
import { weightColumn } from "./columns.ts";
import type { ReportShown } from "./summary.ts";
import type { Terminal } from "./terminal.ts";

/** Names a source, or the claim of a firing, with its line in the report: `README.md:16 tidewell-pricing`. */
export interface Placed {
  source(id: string): string;
  firing(firing: Firing): string;
}

/** Reads the report. Without it, names have no lines. */
export async function placeNames({ config, files, link }: ReportShown): Promise<Placed> {
  const places = placesIn((await files?.())?.text, link);
  const lineOf = (id: string | undefined, claim?: Claim) => {
    const place = id === undefined ? undefined : places?.(config.sources.get(id), claim);
    return place ? `${placeText(place)} ` : "";
  };
  return {
    source: (id) => `${lineOf(id)}${id}`,
    firing(firing) {
      const lead = leadOf(firing);
      return `${lineOf(lead?.source, claimOf(lead?.claim, config))}${headline(firing, config).text}`;
    },
  };
}

/** The strongest event of each open recheck; those of the first check are listed apart. */
export function recheckRows(status: Status, config: Config, names: Placed): string[][] {
  return status.open.map(({ trigger, issue, firings, says }) => {
    const [strongest, ...others] = trigger === builtIn.notFound ? [] : groupReleases(strongestFirst(firings));
    const more = others.length > 0 ? `, and ${counted(others.length, "more event")}` : "";
    const what = strongest ? `${names.firing(strongest)}${more}` : counted(firings.length, "event");
    return [triggerName(trigger, config), issueName(issue), `${what}${says ? `: ${says}` : ""}`];
  });
}

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
  return [...new Set(lines)];
}
