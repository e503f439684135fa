/** Why a page looks as if it is written once and never changed: by signs in its address that hold for any publisher. */
export function frozenBy({ hostname, pathname }: URL): string | undefined {
  const path = pathname.replace(/\/$/, "");
  if (/\/(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-]|$)/.test(path)) return "its address holds a date";
  if (/\/[\da-f]{40}(?:\/|$)/.test(path)) return "its address holds a commit";
  if (/(?:^|[/_a-z-])v?\d{1,3}[.-]\d{1,3}(?:[.-]\d{1,3}){0,2}(?:[-_/]|\.html?$|$)/i.test(path))
    return "its address holds a version";
  const posts =
    /\/(?:news|newsroom|press|press-?releases?|blogs?|posts?|articles?|announcements?|stories|abs|doi)\/[^/]+/i;
  if (posts.test(path)) return "it is a post";
  if (/^(?:blogs?|news|press|newsroom)\./.test(hostname) && path !== "") return "it is a post";
  return /(?:^|\.)doi\.org$/.test(hostname) ? "it is a paper" : undefined;
}
