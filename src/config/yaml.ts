import { Lexer, LineCounter, parseDocument } from "yaml";
import type { Problem } from "./problem.ts";
import { syntaxProblems } from "./syntax.ts";
import { placeIn } from "./text.ts";
import { maxDepth, type Tree, tooDeep, treeOf } from "./tree.ts";

/** Most tokens of a file, white space included. */
const maxTokens = 500_000;

/** Reads one YAML 1.2 file (core schema, https://yaml.org/spec/1.2.2/#103-core-schema). */
export function readYaml(file: string, text: string): { tree: Tree } | { problems: Problem[] } {
  const excess = excessOf(text);
  if (excess) return { problems: [{ file, ...placeIn(text, excess.offset), message: excess.message }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false, schema: "core" });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const problems = syntaxProblems(document, at);
  return problems.length > 0 ? { problems } : treeOf(file, document.contents, at);
}

/** What would take the parser too long: found by its tokens alone. */
function excessOf(text: string): { offset: number; message: string } | undefined {
  let offset = 0;
  let tokens = 0;
  let brackets = 0;
  let dashes = 0;
  let scalar = false;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > maxTokens) return { offset, message: "the file holds too many values" };
    if (scalar || token === "") {
      // a scalar's own text
    } else if (token === "[" || token === "{") brackets++;
    else if (token === "]" || token === "}") brackets--;
    else if (token === "-" || token === "?") dashes++;
    else if (token.startsWith("\n")) dashes = 0;
    if (brackets + dashes > maxDepth) return { offset, message: tooDeep };
    scalar = token === "\x1f";
    if (!scalar && token !== "\x02" && token !== "\x18") offset += token.length;
  }
  return undefined;
}
