import { existsSync } from "node:fs";
import { NoConfig } from "../../adapters/files/config.ts";
import { unwritableBecause } from "../../adapters/files/refused.ts";
import { backUp, restore } from "../../adapters/store/backup.ts";
import { type ExamineOptions, examine } from "../../adapters/store/examine.ts";
import { moveStore } from "../../adapters/store/move.ts";
import { openStore } from "../../adapters/store/open.ts";
import { emptyStore, isAddress, placeName } from "../../adapters/store/problem.ts";
import { ConfigProblems } from "../../config/problems.ts";
import { closing } from "../../model/closing.ts";
import type { Config } from "../../model/config.ts";
import { StoreProblem } from "../../model/problem.ts";
import { groupDigits, pluralize } from "../../model/words.ts";
import { stoppedAfter } from "../../watch/schedule.ts";
import { loadConfigAt } from "../../wire/config.ts";
import type { Settings } from "../../wire/settings.ts";
import { storeFile } from "../../wire/stores.ts";
import { placeFrom } from "../environment.ts";
import { answer } from "./answers/index.ts";
import { commandToType, exits, sayStoreProblem, type Terminal, WrongUsage } from "./terminal.ts";

/** `recheck backup`: copies the store to one file, even while it is written. */
export async function backupCommand(
  file: string,
  settings: Settings,
  { json }: { readonly json?: boolean },
  out: Terminal,
): Promise<number> {
  const why = unwritableBecause(file);
  if (why !== undefined) throw new WrongUsage(`${file} cannot be written: ${why}`);
  const copy = await backUp(onDisk(settings), file);
  if (json) answer("backup", { command: "backup", file, ...copy }, out);
  else out.line(`${file}: ${size(copy.bytes)}, whole, sha256 ${copy.sha256}`);
  return exits.done;
}

/** `recheck restore`: puts such a copy, or the store on a branch, in place of the store. */
export async function restoreCommand(
  file: string | undefined,
  settings: Settings,
  { json, stateBranch: branch }: { readonly json?: boolean; readonly stateBranch?: string },
  out: Terminal,
): Promise<number> {
  if (branch !== undefined) {
    const { workOnCopy } = await import("./state-branch.ts");
    return await workOnCopy(settings, branch, out, ({ data, carried }) => {
      if (!carried) throw new WrongUsage(`there is no store of this repository on the branch ${branch}`);
      return restoreCommand(storeFile(data), settings, { json }, out);
    });
  }
  if (file === undefined) throw new WrongUsage("which copy? Give its file, or --state-branch");
  if (!existsSync(file)) throw new WrongUsage(`there is no ${file}: name a backup`);
  const store = onDisk(settings);
  const restored = await restore(file, store, settings.clock.now());
  if (json) answer("restore", { command: "restore", file, store, ...restored }, out);
  else {
    out.line(`${store}: ${size(restored.bytes)} of ${file}, sha256 ${restored.sha256}`);
    if (restored.kept !== undefined) out.line(`The store that was there is kept as ${restored.kept}.`);
    out.line(`Issues that were opened after that copy are found again by the next scan: ${commandToType("scan")}.`);
  }
  return exits.done;
}

/** The file of the store. @throws WrongUsage | StoreProblem if it is none */
function onDisk({ data }: Settings): string {
  if (data === ":memory:") throw new WrongUsage("a store in memory has no file: set RECHECK_DATA to a folder");
  if (!isAddress(data)) return storeFile(data);
  const itself = "PostgreSQL's own pg_dump and pg_restore copy it";
  throw new StoreProblem("unusable", `the store is the database ${placeName(data)}: ${itself}`);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${groupDigits(Math.ceil(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `recheck move`: copies the store to another place, and prints the counts. @throws StoreProblem */
export async function moveCommand(
  { to: written, json }: { readonly to: string; readonly json?: boolean },
  settings: Settings,
  out: Terminal,
): Promise<number> {
  const to = placeFrom("--to", written);
  const tables = await moveStore(storeFile(settings.data), storeFile(to));
  const [from, there] = [placeName(settings.data), placeName(to)];
  if (json) {
    answer("move", { command: "move", from, to: there, tables }, out);
    return exits.done;
  }
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  for (const one of tables.filter((each) => each.rows > 0)) {
    out.line(`${one.table}: ${groupDigits(one.rows)}, digest ${one.digest.slice(0, 16)}`);
  }
  out.line(`${pluralize(rows, "row")} of ${from} copied to ${there} and compared. ${from} is unchanged.`);
  return exits.done;
}

interface EraseOptions {
  /** `owner/name`. */
  readonly repo?: string;
  readonly person?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** `recheck erase`: erases a repository's data, or a person's name and reasons. @throws WrongUsage | StoreProblem */
export async function eraseCommand(settings: Settings, options: EraseOptions, out: Terminal): Promise<number> {
  const { repo, person, yes } = options;
  const subject = repo ?? person;
  if (subject === undefined || (repo !== undefined && person !== undefined))
    throw new WrongUsage("name what to erase: --repo owner/name, or --person LOGIN");
  if (person !== undefined && !/^[\w-]{1,100}(?:\[bot\])?$/.test(person))
    throw new WrongUsage("--person needs a login on GitHub");
  const file = storeFile(settings.data);
  const place = placeName(file);
  if (!yes)
    throw new WrongUsage(`this erases ${subject} from ${place} for good: add --yes. Copies of the store keep it`);
  if (!isAddress(file) && !existsSync(file)) throw emptyStore(place);
  await using store = closing(await openStore(file));
  const erased =
    repo !== undefined ? await store.erase(repo) : (await store.registry.forgetPeople({ login: subject })) > 0;
  const says = erased ? `${subject} was erased from ${place}` : `nothing is stored of ${subject} in ${place}`;
  if (options.json) answer("erase", { command: "erase", subject, erased }, out);
  else out.line(`${says}. Copies of the store, logs and GitHub's issues are not changed.`);
  return exits.done;
}

export interface ExaminedPart {
  readonly of: string;
  readonly findings: readonly { readonly says: string; readonly mend?: "mendable" | "mended" }[];
}

/** `recheck doctor`: examines the config and the store, and repairs what can safely be repaired. Makes no request. */
export async function doctorCommand(
  settings: Settings,
  { mend = false, json }: { readonly mend?: boolean; readonly json?: boolean },
  out: Terminal,
): Promise<number> {
  const { config, findings: problems } = await configOf(settings);
  const ofConfig = { of: config || problems.length > 0 ? "config" : "config (none here)", findings: problems };
  const examined = [ofConfig, ...(await storeOf(settings, { mend, stoppedAfter: stoppedAfter(config) }))];
  const findings = examined.flatMap((one) => one.findings);
  const unmended = findings.filter(({ mend: state }) => state !== "mended");
  if (json) answer("doctor", { command: "doctor", examined, left: unmended.length }, out);
  else {
    for (const { of, findings } of examined) for (const line of linesOf(of, findings, out)) out.line(line);
    if (unmended.some(({ mend: state }) => state === "mendable")) {
      out.line();
      out.line(`${commandToType("doctor", "--mend")} repairs the problems that are marked with +.`);
    }
  }
  return unmended.length > 0 ? exits.standing : exits.done;
}

/** The result of each examination of a file without findings. */
const healthy: Readonly<Record<string, string>> = {
  config: "valid",
  integrity: "the store's file is not damaged",
  orphans: "every row belongs to a watched source",
  outbox: "nothing has waited for more than a day",
  scans: "monitoring has not stopped",
  clock: "no time is in the future",
  permissions: "only the owner can read the store",
  disk: "there is enough free space",
};

function linesOf(of: string, findings: ExaminedPart["findings"], { paint }: Terminal): string[] {
  if (findings.length === 0) return [`${paint("green", "✔")} ${of}${of in healthy ? `: ${healthy[of]}` : ""}`];
  return findings.map(({ says, mend }) => {
    if (mend === "mended") return `${paint("green", "✔")} ${of}: ${says}: repaired`;
    return `${mend === "mendable" ? paint("yellow", "+") : paint("red", "✗")} ${of}: ${says}`;
  });
}

async function configOf(settings: Settings): Promise<{ config?: Config } & Pick<ExaminedPart, "findings">> {
  try {
    const { config } = await loadConfigAt(settings.config, settings.clock.now());
    return { config, findings: [] };
  } catch (error) {
    // A server of the App reads the config of each repository there.
    if (error instanceof NoConfig) return { findings: [] };
    if (!(error instanceof ConfigProblems)) throw error;
    const says = `${pluralize(error.problems.length, "problem")}: ${commandToType("validate")} lists ${error.problems.length === 1 ? "it" : "them"}`;
    return { findings: [{ says }] };
  }
}

async function storeOf(settings: Settings, options: Omit<ExamineOptions, "now">): Promise<readonly ExaminedPart[]> {
  const place = storeFile(settings.data);
  // A server keeps its database whole and private by itself.
  if (isAddress(place)) return [{ of: `store (${placeName(place)}: only a file is examined)`, findings: [] }];
  try {
    return await examine(place, { now: settings.clock.now(), ...options });
  } catch (error) {
    if (!(error instanceof StoreProblem) || error.kind === "locked") throw error;
    return [{ of: "store", findings: [{ says: sayStoreProblem(error) }] }];
  }
}
