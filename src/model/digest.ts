import { createHash, hash } from "node:crypto";

/** The id by which git knows a file's contents: https://git-scm.com/book/en/v2/Git-Internals-Git-Objects */
export function blobOf(contents: string | Uint8Array): string {
  const bytes = typeof contents === "string" ? Buffer.from(contents) : contents;
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** A short, stable fingerprint of a value that can be JSON: 16 hex digits of its SHA-256. */
export function digest(value: unknown): string {
  return digestOf(JSON.stringify(value));
}

/** The same for the characters of a text. */
export function digestOf(text: string): string {
  return hash("sha256", text).slice(0, 16);
}
