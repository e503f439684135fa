import type { Bump } from "./condition.ts";

/**
 * The version in a tag or spelling: `v2.13.0`, `13.3 Update 1`, `2.14.0rc1`, and for a product with `tags` also `rocm-7.14.0`
 * if it has the shape `rocm-{version}`. Undefined for a tag of another shape, and for a phantom. A renumbered version becomes
 * its new number.
 */
export function parseVersion(text: string, product: Product): Version | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  const version = shapedVersion(trimmed, product) ?? versionAt(withoutPrefix(trimmed, product));
  return version === undefined ? undefined : settleVersion(version, product);
}

/** The version with this canonical spelling. */
export function versionCalled(text: string): Version | undefined {
  return text.length > maxLength ? undefined : (versionAt(text) ?? versionOfShape(text));
}

/**
 * The same in all sources: `pytorch 2.13.0`. At least three parts, or as many as the product counts by, padded to three; `2.13`
 * and `2.13.0` are the same. Pre-releases and post-releases keep their suffix.
 */
export function eventKey(product: Product, version: Version): string {
  const parts = version.parts.slice(0, product.parts ?? version.parts.length);
  return `${product.id} ${padParts(parts).join(".")}${endingOf(version)}`;
}

/**
 * The step of a version from the known ones. It is major if it is the first with its first part, minor if it is the
 * first with its first two parts, otherwise a patch. If it is below a known version with its first part, or no version
 * is known, its own parts decide: 6.1.5 after 6.3.3 is a patch of 6.1. A post-release is a patch of its release.
 */
export function bumpOf(version: Version, known: readonly Version[]): Bump {
  const [major = 0, minor = 0, patch = 0] = version.parts;
  if (isPost(version) && known.some((other) => !other.pre && sameParts(other.parts, version.parts))) return "patch";
  const released = known.filter((other) => !other.pre && !sameParts(other.parts, version.parts));
  const bySpelling =
    patch > 0 || version.parts.slice(3).some((part) => part > 0) ? "patch" : minor > 0 ? "minor" : "major";
  if (!released.some((other) => isBelow(other, version))) return bySpelling;
  const line = released.filter((other) => other.parts[0] === major);
  if (line.length === 0) return released.some((other) => (other.parts[0] ?? 0) > major) ? bySpelling : "major";
  if (line.some((other) => (other.parts[1] ?? 0) === minor)) return "patch";
  return line.some((other) => !isBelow(other, version)) ? bySpelling : "minor";
}

function isPost({ text }: Version): boolean {
  return /^[\d.-]+(?:\.post\d+|[a-z])$/.test(text);
}

/**
 * The version without `v`. If a product declares tag shapes, only those may have a `v` in front. An epoch restarts the count
 * and is no part of the name that people use. Spec: https://peps.python.org/pep-0440/#version-epochs
 */
function withoutPrefix(written: string, product: Product): string {
  const text = written.replace(/^(v?)\d{1,4}!(?=\d)/i, "$1");
  if (/^\d/.test(text)) return text;
  if (product.tags.length > 0) return "";
  return /^v\.?\d/i.test(text) ? text.replace(/^v\.?/i, "") : "";
}

/** Whether the first version is lower. */
export function isBelow(a: Version, b: Version): boolean {
  for (let i = 0; i < Math.max(a.parts.length, b.parts.length); i++) {
    const difference = (a.parts[i] ?? 0) - (b.parts[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** How a product numbers its versions. */
export interface Product {
  readonly id: string;
  readonly name: string;
  /** Other names in titles and headings, matched as whole words. */
  readonly aliases: readonly string[];
  /** Tag shapes with `{version}`; a tag of another shape is not a release. Empty: `v1.2.3` and `1.2.3`. */
  readonly tags: readonly string[];
  /** `{ "13.4.1": "13.4" }`: the version on the left is called the one on the right. */
  readonly renumbered: Readonly<Record<string, string>>;
  /** How many parts distinguish versions; default: all (2: 13.0.1 and 13.0 are one event). */
  readonly parts?: number;
  /** Versions that were announced by mistake and do not exist. */
  readonly phantom: readonly string[];
}

/** One version of a product. Versions are members of a set, without an order beyond what `bumpOf` needs. */
export interface Version {
  readonly parts: readonly number[];
  /** Not a final release: an alpha, beta, candidate, preview or development build. */
  readonly pre: boolean;
  /** The canonical spelling for `versionCalled`. Numbers are as written: nobody calls a 24.04 24.4. */
  readonly text: string;
}

/** Numbers, then at most one suffix. */
const numbers = /^\d{1,9}(?:\.\d{1,9}){0,7}(?!\d|\.\d)/;
/** In a tag of a declared shape, also days with a time, `8_10_0`, and a revision: `7.1.1-28`. */
const shapedNumbers =
  /^(?:\d{4}-\d{2}-\d{2}(?:T\d{2}-\d{2}-\d{2}Z)?|\d{1,14}(?:[._]\d{1,9}){0,7}(?:-\d{1,4})?)(?![._-]?\d)/;
/** The letter of `1.1.1w` and `2024a` counts releases; before a number it marks a pre-release: `1.0a2`. */
const letter = /^[a-wyz]$/i;
const suffix = /^[-._ ]{0,2}([a-z]+(?: [a-z]+)?)[-._ ]?(\d{0,9})(?![a-z\d])/i;
const local = /^\+([a-z0-9._-]{1,60})$/i;
/** More numbers may follow a pre-release's number: `.1` in `beta.2.1`. A number of five digits or more is a build. */
const further = /^((?:\.\d{1,4})*)(?:\.\d{5,9}(?:\.\d{1,9})*)?(?![\d.])/;
/** Post-releases and development releases of a pre-release: https://peps.python.org/pep-0440/#post-releases */
const behindPre = /^(?:\.post\d{1,9})?(?:\.dev\d{1,9})?/i;
const behindPost = /^\.dev\d{1,9}/i;
/** The commit of a build. Without these letters it is metadata: https://semver.org/#spec-item-10 */
const gitBuild = /git|^g[0-9a-f]{7,40}$/i;
/** A build number in brackets, as in `26.6 (25G83)`, or the time of the build, as in `9.4.53.v20231009`. */
const build = /^(?: ?\([A-Za-z0-9.]{1,20}\)|\.v20\d{6,10})$/;

const pres: ReadonlyMap<string, string> = new Map(
  Object.entries({
    alpha: "a|alpha",
    beta: "b|beta|developer beta|public beta",
    rc: "c|rc|release candidate|candidate|cr",
    milestone: "milestone",
    preview: "pre|preview|developer preview|technology preview|tech preview|early access|ea|eap",
    dev: "dev|nightly|snapshot|canary",
    next: "next",
    experimental: "experimental",
  }).flatMap(([name, words]) => words.split("|").map((word) => [word, name])),
);
const updates = new Set(["update", "u", "sp"]);
const posts = new Set(["post", "rev"]);
/** After a space these are words of a sentence: `1.2.3 patch release`. */
const patches = /^[-.]?(?:p|pl|(?:patch|hotfix)[-.]?)\d|^f\d|^[-.](?:patch|hotfix)$/i;
/** `1.3.0-M1`. Without a sign and a number, the letter means something else. */
const milestones = /^[-._]m\d/i;
const finals = new Set(["final", "ga", "stable", "lts", "release"]);

/** Text longer than this is not a version. */
const maxLength = 100;

/** Parses numbers and a suffix, and nothing else. */
export function versionAt(text: string): Version | undefined {
  const written = numbers.exec(text)?.[0];
  // One long number is a date or a build, not a version.
  if (written === undefined || /^\d{5}\d*$/.test(written)) return undefined;
  return withSuffix(written, text.slice(written.length));
}

/** Parses the version within a tag of a declared shape. */
function versionOfShape(text: string): Version | undefined {
  const written = shapedNumbers.exec(text)?.[0];
  return written === undefined ? undefined : withSuffix(written.replaceAll("_", "."), text.slice(written.length));
}

function partsOf(written: string): number[] {
  return (written.match(/\d+/g) ?? []).map(Number);
}

function withSuffix(written: string, ending: string): Version | undefined {
  const parts = partsOf(written);
  const rest = ending.replace(build, "");
  if (rest === "") return version(parts, written);
  if (letter.test(rest)) return version(parts, written, rest.toLowerCase());
  const variant = local.exec(rest)?.[1];
  if (variant !== undefined)
    return gitBuild.test(variant)
      ? version(parts, written, `+${variant.toLowerCase()}`, true)
      : version(parts, written);
  const match = suffix.exec(rest);
  if (match === null) return undefined;
  const word = (match[1] ?? "").toLowerCase();
  const number = match[2] ?? "";
  const behind = rest.slice(match[0].length);
  const isPre = pres.has(word) && number !== "";
  const [also = ""] = (isPre ? behindPre : behindPost).exec(behind) ?? [];
  const [more = "", deeper = ""] = (also === "" && isPre && further.exec(behind)) || [];
  const tail = behind.slice(also.length + more.length).replace(build, "");
  if (tail !== "" && !local.test(tail)) return undefined;
  if (/^ [abc][^a-z]?/i.test(match[0]) && /^[abc]$/i.test(match[1] ?? "")) return undefined;
  const kind = patches.test(match[0]) ? "post" : milestones.test(match[0]) ? "milestone" : word;
  return versionWithSuffix(
    written,
    kind,
    [number, ...deeper.split(".").slice(1)],
    `${also.toLowerCase()}${gitBuild.test(tail) ? tail.toLowerCase() : ""}`,
  );
}

function versionWithSuffix(
  written: string,
  word: string,
  numbers: readonly string[],
  behind: string,
): Version | undefined {
  const parts = partsOf(written);
  const n = numbers.map((number) => (number === "" ? "" : String(Number(number)))).join(".");
  const pre = pres.get(word);
  if (pre !== undefined) return version(parts, written, `-${pre}${n}${behind}`, true);
  const post = posts.has(word) || (word === "r" && n !== "") ? `.post${n === "" ? "0" : n}` : "";
  if (behind !== "") return version(parts, written, behind.startsWith("+") ? behind : `${post}${behind}`, true);
  if (post !== "") return version(parts, written, post);
  if (finals.has(word) && n === "") return version(parts, written);
  if (updates.has(word) && n !== "" && parts.length <= 3) {
    const updated = addUpdate(parts, Number(n));
    return version(updated, updated.join("."));
  }
  return undefined;
}

/** `13.3 Update 1` is 13.3.1. */
function addUpdate([major = 0, minor = 0, patch = 0]: readonly number[], update: number): number[] {
  return patch === 0 ? [major, minor, update] : [major, minor, patch, update];
}

function version(parts: readonly number[], written: string, ending = "", pre = false): Version {
  return { parts, pre, text: `${written}${ending}` };
}

/** The part after its numbers. */
function endingOf({ text }: Version): string {
  return text.slice(shapedNumbers.exec(text)?.[0].length);
}

/** Applies `renumbered` and `phantom`. */
export function settleVersion(original: Version, product: Product): Version | undefined {
  let version = original;
  for (const [called, is] of Object.entries(product.renumbered)) {
    const left = versionCalled(called);
    if (left !== undefined && isSameVersion(left, original)) version = versionCalled(is) ?? original;
  }
  return product.phantom.some((text) => isPhantom(text, original, product)) ? undefined : version;
}

/** Whether it was announced by mistake. If another version was renumbered to it, only its exact spelling counts. */
function isPhantom(text: string, found: Version, product: Product): boolean {
  const phantom = versionCalled(text);
  if (phantom === undefined || !isSameVersion(phantom, found)) return false;
  const real = Object.values(product.renumbered).map(versionCalled);
  return (
    phantom.text === found.text || !real.some((version) => version !== undefined && isSameVersion(version, phantom))
  );
}

function isSameVersion(a: Version, b: Version): boolean {
  return sameParts(a.parts, b.parts) && endingOf(a) === endingOf(b);
}

function sameParts(a: readonly number[], b: readonly number[]): boolean {
  return padParts(a).join(".") === padParts(b).join(".");
}

/** At least three parts, and no zeros beyond the third. */
function padParts(parts: readonly number[]): number[] {
  const filled = [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0, ...parts.slice(3)];
  while (filled.length > 3 && filled.at(-1) === 0) filled.pop();
  return filled;
}

export function versionInTag(text: string, product: Product): Version | undefined {
  const version = shapedVersion(text, product);
  return version && settleVersion(version, product);
}

/** The version in a tag, by the first of the product's own shapes that matches. */
export function shapedVersion(text: string, product: Product): Version | undefined {
  for (const shape of product.tags) {
    const [before = "", after = ""] = shape.split("{version}");
    if (!shape.includes("{version}") || text.length <= before.length + after.length) continue;
    if (!text.startsWith(before) || !text.endsWith(after)) continue;
    const version = versionCalled(text.slice(before.length, text.length - after.length));
    if (version !== undefined) return version;
  }
  return undefined;
}

/** `2.13 (beta 2)` is `2.13 beta 2`; other words in brackets are kept. */
export function withoutBrackets(text: string): string {
  const match = /^([\d.]+ )\(([a-z]+(?: [a-z]+)?(?: ?\d{1,4})?)\)/i.exec(text);
  if (match === null || versionAt(`${match[1]}${match[2]}`) === undefined) return text;
  return `${match[1]}${match[2]}${text.slice(match[0].length)}`;
}

/** Possible lengths of a version at the start of a text, longest first: with two words and a number, with fewer, bare. */
export function spellings(text: string): number[] {
  const digits = numbers.exec(text)?.[0].length ?? 0;
  if (digits === 0) return [];
  const ends = [digits];
  const rest = text.slice(digits, digits + maxLength);
  const whole = /^[-._ ]{0,2}[a-z]+ [a-z]+(?:[-._ ]?\d{1,9})?(?![a-z\d])/i.exec(rest)?.[0].length;
  const short = /^[-._ ]{0,2}[a-z]+(?:[-._ ]?\d{1,9})?(?![a-z\d])/i.exec(rest)?.[0].length;
  const git = /^\+[a-z0-9._-]{0,59}[a-z0-9]/i.exec(rest)?.[0].length;
  for (const length of [short, whole, git]) if (length !== undefined) ends.unshift(digits + length);
  return ends;
}
