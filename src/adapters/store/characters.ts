/**
 * The text of PostgreSQL cannot hold U+0000, and Node 22 reads the text of SQLite only up to it. So U+0000 is stored as
 * this escape and `0`, the escape itself as the escape and `1`.
 */
const escapeSign = "\u0010";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to escape
const toEscape = /[\u0000\u0010]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this is the escape
const escaped = /\u0010([01])/g;

/** A value as a parameter of a statement. */
export function escapeValue<T>(value: T): T | string {
  if (typeof value !== "string") return value;
  return value.replace(toEscape, (character) => (character === escapeSign ? `${escapeSign}1` : `${escapeSign}0`));
}

/** Restores the values of a row in place. */
export function unescapeRow<T>(row: T): T {
  const values = row as Record<string, unknown>;
  for (const name in values) {
    const value = values[name];
    if (typeof value === "string" && value.includes(escapeSign)) {
      values[name] = value.replace(escaped, (_, sign) => (sign === "1" ? escapeSign : "\0"));
    }
  }
  return row;
}
