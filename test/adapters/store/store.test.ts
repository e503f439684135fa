import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "../../../src/adapters/store/open.ts";
import { storeContract } from "./contract.ts";

storeContract("SQLite in memory", false, async () => ({
  open: () => openStore(":memory:"),
  remove: async () => {},
}));

storeContract("SQLite in a file", true, async () => {
  const folder = await mkdtemp(join(tmpdir(), "recheck-store-"));
  return {
    open: () => openStore(join(folder, "deep", "recheck.db")),
    remove: () => rm(folder, { recursive: true }),
  };
});
