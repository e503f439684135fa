import { dropCampaign } from "./source.ts";

/**
 * A key that is equal for addresses that certainly lead to one page: scheme, default port, last slash and fragment do
 * not count. For names that are no URLs (`owner/name`), case does not.
 */
export function addressKey(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.host}${url.pathname.replace(/\/$/, "")}${url.search}` : address.toLowerCase();
}

/** The same for addresses that people take for one page: `www.`, `index.html` and campaigns do not count either. */
export function pageKey(address: string): string {
  const url = URL.parse(address);
  if (!url) return address.toLowerCase();
  dropCampaign(url);
  url.pathname = url.pathname.replace(/\/index\.html?$/, "/");
  return addressKey(url.href).replace(/^www\./, "");
}
