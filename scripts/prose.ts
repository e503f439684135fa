/**
 * Lints the prose that people read: README.md, docs/, the messages and comments of the program, and the names of its tests.
 * Sentences have at most 30 words, except in comments, which have lists. The turns in prose/words.yml are not used; in names of
 * tests, those in prose/names.yml neither. Prints `file:line:column: problem` and ends with 1 if there is any.
 */
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { TextlintKernel, type TextlintRuleModule } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import { parseSync } from "oxc-parser";
import prh from "textlint-rule-prh";

const root = join(import.meta.dirname, "..");
const maxWords = 30;
const sentences = new Intl.Segmenter("en", { granularity: "sentence" });
const words = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.,/%$€_-]*/gu;

interface TextNode {
  readonly type: string;
  readonly value?: string;
  readonly children?: readonly TextNode[];
}

/** The words of a paragraph; code counts as one word. */
function plain(node: TextNode): string {
  if (node.type === "Code") return "code";
  if (node.type === "Html" || node.type === "Image" || node.type === "Break") return " ";
  return node.children?.map(plain).join("") ?? node.value ?? "";
}

const sentenceLength: TextlintRuleModule = ({ Syntax, RuleError, report }) => ({
  [Syntax.Paragraph](node) {
    for (const { segment } of sentences.segment(plain(node as TextNode).replaceAll(/\s+/g, " "))) {
      const count = segment.match(words)?.length ?? 0;
      if (count > maxWords) {
        report(node, new RuleError(`${count} words in a sentence, at most ${maxWords}: "${segment.slice(0, 60)} …"`));
      }
    }
  },
});

/** Literals of at least this many words are prose, not names. */
const leastWords = 4;

/** SQL statements are not prose, nor is a part of one that the tag `sql` marks. */
const sql = /^\s*(?:VALUE\s+)?(--|alter|create|delete|insert|select|update|with)\b/i;

/** Style sheets and programs are no prose: they have statements that end in semicolons. */
const program = /\{[^{}]*;|; (do|then)\b/;

/** Words without a sign between them, or with bars: a list that rules use, and no sentence. */
function isWordList(text: string): boolean {
  return text.split("|").length > 3 || (!/[.,:;!?](?:\s|$)/.test(text) && text.trim().split(/\s+/).length > 25);
}

/** A paragraph, and its first line in the file. */
interface Paragraph {
  readonly text: string;
  readonly line: number;
  readonly hasLists?: boolean;
}

/** A node of a module's syntax, with the fields that are read here. */
interface Syntax {
  readonly type?: string;
  readonly name?: string;
  readonly tag?: Syntax;
  readonly quasi?: { readonly expressions: unknown };
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
  readonly callee?: Syntax;
  readonly object?: Syntax;
  readonly arguments?: readonly Syntax[];
  readonly start?: number;
}

/** The text of a literal; a value in a template is one word. */
function literal({ type, value, quasis }: Syntax): string | undefined {
  if (type === "Literal" && typeof value === "string") return value;
  return quasis?.map((part) => part.value.cooked).join("VALUE");
}

/** The literals of a module that are sentences. */
function messages(source: string, body: unknown): Paragraph[] {
  const found: Paragraph[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, tag, quasi, start } = node as Syntax;
    if (type === "ImportDeclaration" || type === "TSLiteralType") return;
    if (type === "TaggedTemplateExpression" && tag?.name === "sql") {
      visit(quasi?.expressions);
      return;
    }
    const text = literal(node);
    if (
      text !== undefined &&
      start !== undefined &&
      !sql.test(text) &&
      !program.test(text) &&
      !isWordList(text) &&
      (text.match(/[a-z]{2,}/gi)?.length ?? 0) >= leastWords
    ) {
      found.push({ text: text.replaceAll(/\s+/g, " ").trim(), line: source.slice(0, start).split("\n").length });
    }
    for (const part of Object.values(node)) visit(part);
  };
  visit(body);
  return found;
}

/** All comments of a module as one text, in which each has its line in the file. */
function commentsOf(source: string, ranges: readonly { readonly start: number; readonly end: number }[]): Paragraph {
  let [text, end] = ["", 0];
  for (const range of ranges) {
    text += source.slice(end, range.start).replaceAll(/[^\n]+/g, "");
    text += source.slice(range.start, range.end).replaceAll(/^[ \t]*(\/\*+|\*\/|\*|\/\/)?[ \t]*|[ \t]*\*\/$/gm, "");
    end = range.end;
  }
  return { text, line: 1, hasLists: true };
}

/** `test` in `test(…)`, `test.each(…)(…)` and `test.skipIf(…)(…)`. */
function rootOf({ name, callee, object, tag }: Syntax): string | undefined {
  const inner = callee ?? object ?? tag;
  return inner ? rootOf(inner) : name;
}

/** The names of the tests of a module, and of their groups. */
function testNames(source: string, body: unknown): Paragraph[] {
  const found: Paragraph[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { type, callee, arguments: [name, ...rest] = [] } = node as Syntax;
    const text = name && rest.length > 0 ? literal(name) : undefined;
    const isTest = type === "CallExpression" && callee && /^(describe|it|test)$/.test(rootOf(callee) ?? "");
    if (isTest && text !== undefined) found.push({ text, line: source.slice(0, name?.start).split("\n").length });
    for (const part of Object.values(node)) visit(part);
  };
  visit(body);
  return found;
}

const namesTurns = ["words.yml", "names.yml"];

/** The prose of a file, and the lists of turns that it must not have. */
function proseOf(file: string): { readonly paragraphs: readonly Paragraph[]; readonly turns: readonly string[] } {
  const source = readFileSync(join(root, file), "utf8");
  if (file.endsWith(".txt")) {
    const names = source
      .split("\n")
      .map((text, i) => ({ text: text.replace(/^>>> /, ""), isName: /^>>> /.test(text), line: i + 1 }));
    return { paragraphs: names.filter(({ isName }) => isName), turns: namesTurns };
  }
  if (!file.endsWith(".ts")) return { paragraphs: [{ text: source, line: 1 }], turns: ["words.yml"] };
  const { program, comments } = parseSync(file, source);
  return file.endsWith(".test.ts")
    ? { paragraphs: testNames(source, program.body), turns: namesTurns }
    : { paragraphs: [...messages(source, program.body), commentsOf(source, comments)], turns: ["words.yml"] };
}

/** The packages are CommonJS: their module is its `default`. */
function moduleOf<M>(loaded: M | { readonly default: M }): M {
  return typeof loaded === "object" && loaded !== null && "default" in loaded ? loaded.default : (loaded as M);
}

const kernel = new TextlintKernel();
const documents = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "src/README.md"];
const files =
  process.argv.length > 2
    ? process.argv.slice(2)
    : globSync([...documents, "src/**/*.ts", "margin/*.ts", "test/**/*.test.ts", "test/**/*.txt"], { cwd: root });
let problems = 0;
for (const file of files.toSorted()) {
  const path = join(root, file);
  const { paragraphs, turns } = proseOf(file);
  const rulePaths = turns.map((name) => join(root, "scripts/prose", name));
  for (const { text, line: first, hasLists } of paragraphs) {
    const result = await kernel.lintText(text, {
      ext: ".md",
      filePath: path,
      plugins: [{ pluginId: "markdown", plugin: moduleOf(markdown) }],
      rules: [
        ...(hasLists ? [] : [{ ruleId: "sentence-length", rule: sentenceLength }]),
        { ruleId: "words", rule: moduleOf(prh), options: { rulePaths } },
      ],
    });
    for (const { line, column, message } of result.messages) {
      console.log(`${relative(root, path)}:${first + line - 1}:${column}: ${message.split("\n")[0]}`);
    }
    problems += result.messages.length;
  }
}
if (problems > 0) console.log(`${problems} problems; CONTRIBUTING.md, "Style", says how to write`);
process.exitCode = problems > 0 ? 1 : 0;
