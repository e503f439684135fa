import { wordSet } from "../../model/cache.ts";
import type { Recognised } from "../reader.ts";

/** The host of an address without `www.`, and the decoded parts of its path. */
export function pathParts({ hostname, pathname }: URL): { readonly host: string; readonly parts: readonly string[] } {
  return { host: hostname.replace(/^www\./, ""), parts: pathname.split("/").filter(Boolean).map(decodePart) };
}

/** A decoded part of an address: `%20` is a space. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A package's page, `/section/name`; the name is `@owner/name` or `length` parts. Also for pages of one version. */
export function packageAt(hosts: readonly string[], section: string, length = 1): (url: URL) => Recognised | undefined {
  return (url) => {
    const { host, parts } = pathParts(url);
    const [first, ...rest] = parts;
    const end = rest[0]?.startsWith("@") ? 2 : length;
    if (!hosts.includes(host) || first !== section || rest.length < end) return undefined;
    const isVersion = rest.slice(end).some((part) => /\d/.test(part));
    return { address: rest.slice(0, end).join("/"), ...(isVersion && { instead: true }) };
  };
}

/** The last name of a path: `engine` of `acme/engine`. */
export function lastName(path: string): string {
  return path.split("/").at(-1) ?? path;
}

/** Whether a name begins with a digit, like identifiers of papers, which do not help people. */
export function isNumber(address: string): boolean {
  return /^\d/.test(address);
}

/** The original address in a web archive's address. Spec: https://www.rfc-editor.org/rfc/rfc7089 */
export function archivedAt({ href }: URL): string | undefined {
  const written = /^https?:\/\/[^/]+\/(?:web|wayback)\/\d{4,14}(?:[a-z]{2}_)?\/(https?:\/\/.+)$/i.exec(href)?.[1];
  const original = URL.parse(written ?? "");
  return original && !original.username && !original.password ? original.href : undefined;
}

/** Archives, packages and installers, with their signatures and checksums; and documents. */
const downloads = wordSet(
  "7z apk asc bz2 deb dmg doc docx epub exe gem gz img iso jar md5 msi ods odt pdf pkg ppt pptx rpm sha sha1 sha224 sha256 " +
    "sha384 sha512 sig tbz2 tgz txz whl xls xlsx xz zip zst",
);

/** Pictures, recordings, archives and office files, which no reader reads. */
const unread = wordSet(
  "7z dmg doc docx exe gif gz ico iso jpeg jpg mov mp3 mp4 png ppt pptx svg tgz wav webm webp whl xls xlsx xz zip",
);

export function isUnread({ pathname }: URL): boolean {
  return unread.has(endingOf(pathname));
}

/** The ending of a downloaded file's address; undefined for other links. */
export function downloadIn(address: string): string | undefined {
  const ending = endingOf(address);
  return downloads.has(ending) ? ending : undefined;
}

/** The ending of a file's name, in lower case and without its dot; empty if it has none. */
function endingOf(address: string): string {
  return /^[^?#]*\.(\w{1,6})(?:[?#]|$)/.exec(address)?.[1]?.toLowerCase() ?? "";
}

/** The unchanged address, with the reason if it looks as if it never changes. */
export function unchangedAddress(url: URL): { readonly address: string; readonly frozen?: string } {
  const frozen = frozenBy(url);
  return { address: url.href, frozen };
}

const isBlogHost = /^(?:blogs?|news|press|newsroom)\./;
/** Folders of texts that are published once. */
const publishing = wordSet(
  "abs announcement announcements article articles blog blogs doi news newsroom post posts press press-release " +
    "press-releases pressrelease pressreleases stories",
);

/** The path below the first folder of posts. */
function pathInBlog(path: string): string {
  const names = path.split("/");
  const folder = names.findIndex((name, i) => i > 0 && publishing.has(name.toLowerCase()));
  const within = folder < 0 ? "" : names.slice(folder + 1).join("/");
  return within === "" ? "" : `/${within}`;
}

/** Why a page looks as if it never changes, by signs in its address that hold for any publisher. */
export function frozenBy({ hostname, pathname }: URL): string | undefined {
  const path = pathname.replace(/\/$/, "");
  if (/\/(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-]|$)/.test(path)) return "its address holds a date";
  if (/\/[\da-f]{40}(?:\/|$)/.test(path)) return "its address holds a commit";
  if (/(?:^|[/_a-z-])v?\d{1,3}[.-]\d{1,3}(?:[.-]\d{1,3}){0,2}(?:[-_/]|\.html?$|$)/i.test(path))
    return "its address holds a version";
  const within = pathInBlog(path) || (isBlogHost.test(hostname) ? path : "");
  if (within !== "" && !isList(path, within)) return "it is a post";
  return /(?:^|\.)doi\.org$/.test(hostname) ? "it is a paper" : undefined;
}

/** Whether a path within a blog is a list of posts, which changes with every new one. */
function isList(path: string, within: string): boolean {
  if (/^\/(?:categor(?:y|ies)|tags?|labels?|authors?)(?:\/|$)/i.test(within)) return true;
  if (/^\/(?:topics?|series|sections?|archives?|page|all|latest|index\.html?)(?:\/[^/]+)?$/i.test(within)) return true;
  // On a site with many blogs, a short name after `blogs` is one of them.
  return /\/blogs\/[^/-]+(?:-[^/-]+)?$/i.test(path);
}

/** Whether two addresses are of one site: the last two names of their hosts are the same. */
export function isSameSite(one: string, other: string): boolean {
  const end = (address: string) => (URL.parse(address)?.hostname ?? "").split(".").slice(-2).join(".");
  return end(one) === end(other);
}
