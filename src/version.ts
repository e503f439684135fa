import type { Bump, Product } from "./model.ts";
import { maxLength, padded, read, sameParts, settled, type Version, withinTag } from "./version/spelling.ts";

export type { Version } from "./version/spelling.ts";
export { recognise } from "./version/title.ts";

/**
 * The version that a tag or a spelling names: `v2.13.0`, `13.3 Update 1`, `2.14.0rc1`, and for a product with `tags`
 * also `rocm-7.14.0` where it has the shape `rocm-{version}`. Undefined for a tag of another shape, and for a
 * phantom. A renumbered version is the version it is called since.
 */
export function parseVersion(text: string, product: Product): Version | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  const version = read(bare(trimmed, product));
  return version === undefined ? undefined : settled(version, product);
}

/**
 * The same wherever the version is announced: `pytorch 2.13.0`. At least three parts, or as many as the product
 * counts by, padded to three; `2.13` and `2.13.0` are one. Pre-releases and post-releases keep their suffix.
 */
export function eventKey(product: Product, version: Version): string {
  const told = version.parts.slice(0, product.parts ?? version.parts.length);
  return `${product.id} ${padded(told).join(".")}${version.text.slice(version.parts.join(".").length)}`;
}

/**
 * What kind of step a version is, beside those that are known: the first of its line with that first part is major, with
 * those first two parts minor, any other a patch. Below a known version of the same first part, and where nothing is
 * known, its own parts decide: 6.1.5 after 6.3.3 is a patch of 6.1.
 */
export function bumpOf(version: Version, known: readonly Version[]): Bump {
  const [major = 0, minor = 0, patch = 0] = version.parts;
  const released = known.filter((other) => !other.pre && !sameParts(other.parts, version.parts));
  const bySpelling =
    patch > 0 || version.parts.slice(3).some((part) => part > 0) ? "patch" : minor > 0 ? "minor" : "major";
  if (!released.some((other) => below(other, version))) return bySpelling;
  const line = released.filter((other) => other.parts[0] === major);
  if (line.length === 0) return released.some((other) => (other.parts[0] ?? 0) > major) ? bySpelling : "major";
  if (line.some((other) => (other.parts[1] ?? 0) === minor)) return "patch";
  return line.some((other) => !below(other, version)) ? bySpelling : "minor";
}

/** The version without `v` or the product's tag shape around it. */
function bare(text: string, product: Product): string {
  if (/^\d/.test(text)) return text;
  if (product.tags.length > 0) return withinTag(text, product) ?? "";
  return /^v\.?\d/i.test(text) ? text.replace(/^v\.?/i, "") : "";
}

function below(a: Version, b: Version): boolean {
  for (let i = 0; i < Math.max(a.parts.length, b.parts.length); i++) {
    const difference = (a.parts[i] ?? 0) - (b.parts[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
