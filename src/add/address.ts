import { watchable } from "../setup/find/addresses.ts";
import { NotAdded } from "./proposal.ts";

/** What a person wrote, as an address that can be watched. @throws NotAdded */
export function givenAddress(written: string): string {
  const text = written.trim();
  const url = URL.parse(text) ?? (/^[\w-]+(?:\.[\w-]+)+(?:[/?#:]|$)/.test(text) ? URL.parse(`https://${text}`) : null);
  if (!url) throw new NotAdded(`that is no address; write it like ${example(text)}`);
  if (!/^https?:$/.test(url.protocol)) throw new NotAdded("only http and https are read");
  if (url.username || url.password)
    throw new NotAdded("the address holds credentials; nothing secret may stand in config");
  const address = watchable(url);
  if (!address) throw new NotAdded("the address is longer than 1,000 characters");
  return address;
}

/** What was probably meant: `owner/name` and what `git clone` takes are a repository's. */
function example(text: string): string {
  const [, repo] = /^(?:git@github\.com:)?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(text) ?? [];
  return repo === undefined ? "https://example.org/docs/install" : `https://github.com/${repo}`;
}

/** The same for addresses that lead to one page: scheme, `www.`, a last slash and the fragment make no difference. */
export function pageKey(address: string): string {
  const url = URL.parse(address);
  if (!url) return address.toLowerCase();
  return `${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/(?:index\.html?)?$/, "")}${url.search}`;
}

/** Whose site an address belongs to, as one word of its host: `docs.widget.example` is `widget`. */
export function siteOf(address: string): string {
  const host = URL.parse(address)?.hostname ?? "";
  if (/^[\d.]+$|:/.test(host)) return "";
  const labels = host.split(".");
  return labels.slice(0, Math.max(1, labels.length - 1)).find((label) => !general.has(label)) ?? "";
}

const general = new Set(
  "www docs doc documentation blog blogs news press policies developer developers dev api help support learn wiki en m".split(
    " ",
  ),
);

/** Whether two addresses are of one site: the last two names of their hosts are the same. */
export function isSameSite(one: string, other: string): boolean {
  const end = (address: string) => (URL.parse(address)?.hostname ?? "").split(".").slice(-2).join(".");
  return end(one) === end(other);
}
