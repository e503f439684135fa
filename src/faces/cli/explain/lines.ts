/** Rows in columns as wide as they must be, the last as long as it is. */
export function table(rows: readonly (readonly string[])[], indent: string): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? "")].length)));
  return rows.map((row) =>
    `${indent}${row.map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - [...cell].length)).join("  ")}`.trimEnd(),
  );
}

/** `a, b and 3 more`; `between` where the words have commas of their own. */
export function some(words: readonly string[], most: number, between = ", "): string {
  const more = words.length - most;
  return more > 0 ? `${words.slice(0, most).join(between)} and ${more} more` : words.join(between);
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
