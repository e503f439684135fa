/** Longest address that is taken. */
const maxAddressCharacters = 1_000;

const shape = /https?:\/\/[^\s<>"`{}|\\^]+/gi;

/** The web addresses that stand in a text, as they are written, without the punctuation that follows them. */
export function addressesIn(text: string): string[] {
  return [...text.matchAll(shape)].map(([written]) => trimmed(written));
}

/** A text without its addresses. */
export function withoutAddresses(text: string): string {
  return text.replace(shape, (written) => written.slice(trimmed(written).length));
}

function trimmed(written: string): string {
  let address = written;
  for (;;) {
    const last = address.at(-1) ?? "";
    const asks = last === "?" && address.indexOf("?") < address.length - 1;
    const closes = last === ")" ? count(address, "(") < count(address, ")") : last === "]" && !address.includes("[");
    if ((!asks && /[.,:;!?'*_…”’»~]/.test(last)) || closes) address = address.slice(0, -1);
    else return address;
  }
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

/** An address as it is watched, if it may be public. */
export function webAddress(written: string): string | undefined {
  const url = URL.parse(written.trim().replace(/^\/\/(?=\w)/, "https://"));
  return url && isPublic(url.hostname) ? watchable(url) : undefined;
}

/**
 * An address as it is watched: without what only tells where its reader came from, and without its fragment, unless that
 * is a route by which a page in the browser shows another one: `#/guide`.
 */
export function watchable(written: URL): string | undefined {
  const url = new URL(written);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (!isRoute(url)) url.hash = "";
  for (const key of [...url.searchParams.keys()]) if (/^utm_/i.test(key)) url.searchParams.delete(key);
  const address = url.href;
  return address.length <= maxAddressCharacters ? address : undefined;
}

function isRoute({ hash }: URL): boolean {
  return /^#!?\//.test(hash);
}

/** A name below a public domain: no address of one's own machine or network. */
function isPublic(host: string): boolean {
  return /\.[a-z][a-z\d-]*\.?$/i.test(host) && !/\.(?:local|localhost|internal|test|invalid|lan)\.?$/i.test(host);
}
