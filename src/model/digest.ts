import { createHash, hash } from "node:crypto";

/** The id by which git knows a file's contents: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
export function blobOf(contents: string | Uint8Array): string {
  const bytes = typeof contents === "string" ? Buffer.from(contents) : contents;
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A short, stable fingerprint of a JSON-able value: 16 hex digits of its SHA-256. */
export function digest(value: unknown): string {
  return digestOf(JSON.stringify(value));
}

/** The same of a text as it is. */
export function digestOf(text: string): string {
  return hash("sha256", text).slice(0, 16);
}
