import { statusSchema } from "../status-file.ts";
import { badges } from "./badge.ts";
import type { Edition } from "./edition.ts";
import { feeds } from "./feed/index.ts";
import { pages } from "./pages/index.ts";
import { statusJson } from "./status-json.ts";

/** Every file for readers, by its path from the folder in which they stand: text as it is to be written. */
export function publish(edition: Edition): ReadonlyMap<string, string> {
  return new Map([
    ["status.json", `${JSON.stringify(statusJson(edition))}\n`],
    ["status.schema.json", `${JSON.stringify(statusSchema(), null, 2)}\n`],
    ...feeds(edition),
    ...badges(edition),
    ...pages(edition),
  ]);
}
