import { globSync, readFileSync } from "node:fs";
import { counted, type Hostile, many } from "./input.ts";

/** Answers of services: real ones, as the tests have them, each made hostile in every way that its form allows. */

const folder = new URL("../../test/read/fixtures/", import.meta.url);

type Change = readonly [name: string, make: (answer: string, size: number) => string];

/** Ways that JSON and lines of JSON have. */
const ofJson: readonly Change[] = [
  ["each text followed by a long one", (answer, n) => withTexts(answer, (text, share) => text + many(" so", share), n)],
  ["each text full of marks", (answer, n) => withTexts(answer, (text, share) => text + many(" **a_ `", share), n)],
  ["each text full of tags", (answer, n) => withTexts(answer, (text, share) => text + many("<b><p a=", share), n)],
  ["each text full of digits and dots", (answer, n) => withTexts(answer, (text, share) => text + many("1.", share), n)],
  [
    "each list again and again",
    (answer, n) =>
      changed(
        answer,
        longLists(n, () => ""),
      ),
  ],
  ["each list with entries that differ", (answer, n) => changed(answer, longLists(n, String))],
  ["a name again and again", (answer, n) => answer.replace("{", () => `{${many('"a":1,', n)}`)],
  ["names without end", (answer, n) => answer.replace("{", () => `{${counted((i) => `"n${i}":"a",`, n)}`)],
  ["one long name", (answer, n) => answer.replace("{", () => `{"${many("a", n)}":[1,2,3],`)],
  ["a value nested without end", (answer, n) => answer.replace("{", () => `{"n":${many("[", n)}`)],
  [
    "a value nested and closed",
    (answer, n) => answer.replace("{", () => `{"n":${many('{"a":', n / 2)}1${many("}", n / 12)},`),
  ],
  ["long numbers", (answer, n) => answer.replace(/(?<=[:[,]\s*)\d+(?=\s*[,}\]])/g, () => many("9", n / 20))],
];

/** … and XML. */
const ofXml: readonly Change[] = [
  [
    "each text followed by a long one",
    (answer, n) => answer.replaceAll(/[^<>\s](?=<\/)/g, (end) => end + many(" so", n / 20)),
  ],
  [
    "each text full of tags",
    (answer, n) => answer.replaceAll(/[^<>\s](?=<\/)/g, (end) => end + many("&lt;b a=", n / 20)),
  ],
  [
    "each text full of digits and dots",
    (answer, n) => answer.replaceAll(/[^<>\s](?=<\/)/g, (end) => end + many("1.", n / 20)),
  ],
  [
    "its inner half again and again",
    (answer, n) => answer.replace(/(?<=<\w[^<]*>[^<]*)<(\w+)[\s\S]*<\/\1>/, (inner) => many(inner, n)),
  ],
  ["elements without end", (answer, n) => answer.replace(/<\/\w[\w:-]*>\s*$/, () => many("<a>", n))],
  [
    "elements within elements",
    (answer, n) => answer.replace(/<\/\w[\w:-]*>\s*$/, (end) => many("<a>", n / 2) + many("</a>", n / 2) + end),
  ],
  ["attributes", (answer, n) => answer.replace(/(?<=<[a-z][\w:]*)(?=[\s>])/i, () => counted((i) => ` a${i}="b"`, n))],
  ["comments", (answer, n) => answer.replace(/(?<=<[a-z][^>]*>)/i, () => many("<!-- a -->", n))],
  ["sections", (answer, n) => answer.replace(/(?<=<[a-z][^>]*>)/i, () => many("<![CDATA[ a ]]>", n))],
  ["character references", (answer, n) => answer.replace(/[^<>\s](?=<\/)/, () => many("&#97;&amp;", n))],
  [
    "entities of entities",
    (answer, n) =>
      answer
        .replace(/^(?:<\?[^>]*>)?/, (head) => `${head}<!DOCTYPE a [${laughs}${many("<!-- -->", n)}]>`)
        .replace(/[^<>\s](?=<\/)/, "&l9;"),
  ],
  [
    "namespaces",
    (answer, n) => answer.replace(/(?<=<[a-z][\w:]*)(?=[\s>])/i, () => counted((i) => ` xmlns:n${i}="urn:${i}"`, n)),
  ],
];

const laughs = `<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join("")}`;

/** The same with a share of the size for each text in a value. */
function withTexts(answer: string, text: (text: string, share: number) => string, size: number): string {
  const values = /(?<=[:[,]\s*)"((?:[^"\\]|\\.)*)"(?=\s*[,}\]])/g;
  const share = size / Math.max(1, [...answer.matchAll(values)].length);
  return answer.replaceAll(values, (_, inner: string) => `"${text(inner, share).replaceAll("\n", "")}"`);
}

/** Changes a document, or each line of a document of lines. */
function changed(answer: string, change: (value: unknown) => unknown): string {
  try {
    return JSON.stringify(change(JSON.parse(answer)));
  } catch {
    return answer
      .split("\n")
      .map((line) =>
        line === ""
          ? line
          : JSON.stringify(change([JSON.parse(line)]))
              .slice(1, -1)
              .replaceAll(/\},\{/g, "}\n{"),
      )
      .join("\n");
  }
}

function longLists(size: number, mark: (i: number) => string) {
  const long = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const times = Math.max(1, Math.floor(size / (JSON.stringify(value).length + 1) / 2));
      return value.length === 0
        ? value
        : Array.from({ length: times }, (_, i) => value.map((one) => marked(one, mark(i)))).flat();
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, long(one)]));
  };
  return long;
}

/** The same with that behind each of its texts. */
function marked(value: unknown, mark: string): unknown {
  if (mark === "") return value;
  if (typeof value === "string") return value + mark;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => marked(one, mark));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, marked(one, mark)]));
}

/** Files whose forms have inputs of their own. */
const others = /^(?:page|text|pdf|lines)\./;

export const services: readonly Hostile[] = globSync("*.*", { cwd: folder })
  .filter((file) => !others.test(file))
  .sort()
  .flatMap((file) => {
    const [kind = "", extension = ""] = file.split(".");
    const answer = readFileSync(new URL(file, folder), "utf8");
    const isXml = answer.trimStart().startsWith("<");
    // Not every answer has lists, or numbers.
    const changes = (isXml ? ofXml : ofJson).filter(([, make]) => make(answer, 50_000).length > answer.length);
    return changes.map(
      ([name, make]): Hostile => ({ about: `${kind}, ${extension}`, name, kind, make: (size) => make(answer, size) }),
    );
  });
