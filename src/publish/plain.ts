import { digest } from "../model/digest.ts";

/** Makes text fit for a published file: addresses for a browser, names of files. Pure. */

export function shortId(id: string, most = 200): string {
  return id.length <= most ? id : `${id.slice(0, most - 20)}-${digest(id)}`;
}

/** Characters that RFC 3986 does not allow in an address; browsers accept more. */
const foreign = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/g;
const maxAddressCharacters = 2_000;

/** A web address, normalised by RFC 3986; undefined for anything else, and if it holds credentials. */
export function safeAddress(address: string | undefined): string | undefined {
  const url = address === undefined ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  // Browsers accept more characters in a host than any registry allowed.
  if (!/^(?:[A-Za-z0-9._~-]+|\[[0-9a-f:.]+\])$/.test(url.hostname)) return undefined;
  const [, base = "", path = "", fragment] = /^([a-z]+:\/\/[^/#]*)((?:\/[^#]*)?)(?:#(.*))?$/s.exec(url.href) ?? [];
  const spelt = base + escapePart(path) + (fragment === undefined ? "" : `#${escapePart(fragment)}`);
  return spelt.length <= maxAddressCharacters && URL.canParse(spelt) ? spelt : undefined;
}

function escapePart(part: string): string {
  return part
    .replace(/%(?![0-9A-Fa-f]{2})/g, "%25")
    .replace(foreign, (character) => encodeURIComponent(character))
    .replace(/[[\]#]/g, (character) => encodeURIComponent(character));
}

export function issueAddress(issue: number | undefined, repository: string | undefined): string | undefined {
  return issue === undefined || repository === undefined ? undefined : safeAddress(`${repository}/issues/${issue}`);
}
