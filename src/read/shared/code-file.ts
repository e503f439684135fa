import { Failure, isFileType } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import { isErrorText } from "../html/readable.ts";
import { decode, isHtml, mediaType } from "./body.ts";
import { declaredCharset } from "./charset.ts";

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
