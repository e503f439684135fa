/**
 * Our own secrets, as this process learned them, so that no text of an answer or error carries one on: answers are cleaned
 * as they come in, and all that is printed or logged as it goes out.
 */

/** Of the operator, for as long as the process lives. */
const lasting = new Set<string>();
/** Tokens that were handed out, which end within the hour: the oldest are forgotten first. */
const passing = new Set<string>();
const maxPassing = 200;

/** A shorter one could be a word of anybody's. */
const shortest = 8;

const inItsPlace = "[secret]";

/** Finds any of them in one pass, the longest where one begins with another. Made when it is asked for. */
let pattern: RegExp | undefined;

/** Keeps a secret from being told, as it is and as it stands in JSON. `passes`: it ends by itself. */
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

/** A text in which no secret stands. */
export function withoutSecrets(text: string): string {
  pattern ??= anyOf([...lasting, ...passing]);
  return text.replace(pattern, inItsPlace);
}

/** Bytes in which no secret stands, in any encoding that extends ASCII. */
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
  return new RegExp(longestFirst.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"), "g");
}
