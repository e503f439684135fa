import type { Config } from "../../../model/config.ts";
import type { Reading } from "../../../model/reading.ts";
import { type Product, parseVersion } from "../../../model/version.ts";
import type { Reader } from "../../../read/reader.ts";
import { isNumber } from "../../../read/shared/address.ts";
import { addressName } from "../../../report/cite/references.ts";
import { Ids, slug } from "../../../report/cite/sources.ts";
import { reportLine } from "../../../report/rate/words.ts";
import { type Candidate, siteOfAddress } from "./proposal.ts";

type Named = Pick<Candidate, "address" | "options">;

/** A title for people; undefined if nothing gives one. `product`: the name of the announced product in config. */
export function titleFrom(source: Named, reader: Reader, reading: Reading, product?: string): string | undefined {
  const { address, options = {} } = source;
  if (reader.titleOf) return given(reader.titleOf({ address, options }, reading));
  if (!isWeb(address)) return given(`${product ?? last(address)} ${reader.noun}`);
  return given(reader.kind === "page" ? ofPage(reading, siteOfAddress(address)) : reading.title);
}

function given(title: string | undefined): string | undefined {
  return reportLine(title ?? "", 160).replace(/^[\s.,;:|–—-]+|[\s,;:|–—-]+$/g, "") || undefined;
}

/** The heading that the page title repeats, or else the page title without the name of the site. */
function ofPage({ title = "", blocks = [] }: Reading, site: string): string | undefined {
  const heading = blocks.find(({ kind }) => kind === "heading")?.text.replace(/\s*[¶#🔗]+$/u, "") ?? "";
  const named = heading !== "" && heading.length <= 120 && slug(heading, "") !== site;
  const told = named && title.toLowerCase().includes(heading.toLowerCase());
  if (told || title === "") return heading;
  const parts = reportLine(title, 400).split(/ [|·–—»-] /);
  const own = parts.filter((part) => site === "" || !part.toLowerCase().includes(site));
  return own.length === 1 && parts.length > 1 ? own[0] : title;
}

/** An unused id: from the address if that is a name, or else from the title, with the site if its name is short. */
export function idOf(
  source: Named,
  reader: Reader,
  title: string | undefined,
  { sources }: Pick<Config, "sources">,
): string {
  return new Ids(sources.keys()).give(nameFor(source, reader, title), "source");
}

function nameFor({ address }: Named, { kind, noun }: Reader, title: string | undefined): string {
  if (!isWeb(address)) return title !== undefined && isNumber(address) ? title : `${last(address)} ${noun}`;
  const raw = /^https:\/\/raw\.githubusercontent\.com\/[^/]+\/([^/]+)\/.*?([^/]+?)(?:\.\w+)?$/.exec(address);
  if (raw) return `${raw[1]} ${raw[2]}`;
  const site = slug(siteOfAddress(address), "");
  const own = (title ?? fileOf(address) ?? addressName(address))
    .replace(/^(?:the|an?) (?=.)/i, "")
    .replace(/['’](?=s\b)/g, "");
  const words = slug(own, "").split("-").filter(Boolean);
  if (words.length > 2 || (words.length > 1 && words.includes(site))) return own;
  return words.every((word) => word === site) ? `${site} ${fileOf(address) ?? kind}` : `${site} ${own}`;
}

function fileOf(address: string): string | undefined {
  const file = URL.parse(address)?.pathname.split("/").filter(Boolean).at(-1);
  return file?.replace(/\.\w{1,5}$/, "");
}

function isWeb(address: string): boolean {
  return /^https?:/.test(address);
}

/** `pytorch` of `pytorch/pytorch`. */
function last(address: string): string {
  return address.split("/").at(-1) ?? address;
}

/** The product whose versions a source announces, if that is certain; else what a person has to decide. */
export function announcedBy(
  address: string,
  { kind, versionsOf }: Reader,
  { items = [] }: Reading,
  config: Pick<Config, "products" | "sources">,
): { readonly product?: Product; readonly note?: string } {
  if (!versionsOf) return {};
  const nameIn = (one: string) => folded(versionsOf(one));
  const name = nameIn(address);
  const named = [...config.products.values()].filter((product) => namesOf(product).includes(name));
  const [product] = named;
  if (!product) {
    const note = `Its product is not known. If triggers wait for its releases, add announces: PRODUCT`;
    return config.products.size > 0 ? { note } : {};
  }
  const doubt = (why: string) => ({ note: `Not written: announces: ${product.id}, for ${why}` });
  if (named.length > 1) return doubt("another product has this name too");
  const versions = items.flatMap(({ version }) => version ?? []);
  if (versions.length === 0) return doubt("it has announced no version yet");
  if (!versions.some((version) => parseVersion(version, product))) return doubt("no tag of it has the product's shape");
  const other = [...config.sources.values()].find(
    (source) => source.kind === kind && source.announces.includes(product.id) && nameIn(source.address) === name,
  );
  return other ? doubt(`${other.address} announces it, and this may be a fork`) : { product };
}

function namesOf({ id, name, aliases }: Product): string[] {
  return [id, name, ...aliases].map(folded);
}

/** As PyPI compares names: https://peps.python.org/pep-0503/#normalized-names */
function folded(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]+/g, "-");
}
