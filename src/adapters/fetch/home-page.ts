/** Paths of a home page: `/`, `/index.html`, `/home`, or `/en/` for one language. */
const homePath = /^\/(?:[a-z]{2}(?:[-_][a-z]{2,4})?\/?)?(?:(?:index|default|home)(?:\.\w{1,5})?\/?)?$/i;
const rootPath = /^\/(?:(?:index|default|home)(?:\.\w{1,5})?\/?)?$/i;

/** Whether a redirect leads from a page to the home page of its site, or of its language: then the page is gone. */
export function leadsHome(from: URL, to: URL): boolean {
  if (to.search !== "" || hostOf(from) !== hostOf(to) || homePath.test(from.pathname)) return false;
  const isOfLanguage = homePath.test(to.pathname) && from.pathname.startsWith(to.pathname.replace(/\/?$/, "/"));
  return rootPath.test(to.pathname) || isOfLanguage;
}

function hostOf({ host }: URL): string {
  return host.replace(/^www\./, "");
}
