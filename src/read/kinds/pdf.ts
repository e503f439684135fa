import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Block, Reading } from "../../model/reading.ts";
import { httpAddress, type Recognised, readerOf } from "../reader.ts";
import { unchangedAddress } from "../shared/address.ts";
import { isHtml } from "../shared/body.ts";
import { fileOnGitHub, onRenamedBranch } from "../shared/github.ts";
import { inflatesTo } from "../shared/pdf-bombs.ts";
import { type PdfPiece, paragraphs } from "../shared/pdf-paragraphs.ts";
import { fontTable, isOfCharacters } from "../shared/pdf-tables.ts";

/** A PDF: its text as paragraphs, and its number of pages. A scan has pictures only, and cannot be read. */
export const pdf = readerOf({
  kind: "pdf",
  spec: "https://pdfa.org/resource/iso-32000-2/",
  noun: "pdf",
  cadence: "7d",
  example: "https://example.org/datasheet.pdf",
  address: httpAddress,
  recognises,
  gives: () => ({ text: true, facts: ["pages"] }),
  structured: false,
  version: 3,
  request: (source) => ({ url: source.address, accept: "application/pdf,*/*;q=0.1" }),
  read,
  otherwise: onRenamedBranch,
  // Many programs put a file name there.
  titleOf: (_, { title = "" }) => (/[\\/]|\.\w{2,4}$|^untitled/i.test(title) ? undefined : title),
});

function recognises(url: URL): Recognised | undefined {
  return /\.pdf$/i.test(url.pathname) ? (fileOnGitHub(url) ?? unchangedAddress(url)) : undefined;
}

const pageLimit = 1_000;
/** Characters of all pages together, at most. */
const textLimit = 5_000_000;
/** Runs of text of all pages together, at most: each costs as much as a line, and all of them 3 s. */
const pieceLimit = 250_000;
/** Bytes of all compressed parts together, at most. */
const inflatedLimit = 100_000_000;

async function read(response: Response): Promise<Reading> {
  const { body } = response;
  const start = new TextDecoder("windows-1252").decode(body.subarray(0, 2_000));
  if (start.trim() === "") throw new Failure("empty");
  if (isHtml(start)) throw new Failure("wrong-type", { expected: "a PDF", found: "HTML" });
  if (!start.includes("%PDF-")) throw new Failure("wrong-type", { expected: "a PDF", found: "something else" });
  if ((await inflatesTo(body, inflatedLimit)) > inflatedLimit) throw new Failure("too-large", { limit: inflatedLimit });
  const { pages, title } = await textOf(body);
  const blocks = paragraphs(pages).map((text): Block => ({ path: [], kind: "paragraph", text }));
  if (blocks.length === 0) throw new Failure("no-text", { found: "a PDF" });
  return { ...(title && { title }), blocks, facts: { pages: String(pages.length) } };
}

/** The tables for fonts that a PDF names but does not contain. The library draws nothing, so it needs no others. */
class FontTables {
  /** Whether a font uses our own numbers. With Adobe's numbers, letters would be wrong. */
  private hasNumbers = false;

  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    const table = kind === "cMapUrl" ? fontTable(filename) : undefined;
    if (table !== undefined && !isOfCharacters(filename)) this.hasNumbers = true;
    if (table === undefined || !this.hasNumbers) throw new Error(`no table ${filename}`);
    return new TextEncoder().encode(table);
  }
}

async function textOf(body: Uint8Array): Promise<{ pages: PdfPiece[][]; title: string }> {
  const { getDocumentProxy } = await import("unpdf");
  const document = await getDocumentProxy(new Uint8Array(body), {
    verbosity: 0,
    isEvalSupported: false,
    stopAtErrors: false,
    cMapPacked: false,
    BinaryDataFactory: FontTables,
  }).catch((error: unknown) => {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new Failure("malformed", { expected: isLocked ? "PDF (it needs a password)" : "PDF" }, error);
  });
  try {
    if (document.numPages > pageLimit) throw new Failure("too-many", { limit: pageLimit, found: document.numPages });
    const pages: PdfPiece[][] = [];
    const left = { letters: textLimit, pieces: pieceLimit };
    for (let number = 1; number <= document.numPages; number++)
      pages.push(await piecesOf((await document.getPage(number)).streamTextContent(), left));
    return { pages, title: titleOf((await document.getMetadata()).info) };
  } catch (error) {
    throw error instanceof Failure ? error : new Failure("malformed", { expected: "PDF" }, error);
  } finally {
    // Not awaited: a page that was abandoned half-way never ends.
    document.destroy().catch(() => {});
  }
}

/** Reads the text of a page and counts it on the way: one page may have more than a thousand others. */
async function piecesOf(
  stream: ReadableStream<{ readonly items: readonly object[] }>,
  allowance: { letters: number; pieces: number },
): Promise<PdfPiece[]> {
  const pieces: PdfPiece[] = [];
  // The document is released as a whole.
  for await (const { items } of stream.values({ preventCancel: true })) {
    for (const item of items) {
      if (!("str" in item)) continue;
      const piece = item as PdfPiece;
      allowance.letters -= piece.str.length;
      if (allowance.letters < 0) throw new Failure("too-large", { limit: textLimit });
      if (--allowance.pieces < 0) throw new Failure("too-many", { limit: pieceLimit });
      pieces.push(piece);
    }
  }
  return pieces;
}

function titleOf(info: object): string {
  const title: unknown = "Title" in info ? info.Title : undefined;
  return typeof title === "string" ? title.replace(/\s+/g, " ").trim().slice(0, 500) : "";
}
