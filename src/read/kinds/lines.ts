import { digestOf } from "../../model/digest.ts";
import { Failure, isFileType } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { httpAddress, type Known, type Reader } from "../reader.ts";
import { decode, isHtml, mediaType } from "../shared/body.ts";
import { declaredCharset } from "../shared/charset.ts";
import { findLines, type LineRange } from "../shared/cited-lines.ts";
import { onRenamedBranch } from "../shared/github.ts";
import { linesLinked, pageOfLines } from "../shared/line-links.ts";

/** Bytes of a file whose lines are followed: it is remembered as it was at first. */
const maxBytes = 2_000_000;
/** Characters of the lines that are kept; of longer ones also their number and a digest. */
const maxShown = 4_000;

/**
 * Lines of a file in a repository, followed from the file as it was at first: that of the cited commit, else that of the first
 * check. `lines` is their text, empty if they are gone, and `place` the link to them.
 */
export const citedLines: Reader = {
  kind: "lines",
  spec: "https://docs.github.com/repositories/working-with-files/using-files/getting-permanent-links-to-files",
  noun: "lines",
  cadence: "1d",
  example: "https://github.com/pytorch/ao/blob/main/setup.py#L10-L20",
  address: httpAddress.refine((address) => linesLinked(address) !== undefined, {
    error:
      "needs a link to lines of a file in a repository, e.g. https://github.com/pytorch/ao/blob/main/setup.py#L10-L20",
  }),
  recognises: (url) => (linesLinked(url.href) ? { address: url.href } : undefined),
  sameName: (address) => address,
  options: {},
  gives: () => ({ facts: ["lines", "place"] }),
  structured: false,
  mayBeHalf: true,
  version: 1,
  request: ({ address }) => ({ url: linesLinked(address)?.current ?? address, accept }),
  atFirst({ address }) {
    const { file, current } = linesLinked(address) ?? {};
    return file === undefined || file === current ? undefined : { url: file, accept };
  },
  read,
  page: ({ address }) => address,
  otherwise: (source) => onRenamedBranch({ ...source, address: linesLinked(source.address)?.current ?? "" }),
};

const accept = "text/plain,*/*;q=0.5";

function read(response: Response, { address }: Source, { atFirst }: Known = {}): Reading {
  const { cited, current } = linesLinked(address) ?? {};
  if (!cited || current === undefined) throw new Failure("no-match", { selector: address });
  const now = textOf(response);
  const before = atFirst ?? now;
  if (isHtml(now) && !isHtml(before)) throw new Failure("wrong-type", { expected: "a text file", found: "HTML" });
  const there = before.split(lineEnd).slice(cited.from - 1, cited.to);
  const isThere = cited.to <= countLines(before);
  if (!isThere) return { facts: { lines: "", place: "gone" }, atFirst: before };
  if (there.every((line) => line.trim() === "")) throw new Failure("no-match", { selector: "blank lines" });
  const found = findLines(before, now, cited);
  switch (found.state) {
    case "unknown":
      throw new Failure("too-many", { said: "too long, or too different from before, to find its lines" });
    case "gone":
      return { facts: { lines: "", place: "gone" }, atFirst: before };
    case "same":
      return { facts: { lines: shown(before, cited), place: address }, atFirst: before };
    case "moved":
      return { facts: { lines: shown(before, cited), place: pageOfLines(current, found.at) }, atFirst: before };
    case "changed":
      return { facts: { lines: shown(now, found.at), place: pageOfLines(current, found.at) }, atFirst: before };
  }
}

/** A file as text. @throws Failure `too-large`, `wrong-type` */
function textOf(response: Response): string {
  if (response.body.length > maxBytes) throw new Failure("too-large", { limit: maxBytes });
  const type = mediaType(response);
  const mayBeText = declaredCharset(response)?.startsWith("utf-16") === true || !response.body.includes(0);
  if (isFileType(type) || !mayBeText)
    throw new Failure("wrong-type", { expected: "a text file", found: type || "data" });
  const text = decode(response);
  const isPage = isHtml(text) && /html/.test(type);
  if (isPage) throw new Failure("wrong-type", { expected: "a text file", found: "HTML" });
  return text;
}

const lineEnd = /\r\n|\r|\n/;

function countLines(text: string): number {
  const lines = text.split(lineEnd);
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

function shown(text: string, { from, to }: LineRange): string {
  const lines = text.split(lineEnd).slice(from - 1, to);
  const whole = lines.join("\n");
  return whole.length <= maxShown ? whole : `${whole.slice(0, maxShown)}\n… ${lines.length} lines, ${digestOf(whole)}`;
}
