import { hash } from "node:crypto";

/** A short, stable fingerprint of a JSON-able value: 16 hex digits of its SHA-256. */
export function digest(value: unknown): string {
  return hash("sha256", JSON.stringify(value)).slice(0, 16);
}
