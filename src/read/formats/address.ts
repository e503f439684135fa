/** All that an address says by its form alone, before anything is asked for. */

/** Its host without `www.`, and the parts of its path as people write them. */
export function pathParts({ hostname, pathname }: URL): { readonly host: string; readonly parts: readonly string[] } {
  return { host: hostname.replace(/^www\./, ""), parts: pathname.split("/").filter(Boolean).map(decoded) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An identifier that begins with a digit, as those of papers do: it tells people nothing, as a name would. */
export function isNumber(address: string): boolean {
  return /^\d/.test(address);
}

/** The address that a web archive keeps a copy of. Spec: https://www.rfc-editor.org/rfc/rfc7089 */
export function archivedAt({ href }: URL): string | undefined {
  const written = /^https?:\/\/[^/]+\/(?:web|wayback)\/\d{4,14}(?:[a-z]{2}_)?\/(https?:\/\/.+)$/i.exec(href)?.[1];
  const original = URL.parse(written ?? "");
  return original && !original.username && !original.password ? original.href : undefined;
}

/** Pictures, recordings, archives and office files: nothing of them is read. */
export function isUnread({ pathname }: URL): boolean {
  return /\.(?:png|jpe?g|gif|svg|webp|ico|mp4|webm|mov|mp3|wav|zip|gz|tgz|xz|7z|dmg|exe|whl|iso|pptx?|docx?|xlsx?)$/i.test(
    pathname,
  );
}

/** An address that is taken as it is, with the reason why it looks as if it never changes. */
export function asItIs(url: URL): { readonly address: string; readonly frozen?: string } {
  const frozen = frozenBy(url);
  return { address: url.href, ...(frozen !== undefined && { frozen }) };
}

/** Why a page looks as if it is written once and never changed: by signs in its address that hold for any publisher. */
export function frozenBy({ hostname, pathname }: URL): string | undefined {
  const path = pathname.replace(/\/$/, "");
  if (/\/(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-]|$)/.test(path)) return "its address holds a date";
  if (/\/[\da-f]{40}(?:\/|$)/.test(path)) return "its address holds a commit";
  if (/(?:^|[/_a-z-])v?\d{1,3}[.-]\d{1,3}(?:[.-]\d{1,3}){0,2}(?:[-_/]|\.html?$|$)/i.test(path))
    return "its address holds a version";
  const posts =
    /\/(?:news|newsroom|press|press-?releases?|blogs?|posts?|articles?|announcements?|stories|abs|doi)(\/.+)/i;
  const [, within = ""] = posts.exec(path) ?? (/^(?:blogs?|news|press|newsroom)\./.test(hostname) ? ["", path] : []);
  if (within !== "" && !isList(path, within)) return "it is a post";
  return /(?:^|\.)doi\.org$/.test(hostname) ? "it is a paper" : undefined;
}

/** Whether what is called this within a blog lists posts: it moves with every new one. */
function isList(path: string, within: string): boolean {
  if (/^\/(?:categor(?:y|ies)|tags?|labels?|authors?)(?:\/|$)/i.test(within)) return true;
  if (/^\/(?:topics?|series|sections?|archives?|page|all|latest|index\.html?)(?:\/[^/]+)?$/i.test(within)) return true;
  // Where one site has many blogs, a short name behind `blogs` is one of them.
  return /\/blogs\/[^/-]+(?:-[^/-]+)?$/i.test(path);
}
