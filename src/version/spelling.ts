import type { Product } from "../model.ts";

/**
 * One version of a product. Versions are members of a set: nothing here says that one is newer than another
 * beyond what `bumpOf` needs.
 */
export interface Version {
  readonly parts: readonly number[];
  /** Not a final release: an alpha, beta, candidate, preview or development build. */
  readonly pre: boolean;
  /** The canonical spelling, which `parseVersion` reads back as the same version. */
  readonly text: string;
}

/** Numbers, then at most one suffix. */
export const numbers = /^\d{1,9}(?:\.\d{1,9}){0,7}(?!\d|\.\d)/;
const suffix = /^[-._ ]{0,2}([a-z]+(?: [a-z]+)?)[-._ ]?(\d{0,9})(?![a-z\d])/i;
const local = /^\+([a-z0-9.]{1,60})$/i;
const gitBuild = /git|^g?[0-9a-f]{7,40}$/i;
/** A build number in brackets, as in `26.6 (25G83)`. */
const build = /^ ?\([A-Za-z0-9.]{1,20}\)$/;

const pres: ReadonlyMap<string, string> = new Map([
  ["a", "alpha"],
  ["alpha", "alpha"],
  ["b", "beta"],
  ["beta", "beta"],
  ["developer beta", "beta"],
  ["public beta", "beta"],
  ["c", "rc"],
  ["rc", "rc"],
  ["release candidate", "rc"],
  ["candidate", "rc"],
  ["pre", "preview"],
  ["preview", "preview"],
  ["developer preview", "preview"],
  ["technology preview", "preview"],
  ["tech preview", "preview"],
  ["early access", "preview"],
  ["ea", "preview"],
  ["dev", "dev"],
  ["nightly", "dev"],
  ["snapshot", "dev"],
  ["canary", "dev"],
]);
const updates = new Set(["update", "u", "sp"]);
const posts = new Set(["post", "rev"]);
const finals = new Set(["final", "ga", "stable", "lts", "release"]);

/** Text longer than this is not a version. */
export const maxLength = 100;

/** Reads numbers and a suffix, and nothing else. */
export function read(text: string): Version | undefined {
  const written = numbers.exec(text)?.[0];
  if (written === undefined) return undefined;
  const parts = written.split(".").map(Number);
  // One long number is a date or a build, not a version.
  if (parts.length === 1 && written.length > 4) return undefined;
  const rest = text.slice(written.length).replace(build, "");
  if (rest === "") return version(parts);
  const variant = local.exec(rest)?.[1];
  if (variant !== undefined)
    return gitBuild.test(variant) ? version(parts, `+${variant.toLowerCase()}`, true) : version(parts);
  const match = suffix.exec(rest);
  if (match === null) return undefined;
  const left = rest.slice(match[0].length).replace(build, "");
  if (left !== "" && !local.test(left)) return undefined;
  if (/^ [abc][^a-z]?/i.test(match[0]) && /^[abc]$/i.test(match[1] ?? "")) return undefined;
  return suffixed(parts, (match[1] ?? "").toLowerCase(), match[2] ?? "", gitBuild.test(left) ? left.toLowerCase() : "");
}

function suffixed(parts: readonly number[], word: string, number: string, git: string): Version | undefined {
  const n = number === "" ? "" : String(Number(number));
  const pre = pres.get(word);
  if (pre !== undefined) return version(parts, `-${pre}${n}${git}`, true);
  if (git !== "") return version(parts, git, true);
  if (posts.has(word)) return version(parts, `.post${n === "" ? "0" : n}`);
  if (finals.has(word) && n === "") return version(parts);
  if (updates.has(word) && n !== "" && parts.length <= 3) return version(updated(parts, Number(n)));
  return undefined;
}

/** `13.3 Update 1` is 13.3.1. */
function updated(parts: readonly number[], update: number): number[] {
  return [parts[0] ?? 0, parts[1] ?? 0, parts.length === 3 && parts[2] !== 0 ? (parts[2] ?? 0) : update].concat(
    parts.length === 3 && parts[2] !== 0 ? [update] : [],
  );
}

function version(parts: readonly number[], ending = "", pre = false): Version {
  return { parts, pre, text: `${parts.join(".")}${ending}` };
}

/** After `renumbered` and `phantom`. */
export function settled(found: Version, product: Product): Version | undefined {
  let version = found;
  for (const [called, is] of Object.entries(product.renumbered)) {
    const left = read(called);
    if (left !== undefined && same(left, found)) version = read(is) ?? found;
  }
  return product.phantom.some((text) => isPhantom(text, found, product)) ? undefined : version;
}

/** Where another version was renumbered to this one, it is real, and only the phantom's very spelling is none. */
function isPhantom(text: string, found: Version, product: Product): boolean {
  const phantom = read(text);
  if (phantom === undefined || !same(phantom, found)) return false;
  const real = Object.values(product.renumbered).map(read);
  return phantom.text === found.text || !real.some((version) => version !== undefined && same(version, phantom));
}

function same(a: Version, b: Version): boolean {
  const ending = (v: Version) => v.text.slice(v.parts.join(".").length);
  return sameParts(a.parts, b.parts) && ending(a) === ending(b);
}

export function sameParts(a: readonly number[], b: readonly number[]): boolean {
  return padded(a).join(".") === padded(b).join(".");
}

/** At least three parts, and no zeros beyond the third. */
export function padded(parts: readonly number[]): number[] {
  const filled = [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0, ...parts.slice(3)];
  while (filled.length > 3 && filled.at(-1) === 0) filled.pop();
  return filled;
}

/** The version within a tag of the product's own shapes. */
export function withinTag(text: string, product: Product): string | undefined {
  for (const shape of product.tags) {
    const [before = "", after = ""] = shape.split("{version}");
    if (!shape.includes("{version}") || text.length <= before.length + after.length) continue;
    if (text.startsWith(before) && text.endsWith(after)) return text.slice(before.length, text.length - after.length);
  }
  return undefined;
}
