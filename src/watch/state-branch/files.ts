import * as z from "zod";
import { isoInstant } from "../../language/dates.ts";
import {
  type BranchCommit,
  type Branches,
  type Clock,
  StateProblem,
  type StoreArchive,
} from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { isoTime } from "../../model/time.ts";
import { jsonIn } from "../../read/shared/json-path.ts";

/** The branch that holds the state, and everything that a run needs to take it and give it back. */
export interface StateBranch {
  readonly branches: Branches;
  readonly archive: StoreArchive;
  /** The branch's name; its lock is the branch `…-lock`. */
  readonly branch: string;
  readonly clock: Clock;
  /** The workflow run that this run is part of, if any. */
  readonly run: { readonly run?: string; readonly attempt?: number };
  readonly version: string;
  readonly word: () => string;
  readonly wait: (duration: number) => Promise<void>;
  readonly say: (sentence: string) => void;
}

export const names = { readme: "README.md", state: "state.json", database: "recheck.sqlite.gz", lock: "lock.json" };

/** The format that this program writes, and the newest that it can read. */
const format = 1;

const instant = z.iso.datetime().transform((text): Instant => isoInstant(text));
const count = z.number().int().nonnegative();

const stateSchema = z.object({
  format: z.literal(format),
  recheck: z.string(),
  /** GitHub's own number of the repository. */
  repository: count,
  written: instant,
  /** Digest of the unpacked database, in hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Commits since the branch's history last started again, and the bytes that they added. */
  commits: count,
  bytes: count,
});

const lockSchema = z.object({
  format: z.literal(format),
  run: z.string().max(100).optional(),
  attempt: count.optional(),
  /** A random word, so that no two locks are the same commit. */
  word: z.string().max(100),
  since: instant,
  until: instant,
  /** Present if this commit contains the files of the next state. That state goes on top of `base`, or is the first one. */
  journal: z.object({ base: z.string().nullable() }).optional(),
});

/** `state.json`: describes the database beside it. */
export type StateFile = z.infer<typeof stateSchema>;

/** `lock.json`: names the run that has the state branch. */
export type LockFile = z.infer<typeof lockSchema>;

export const remedy = "delete the branch to start again, or move it back to an intact commit";

const maxFileBytes = 65_536;

export const readStateFile = (branches: Branches, snap: BranchCommit, branch: string): Promise<StateFile> =>
  read(branches, snap, branch, names.state, stateSchema);

export const readLockFile = (branches: Branches, snap: BranchCommit, branch: string): Promise<LockFile> =>
  read(branches, snap, branch, names.lock, lockSchema);

/** @throws StateProblem *foreign*, *newer* or *damaged* */
async function read<T>(
  branches: Branches,
  snap: BranchCommit,
  branch: string,
  name: string,
  schema: z.ZodType<T>,
): Promise<T> {
  const blob = snap.files.get(name);
  if (!blob) {
    const says = `the branch ${branch} has no ${name}, so it is not Recheck's: name another branch, or delete this one`;
    throw new StateProblem("foreign", says);
  }
  const problem = (how: string) => new StateProblem("damaged", `${name} on the branch ${branch} ${how}: ${remedy}`);
  if (blob.size > maxFileBytes) throw problem(`is larger than ${maxFileBytes} bytes`);
  const file = jsonIn(Buffer.from(await branches.bytes(blob)).toString());
  if (file === undefined) throw problem("is no JSON");
  const { data: head } = z.object({ format: z.number() }).safeParse(file);
  if (head && head.format > format) {
    const versions = `its format is ${head.format}, this program knows up to ${format}`;
    const says = `the branch ${branch} was written by a newer Recheck (${versions}): update Recheck`;
    throw new StateProblem("newer", says);
  }
  const parsed = schema.safeParse(file);
  if (!parsed.success) throw problem(`has unexpected content (${parsed.error.issues[0]?.path.join(".") || "at all"})`);
  return parsed.data;
}

/** Writes a file as JSON, with times in the form that people read. */
export function write(file: Omit<StateFile, "format"> | Omit<LockFile, "format">): string {
  const times = ["written", "since", "until"];
  const said = (key: string, value: unknown) => (times.includes(key) ? isoTime(Number(value)) : value);
  return `${JSON.stringify({ format, ...file }, said, 2)}\n`;
}

export function readme(branch: string): string {
  return `# What Recheck remembers

This branch is written by Recheck, at every run of its workflow. It holds what
was seen of the sources of this repository's report, which of it was asked about in which issue, and when each source
is due again: \`${names.database}\` is an SQLite database, \`${names.state}\` says what is in it.

Do not edit anything here; nothing is built from it. You may delete the branch \`${branch}\`. Then the next run
checks every source as if for the first time. It finds open rechecks by their issues, and does not repeat the questions
of closed ones. The memory of pages is lost, and since when ratings are in doubt.
`;
}
