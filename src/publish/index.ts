import { statusSchema } from "../model/status-file.ts";
import { badges } from "./badge.ts";
import { type Edition, renderSheets, type Sheets } from "./edition.ts";
import { feeds } from "./feed.ts";
import { statusJson } from "./json.ts";
import { marginScript } from "./margin-script.ts";
import { pageSheets } from "./pages/index.ts";

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

export function publish(edition: Edition): ReadonlyMap<string, string> {
  return renderSheets(sheets(edition));
}
