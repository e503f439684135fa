import type { MarkdownIt, StateInline } from "markdown-it";

/**
 * A character of an address in a text: not those that must be escaped, nor Chinese and Japanese punctuation, nor the
 * particle を, which in a Japanese sentence follows an address. A DOI may have a part between angle brackets,
 * `49:8<693::AID-ASI4>3.0.CO;2-O`. Spec: https://url.spec.whatwg.org/#url-writing,
 * https://www.niso.org/publications/ansiniso-z3956-1996-r2002 (SICI)
 */
const letter = /[^\s<>"`{}|\\^。，、；：！？（）「」『』【】《》〈〉を]|<[^\s<>"/:]{0,40}:[^\s<>"/]{1,40}>(?=\d\.\d)/
  .source;

/** Characters of one address, with a limit. */
export const letters = `(?:${letter}){1,2000}`;

/** An address in a text, with the punctuation that follows it. */
export const bareAddress = new RegExp(`https?://${letters}`, "i");

const shape = new RegExp(bareAddress, "gi");
const here = new RegExp(bareAddress, "iy");

/** The web addresses in a text, without the punctuation that follows them. */
export function addressesIn(text: string): string[] {
  return [...text.matchAll(shape)].map(([written]) => trimAddress(written));
}

/** The address at this offset; empty if none begins there. */
function addressAt(text: string, at: number): string {
  here.lastIndex = at;
  return trimAddress(here.exec(text)?.[0] ?? "");
}

export function replacingAddresses(text: string, by: (address: string) => string): string {
  return text.replace(shape, (written) => {
    const address = trimAddress(written);
    return by(address) + written.slice(address.length);
  });
}

/** Cuts an address before a bracket around it, `[[https://kite.example][Kites]]`, and the signs after a sentence. */
export function trimAddress(written: string): string {
  let address = written.slice(0, endBeforeBracket(written));
  for (;;) {
    const last = address.at(-1) ?? "";
    const asks = last === "?" && address.indexOf("?") < address.length - 1;
    if (asks || !/[.,:;!?'*_…~\p{Pi}\p{Pf}]/u.test(last)) return address;
    address = address.slice(0, -1);
  }
}

function endBeforeBracket(text: string): number {
  let [square, round] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    square += text[at] === "[" ? 1 : text[at] === "]" ? -1 : 0;
    round += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0;
    if (square < 0 || round < 0) return at;
  }
  return text.length;
}

/** Makes a Markdown parser keep bare addresses, as on GitHub: no sign in them is markup. */
export function keepingAddresses(parser: MarkdownIt): MarkdownIt {
  parser.inline.ruler.at("linkify", keepAddress);
  return parser;
}

/** Called at the colon. The parser has already taken the scheme before it. */
function keepAddress(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  if (!src.startsWith("://", pos)) return false;
  const scheme = /https?$/i.exec(src.slice(Math.max(0, pos - 5), pos))?.[0];
  if (scheme === undefined) return false;
  const from = pos - scheme.length;
  const whole = addressAt(src, from).slice(0, Math.max(0, posMax - from));
  const star = src[from - 1] === "*" ? whole.indexOf("*") : -1;
  const ends = [whole.search(/!?\[[^[\]]*\]\(/), star, whole.length].filter((at) => at >= 0);
  const address = whole.slice(0, Math.min(...ends));
  if (address.length <= scheme.length) return false;
  if (!silent) state.pending += state.md.utils.unescapeAll(address.slice(scheme.length));
  state.pos = from + address.length;
  return true;
}
