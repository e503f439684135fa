import { hash } from "node:crypto";

/** The id by which git knows a file's contents: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
export function blobOf(text: string): string {
  return hash("sha1", `blob ${Buffer.byteLength(text)}\0${text}`);
}

/** A short, stable fingerprint of a JSON-able value: 16 hex digits of its SHA-256. */
export function digest(value: unknown): string {
  return digestOf(JSON.stringify(value));
}

/** The same of a text as it is. */
export function digestOf(text: string): string {
  return hash("sha256", text).slice(0, 16);
}
