import type { Config } from "../model.ts";

/** How people call the parts of a rating's id; the last name holds what is past the fourth. */
export function namesOf(id: string, { names }: Config): string[] {
  const parts = id.split("/").map((part) => names.get(part) ?? part);
  return parts.length > 4 ? [...parts.slice(0, 3), parts.slice(3).join(" · ")] : parts;
}

/** `Google TPU · Maturity`. */
export function nameOf(id: string, config: Config): string {
  return namesOf(id, config).join(" · ");
}
