import type { Claim } from "./claim.ts";
import type { Facts } from "./reading.ts";
import type { Duration } from "./time.ts";

/** One watched address, of one kind. `options` are defined by the kind (see `read/kinds/<kind>.ts`). */
export interface Source {
  readonly id: string;
  readonly kind: string;
  /** As written in config: a URL, or `owner/name`, `owner/name#1`, a package name …, depending on the kind. */
  readonly address: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly title?: string;
  /** Numbers of the report's references that cite this address. */
  readonly cites: readonly number[];
  /** Numbers of references to frozen pages that this source replaces. */
  readonly standsFor: readonly number[];
  /** Ids of `documents` that cite this address. */
  readonly citedBy: readonly string[];
  /** Ids of the products whose versions this source announces. In YAML one id or a list. */
  readonly announces: readonly string[];
  /** Facts that were true when the report was audited: `{ public: "no" }`. */
  readonly atAudit?: Facts;
  /** The cadence; default: the kind's cadence in `schedule`. */
  readonly every?: Duration;
  /** The time from a first sighting to its confirmation; default: 6 hours. */
  readonly confirm?: Duration;
  readonly claims: readonly Claim[];
}

/** Where changes come from: a source, or an entry of the report without an address. */
export type Origin = Pick<Source, "id" | "announces" | "claims">;

/** Parameters of campaigns, mails and advertisements: they do not change the page. */
const campaigns = new Set(
  (
    "fbclid gclid dclid gbraid wbraid msclkid yclid twclid igshid mc_cid mc_eid mkt_tok _hsenc _hsmi srsltid pk_campaign pk_kwd " +
    "pk_medium pk_source at_medium at_campaign"
  ).split(" "),
);

export function dropCampaign({ searchParams }: URL): void {
  for (const name of [...searchParams.keys()])
    if (/^(?:utm|mtm)_/i.test(name) || campaigns.has(name.toLowerCase())) searchParams.delete(name);
}

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
