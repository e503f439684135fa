/** A home page by its path: `/`, `/index.html`, `/home`, in one language `/en/`. */
const homePath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?)?(?:(?:index|default|home)(?:\.\w{1,5})?\/?)?$/i;
const rootPath = /^\/(?:(?:index|default|home)(?:\.\w{1,5})?\/?)?$/i;

/**
 * Whether a redirect from a page within a site ends at the site's home page, or at that of the language that the page
 * was in: the page is gone.
 */
export function leadsHome(from: URL, to: URL): boolean {
  if (to.search !== "" || hostOf(from) !== hostOf(to) || homePath.test(from.pathname)) return false;
  const isOfLanguage = homePath.test(to.pathname) && from.pathname.startsWith(to.pathname.replace(/\/?$/, "/"));
  return rootPath.test(to.pathname) || isOfLanguage;
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, "");
}
