import { isUtf8 } from "node:buffer";
import type { Allowance } from "../model/options.ts";
import type { Problem } from "../model/problem.ts";
import { groupDigits } from "../model/words.ts";

/** A config file: bytes, or text that is already decoded. */
export interface ConfigText {
  /** `sources.yaml`, `triggers/mps.yaml`; folders before that are kept for messages. */
  readonly path: string;
  readonly text: string | Uint8Array;
}

/** The text of a file as it is written, with its byte order mark if it has one. */
export function wholeText({ text }: Pick<ConfigText, "text">): string {
  return typeof text === "string" ? text : new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
}

/** The text of a file without its byte order mark: also of UTF-16, so that messages can quote it. */
export function decodedText({ text }: Pick<ConfigText, "text">): string {
  return typeof text === "string" ? text.replace(/^\ufeff/, "") : new TextDecoder(encodingOf(text)).decode(text);
}

/** By the byte order mark, or because a config begins with a character of ASCII. */
function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (second === 0 || (first === 0xff && second === 0xfe)) return "utf-16le";
  return first === 0 || (first === 0xfe && second === 0xff) ? "utf-16be" : "utf-8";
}

/** The text of a file, or a problem with its bytes: not UTF-8, a control character. */
export function textOf({ path, text }: ConfigText): string | Problem {
  const decoded = decodedText({ text });
  const problem = (offset: number, message: string) => ({ file: path, ...placeIn(decoded, offset), message });
  if (typeof text !== "string" && encodingOf(text) !== "utf-8")
    return problem(0, "this is UTF-16; save the file as UTF-8");
  if (typeof text !== "string" && !isUtf8(text))
    return problem(firstBroken(text), "not UTF-8 from here on; save the file as UTF-8");
  const control = decoded.search(controls);
  if (control < 0) return decoded;
  const code = decoded.charCodeAt(control).toString(16).toUpperCase().padStart(4, "0");
  return problem(control, `control character U+${code}; delete it`);
}

/** The offset in the decoded text of the first bytes that are not UTF-8: encoded again, they are others. */
function firstBroken(bytes: Uint8Array): number {
  const again = Buffer.from(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  const end = again.findIndex((byte, index) => byte !== bytes[index]);
  return new TextDecoder().decode(bytes.subarray(0, end), { stream: true }).length;
}

export function placeIn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Not printable in YAML 1.2 (https://yaml.org/spec/1.2.2/#51-character-set); they would reach terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;

const maxFiles = 100;

/** The most bytes of one file and of all together: about 10,000 sources. */
const maxBytes = 1_000_000;

const megabytes = `${maxBytes / 1_000_000} MB`;

/** Limits of the patterns of one config: their number, and their size together as written or compiled. */
export const patterns: Allowance = { count: 1_000, size: 50_000 };

/** Why a config is too large to be read. Needs only the sizes of its files, so that a hostile one is never loaded. */
export function sizeExcessOf(files: readonly { readonly path: string; readonly size: number }[]): Problem[] {
  const problems: Problem[] = [];
  const report = (file: string, message: string) => void problems.push({ file, line: 1, column: 1, message });
  const beyond = files[maxFiles];
  if (beyond) report(beyond.path, `config has ${groupDigits(files.length)} files; the limit is ${maxFiles}`);
  let all = 0;
  for (const { path, size } of files) {
    if (size > maxBytes) report(path, `the file is larger than ${megabytes}, the limit of a config file`);
    else if (all <= maxBytes && all + size > maxBytes) {
      report(path, `with this file config is larger than ${megabytes}, the limit of all its files together`);
    }
    if (size <= maxBytes) all += size;
  }
  return problems;
}

/** Whether an address holds a user name or password before its host. */
export function hasCredentials(address: string): boolean {
  return userInfo.test(address);
}

/** A text of config for messages, without credentials in addresses and without text that looks like a secret. */
export function withoutSecrets(text: string): string {
  return text.replace(/(?<=[\\/]{2})[^\\/?#]*@/g, "…@").replace(new RegExp(secret, "g"), "…");
}

export function secretIn(text: string): number | undefined {
  return secret.exec(text)?.index;
}

const userInfo = /^([a-z][a-z0-9+.-]{0,30}:)?[\\/]{2}[^\\/?#]*@/i;

/**
 * Tokens of GitHub, GitLab, Slack and AWS, a signing secret of Standard Webhooks, incoming webhooks of Slack and
 * Discord, a private key in PEM. Each begins with distinctive characters, so that ordinary text never matches. Spec:
 * https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
const secret = new RegExp(
  [
    /\bgh[pousr]_[A-Za-z0-9]{20,255}/,
    /\bgithub_pat_\w{20,255}/,
    /\bglpat-[\w-]{16,255}/,
    /\bxox[abeprs]-[\w-]{10,255}/,
    /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
    /\bwhsec_[\w+/=-]{20,255}/,
    /\bhooks\.slack\.com\/services\/[\w/]{8,255}/,
    /\bdiscord(?:app)?\.com\/api\/webhooks\/[\w/-]{8,255}/,
    /-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY-----/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
