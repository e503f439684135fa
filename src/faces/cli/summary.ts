import type { AuditedScan } from "../../audit/first-scan.ts";
import { changeLine } from "../../model/change-words.ts";
import type { Check } from "../../model/check.ts";
import type { Claim } from "../../model/claim.ts";
import type { Config } from "../../model/config.ts";
import { outOfDateWords } from "../../model/finding.ts";
import { builtIn, type Firing } from "../../model/firing.ts";
import { causeOfSilence } from "../../model/outage.ts";
import { aDay, day, type Instant, minute } from "../../model/time.ts";
import { enumerate, oneLine, placeText, pluralize, triggerName } from "../../model/words.ts";
import type { Outbox, SyncResult } from "../../recheck/run.ts";
import type { SendReport } from "../../status/messages/send.ts";
import type { Status } from "../../status/status.ts";
import type { Scan } from "../../watch/scan.ts";
import { table } from "./columns.ts";
import { printMatrix } from "./matrix.ts";
import { colourDiff, commandToType, section, type Terminal } from "./terminal.ts";

export async function printScan(
  scan: AuditedScan,
  status: Status,
  { config, ...report }: ReportShown,
  out: Terminal,
): Promise<void> {
  const { firedLines } = scan.firings.length > 0 ? await import("./placed.ts") : { firedLines: () => [] };
  for (const { source, outcome, failure, next } of scan.checks)
    out.detail?.(`${source}: ${failure?.says ?? outcome}; due again ${minute(next)}`);
  if (!out.quiet) out.line(heading(config, scan.ended));
  await printFirstFindings(scan.firings, { config, ...report }, out);
  const names = await placeNames({ config, ...report });
  if (!out.quiet) out.line();
  if (scan.outage) {
    const cause = outageCause(scan);
    out.line(`  ✗ No response from most hosts${cause ? `: ${cause}` : ""}. No source is blamed.`);
    out.line("    Sources without a response are checked again at the next scan.");
    colouredSection(out, "Fired", firedLines(scan.firings, config, out));
    return;
  }
  if (!out.quiet || hasSeenNothing(scan)) out.line(`  ${countsLine(scan, out)}`);
  if (scan.unaudited !== undefined) out.line(out.paint("yellow", `  ${scan.unaudited}`));
  colouredSection(out, "Fired", firedLines(scan.firings, config, out));
  const room = out.width && out.width - 2;
  colouredSection(out, "Could not be checked", table(unseenRows(scan.checks, status, names), "", room));
  colouredSection(out, "What may help", helpLines(scan.checks));
  if (out.quiet) return;
  colouredSection(out, "Left for later", deferredLines(scan.checks));
  colouredSection(out, "Waiting for confirmation", table(waitingRows(status, names), "", room));
  printMatrix(config, status.ratings, out);
}

export interface ReportShown extends Pick<Outbox, "files" | "link"> {
  readonly config: Config;
}

/** The line of a source or claim in the report, to precede its name: `README.md:16 tidewell-pricing`. */
export interface LinePlaces {
  line(source: string | undefined, claim?: Claim): string;
  source(id: string): string;
}

/** Reads the report. Without it, names have no lines. */
export async function placeNames({ config, files, link }: ReportShown): Promise<LinePlaces> {
  const { text } = (await files?.()) ?? {};
  const places = text && (await import("../../recheck/correct.ts")).placesIn(text, link);
  const line = (id: string | undefined, claim?: Claim) => {
    const place = id === undefined ? undefined : places?.(config.sources.get(id), claim);
    return place ? `${placeText(place)} ` : "";
  };
  return { line, source: (id) => `${line(id)}${id}` };
}

/** Lists what was out of date at the first check already, worst first, each with its line in the report. */
export async function printFirstFindings(
  firings: readonly Firing[],
  { config, files, link }: ReportShown,
  out: Terminal,
): Promise<void> {
  if (!firings.some(({ trigger }) => trigger === builtIn.notFound)) return;
  const { firstFindings } = await import("../../recheck/first-check.ts");
  const { placesIn } = await import("../../recheck/correct.ts");
  const { findings: all } = firstFindings(firings, config, placesIn((await files?.())?.text, link));
  const listed = all.map(({ firing, name, says, place }) => [
    `${firing.weight === "contrary" ? "✗" : "●"} ${place ? `${placeText(place)} ` : ""}${name}`,
    says,
  ]);
  colouredSection(out, outOfDateWords(all.length), table(listed, "", out.width && out.width - 2));
}

/** The most frequent failure of the checks without a response. */
export function outageCause({ checks }: Pick<Scan, "checks">): string | undefined {
  return causeOfSilence(checks.flatMap(({ failure }) => failure ?? []));
}

/** `Recheck · State of …: May 2026 · audited 2026-05-16 (188 days ago)`. */
export function heading({ report }: Config, at: Instant): string {
  const days = Math.max(0, Math.floor((at - report.audited) / aDay));
  return `Recheck · ${oneLine(report.title)} · audited ${day(report.audited)} (${days === 0 ? "today" : `${pluralize(days, "day")} ago`})`;
}

/** Whether there were checks, and all failed: neither a success nor our own outage. */
export function hasSeenNothing({ checks, outage }: Pick<Scan, "checks" | "outage">): boolean {
  const taken = checks.filter((check) => !isDeferred(check));
  return !outage && taken.length > 0 && taken.every(({ outcome }) => outcome === "unknown");
}

/** The counts of a scan, with ✔ only where something was seen. */
function countsLine(scan: Scan, out: Terminal): string {
  if (hasSeenNothing(scan)) {
    const taken = scan.checks.filter((check) => !isDeferred(check)).length;
    const none = taken === 1 ? "The source could not be read" : `None of ${taken} sources could be read`;
    return `${out.paint("red", "✗")} ${none}: the present content is unknown.`;
  }
  const seen = scan.checks.some(({ outcome }) => outcome !== "unknown");
  return `${seen ? out.paint("green", "✔") : "·"} ${scanCounts(scan, "     ")}`;
}

const walls: ReadonlySet<string> = new Set(["robots", "bot-wall", "consent-wall", "login-wall"]);

function helpLines(checks: readonly Check[]): string[] {
  const kinds = new Set(
    checks.flatMap(({ outcome, failure }) => (outcome === "unknown" && failure ? [failure.kind] : [])),
  );
  const lines = [
    kinds.has("refused-address") &&
      "· To allow addresses that are not public, set RECHECK_ALLOW_ADDRESSES: 10.0.0.0/8, fd00::/8",
    [...kinds].some((kind) => walls.has(kind)) &&
      "· robots.txt and bot walls are respected: watch another address with the same content, or list it under unwatchable",
  ];
  return lines.flatMap((line) => line || []);
}

/** `31 sources checked in 12 s`, and the outcomes after `between`. */
export function scanCounts({ checks, started, ended }: Scan, between: string): string {
  const seconds = Math.round((ended - started) / 1000) || "under 1";
  const of = (outcome: string) =>
    checks.filter((check) => check.outcome === outcome && !isDeferred(check) && !isSeenOnce(check)).length;
  const parts = [
    [of("first"), "read for the first time"],
    [of("unchanged"), "unchanged"],
    [of("changed"), "changed"],
    [checks.filter(isSeenOnce).length, "waiting for a second check"],
    [of("unknown"), "could not be checked"],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  if (checks.length === 0) return "no source was due";
  const sources = checks.filter((check) => !isDeferred(check)).length;
  return `${pluralize(sources, "source")} checked in ${seconds} s${between}${said.join(" · ")}`;
}

function isSeenOnce(check: Check): boolean {
  return check.outcome === "unchanged" && check.sightings.length > 0;
}

function isDeferred(check: Check): boolean {
  return check.failure?.kind === "deferred";
}

/** A row for each failed check: why, since when, and when its source turns blind. */
export function unseenRows(checks: readonly Check[], status: Status, names: Pick<LinePlaces, "source">): string[][] {
  return checks
    .filter((check) => check.outcome === "unknown" && !isDeferred(check))
    .map(({ source, failure }) => {
      const stored = status.unseen.find((one) => one.source === source);
      const name = `○ ${names.source(source)}`;
      if ((failure?.count ?? 1) <= 1) return [name, `${failure?.says}, first time`];
      const since = `since ${day(stored?.goneSince ?? failure?.since ?? 0)}`;
      const lasting = stored?.gone ? `gone ${since}` : `${since}${blindWords(stored?.blindFrom, status.at)}`;
      return [name, `${failure?.says}, ${lasting}`];
    });
}

function blindWords(from: Instant | undefined, at: Instant): string {
  if (from === undefined) return "";
  return `; not checkable ${at < from ? `from ${day(from)} unless read before` : `since ${day(from)}`}`;
}

function deferredLines(checks: readonly Check[]): string[] {
  const left = checks.filter(isDeferred);
  if (left.length === 0) return [];
  const says = left[0]?.failure?.says ?? "";
  return [`◌ ${pluralize(left.length, "source")}: ${says}. Set GITHUB_TOKEN to check all of them.`];
}

export function waitingRows(status: Status, names: Pick<LinePlaces, "source">): string[][] {
  return status.waiting.map(({ source, sightings, secondCheck }) => {
    const blocks = sightings.filter(({ change }) => change.kind === "block").length;
    const what = sightings.slice(0, 1).map(({ change }) => changeLine(change, Math.max(1, blocks)));
    return [`◌ ${names.source(source)}`, `${what.join()}; second check ${minute(secondCheck)}`];
  });
}

export function colouredSection(out: Terminal, title: string, lines: readonly string[]): void {
  const coloured = lines.map((line) => colourDiff(line, out));
  section(out, title, coloured);
}

export function messageLines({ sent, problems }: SendReport): string[] {
  return [
    ...sent.map(({ channel, title }) => `✔ ${channel}  ${title}`),
    ...problems.map(
      ({ channel, says, next }) =>
        `✗ ${channel}  ${says}${next === undefined ? "" : `; tried again from ${minute(next)}`}`,
    ),
  ];
}

export function unsentLines({ unsent }: Status): string[] {
  return unsent.map(({ channel, state, title, says, next }) => {
    const what = {
      waiting: `tried again from ${minute(next)}`,
      dead: "given up",
      unheard: "not sent twice",
      sent: "sent",
    };
    return `✗ ${channel}  ${title}: ${says}; ${what[state]}`;
  });
}

/** The writes to GitHub that wait, those with the same reason together. */
export function waitingWrites({ waiting }: Pick<SyncResult, "waiting">, config: Config) {
  const alike = Map.groupBy(waiting, ({ what, because }) => `${what}: ${because}`);
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const names = [first, ...others].map(({ trigger }) => triggerName(trigger, config));
    return { ...first, names: enumerate(names) };
  });
}

export function printSync(
  synced: SyncResult,
  { dryRun, repo }: { dryRun: boolean; repo?: string },
  config: Config,
  out: Terminal,
): void {
  colouredSection(out, "Rechecks", [
    ...synced.opened.map(({ title, url, issue }) => `opened   #${issue} ${title}  ${url ?? ""}`.trimEnd()),
    ...synced.updated.map((issue) => `updated  #${issue}`),
    ...synced.commented.map((issue) => `comment  #${issue}`),
    ...synced.closed.map((issue) => `closed   #${issue} by hand`),
    ...synced.gone.map((issue) => `gone     #${issue}, deleted or moved: counts as closed`),
    ...synced.reopened.map((issue) => `reopened #${issue} by a person`),
    ...synced.left.map(({ issue, because }) => `left     #${issue} unchanged: ${because}`),
    ...waitingWrites(synced, config).map(({ names, what, because }) => `waits    ${what} of ${names}: ${because}`),
    ...synced.problems.map(({ says }) => `✗ ${says}`),
  ]);
  const would = synced.wouldOpen.length + synced.wouldUpdate.length;
  if (!out.quiet) out.line();
  if (would > 0) {
    const why = dryRun
      ? "--dry-run"
      : repo
        ? "no credentials: GITHUB_TOKEN, or APP_ID and PRIVATE_KEY"
        : "no repository given: --repo owner/name with GITHUB_TOKEN, or install the App";
    const opens = synced.wouldOpen.length > 0;
    const what = opens
      ? `open ${pluralize(synced.wouldOpen.length, "recheck")}`
      : `update ${pluralize(would, "recheck")}`;
    out.line(`  Would ${what} (${why}).`);
    for (const { title } of synced.wouldOpen) out.line(`    ${title}`);
    for (const { issue } of synced.wouldUpdate) out.line(`    ${opens ? "and update " : ""}#${issue}`);
    out.line();
  }
  if (!out.quiet) out.line(`  Why, for any line: ${commandToType("explain", "<rating, source or trigger>")}`);
}
