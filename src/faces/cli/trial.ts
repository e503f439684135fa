import { readScenarioFiles } from "../../adapters/files/config.ts";
import { openStore } from "../../adapters/store/open.ts";
import type { Config } from "../../model.ts";
import { readers } from "../../read/index.ts";
import { type Tried, tryScenarios } from "../../scenario/index.ts";

/** Plays the scenarios of a folder, each with a store of its own that is nowhere but in memory. */
export async function trial(folder: string, config: Config): Promise<Tried> {
  return await tryScenarios(await readScenarioFiles(folder), config, readers, async () => {
    const database = await openStore(":memory:");
    return { store: database.repository("scenario"), close: () => database.close() };
  });
}
