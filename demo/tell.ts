import { matrixLines } from "../src/faces/cli/matrix.ts";
import type { Terminal } from "../src/faces/cli/terminal.ts";
import type { Check } from "../src/model/check.ts";
import type { Config } from "../src/model/config.ts";
import { builtIn, type Firing } from "../src/model/firing.ts";
import { noiseWords, partWords, pluralize, weightWords } from "../src/model/words.ts";
import { headline } from "../src/recheck/issue/title.ts";
import type { Expectation } from "./check.ts";
import { firedOn, type Played, type PlayedDay, type Run } from "./play.ts";
import { isQuiet } from "./story.ts";

/** The story as people read it. */

/**
 * Prints a day: the events in the world, the lines of Recheck, the differences it ignored, and the subjects of its mails, or
 * all of them.
 */
export function tellDay(played: PlayedDay, config: Config, out: Terminal, wholeMails = false): void {
  const { day, runs } = played;
  out.line();
  out.line(out.paint("bold", day.date));
  printLines(out, "world", day.world);
  printLines(out, "Recheck", [
    ...linesOf(played, config, out),
    ...runs.flatMap(({ synced }, index) => writesOf(synced, index > 0)),
  ]);
  printLines(out, "no alarm", ignoredOn(played));
  const mails = [...runs, ...played.repeats].flatMap((run) => run.mails);
  for (const { subject, text } of mails)
    printLines(out, "mail", [subject, ...(wholeMails ? ["", ...text.split("\n"), ""] : [])]);
}

function printLines(out: Terminal, who: string, lines: readonly string[]): void {
  for (const [index, line] of lines.entries()) {
    out.line(`  ${out.paint("dim", (index === 0 ? who : "").padEnd(9))}${line}`);
  }
}

function linesOf(played: PlayedDay, config: Config, out: Terminal): string[] {
  if (played.runs.some(({ scan }) => scan.outage)) {
    return ["✗ No response from most hosts. No source is blamed."];
  }
  const fired = firedOn(played);
  const waited = played.waiting.filter(({ source }) =>
    fired.some(({ evidence }) => evidence.some((one) => one.source === source)),
  );
  return [
    ...(waited.length > 0
      ? [`◌ ${waited.map(({ source }) => source).join(", ")}: seen once; checked again six hours later`]
      : []),
    ...fired.sort((a, b) => rank(a) - rank(b)).map((firing) => line(firing, config, out)),
    ...(fired.length === 0 ? [isQuiet(played.day) ? "nothing" : "nothing, though it should have"] : []),
  ];
}

const rank = ({ weight }: Firing): number => (weight === "contrary" ? 0 : 1);

function line(firing: Firing, config: Config, out: Terminal): string {
  const sources = new Set(firing.evidence.map(({ source }) => source)).size;
  const weight = out.paint(
    firing.weight === "contrary" ? "red" : "yellow",
    `● ${weightWords[firing.weight].padEnd(20)}`,
  );
  const seen = sources > 1 ? ` (seen in ${sources} sources, one firing)` : "";
  const also = firing.evidence.every(({ part }) => part === "also") ? ` (${partWords({ part: "also" })})` : "";
  const text = headline(firing, config).text;
  const says = claimOf(firing, config);
  const claim = says === undefined || text.includes(says) ? "" : `: "${says}"`;
  const trigger = firing.trigger === builtIn.notFound ? "" : `${firing.trigger.padEnd(5)} `;
  return `${weight} ${trigger}${text}${claim}${seen}${also}`;
}

/** The sentence of the report, if its claim changed. */
function claimOf({ evidence }: Firing, config: Config): string | undefined {
  const [source = "", id] = evidence.find(({ part }) => part === "claim")?.claim?.split("/") ?? [];
  return config.sources.get(source)?.claims.find((claim) => claim.id === id)?.says;
}

function writesOf({ opened, updated, commented, problems }: Run["synced"], later: boolean): string[] {
  const joined = updated.filter((issue) => !opened.some((one) => one.issue === issue));
  const comments = commented.length > 0 ? `, with a comment in ${numbers(commented)}` : "";
  return [
    ...opened.map(({ issue, title }) => `opened #${issue} ${title}`),
    ...(joined.length > 0 ? [`updated ${numbers(joined)}${comments}`] : []),
    ...problems.map(({ says }) => `${says}; it is tried again at the next run`),
  ].map((said) => `→ ${later ? "six hours later " : ""}${said}`);
}

const numbers = (issues: readonly number[]): string => issues.map((issue) => `#${issue}`).join(", ");

/** The sources that changed without a firing, and those that could not be read. */
function ignoredOn({ runs }: PlayedDay): string[] {
  const [morning] = runs;
  if (!morning || morning.scan.outage) return [];
  const checks = runs.flatMap(({ scan }) => scan.checks);
  const firing = new Set(checks.filter(({ firings }) => firings.length > 0).map(({ source }) => source));
  const others = morning.otherBytes.filter((source) => !firing.has(source)).length;
  const unasked = sourcesOf(checks.filter(({ outcome, source }) => outcome === "changed" && !firing.has(source)));
  const reasons = Map.groupBy(
    checks.filter(({ failure }) => failure?.count === 1),
    ({ failure }) => failure?.says ?? "",
  );
  return [
    ...(others > 0 ? [`${others} of ${morning.scan.checks.length} sources sent other bytes without any news`] : []),
    ...(unasked.length > 0 ? [`new, but no trigger asks about it: ${few(unasked)}`] : []),
    ...[...reasons].map(([says, unseen]) => `could not be read: ${says} (${few(sourcesOf(unseen))})`),
  ];
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

function sourcesOf(checks: readonly Check[]): string[] {
  return [...new Set(checks.map(({ source }) => source))].sort();
}

/** Prints the issues, one of them in full, the noise, the matrix, and the checks of the story. */
export function tellEnd(played: Played, checks: readonly Expectation[], out: Terminal): void {
  heading(out, "The issues that were opened");
  for (const { number, title, labels, body } of played.issues) {
    const recheck = played.rechecks.find(({ marker }) => body.includes(marker));
    const events = played.firings.filter((firing) => firing.recheck === recheck?.id).length;
    out.line(`  #${number} ${title}`);
    out.line(`     ${labels.map((label) => `[${label}]`).join(" ")}  ${events} ${events === 1 ? "event" : "events"}`);
  }
  const shown = fullest(played);
  if (shown) {
    heading(out, `One of them in full: #${shown.number}, as Markdown`);
    out.line(`# ${shown.title}`);
    out.line();
    out.line(shown.body);
  }
  heading(out, "Ignored as noise");
  for (const said of noise(played)) out.line(`  ${said}`);
  heading(out, "The ratings on the last day");
  for (const row of matrixLines(played.config, played.status.ratings, { paint: out.paint })) out.line(`  ${row}`);
  heading(out, "Checks of this story");
  for (const { says, problems } of checks) {
    out.line(`  ${problems.length === 0 ? out.paint("green", "✔") : out.paint("red", "✗")} ${says}`);
    for (const problem of problems) out.line(`      ${problem}`);
  }
}

function heading(out: Terminal, title: string): void {
  out.line();
  out.line(out.paint("bold", title));
  out.line();
}

/** The issue of the trigger with the last contrary firing. */
function fullest({ firings, rechecks, issues }: Played) {
  const last = firings.findLast(({ weight, trigger }) => weight === "contrary" && trigger !== builtIn.notFound);
  const recheck = rechecks.find(({ id }) => id === last?.recheck);
  return recheck && issues.find(({ body }) => body.includes(recheck.marker));
}

function noise({ days, issues, firings }: Played): string[] {
  const runs = days.flatMap(({ runs, repeats }) => [...runs, ...repeats]);
  const checks = runs.flatMap(({ scan }) => scan.checks);
  const others = runs.reduce((sum, { otherBytes }) => sum + otherBytes.length, 0);
  const unasked = checks.filter(({ outcome, firings }) => outcome === "changed" && firings.length === 0).length;
  const unseen = checks.filter(({ failure }) => failure !== undefined).length;
  const reasons = Map.groupBy(
    checks.flatMap((check) => check.noise),
    ({ reason }) => reason,
  );
  const quiet = days.filter(({ day }) => isQuiet(day)).length;
  return [
    `${checks.length} checks on ${days.length} days, ${quiet} of them quiet, led to ${firings.length} events in ${issues.length} issues.`,
    `${others} times a source sent other bytes than before: tokens, counters, relative dates, menus, banners, markup.`,
    `${unasked} times something was new, but no trigger asks about it.`,
    `${unseen} times a source could not be read. It did not count as unchanged, changed or gone.`,
    ...[...reasons].map(
      ([reason, { length }]) => `${pluralize(length, "difference")} ignored (${noiseWords({ reason })}).`,
    ),
  ];
}
