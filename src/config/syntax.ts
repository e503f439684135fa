import type { Document, ErrorCode } from "yaml";
import type { Problem } from "./problem.ts";

/** Errors after these many are echoes of the first. */
const most = 20;

/** What keeps a file from being YAML at all, in our words; one a line. */
export function syntaxProblems(
  document: Document.Parsed,
  at: (offset: number) => Pick<Problem, "file" | "line" | "column">,
): Problem[] {
  const version = document.directives.yaml.version;
  const byLine = new Map<number, Problem>();
  if (version !== "1.2") byLine.set(1, { ...at(0), message: `config is YAML 1.2; this says ${version}` });
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    const place = at(pos[0]);
    if (byLine.size < most && !byLine.has(place.line))
      byLine.set(place.line, { ...place, message: says(code, message) });
  }
  return [...byLine.values()];
}

function says(code: ErrorCode, message: string): string {
  const first = message.split("\n", 1)[0]?.replace(/["']quote/, "quote") ?? "";
  return words[code] ?? `not well-formed YAML: ${first.charAt(0).toLowerCase()}${first.slice(1)}`;
}

const words: Partial<Record<ErrorCode, string>> = {
  BAD_DQ_ESCAPE: "a backslash between double quotes starts an escape; put the text between single quotes",
  BAD_SCALAR_START: "text that starts with this character wants quotes around it",
  BLOCK_AS_IMPLICIT_KEY: 'text with ": " in it wants quotes around it',
  MULTIPLE_DOCS: "one document a file: nothing may follow --- here",
  RESOURCE_EXHAUSTION: "nested too deep",
  TAB_AS_INDENT: "a tab cannot indent; use spaces",
  TAG_RESOLVE_FAILED: "tags (!name) have no meaning here",
};
