/**
 * PostgreSQL's text holds every character but U+0000. It is kept as an escape and a digit, and so is the escape itself:
 * what is equal stays equal, and comes back as it was.
 */
const marker = "\u0010";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const special = /[\u0000\u0010]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is what it is about
const escaped = /\u0010([01])/g;

/** A value as a parameter of a statement. */
export function asKept(value: unknown): unknown {
  if (typeof value !== "string") return value;
  return value.replace(special, (character) => (character === marker ? `${marker}1` : `${marker}0`));
}

/** A row as it was kept. */
export function asTold(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === "string" && value.includes(marker)) {
      row[name] = value.replace(escaped, (_, which) => (which === "1" ? marker : "\0"));
    }
  }
  return row;
}
