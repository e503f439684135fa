import { createHash } from "node:crypto";

/** A short, stable fingerprint of a JSON-able value: 16 hex digits of its SHA-256. */
export function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}
