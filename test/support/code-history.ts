/** A file over ten commits of a repository, and links to its lines at each of them. */

const names = "alder birch cedar dogwood elder fir gorse hazel ivy juniper".split(" ");
const part = (name: string, more = "") =>
  `/** Measures ${name} wood. */\nexport function ${name}(rings: number): number {\n  const width = rings * ${name.length};\n${more}  return width + ${names.indexOf(name)};\n}\n`;

/** Each commit edits the file of the one before it. */
const edits: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `// Woods of the marsh\n${text}`,
  (text) => text.replace("rings * 5;", "rings * 6;"),
  (text) => text.replace(`${part("cedar")}\n`, ""),
  (text) => `${text}\n${part("willow")}`,
  (text) => text.replace(part("gorse"), part("gorse", "  log(width);\n")),
  (text) => text.replaceAll("): number {", "): Width {"),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replace("Measures ivy wood", "Measures the ivy"),
  (text) => `${text}// The end\n`,
];
/** The file at each commit. */
export const versions: string[] = [];
for (const edit of edits) versions.push(edit(versions.at(-1) ?? names.map((name) => part(name)).join("\n")));
export const newest = versions.at(-1) ?? "";
export const sha = (i: number) => `${i}`.repeat(40);
/** The lines that begin with the one that has some words. */
export const rangeIn = (text: string, begin: string, count: number) => {
  const from = text.split(/\r?\n/).findIndex((line) => line.includes(begin)) + 1;
  return { from, to: from + count - 1 };
};
export const hash = ({ from, to }: { from: number; to: number }) => (from === to ? `#L${from}` : `#L${from}-L${to}`);

type Expected = "same" | "moved" | "changed" | "gone";
/** A commit, the first line that is cited, the number of lines, and what became of them. */
export const links: readonly (readonly [commit: number, begin: string, count: number, expected: Expected])[] = [
  [0, "Measures alder", 1, "moved"],
  [0, "Measures alder", 5, "changed"],
  [0, "rings * 5", 1, "changed"],
  [0, "Measures birch", 1, "moved"],
  [0, "Measures cedar", 5, "gone"],
  [0, "cedar(rings", 1, "gone"],
  [0, "return width + 2", 1, "gone"],
  [0, "Measures dogwood", 1, "moved"],
  [0, "dogwood(rings", 1, "changed"],
  [0, "return width + 3", 1, "moved"],
  [1, "Measures alder", 1, "same"],
  [1, "Woods of the marsh", 1, "same"],
  [1, "Measures birch", 1, "same"],
  [1, "Measures elder", 5, "changed"],
  [1, "return width + 4", 1, "moved"],
  [2, "Measures fir", 1, "moved"],
  [2, "Measures gorse", 5, "changed"],
  [2, "return width + 6", 1, "moved"],
  [3, "Measures hazel", 1, "moved"],
  [3, "Measures fir", 1, "same"],
  [3, "fir(rings", 3, "changed"],
  [4, "Measures willow", 1, "moved"],
  [4, "Measures ivy", 1, "changed"],
  [4, "return width + 8", 1, "moved"],
  [5, "Measures juniper", 1, "same"],
  [5, "juniper(rings", 4, "changed"],
  [6, "juniper(rings", 4, "same"],
  [6, "willow(rings", 3, "same"],
  [7, "Measures ivy", 5, "changed"],
  [8, "Measures the ivy", 5, "same"],
];
