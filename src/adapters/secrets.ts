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

/** Keeps a secret from being told, as it is and as it stands in JSON. `passes`: it ends by itself. */
export function keepSecret(secret: string, passes = false): void {
  if (secret.length < shortest) return;
  const all = passes ? passing : lasting;
  for (const written of [JSON.stringify(secret).slice(1, -1), secret]) {
    all.delete(written);
    all.add(written);
  }
  for (const oldest of [...passing].slice(0, -maxPassing)) passing.delete(oldest);
}

/** A text in which none of them stands. */
export function withoutSecrets(text: string): string {
  let clean = text;
  for (const all of [lasting, passing])
    for (const secret of all) if (clean.includes(secret)) clean = clean.replaceAll(secret, inItsPlace);
  return clean;
}

/** The same of bytes, in whatever encoding that has ASCII. */
export function bytesWithoutSecrets(bytes: Buffer): Buffer {
  const isTold = [...lasting, ...passing].some((secret) => bytes.includes(secret, 0, "latin1"));
  return isTold ? Buffer.from(withoutSecrets(bytes.toString("latin1")), "latin1") : bytes;
}
