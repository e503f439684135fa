/** What the store of this machine holds, as bytes to be carried elsewhere. */
export interface Luggage {
  /** Changes when any row does. Undefined where nothing is stored. */
  content(): Promise<string | undefined>;
  /** A copy of the store as it is now. @throws StateProblem *huge* */
  pack(): Promise<Pack>;
  /** Puts it in place of what is stored here. @throws StateProblem *damaged*, *huge* or *newer* | StoreProblem *locked* */
  unpack(pack: Pack): Promise<void>;
}

export interface Pack {
  /** gzip. */
  readonly bytes: Uint8Array;
  /** SHA-256 of what is in it, in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Why what is remembered cannot be taken from its branch, or given back. `newer`: a newer Recheck wrote it. `foreign`:
 * the branch holds something else. `damaged`: it is not whole. `huge`: more than is carried. `busy`: another run has it.
 * `moved`: somebody changed the branch meanwhile. `late`: this run has had it for too long.
 */
export type StateProblemKind = "newer" | "foreign" | "damaged" | "huge" | "busy" | "moved" | "late";

/** The message is one sentence for people, with what they can do; `cause` is for operators. */
export class StateProblem extends Error {
  readonly kind: StateProblemKind;

  constructor(kind: StateProblemKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StateProblem";
    this.kind = kind;
  }
}
