import type { Config } from "../../model/config.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { day } from "../../model/time.ts";
import { partWords } from "../../model/words.ts";
import { groupReleases } from "../../recheck/issue/question.ts";
import { headline } from "../../recheck/issue/title.ts";
import { weightColumn } from "./columns.ts";
import type { Terminal } from "./terminal.ts";

/**
 * One line for each firing, those against the report first; what was so at the first check is listed apart. Firings with the
 * same words share a line, such as two proofs of one sentence.
 */
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
