import { statusSchema } from "../status-file.ts";
import { badges } from "./badge.ts";
import type { Edition } from "./edition.ts";
import { feeds } from "./feed/index.ts";
import { marginScript } from "./margin-script.ts";
import { pageSheets } from "./pages/index.ts";
import { drawn, type Sheets } from "./sheets.ts";
import { statusJson } from "./status-json.ts";

/** Every file for readers, by its path from the folder in which they stand. */
export function sheets(edition: Edition): Sheets {
  return new Map([
    ["status.json", () => `${JSON.stringify(statusJson(edition))}\n`],
    ["status.schema.json", () => `${JSON.stringify(statusSchema(), null, 2)}\n`],
    ["recheck-margin.js", () => `${marginScript}\n`],
    ...feeds(edition),
    ...badges(edition),
    ...pageSheets(edition),
  ]);
}

/** The same, as they are to be written. */
export function publish(edition: Edition): ReadonlyMap<string, string> {
  return drawn(sheets(edition));
}
