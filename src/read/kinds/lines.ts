import { digestOf } from "../../model/digest.ts";
import { Failure, isFileType } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Reading } from "../../model/reading.ts";
import type { Source } from "../../model/source.ts";
import { isErrorText } from "../html/readable.ts";
import { httpAddress, type Known, readerOf } from "../reader.ts";
import { decode, isHtml, mediaType } from "../shared/body.ts";
import { declaredCharset } from "../shared/charset.ts";
import { findLines, type LineRange, lineCount } from "../shared/cited-lines.ts";
import { afterRename, isPinnedFile, onRenamedBranch, pageOfFile } from "../shared/github.ts";
import { fileGone, fileToday, linesLinked, pageOfLines, sameLines } from "../shared/line-links.ts";

/** Characters of the lines that are kept. For longer ones, also their number and a digest. */
const maxShown = 4_000;

/**
 * Lines of a file in a repository, followed from the cited commit, or else from the first check. `lines` is their text,
 * empty if they are gone. `place` is the link to them, `gone`, or `file gone` if the default branch has no such file.
 */
export const citedLines = readerOf({
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
  sameName: (address) => sameLines(address) ?? address,
  gives: () => ({ facts: ["lines", "place"] }),
  structured: false,
  mayBeHalf: true,
  version: 2,
  request: ({ address }) => ({ url: linesLinked(address)?.current ?? address, accept }),
  atFirst({ address }) {
    const { file, current } = linesLinked(address) ?? {};
    return file === undefined || file === current ? undefined : { url: file, accept };
  },
  read,
  otherwise({ address }) {
    const { file = "" } = linesLinked(address) ?? {};
    return isPinnedFile(file) ? afterRename(file) : onRenamedBranch({ address: file });
  },
  leadsTo({ url }, { address }) {
    const { cited, query } = linesLinked(address) ?? {};
    return cited ? pageOfLines(url, cited, query) : pageOfFile(url);
  },
});

const accept = "text/plain,*/*;q=0.5";

function read(response: Response, { address }: Source, { atFirst }: Known = {}): Reading {
  const link = linesLinked(address);
  if (!link) throw new Failure("no-match", { selector: address });
  const { cited, query } = link;
  const now = codeIn(response);
  const before = atFirst ?? now;
  if (isHtml(now) && !isHtml(before)) throw new Failure("wrong-type", { expected: "a text file", found: "HTML" });
  const citedText = before.split(lineEnd).slice(cited.from - 1, cited.to);
  const reading = (lines: string, place: string): Reading => ({ facts: { lines, place }, atFirst: before });
  if (cited.to > lineCount(before)) return reading("", "gone");
  if (citedText.every((line) => line.trim() === "")) throw new Failure("no-match", { selector: "blank lines" });
  const today = fileToday(link, response.url);
  if (atFirst !== undefined && today.isGone) return reading("", fileGone);
  const match = findLines(before, now, cited);
  const placeOf = (at: LineRange) => pageOfLines(today.address, at, query);
  switch (match.state) {
    case "unknown":
      throw new Failure("too-many", { said: "too long, or too different from before, to find its lines" });
    case "gone":
      return reading("", "gone");
    case "same":
      return reading(cutLines(before, cited), today.isRenamed ? placeOf(cited) : address);
    case "moved":
      return reading(cutLines(before, cited), placeOf(match.at));
    case "changed":
      return reading(cutLines(now, match.at), placeOf(match.at));
  }
}

const lineEnd = /\r\n|\r|\n/;

function cutLines(text: string, { from, to }: LineRange): string {
  const lines = text.split(lineEnd).slice(from - 1, to);
  const whole = lines.join("\n");
  return whole.length <= maxShown ? whole : `${whole.slice(0, maxShown)}\n… ${lines.length} lines, ${digestOf(whole)}`;
}

/** Bytes of a file whose lines are followed, at most, since its first version is stored. */
const maxBytes = 2_000_000;

/** A file of code as text. @throws Failure `too-large`, `wrong-type`, `error-page` … */
export function codeIn(response: Response): string {
  if (response.body.length > maxBytes) throw new Failure("too-large", { limit: maxBytes });
  const type = mediaType(response);
  const mayBeText = declaredCharset(response)?.startsWith("utf-16") === true || !response.body.includes(0);
  if (isFileType(type) || !mayBeText)
    throw new Failure("wrong-type", { expected: "a text file", found: type || "data" });
  const text = decode(response);
  const isPage = isHtml(text) && /html/.test(type);
  if (isPage) throw new Failure("wrong-type", { expected: "a text file", found: "HTML" });
  if (isErrorText(text)) throw new Failure("error-page");
  return text;
}
