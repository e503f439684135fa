import { join } from "node:path";
import { type ConfigFile, readConfigFiles } from "../../adapters/files/config.ts";
import { NotReplaced, replaceFile } from "../../adapters/files/replace.ts";
import { StoreProblem } from "../../adapters/store/problem.ts";
import { Asker, remembering } from "../../add/ask.ts";
import { entryOf } from "../../add/entry.ts";
import { firstLook } from "../../add/first-look.ts";
import { NotAdded, type Proposal, type Wish } from "../../add/proposal.ts";
import { propose } from "../../add/propose.ts";
import { parseConfig } from "../../config/index.ts";
import { ConfigProblems, hasCredentials } from "../../config/problem.ts";
import { patchOf } from "../../edit/patch.ts";
import { addSource } from "../../edit/source.ts";
import type { Config, Look } from "../../model.ts";
import { readers } from "../../read/index.ts";
import { openToWrite, type Settings, wireWeb } from "../../wire.ts";
import { type Added, printAdded } from "./add/lines.ts";
import { exits } from "./exits.ts";
import type { Terminal } from "./terminal.ts";
import { WrongUsage } from "./usage.ts";

export interface AddCommandOptions {
  readonly id?: string;
  readonly kind?: string;
  readonly cites?: readonly string[];
  readonly standsFor?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `npm run add -- URL`: shows what would be watched there, writes it into `sources.yaml`, and takes the first look. */
export async function addCommand(
  written: string,
  settings: Settings,
  options: AddCommandOptions,
  out: Terminal,
): Promise<number> {
  const wish = wishFrom(options);
  const files = await readConfigFiles(settings.config);
  const config = parsed(files);
  const web = wireWeb(settings, config);
  const fetch = remembering(web.fetch);
  const asker = new Asker({ ...web, fetch });
  const address = hasCredentials(written) ? "" : written;
  const told = { address, at: settings.clock.now(), tried: asker.tried, dryRun: options.dryRun === true };
  const tell = (added: Omit<Added, keyof typeof told>, known = config) => {
    const all = { ...told, ...added };
    if (options.json) out.line(JSON.stringify(all, null, 2));
    else printAdded(all, known, out);
  };
  try {
    const proposal = await propose(written, wish, config, asker);
    const edit = editFor(proposal, written, files);
    if (told.dryRun) tell({ proposal, diff: edit.diff });
    else {
      const looked = await write(edit, proposal.id, settings, { ...web, fetch });
      tell({ proposal, diff: edit.diff, written: true, ...looked }, edit.config);
    }
    return exits.done;
  } catch (error) {
    if (!(error instanceof NotAdded) && !(error instanceof NotReplaced)) throw error;
    const { hints = [], unwatchable } = error instanceof NotAdded ? error : {};
    tell({ refused: { says: error.message, hints, ...(unwatchable && { unwatchable }) } });
    return exits.wrong;
  } finally {
    await fetch.close();
  }
}

/** @throws WrongUsage */
function wishFrom({ id, kind, cites = [], standsFor = [] }: AddCommandOptions): Wish {
  const numbers = (option: string, words: readonly string[]) =>
    words
      .flatMap((word) => word.split(","))
      .map((word) => {
        if (/^[1-9]\d{0,5}$/.test(word)) return Number(word);
        throw new WrongUsage(`${option} wants reference numbers, after the address: npm run add -- URL ${option} 5 7`);
      });
  return {
    ...(id !== undefined && { id }),
    ...(kind !== undefined && { kind }),
    cites: numbers("--cites", cites),
    standsFor: numbers("--stands-for", standsFor),
  };
}

/** @throws ConfigProblems */
function parsed(files: readonly ConfigFile[]): Config {
  const { config, problems } = parseConfig(files, readers);
  if (config === undefined) throw new ConfigProblems(problems);
  return config;
}

/** `sources.yaml` with one more source, as it is and as it would be. */
interface Edit {
  readonly before: Uint8Array;
  readonly after: string;
  readonly config: Config;
  readonly diff: string;
}

/** The whole config holds with it, or nothing is written. @throws NotAdded | ConfigProblems */
function editFor(proposal: Proposal, address: string, files: readonly ConfigFile[]): Edit {
  const [sources] = files;
  if (sources?.path !== "sources.yaml") throw new Error("sources.yaml is read first");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(sources.text);
  const edited = addSource(text, entryOf(proposal, address));
  if ("says" in edited) throw new NotAdded(`${edited.says}; write it there by hand`);
  const after = files.map((file) => (file === sources ? { ...file, text: edited.text } : file));
  const { config, problems } = parseConfig(after, readers);
  if (config === undefined) throw new ConfigProblems(problems);
  const diff = patchOf([{ path: sources.path, before: text, after: edited.text }]);
  return { before: sources.text, after: edited.text, config, diff };
}

/**
 * Writes the file and takes the first look. The store is opened before anything is written, so that one of a newer
 * version leaves all as it was. One that another Recheck holds does not: that Recheck takes the first look.
 */
async function write(
  { before, after, config }: Edit,
  id: string,
  settings: Settings,
  web: Pick<ReturnType<typeof wireWeb>, "fetch" | "readers" | "access">,
): Promise<{ look: Look } | { later: string }> {
  const opened = await openToWrite(settings).catch((error: unknown) => {
    if (error instanceof StoreProblem && error.kind === "locked") return error;
    throw error;
  });
  try {
    await replaceFile(join(settings.config, "sources.yaml"), before, after);
    if (opened instanceof StoreProblem) return { later: opened.message };
    const source = config.sources.get(id);
    if (!source) throw new Error(`${id} was written and is not there`);
    return { look: await firstLook(source, { ...web, config, clock: settings.clock, store: opened.store }) };
  } finally {
    if (!(opened instanceof StoreProblem)) await opened.close();
  }
}
