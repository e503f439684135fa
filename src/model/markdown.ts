/**
 * Harmless Markdown: no mention, link, reference, markup or HTML in it takes effect on GitHub. Words of config are escaped.
 * Text of sources appears only as a name in a code span, inside a fence, or as an entry's address. Pure.
 */

/** Control and format characters (bidirectional overrides, zero-width, tags) and lone surrogates; line ends are kept. */
const hidden = /[\p{Cf}\p{Cs}\p{Co}]|(?![\n\t])\p{Cc}/gu;

/** A text without invisible characters; line ends become `\n`, and each tab two spaces. */
export function clean(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, "\n")
    .replace(hidden, "")
    .replaceAll("\t", "  ");
}

/** On one line. */
export function fold(text: string): string {
  return clean(text).replace(/\s+/g, " ").trim();
}

/** Cut to a number of characters as GitHub counts them: Unicode code points. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text.slice(0, most * 2 + 2)];
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

/** On one line, cut to a number of characters. Characters that XML cannot contain are left out, too. */
export function cutLine(text: string, most: number): string {
  return cut(fold(text.slice(0, most * 4 + 1_000)).replace(/[\ufffe\uffff]/g, ""), most);
}

/** As GitHub counts. */
export function lengthOnGitHub(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

/** Words of config for a line of Markdown, shown literally. Code spans are kept. */
export function words(text: string, most = 400): string {
  const parts = cutLine(text, most).split(/((?<!`)`[^`]+`(?!`))/);
  return parts.map((part, index) => (index % 2 === 1 ? code(part.slice(1, -1), most) : escapeMarkup(part))).join("");
}

/** Words of config at the start of a block, escaped so that they are not a list, heading or rule. */
export function paragraph(text: string): string {
  return words(text).replace(/^(?:[-+=:]|\d{1,9}[.)])/, (start) => `${start.slice(0, -1)}\\${start.slice(-1)}`);
}

function escapeMarkup(text: string): string {
  return text
    .replace(/[\\`*_[\]{}<>|~$&!]/g, "\\$&")
    .replace(/[@#]/g, "$&&#8203;")
    .replace(/:(?=\/\/)/g, ":&#8203;")
    .replace(/(?:www|mailto|xmpp)(?=[.:])/gi, "$&&#8203;")
    .replace(/GH-(?=\d)/gi, "$&&#8203;");
}

/** An address or id of config, in a code span. */
export function code(text: string, most = 200): string {
  const content = cutLine(text, most) || " ";
  const fence = "`".repeat(longestTicks(content) + 1);
  const pad = content.startsWith("`") || content.endsWith("`") ? " " : "";
  return `${fence}${pad}${content}${pad}${fence}`;
}

/** A name that a source gives: 80 letters, digits, spaces and `._+-` at most. */
export function plainName(text: string, most = 80): string {
  const name = fold(text.slice(0, 4_000))
    .normalize("NFC")
    .replace(/[^\p{L}\p{N} ._+-]+/gu, " ");
  return cut(name.replace(/ +/g, " ").trim(), most) || "without a name";
}

/** For a table cell: a bar would end it, even in a code span. */
export function cell(markdown: string): string {
  return markdown.replace(/(?<!\\)(\\*)\|/g, (bar, escapes: string) =>
    escapes.length % 2 === 0 ? `${escapes}\\|` : bar,
  );
}

/** A name of a source in a code span. */
export function name(text: string, most = 80): string {
  return `\`${plainName(text, most)}\``;
}

/** Text of sources in a fence that it cannot end: every line is indented, and the fence is longer than any in the text. */
export function fence(lines: readonly string[], language: string): string {
  const longest = Math.max(3, ...lines.map((line) => longestTicks(line)));
  const marks = "`".repeat(longest + 1);
  return [`${marks}${language}`, ...lines, marks].join("\n");
}

function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
}

/** Links to GitHub go through its redirect, so that foreign issues get no backlink. `address`: as `URL` has it. */
export function viaRedirect(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?github\.com\.?(?=[:/?#]|$)/, "https://redirect.github.com");
}

/** A link to a page of the report's own repository, which may get a backlink. */
export function ownLink(text: string, address: string): string {
  const url = URL.parse(address);
  return url === null ? text : linkTo(url.href, text);
}

/** A link with our own words, through GitHub's redirect. Only the words for an address that no browser opens. */
export function link(text: string, address: string | undefined): string {
  const url = address === undefined ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return text;
  if (url.href.length > 2_000) url.hash = "";
  if (url.href.length > 2_000) return text;
  return linkTo(viaRedirect(url.href), text);
}

function linkTo(href: string, text: string): string {
  return `[${text}](${percentEncode(href, /[()[\]<>\\`'"|{}]/g).replaceAll("&", "&amp;")})`;
}

/** `%2F` for each of these signs, and as many for another character as it has bytes in UTF-8. */
export function percentEncode(text: string, signs: RegExp): string {
  return text.replace(signs, (sign) =>
    [...Buffer.from(sign)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}
