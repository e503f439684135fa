import { join } from "node:path";
import { NotReplaced, replaceFile } from "../../../adapters/files/folder.ts";
import { hasCredentials } from "../../../config/text.ts";
import type { Check } from "../../../model/check.ts";
import { closing } from "../../../model/closing.ts";
import type { Config } from "../../../model/config.ts";
import { StoreProblem } from "../../../model/problem.ts";
import type { Instant } from "../../../model/time.ts";
import { oneLine } from "../../../model/words.ts";
import { readers } from "../../../read/index.ts";
import { yamlScalar } from "../../../report/write.ts";
import { loadConfigAt } from "../../../wire/config.ts";
import type { Settings } from "../../../wire/settings.ts";
import { openToWrite } from "../../../wire/stores.ts";
import { type WiredWeb, wireWeb } from "../../../wire/web.ts";
import { answer } from "../answers/index.ts";
import { firedLines } from "../placed.ts";
import { heading } from "../summary.ts";
import { colourDiff, commandToType, exits, section, type Terminal, WrongUsage } from "../terminal.ts";
import { cacheAnswers, firstCheck, Prober } from "./choose.ts";
import { type AddRequest, NotAdded, type Proposal, type TriedAddress } from "./proposal.ts";
import { editFor, propose, type SourcesEdit } from "./propose.ts";
import { addReferences, referencesIn } from "./references.ts";

export interface AddCommandOptions {
  readonly id?: string;
  readonly kind?: string;
  readonly cites?: readonly string[];
  readonly standsFor?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly minutes?: string;
}

/** `recheck add URL`, or a file of references: writes the new source into `sources.yaml`, and checks it once. */
export async function addCommand(
  written: string,
  settings: Settings,
  options: AddCommandOptions,
  out: Terminal,
): Promise<number> {
  const request = addRequestFrom(options);
  const references = await referencesIn(written);
  if (references) return await addReferences(references, settings, options, out);
  const { config, files } = await loadConfigAt(settings.config);
  await using web = closing(await wireWeb(settings, config));
  const fetch = cacheAnswers(web.fetch);
  const asker = new Prober({ ...web, fetch });
  const address = hasCredentials(written) ? "" : written;
  const common = { address, at: settings.clock.now(), tried: asker.tried, dryRun: options.dryRun === true };
  const printAnswer = (added: Omit<AddAnswer, keyof typeof common>, known = config) => {
    const all = { ...common, ...added };
    if (options.json) answer("add", { command: "add", ...all }, out);
    else printAdded(all, known, out);
  };
  try {
    const proposal = await propose(written, request, config, asker);
    const edit = editFor(proposal, written, files);
    if (common.dryRun) printAnswer({ proposal, diff: edit.diff });
    else {
      const checked = await write(edit, proposal.id, settings, { ...web, fetch });
      printAnswer({ proposal, diff: edit.diff, written: true, ...checked }, edit.config);
    }
    return exits.done;
  } catch (error) {
    if (!(error instanceof NotAdded) && !(error instanceof NotReplaced)) throw error;
    const { hints = [], unwatchable } = error instanceof NotAdded ? error : {};
    printAnswer({ refused: { says: error.message, hints, unwatchable } });
    return exits.wrong;
  }
}

/** @throws WrongUsage */
function addRequestFrom({ id, kind, cites = [], standsFor = [] }: AddCommandOptions): AddRequest {
  const numbers = (option: string, words: readonly string[]) =>
    words
      .flatMap((word) => word.split(","))
      .map((word) => {
        if (/^[1-9]\d{0,5}$/.test(word)) return Number(word);
        throw new WrongUsage(
          `${option} needs reference numbers, after the address: ${commandToType("add", "URL", option, "5", "7")}`,
        );
      });
  return { id, kind, cites: numbers("--cites", cites), standsFor: numbers("--stands-for", standsFor) };
}

/** Opens the store, writes the file, and runs the first check, unless another Recheck has the store or it fails then. */
async function write(
  { before, after, config }: SourcesEdit,
  id: string,
  settings: Settings,
  web: Pick<WiredWeb, "fetch" | "readers" | "access" | "workers">,
): Promise<{ check: Check } | { later: string }> {
  const opened = await openToWrite(settings).catch((error: unknown) => {
    if (error instanceof StoreProblem && error.kind === "locked") return error;
    throw error;
  });
  try {
    await replaceFile(join(settings.config, "sources.yaml"), before, after);
    if (opened instanceof StoreProblem) return { later: opened.message };
    const source = config.sources.get(id);
    if (!source) throw new Error(`${id} was written and is not there`);
    const world = { ...web, config, clock: settings.clock, store: opened.store };
    return await firstCheck(source, world).then(
      (check) => ({ check }),
      (error: unknown) => {
        if (error instanceof StoreProblem) return { later: error.message };
        throw error;
      },
    );
  } finally {
    if (!(opened instanceof StoreProblem)) await opened.close();
  }
}

/** The outcome of `add`. */
export interface AddAnswer {
  readonly address: string;
  readonly at: Instant;
  readonly dryRun: boolean;
  readonly tried: readonly TriedAddress[];
  readonly proposal?: Proposal;
  /** The change of `sources.yaml` as a unified diff. */
  readonly diff?: string;
  readonly written?: boolean;
  readonly check?: Check;
  /** Why the first check is left to a scan. */
  readonly later?: string;
  readonly refused?: {
    readonly says: string;
    readonly hints: readonly string[];
    readonly unwatchable?: NotAdded["unwatchable"];
  };
}

function printAdded(added: AddAnswer, config: Config, out: Terminal): void {
  const { tried, proposal, diff = "", refused } = added;
  out.line(heading(config, added.at));
  if (tried.length > 1 || refused) section(out, "Checked", triedLines(tried, out));
  if (refused) printRefused(refused, out);
  if (!proposal) return;
  section(out, added.written ? "Watched from now on" : "Would watch", watchedLines(proposal, added.address));
  section(out, "sources.yaml", diffLines(diff, out));
  out.line();
  out.line(`  ${ending(added, out)}`);
  section(out, "Fired", firedLines(added.check?.firings ?? [], config, out));
  section(out, "Next", nextLines(proposal, added));
}

function triedLines(tried: readonly TriedAddress[], out: Terminal): string[] {
  const width = Math.max(0, ...tried.map(({ kind }) => kind.length));
  return tried.map(({ kind, address, says, seen }) => {
    const sign = seen ? out.paint("green", "✔") : out.paint("yellow", "○");
    return `${sign} ${kind.padEnd(width)}  ${oneLine(address, 200)}  ${oneLine(says, 300)}`;
  });
}

function watchedLines({ kind, address, why, instead, gives, notes }: Proposal, given: string): string[] {
  return [
    `${kind} ${address}: ${why}`,
    ...(instead === undefined ? [] : [`In place of ${oneLine(given, 200)}: ${instead}`]),
    `Gives ${oneLine(gives, 400)}`,
    ...notes,
  ];
}

/** The changed lines, without the header that only `git apply` reads. */
function diffLines(diff: string, out: Terminal): string[] {
  const lines = diff.trimEnd().split("\n");
  return lines
    .slice(lines.findIndex((line) => line.startsWith("@@")) + 1)
    .map((line) => colourDiff(line.trimEnd(), out));
}

function ending({ written, check, later }: AddAnswer, out: Terminal): string {
  if (!written) return "Nothing was written (--dry-run).";
  const done = `${out.paint("green", "✔")} Written.`;
  if (later !== undefined)
    return `${done} No first check: ${later}. It follows with the next scan; a server reads sources.yaml when it starts.`;
  if (check?.outcome === "unknown") return `${done} The first check failed (${check.failure?.says}); scan tries again.`;
  return `${done} First check done: its result is the baseline.`;
}

function nextLines({ id, kind, cites, standsFor, instead, options = {} }: Proposal, { check }: AddAnswer): string[] {
  const gives = readers.get(kind)?.gives(options) ?? {};
  const lines: [string, string][] = [];
  if (cites.length + standsFor.length === 0)
    lines.push(
      instead === undefined
        ? ["cites: [n]", "numbers of the references that cite it"]
        : ["stands-for: [n]", "numbers of the fixed pages that it is watched instead of"],
    );
  if (gives.text)
    lines.push(["claims: …", "statements of the report that rest on it, each with the passage that proves it"]);
  if (gives.items) lines.push([`item: ${id}`, "in a trigger's conditions: fires if an entry is new"]);
  else if (gives.issue)
    lines.push([`issue: ${id}`, "in a trigger's conditions: fires if it is closed, or its text changes"]);
  else if ((gives.facts || gives.values) && !gives.text)
    lines.push([`fact: ${id}`, "in a trigger's conditions: fires if one of them changes"]);
  if ((check?.firings.length ?? 0) > 0) lines.push([commandToType("scan"), "opens the issues"]);
  const width = Math.max(0, ...lines.map(([what]) => what.length));
  return lines.map(([what, means]) => `${what.padEnd(width)}  ${means}`);
}

function printRefused({ says, hints, unwatchable }: NonNullable<AddAnswer["refused"]>, out: Terminal): void {
  out.line();
  out.line(`  ${out.paint("red", "✗")} Nothing was written: ${says}.`);
  for (const hint of hints) out.line(`    ${hint}`);
  if (!unwatchable) return;
  section(out, "To tell readers why, add this to sources.yaml", [
    "unwatchable:",
    `  - title: ${yamlScalar(unwatchable.title)}`,
    `    url: ${yamlScalar(unwatchable.url)}`,
    `    because: ${yamlScalar(unwatchable.because)}`,
  ]);
}
