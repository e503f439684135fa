import type { Config, Source } from "../model.ts";
import type { Reader } from "../read/reader.ts";
import { pageKey } from "./address.ts";
import type { Candidate } from "./proposal.ts";

/** The source that watches this very page or its machine-readable form, if one does. */
export function watcherOf(address: string, config: Config, readers: ReadonlyMap<string, Reader>): Source | undefined {
  const key = pageKey(address);
  return [...config.sources.values()].find(
    (source) => pageKey(source.address) === key || pageKey(readers.get(source.kind)?.page(source) ?? "") === key,
  );
}

/** The source that is the same as this one would be, if there is one. */
export function sameSource(
  { kind, address, options = {} }: Omit<Candidate, "why">,
  config: Config,
): Source | undefined {
  const key = keyOf(kind, address, options);
  return [...config.sources.values()].find((source) => keyOf(source.kind, source.address, source.options) === key);
}

function keyOf(kind: string, address: string, { path, branch }: Readonly<Record<string, unknown>>): string {
  const name = kind === "pypi" ? address.toLowerCase().replace(/[-_.]+/g, "-") : pageKey(address);
  return JSON.stringify([kind, name, path ?? null, branch ?? null]);
}
