import { readFile, stat } from "node:fs/promises";
import { checkInParallel } from "../../../audit/parallel-checks.ts";
import { wholeText } from "../../../config/text.ts";
import { closing } from "../../../model/closing.ts";
import type { Config } from "../../../model/config.ts";
import { oneLine, pluralize } from "../../../model/words.ts";
import type { Reference } from "../../../report/cite/references.ts";
import { slug } from "../../../report/cite/sources.ts";
import { patchOf } from "../../../report/edit/splice.ts";
import { type ImportedReferences, importOf } from "../../../report/import/index.ts";
import { type LoadedConfig, loadConfigAt } from "../../../wire/config.ts";
import type { Settings } from "../../../wire/settings.ts";
import { wireWeb } from "../../../wire/web.ts";
import { answer } from "../answers/index.ts";
import { table } from "../columns.ts";
import { minutesFrom, withProgress } from "../progress.ts";
import { replaceSources } from "../side-file.ts";
import { commandToType, exits, type Terminal, WrongUsage } from "../terminal.ts";
import { cacheAnswers, Prober } from "./choose.ts";
import type { AddCommandOptions } from "./index.ts";
import { type AddRequest, NotAdded, type Proposal } from "./proposal.ts";
import { editFor, propose } from "./propose.ts";

const maxFileBytes = 10_000_000;
const maxReferences = 500;

/** Reads a file of a reference manager; undefined if no such file is named. @throws WrongUsage */
export async function referencesIn(
  written: string,
): Promise<(ImportedReferences & { readonly file: string }) | undefined> {
  if (!/\.(?:bib|bibtex|ris|json)$/i.test(written) || /^https?:/i.test(written)) return undefined;
  const stats = await stat(written).catch(() => undefined);
  if (!stats && !/^[\w-]+\.[\w.-]+\//.test(written)) throw new WrongUsage(`there is no file ${written}`);
  if (!stats?.isFile()) return undefined;
  if (stats.size > maxFileBytes) throw new WrongUsage(`${written} is larger than ${maxFileBytes / 1e6} MB`);
  const imported = importOf(written, await readFile(written, "utf8"));
  return imported && { ...imported, file: written };
}

/** The outcome of `add FILE`. */
export interface AddReferencesAnswer {
  readonly file: string;
  readonly written: boolean;
  readonly added: readonly { readonly line: number; readonly proposal: Proposal }[];
  readonly refused: readonly { readonly line: number; readonly title: string; readonly says: string }[];
  readonly later: number;
  readonly faults: readonly string[];
  readonly diff: string;
}

type ReferenceFile = NonNullable<Awaited<ReturnType<typeof referencesIn>>>;

/**
 * Checks every reference of a file, many hosts at a time. Writes the watchable ones together, with their keys as ids. The next
 * scan runs their first checks. @throws WrongUsage | ConfigProblems
 */
export async function addReferences(
  references: ReferenceFile,
  settings: Settings,
  options: AddCommandOptions,
  out: Terminal,
): Promise<number> {
  const minutes = minutesFrom(options.minutes);
  refuseUnfit(references, options);
  const { file, all, faults } = references;
  const loaded = await loadConfigAt(settings.config);
  const { config } = loaded;
  await using web = closing(await wireWeb(settings, config));
  const world = { ...web, fetch: cacheAnswers(web.fetch) };
  const addressed = all.filter((one): one is Cited => one.address !== undefined);

  // Answers are remembered, so nothing is requested twice below.
  const checked = await withProgress(out, options, (say) =>
    checkInParallel(
      addressed,
      ({ address }) => new URL(address).host,
      ({ address }) => propose(address, emptyRequest, config, new Prober(world)).catch(ignoreNotAdded),
      {
        minutes,
        stop: web.stop,
        onChecked: (count) => say(`Checking: ${count} of ${pluralize(addressed.length, "reference")}`),
      },
    ),
  );
  const additions = await addInTurn(
    all.filter((one) => one.address === undefined || checked.has(one as Cited)),
    loaded,
    world,
  );
  if (!options.dryRun && additions.added.length > 0)
    await replaceSources(settings.config, additions.before, additions.after);
  const { added, refused, diff } = additions;
  const result = {
    file,
    written: !options.dryRun && added.length > 0,
    added,
    refused,
    later: addressed.length - checked.size,
    faults,
    diff,
  };
  if (options.json) answer("add-references", { command: "add", ...result }, out);
  else print(result, out);
  return added.length > 0 ? exits.done : exits.wrong;
}

/** @throws WrongUsage if an option applies to one address only, or the file has no references, or too many */
function refuseUnfit({ file, all, faults }: ReferenceFile, { id, kind, cites, standsFor }: AddCommandOptions): void {
  for (const [name, value] of Object.entries({ id, kind, cites, "stands-for": standsFor }))
    if (value !== undefined) throw new WrongUsage(`--${name} is for a single address, and ${file} has many`);
  if (all.length === 0) throw new WrongUsage([`${file} contains no reference`, ...faults].join("\n"));
  if (all.length > maxReferences)
    throw new WrongUsage(
      `${file} has ${pluralize(all.length, "reference")}, and at most ${maxReferences} can be added at once: split it`,
    );
}

type Cited = Reference & { readonly address: string };
const emptyRequest: AddRequest = { cites: [], standsFor: [] };

function ignoreNotAdded(error: unknown): void {
  if (!(error instanceof NotAdded)) throw error;
}

/** Adds them one after the other, each to the result of the one before. */
async function addInTurn(
  references: readonly Reference[],
  { files, config }: LoadedConfig,
  world: ConstructorParameters<typeof Prober>[0],
) {
  const added: AddReferencesAnswer["added"][number][] = [];
  const refused: AddReferencesAnswer["refused"][number][] = [];
  const [first] = files;
  if (!first) throw new Error("a config has files");
  let edited = { files, config };
  for (const { address, title, key = "", line = 0 } of references) {
    try {
      if (address === undefined) throw new NotAdded("it has no address that can be checked");
      const proposal = await propose(
        address,
        { ...emptyRequest, ...idFor(key, edited.config) },
        edited.config,
        new Prober(world),
      );
      const edit = editFor(proposal, address, edited.files);
      const text = new TextEncoder().encode(edit.after);
      edited = { files: [{ ...first, text }, ...files.slice(1)], config: edit.config };
      added.push({ line, proposal });
    } catch (error) {
      if (!(error instanceof NotAdded)) throw error;
      refused.push({ line, title, says: error.message });
    }
  }
  const after = wholeText(edited.files[0] ?? first);
  const diff = patchOf([{ path: first.path, before: wholeText(first), after }]);
  return { added, refused, before: first.text, after, diff };
}

function idFor(key: string, { sources }: Config): { readonly id?: string } {
  const id = slug(key, "source");
  return key === "" || sources.has(id) ? {} : { id };
}

function print({ file, written, added, refused, later, faults }: AddReferencesAnswer, out: Terminal): void {
  const place = (line: number) => `${file}:${line}`;
  const rows = added.map(({ line, proposal: { id, kind, address } }) => [
    out.paint("green", "✔"),
    place(line),
    id,
    `${kind}: ${oneLine(address, 120)}`,
  ]);
  for (const row of table(rows, "", out.width)) out.line(row);
  for (const { line, title, says } of refused)
    out.line(`${out.paint("yellow", "○")} ${place(line)}  ${oneLine(title, 80)}: ${oneLine(says, 200)}`);
  for (const fault of faults) out.line(`${out.paint("yellow", "○")} ${oneLine(fault, 300)}`);
  if (later > 0)
    out.line(`Time ran out before ${pluralize(later, "reference")} could be checked; use --minutes 10 for more.`);
  out.line();
  const count = `${pluralize(added.length, "source")} of ${pluralize(added.length + refused.length + later, "reference")}`;
  if (!written) out.line(added.length === 0 ? "Nothing was written." : `${count} would be added (--dry-run).`);
  else
    out.line(
      `${out.paint("green", "✔")} ${count} added to sources.yaml; ${commandToType("scan")} does their first check.`,
    );
}
