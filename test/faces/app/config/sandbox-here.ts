import { openStore } from "../../../../src/adapters/store/open.ts";
import { parse, tryOut } from "../../../../src/faces/app/config/trial.ts";
import type { Sandbox } from "../../../../src/faces/app/sandbox.ts";
import { claimsFor } from "../../../../src/faces/app/set-up/claims.ts";
import type { Store } from "../../../../src/model/ports/index.ts";
import { readers } from "../../../../src/read/index.ts";
import { draft } from "../../../../src/report/index.ts";

/** In this very thread, and to its end. `store`: what a config is tried on. */
export function sandboxHere(store?: Store): Sandbox {
  const scratch = async () => {
    const one = await openStore(":memory:");
    return { store: one.repository("scratch"), close: () => one.close() };
  };
  return {
    parse: async (config) => parse(config, readers),
    parseProposed: async (config) => parse(config, readers),
    check: (trial) => tryOut(trial, { readers, store, scratch }),
    claims: (drafted) => claimsFor(drafted, { readers, store }),
    draft: async (report, around) => draft(report, { ...around, readers }),
  };
}
