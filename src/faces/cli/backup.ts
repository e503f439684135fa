import { grouped } from "../../model/words.ts";
import type { Settings } from "../../wire/settings.ts";
import { wireStoreFile } from "../../wire/stores.ts";
import { answer } from "./answers/index.ts";
import { commandToType, exits, type Terminal, WrongUsage } from "./terminal.ts";

/** `recheck backup`: copies the store to one file, even while it is written. */
export async function backupCommand(
  file: string,
  settings: Settings,
  { json }: { readonly json?: boolean },
  out: Terminal,
): Promise<number> {
  const copy = await onDisk(settings).backUp(file);
  if (json) answer("backup", { command: "backup", file, ...copy }, out);
  else out.line(`${file}: ${size(copy.bytes)}, whole, sha256 ${copy.sha256}`);
  return exits.done;
}

/** `recheck restore`: puts such a copy, or the store on a branch, in place of the store. */
export async function restoreCommand(
  file: string | undefined,
  settings: Settings,
  { json, stateBranch: branch }: { readonly json?: boolean; readonly stateBranch?: string },
  out: Terminal,
): Promise<number> {
  if (branch !== undefined) {
    const { onCopy } = await import("./state-branch.ts");
    return await onCopy(settings, branch, out, ({ data, carried }) => {
      if (!carried) throw new WrongUsage(`there is no store of this repository on the branch ${branch}`);
      return restoreCommand(wireStoreFile({ ...settings, data }).path, settings, { json }, out);
    });
  }
  if (file === undefined) throw new WrongUsage("which copy? Give its file, or --state-branch");
  const store = onDisk(settings);
  const restored = await store.restore(file);
  if (json) answer("restore", { command: "restore", file, store: store.path, ...restored }, out);
  else {
    out.line(`${store.path}: ${size(restored.bytes)} of ${file}, sha256 ${restored.sha256}`);
    if (restored.kept !== undefined) out.line(`The store that was there is kept as ${restored.kept}.`);
    out.line(`Issues that were opened after that copy are found again by the next scan: ${commandToType("scan")}.`);
  }
  return exits.done;
}

function onDisk(settings: Settings): ReturnType<typeof wireStoreFile> {
  if (settings.data === ":memory:") throw new WrongUsage("a store in memory has no file: set RECHECK_DATA to a folder");
  return wireStoreFile(settings);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${grouped(Math.ceil(bytes / 1_000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
