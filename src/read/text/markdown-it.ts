import type { MarkdownIt, StateInline } from "markdown-it";
import { addressAt } from "./bare-addresses.ts";

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
  const end = [/!?\[[^[\]]*\]\(/.exec(whole)?.index, src[from - 1] === "*" ? whole.indexOf("*") : -1];
  const address = whole.slice(
    0,
    Math.min(...end.flatMap((at) => (at === undefined || at < 0 ? [] : at)), whole.length),
  );
  if (address.length <= scheme.length) return false;
  if (!silent) state.pending += state.md.utils.unescapeAll(address.slice(scheme.length));
  state.pos = from + address.length;
  return true;
}
