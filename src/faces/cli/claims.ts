import { join } from "node:path";
import { type Proposals, proposeClaims, sourcesToRead, withClaims } from "../../claims/mine/index.ts";
import { wholeText } from "../../config/text.ts";
import type { Claim } from "../../model/claim.ts";
import { closing } from "../../model/closing.ts";
import type { Config } from "../../model/config.ts";
import type { Reading } from "../../model/reading.ts";
import { describeProof, oneLine, pluralize, ratingTitle, upTo } from "../../model/words.ts";
import { firstCheckIn } from "../../onboard/first-check.ts";
import { claimsFound, strongestClaims } from "../../onboard/summary.ts";
import { readers } from "../../read/index.ts";
import { patchOf } from "../../report/edit/splice.ts";
import { loadConfigAt } from "../../wire/config.ts";
import type { Settings } from "../../wire/settings.ts";
import { wireWeb } from "../../wire/web.ts";
import { answer } from "./answers/index.ts";
import type { Answers } from "./answers/types.ts";
import { restLine } from "./columns.ts";
import { baseFolderOf } from "./init/files.ts";
import { probe, readPast } from "./probe.ts";
import { minutesFrom } from "./progress.ts";
import { filesOf, findReport, reportPath } from "./report.ts";
import { replaceSources } from "./side-file.ts";
import { colourDiff, colourSides, commandToType, exits, type Terminal } from "./terminal.ts";

export interface ClaimsOptions {
  readonly write?: boolean;
  readonly json?: boolean;
  readonly minutes?: string;
}

/**
 * `recheck claims [REPORT]`: compares the statements of a report with the sources of the config, checks those once, and
 * prints the confirmed claims that the config lacks. `--write` adds them to `sources.yaml`.
 * @throws WrongUsage | Unreachable | ConfigProblems
 */
export async function claimsCommand(
  written: string | undefined,
  settings: Settings,
  options: ClaimsOptions,
  out: Terminal,
): Promise<number> {
  const asking = { minutes: minutesFrom(options.minutes), options, out };
  const { config, files } = await loadConfigAt(settings.config);
  await using web = closing(await wireWeb(settings, config));
  const root = await baseFolderOf(settings.config);
  const report = await reportPath(written, config, root);
  const foundReport = await findReport(report, web, { at: settings.clock.now(), root, whole: written === undefined });
  const reportFiles = filesOf(foundReport);
  const proving = firstCheckIn(web.workers);
  const wanted = await sourcesToRead(reportFiles, config, proving);
  const sources = [...config.sources.values()].filter(({ id }) => wanted.has(id));
  const { readings, ...checked } = await probe(sources, web, asking);
  const propose = (past?: ReadonlyMap<string, Reading>) =>
    proposeClaims(reportFiles, config, { readings, past, proving });
  const now = await propose();
  const past = await readPast(now.open, config, readings, web, asking);
  const proposals = past.size > 0 ? await propose(past) : now;
  const claimed = withClaims(files, proposals.claims, readers);
  const [before] = files;
  const after = claimed?.files.find(({ path }) => path === before?.path)?.text;
  if (options.write && before && typeof after === "string") await replaceSources(settings.config, before.text, after);
  const unread = checked.later.length + checked.probes.filter(({ says }) => says !== undefined).length;
  const result = {
    report: foundReport.name,
    ...proposals,
    claims: claimed?.written ?? [],
    read: sources.length - unread,
    unread,
    written: options.write === true && claimed !== undefined,
    diff: before
      ? patchOf([{ path: before.path, before: wholeText(before), after: wholeText({ text: after ?? before.text }) }])
      : "",
  };
  if (options.json) answer("claims", { command: "claims", ...result }, out);
  else print(result, claimed?.config ?? config, settings, out);
  return exits.done;
}

type Done = Proposals & Omit<Answers["claims"], keyof Proposals | "command">;

function print(result: Done, config: Config, settings: Settings, out: Terminal): void {
  const { claims, contrary, read, unread, written } = result;
  out.line(`${oneLine(result.report, 200)}, compared with the sources of ${oneLine(config.report.title, 200)}`);
  for (const line of claimLines(result, config)) out.line(`  ${line}`);
  out.line(`  ${pluralize(read, "source")} read${unread > 0 ? `, ${unread} could not be` : ""}.`);
  const differing = contrary.map(({ source, figure, there = "nothing of it", says }) => {
    const [ours, theirs] = colourSides(oneLine(figure, 40), oneLine(there, 40), out);
    return `${out.paint("yellow", "!")} ${source} says ${theirs}, the report ${ours}: ${oneLine(says, 160)}`;
  });
  for (const line of upTo(maxContrary, differing, restLine)) out.line(`  ${line}`);
  if (claims.length === 0) return;
  out.line();
  if (written) out.line(`  ${out.paint("green", "✔")} Written into ${join(settings.config, "sources.yaml")}`);
  else {
    for (const line of result.diff.split("\n")) out.line(colourDiff(line, out));
    out.line(`  ${commandToType("claims", "--write")}  writes them`);
  }
}

const maxContrary = 20;

export function claimLines(proposals: Proposals, config: Config, claims = proposals.claims): string[] {
  if (proposals.considered === 0) return [];
  const some = strongestClaims(claims);
  const more = claims.length - some.length;
  return [
    `${claimsFound(proposals)}.`,
    ...proposals.beyond.map(({ source, says }) => `! ${source}: ${oneLine(says, 160)}; no claim was made of it`),
    `${pluralize(claims.length, "new claim")}${claims.length === 0 ? "." : ":"}`,
    ...some.flatMap((claim) => [`- ${oneLine(claim.says, 160)}`, `  ${provedBy(claim, config)}`]),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...unconfirmedLines(proposals),
  ];
}

/** Sentences that no source confirms, each with the most similar passage: a person decides whether they are still true. */
function unconfirmedLines({ unconfirmed }: Proposals): string[] {
  if (unconfirmed.length === 0) return [];
  const statements = unconfirmed.map(({ source, says, nearest }) => {
    const passage = nearest === undefined ? "nothing similar" : `nearest: "${oneLine(nearest, 160)}"`;
    return `- ${oneLine(says, 160)}\n  ${source}: ${passage}`;
  });
  const shown = upTo(maxUnconfirmed, statements, restLine).flatMap((text) => text.split("\n"));
  return [`${pluralize(unconfirmed.length, "statement")} not confirmed:`, ...shown];
}

const maxUnconfirmed = 10;

function provedBy({ source, proof, ratings }: Claim, config: Config): string {
  const rests = ratings.length > 0 ? `; ${ratings.map((rating) => ratingTitle(rating, config)).join(", ")}` : "";
  return `${source}: ${oneLine(describeProof(proof), 160)}${oneLine(rests, 160)}`;
}
