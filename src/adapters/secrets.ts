import { escapePattern } from "../model/words.ts";

/**
 * The secrets of this process: removed from answers when they arrive, and from all that is printed or logged. The
 * operator's own are kept for the life of the process.
 */
const lasting = new Set<string>();
/** Tokens that were handed out and expire within the hour: the oldest are dropped first. */
const passing = new Set<string>();
const maxPassing = 200;

/** Minimum length of a secret: a shorter one could be an ordinary word. */
const shortest = 8;

const inItsPlace = "[secret]";

/** Matches any secret in one pass; the longest if one begins with another. Built at the first use. */
let pattern: RegExp | undefined;

/** Registers a secret, plain and as written in JSON. `passes`: it expires by itself. */
export function keepSecret(secret: string, passes = false): void {
  if (secret.length < shortest) return;
  const all = passes ? passing : lasting;
  for (const written of [JSON.stringify(secret).slice(1, -1), secret]) {
    all.delete(written);
    all.add(written);
  }
  for (const oldest of [...passing].slice(0, -maxPassing)) passing.delete(oldest);
  pattern = undefined;
}

export function withoutSecrets(text: string): string {
  pattern ??= anyOf([...lasting, ...passing]);
  return text.replace(pattern, inItsPlace);
}

/** The bytes with all secrets removed, in any encoding that extends ASCII. */
export function bytesWithoutSecrets(bytes: Buffer): Buffer {
  if (lasting.size + passing.size === 0) return bytes;
  const text = bytes.toString("latin1");
  const clean = withoutSecrets(text);
  return clean === text ? bytes : Buffer.from(clean, "latin1");
}

function anyOf(secrets: readonly string[]): RegExp {
  // Without secrets, a pattern that matches nowhere: an empty choice would match everywhere.
  if (secrets.length === 0) return /(?!)/g;
  const longestFirst = secrets.toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(escapePattern).join("|"), "g");
}
