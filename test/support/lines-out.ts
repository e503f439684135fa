import type { Terminal } from "../../src/faces/cli/terminal.ts";

/** A terminal without colours that nobody watches, and all lines that a command writes to it; `note`: if notes go elsewhere. */
export function linesOut(note?: Terminal["note"]): { readonly out: Terminal; readonly lines: string[] } {
  const lines: string[] = [];
  const line = (text = "") => void lines.push(text);
  return { lines, out: { live: false, paint: (_, text) => text, line, note: note ?? line } };
}
