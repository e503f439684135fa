/** Rows in columns as wide as they must be, the last as long as it is. */
export function table(rows: readonly (readonly string[])[], indent: string): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => [...(row[column] ?? "")].length)));
  return rows.map((row) =>
    `${indent}${row.map((cell, i) => cell + " ".repeat((widths[i] ?? 0) - [...cell].length)).join("  ")}`.trimEnd(),
  );
}
