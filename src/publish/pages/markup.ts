import { html as escaping, raw } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { clean, viaRedirect } from "../../model/markdown.ts";
import { day, type Instant, isoTime, minute } from "../../model/time.ts";
import { safeAddress } from "../plain.ts";

/** HTML in which every text is harmless: it is escaped, without control characters or characters that change its direction. */
export type Markup = HtmlEscapedString;

/** A value in a template: text is escaped; false and undefined are empty. */
export type MarkupPiece = string | number | undefined | false | Markup | readonly MarkupPiece[];

/** A template for HTML. Values in it stay text. */
export function html(words: TemplateStringsArray, ...pieces: readonly MarkupPiece[]): Markup {
  return escaping(words, ...pieces.map(escapePiece)) as Markup;
}

function escapePiece(piece: MarkupPiece): unknown {
  // Markup is a String object already.
  if (typeof piece === "string") return clean(piece);
  return Array.isArray(piece) ? piece.map(escapePiece) : piece;
}

/** Markup that a library made of texts that went through `clean`. */
export function trustMarkup(markup: string): Markup {
  return raw(markup);
}

export function joinMarkup(pieces: readonly MarkupPiece[], between: MarkupPiece): MarkupPiece[] {
  return pieces.flatMap((piece, i) => (i === 0 ? [piece] : [between, piece]));
}

/** A link to another site, only for web addresses; else the words alone. Links to sources on GitHub go through its redirect. */
export function externalLink(words: MarkupPiece, address: string | undefined): Markup {
  const checked = safeAddress(address);
  return checked === undefined ? html`${words}` : html`<a href="${viaRedirect(checked)}" rel="noreferrer">${words}</a>`;
}

/** A link to a source, or to the passage that its address names. */
export function openLink(address: string | undefined): Markup {
  return externalLink(address?.includes("#:~:text=") ? "open the passage" : "open", address);
}

/** A link to the report's own repository, or to the report. */
export function homeLink(words: MarkupPiece, address: string | undefined): Markup {
  const checked = safeAddress(address);
  return checked === undefined ? html`${words}` : html`<a href="${checked}">${words}</a>`;
}

/** A link between the pages. `path`: relative to both. */
export function internalLink(words: MarkupPiece, path: string): Markup {
  return html`<a href="${path}">${words}</a>`;
}

/** `2026-07-08`. */
export function dayOf(at: Instant): Markup {
  return html`<time datetime="${isoTime(at)}">${day(at)}</time>`;
}

/** A sentence whose days are not broken at the end of a line. */
export function withDays(text: string): Markup {
  const parts = text.split(/\b(\d{4}-\d\d-\d\d)\b/);
  return html`${parts.map((part, i) => (i % 2 === 0 ? part : html`<time>${part}</time>`))}`;
}

/** `2026-07-08 17:02 UTC`. */
export function minuteOf(at: Instant): Markup {
  return html`<time datetime="${isoTime(at)}">${minute(at)}</time>`;
}
