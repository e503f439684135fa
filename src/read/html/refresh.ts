import { Parser } from "htmlparser2";

/** A redirect in the page itself: its target, and after how many seconds. */
export interface Refresh {
  readonly after: number;
  readonly address: URL;
}

/** Characters of a page that are searched: a redirecting page is short. */
const start = 16_000;
const longest = 2_000;
/** Parts of a page that browsers with scripts do not run. */
const idle: ReadonlySet<string> = new Set(["noscript", "template", "svg", "math"]);

/**
 * The target of the `Refresh` header or else of the head; undefined if the page stays or reloads itself. Spec:
 * https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
 */
export function refreshOf(html: string, url: URL, header: string | undefined): Refresh | undefined {
  const head = headOf(html.slice(0, start));
  const content = header ?? head.content;
  const [, after, rest] =
    /^(\d{1,6})(?:\.\d{0,9})?[\s;,]{1,20}(.*)$/s.exec(content?.slice(0, longest).trim() ?? "") ?? [];
  const written = rest?.replace(/^url\s{0,9}=\s{0,9}/i, "");
  if (after === undefined || written === undefined) return undefined;
  const [, quoted] = /^["']([^"']*)/.exec(written) ?? [];
  const address = URL.parse((quoted ?? written).trim(), (head.base && URL.parse(head.base, url)) || url);
  if (!address || !/^https?:$/.test(address.protocol) || isSamePage(address, url)) return undefined;
  return { after: Number(after), address };
}

function isSamePage(one: URL, other: URL): boolean {
  return one.origin === other.origin && one.pathname === other.pathname;
}

/** The first instruction in the head of a page, and the base of its links. */
function headOf(html: string): { readonly content?: string; readonly base?: string } {
  let head: { content?: string; base?: string } = {};
  let isOver = !/http-equiv/i.test(html);
  let asleep = 0;
  const parser = new Parser({
    onopentag(name, { "http-equiv": does = "", content, href }) {
      if (name === "body") isOver = true;
      if (idle.has(name)) asleep++;
      if (isOver || asleep > 0) return;
      if (name === "meta" && /^\s*refresh\s*$/i.test(does)) head = { content, ...head };
      if (name === "base") head = { base: href, ...head };
    },
    onclosetag(name) {
      if (idle.has(name)) asleep--;
    },
  });
  if (!isOver) parser.end(html);
  return head;
}
