import type { Config, Product, Reading } from "../model.ts";
import { parseVersion } from "../version.ts";
import type { Candidate } from "./proposal.ts";

/** The product whose versions a source announces, where that is certain; else what a person has to decide, if anything. */
export function announcedBy(
  { kind, address }: Pick<Candidate, "kind" | "address">,
  { items = [] }: Reading,
  config: Pick<Config, "products" | "sources">,
): { readonly product?: Product; readonly note?: string } {
  if (kind !== "github-releases" && kind !== "pypi") return {};
  const name = nameOf(address);
  const named = [...config.products.values()].filter((product) => namesOf(product).includes(name));
  const [product] = named;
  if (!product) {
    const note = `Not known: which product it announces. Where triggers await its releases: announces: PRODUCT`;
    return config.products.size > 0 ? { note } : {};
  }
  const doubt = (why: string) => ({ note: `Not written: announces: ${product.id}, for ${why}` });
  if (named.length > 1) return doubt("another product has this name too");
  const versions = items.flatMap(({ version }) => version ?? []);
  if (versions.length === 0) return doubt("it has announced no version yet");
  if (!versions.some((version) => parseVersion(version, product))) return doubt("no tag of it has the product's shape");
  const other = [...config.sources.values()].find(
    (source) => source.kind === kind && source.announces.includes(product.id) && nameOf(source.address) === name,
  );
  return other ? doubt(`${other.address} announces it, and this may be a fork`) : { product };
}

function namesOf({ id, name, aliases }: Product): string[] {
  return [id, name, ...aliases].map(folded);
}

function nameOf(address: string): string {
  return folded(address.split("/").at(-1) ?? address);
}

/** As PyPI compares names: https://peps.python.org/pep-0503/#normalized-names */
function folded(name: string): string {
  return name.toLowerCase().replace(/[-_.\s]+/g, "-");
}
