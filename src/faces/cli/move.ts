import { placeName } from "../../adapters/store/address.ts";
import { counted, grouped } from "../../model/words.ts";
import type { Settings } from "../../wire/settings.ts";
import { wireMove } from "../../wire/stores.ts";
import { placeFrom } from "../environment.ts";
import { answer } from "./answers/index.ts";
import { exits, type Terminal } from "./terminal.ts";

/** `recheck move`: copies the store to another place, and prints the counts. @throws StoreProblem */
export async function moveCommand(
  { to: written, json }: { readonly to: string; readonly json?: boolean },
  settings: Settings,
  out: Terminal,
): Promise<number> {
  const to = placeFrom("--to", written);
  const tables = await wireMove(settings, to);
  const [from, there] = [placeName(settings.data), placeName(to)];
  if (json) {
    answer("move", { command: "move", from, to: there, tables }, out);
    return exits.done;
  }
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  for (const one of tables.filter((each) => each.rows > 0)) {
    out.line(`${one.table}: ${grouped(one.rows)}, digest ${one.digest.slice(0, 16)}`);
  }
  out.line(`${counted(rows, "row")} of ${from} copied to ${there} and compared. ${from} is unchanged.`);
  return exits.done;
}
