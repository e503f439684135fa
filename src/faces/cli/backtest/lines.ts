import { type Difference, firedSince } from "../../../backtest/difference.ts";
import type { Played } from "../../../backtest/play.ts";
import { counted, day, some, triggerName } from "../../../describe.ts";
import type { Config, Instant } from "../../../model.ts";
import type { StoredFiring } from "../../../ports.ts";
import { headline } from "../../../recheck/headline.ts";
import { table } from "../explain/lines.ts";
import type { Past } from "./tapes.ts";

/** What would have been asked, event by event, and the rechecks it would have opened. */
export function backtestLines(played: Played, past: Past, since: Instant, config: Config): string[] {
  const firings = firedSince(played, since);
  const rechecks = played.rechecks
    .map((recheck) => ({ recheck, fed: firings.filter((firing) => firing.recheck === recheck.id) }))
    .filter(({ fed }) => fed.length > 0);
  return [
    heading(past, since, played.looks.length),
    "",
    ...eventLines(firings, "  ", config),
    ...(firings.length > 0 ? [""] : []),
    `${counted(rechecks.length, "recheck")} would have been opened, with ${counted(firings.length, "event")}`,
    ...rechecks.map(
      ({ recheck, fed }) =>
        `  ${day(recheck.opened)}  ${triggerName(recheck.trigger, config)}: ${counted(fed.length, "event")}`,
    ),
  ];
}

/** What another trigger file would have changed: what came, what went. */
export function differenceLines(
  { came, went, stayed, rechecks }: Difference,
  past: Past,
  since: Instant,
  file: string,
  config: Config,
): string[] {
  const days = Math.max(1, Math.round((past.until - since) / 86_400_000));
  return [
    heading(past, since),
    "",
    `+${rechecks.came}, −${rechecks.went} rechecks in ${counted(days, "day")} with ${file}; of events +${came.length}, −${went.length}, ${stayed} as before`,
    ...eventLines(came, "  + ", config),
    ...eventLines(went, "  − ", config),
    ...(came.length + went.length > 0
      ? ["", `Events of one trigger that join its open recheck are one. ${past.whole ? known : unknown}`]
      : []),
  ];
}

const known = "It is open until it was really answered.";
const unknown = "Nobody answers here: it stays open.";

function heading({ tapes, from }: Past, since: Instant, looks?: number): string {
  const answers = tapes.reduce((sum, { frames }) => sum + frames.filter(({ response }) => response).length, 0);
  const said = `${counted(answers, "answer")} of ${counted(tapes.length, "source")}`;
  return `Backtest since ${day(since)} · ${from}: ${said}${looks === undefined ? "" : `, ${counted(looks, "look")}`}`;
}

function eventLines(firings: readonly StoredFiring[], indent: string, config: Config): string[] {
  const rows = firings.map((firing) => [
    day(firing.fired),
    firing.weight,
    firing.trigger,
    `${headline(firing, config).text}  (${some([...new Set(firing.evidence.map(({ source }) => source || "time"))], 3)})`,
  ]);
  return table(rows, indent);
}
