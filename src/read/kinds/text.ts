import { saysGone } from "../../language/boilerplate.ts";
import { namesByWord } from "../../model/cache.ts";
import { Failure, isFileType } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { blocksOf } from "../html/html.ts";
import { isErrorText } from "../html/readable.ts";
import { httpAddress, type Known, type Recognised, readerOf } from "../reader.ts";
import { unchangedAddress } from "../shared/address.ts";
import { decode, isHtml, mediaType } from "../shared/body.ts";
import { fileOnGitHub, onRenamedBranch } from "../shared/github.ts";
import { versionsIn, versionsOption } from "../shared/versions.ts";
import { asciidocHtml } from "../text/asciidoc.ts";
import { blocksOfRoff, blocksOfTexinfo } from "../text/manual.ts";
import { blocksOfMarkdownFile } from "../text/markdown.ts";
import { notebookMarkdown } from "../text/notebook.ts";
import { blocksOfCsv, blocksOfData, blocksOfLines, blocksOfPlain, blocksOfSections } from "../text/plain.ts";
import { blocksOfRst } from "../text/rst.ts";

/** A text file: Markdown, reStructuredText and AsciiDoc by headings, tables by rows, data by values, code by lines. */
export const textFile = readerOf({
  kind: "text",
  spec: "https://spec.commonmark.org/",
  noun: "text",
  cadence: "1d",
  example: "https://raw.githubusercontent.com/pytorch/ao/main/README.md",
  address: httpAddress,
  recognises,
  options: versionsOption,
  gives: ({ versions }) => ({ text: true, rows: true, items: versions !== undefined }),
  structured: false,
  mayBeHalf: true,
  version: 26,
  request: (source) => ({ url: source.address, accept: "text/markdown,text/plain,*/*;q=0.5" }),
  read,
  otherwise: onRenamedBranch,
});

/** A file in a repository, or one with a text file's extension. */
function recognises(url: URL): Recognised | undefined {
  const file = fileOnGitHub(url);
  if (file) return file;
  if (!/\.(?:md|markdown|rst|adoc|ipynb|txt|ya?ml|json|toml|csv)$/i.test(url.pathname)) return undefined;
  // GitLab shows a file below `/-/blob/` and sends it below `/-/raw/`:
  // https://docs.gitlab.com/user/project/repository/files/
  return url.pathname.includes("/-/blob/")
    ? { address: url.href.replace("/-/blob/", "/-/raw/") }
    : unchangedAddress(url);
}

const parsers = {
  markdown: blocksOfMarkdownFile,
  rst: blocksOfRst,
  roff: blocksOfRoff,
  texinfo: blocksOfTexinfo,
  asciidoc: (text: string) => blocksOf(asciidocHtml(text).html),
  csv: blocksOfCsv,
  data: blocksOfData,
  lines: blocksOfLines,
  sections: blocksOfSections,
  plain: blocksOfPlain,
} as const;

type Format = keyof typeof parsers;

/** By the extension of a file's name, and by the last word of its type: text/x-rst, application/yaml. */
const byExtension = namesByWord({
  markdown: "md markdown mdx mdown mkd qmd rmd ipynb",
  asciidoc: "adoc asciidoc",
  rst: "rst rest",
  csv: "csv tsv",
  data: "yaml yml json xml",
  lines:
    "js mjs cjs javascript ecmascript ts py sh cmake jsonc gradle c cc cpp h hh hpp cu cuh rs go java kt swift rb php pl lua " +
    "jl scala cs proto tf sql mk dockerfile makefile",
  sections: "toml ini cfg conf lock bib",
});

async function read(response: Response, source: Source, { region: last }: Known = {}): Promise<Reading> {
  const foreign = foreignType(response, source);
  if (foreign) throw new Failure("wrong-type", { expected: "a text file", found: foreign });
  const file = decode(response).replace(/\r\n?/g, "\n");
  const ending = extension(source.address);
  const written = ending === "ipynb" ? notebookMarkdown(file, "program") : file;
  const words = mediaType(response).split(/[^a-z]/);
  const named = byExtension.get(ending) ?? byExtension.get(words.at(-1) ?? "");
  if (isPage(written, named, response)) throw new Failure("wrong-type", { expected: "a text file", found: "HTML" });
  const region = formatOf(written, named, last);
  const items = versionsIn(region === "markdown" ? written.replace(comments, "") : written, source);
  const blocks = await parsers[region](written);
  if (blocks.length === 0) throw new Failure("empty");
  if (isErrorText(written)) throw new Failure(saysGone(written) ? "missing-page" : "error-page");
  const title = blocks.find((block) => block.kind === "heading")?.text;
  // Most files end with a line end, but hardly any file that was cut off.
  const unclosed = !file.endsWith("\n");
  return { ...(title && { title }), ...(items && { items }), blocks, region, ...(unclosed && { unclosed }) };
}

/** Content types of data, valid only for files with the same extension. */
const data = /^(?:application|text)\/(?:[\w.-]+\+)?(json|xml)$/;
const dataEndings: Readonly<Record<string, RegExp>> = {
  json: /^(?:json\w?|jsonld|geojson|ipynb|lock|webmanifest|map)$/,
  xml: /^(?:xml|svg|xsd|xslt?|rss|atom|plist|pom|csproj)$/,
};

/** The media type, if it is not the file's: servers send errors as JSON or XML, and placeholders as pictures. */
function foreignType(response: Response, source: Source): string | undefined {
  const type = mediaType(response);
  if (type === "application/pdf" || isFileType(type)) return type;
  const [, kind = ""] = data.exec(type) ?? [];
  const ending = extension(source.address);
  const isNamed = byExtension.has(ending) || /\.txt$/i.test(URL.parse(source.address)?.pathname ?? "");
  return isNamed && dataEndings[kind]?.test(ending) === false ? type : undefined;
}

/** Whether this is a web page: Markdown may begin with HTML, but a complete HTML document is a page. */
function isPage(written: string, named: Format | undefined, response: Response): boolean {
  if (!isHtml(written)) return false;
  if (named !== "markdown" || /html/.test(mediaType(response))) return true;
  return /<(?:head|body)[\s>]/i.test(written.slice(0, 5_000));
}

/** Formats of prose, which are detected by their text. The others are recognised by the file's name. */
const prose = ["markdown", "rst", "roff", "texinfo", "plain"] as const;
type Prose = (typeof prose)[number];

/** The weight of a file's name against the signs in its text: a converted document may keep its old name. */
const nameWeight = 1.5;
/** The weight of the last reading's format: it stays unless another one is twice as likely. */
const lastWeight = 2;

const signs: readonly (readonly [format: Prose, weight: number, sign: RegExp])[] = [
  // Text right below it, as in settings, makes it a comment.
  ["markdown", 2, /^(?![\s\S]*(?:^|\n)# .*\n(?:\w|# ))[\s\S]*?(?:^|\n)#{1,6} \S/],
  ["markdown", 2, /^(?:```|~~~)/m],
  ["markdown", 2, /^:{3,}\{?\w/m],
  ["markdown", 2, /^\|?(?: *:?-{3,}:? *\|)+/m],
  ["markdown", 2, /\]\(https?:/],
  ["rst", 3, /^\.\. [\w-]+::/m],
  ["rst", 3, /^\.\. _[^:\n]{1,100}:/m],
  ["rst", 2, /`[^`<\n]{1,200} <[^>\n]{1,200}>`_/],
  ["rst", 2, /(?:^|\s):[\w.+-]{1,30}:`[^`\n]/m],
  ["rst", 1, /^[=~^"*-]{4,}$/m],
  ["roff", 5, /^\.(?:\\"|(?:TH|Dd|S[Hh]) )/m],
  ["texinfo", 5, /^@(?:c|end|item|node|section) /m],
  ["plain", 0.5, /^/],
];

/** Finds the format by the name in the address or content type, by all signs in the text, and by the last reading. */
function formatOf(written: string, namedFormat: Format | undefined, lastFormat: string | undefined): Format {
  if (namedFormat !== undefined && !prose.some((format) => format === namedFormat)) return namedFormat;
  const start = written.slice(0, 50_000);
  const found = signs.filter(([, , sign]) => sign.test(start));
  // The last format is implausible if only another one has signs.
  const isGone = found.every(([format]) => format !== lastFormat) && found.some(([, weight]) => weight > 1);
  const weightOf = (format: Prose) =>
    found.reduce((sum, [of, weight]) => (of === format ? sum + weight : sum), 0) +
    (format === namedFormat ? nameWeight : 0) +
    (format === lastFormat && !isGone ? lastWeight : 0);
  return prose.reduce((best, format) => (weightOf(format) > weightOf(best) ? format : best));
}

/** The last extension of the address, or the name of a file without one; `.md.txt` is Markdown sent as plain text. */
function extension(address: string): string {
  const { pathname = "" } = URL.parse(address) ?? {};
  return (
    /(?:\.|\/(?=dockerfile$|makefile$))([a-z\d]{1,10})$/.exec(pathname.toLowerCase().replace(/\.txt$/, ""))?.[1] ?? ""
  );
}

/** Comments of Markdown that begin a line, closed or not. Spec: https://spec.commonmark.org/0.31.2/#html-blocks */
const comments = /^ {0,3}<!--(?:[^-]|-(?!->))*(?:-->)?/gm;
