/** What a person asks for beside the address. */
export interface Wish {
  /** Overrules what is guessed. */
  readonly kind?: string;
  readonly id?: string;
  readonly cites: readonly number[];
  readonly standsFor: readonly number[];
}

/** Something that may be watched, and why. */
export interface Candidate {
  readonly kind: string;
  readonly address: string;
  readonly options?: Readonly<Record<string, string>>;
  /** A sentence fragment: why this is watched. */
  readonly why: string;
  /** Why the page that was named is not what is watched: this moves in its place. */
  readonly instead?: string;
  /** Why it looks as if it never changes, where nothing was found that moves in its place. */
  readonly frozen?: string;
}

/** One address that was looked at on the way. */
export interface Tried {
  readonly kind: string;
  readonly address: string;
  /** What it gives, or why it was left. */
  readonly says: string;
  readonly seen: boolean;
}

/** An entry of `sources`, as it would be written, and what speaks for it. */
export interface Proposal extends Candidate {
  readonly id: string;
  readonly title?: string;
  readonly announces?: string;
  readonly cites: readonly number[];
  readonly standsFor: readonly number[];
  /** As config spells it: `14d`. */
  readonly every?: string;
  /** What a program cannot know, for the person who reads on. */
  readonly notes: readonly string[];
  /** What it gives now, in words. */
  readonly gives: string;
}

/** Why an address was not added: a sentence, and what may be done instead. */
export class NotAdded extends Error {
  override readonly name = "NotAdded";
  readonly hints: readonly string[];
  /** An entry for `unwatchable`, where the address can be named there. */
  readonly unwatchable?: { readonly title: string; readonly url: string; readonly because: string };

  constructor(says: string, hints: readonly string[] = [], unwatchable?: NotAdded["unwatchable"]) {
    super(says);
    this.hints = hints;
    if (unwatchable) this.unwatchable = unwatchable;
  }
}
