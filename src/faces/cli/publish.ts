import { FolderProblem, writeFolder } from "../../adapters/files/folder.ts";
import { counted } from "../../model/words.ts";
import { publish } from "../../publish/index.ts";
import { editionFrom } from "../../wire/program.ts";
import type { Settings } from "../../wire/settings.ts";
import { answer } from "./answers/index.ts";
import { commandToType, exits, type Terminal, WrongUsage } from "./terminal.ts";

export interface PublishOptions {
  readonly json?: boolean;
  /** The folder to write the files into. */
  readonly out: string;
}

/** `recheck publish --out DIR`: writes the pages for readers from the store. Makes no request. */
export async function publishCommand(settings: Settings, options: PublishOptions, out: Terminal): Promise<number> {
  if (options.out.trim() === "")
    throw new WrongUsage(`--out wants a folder: ${commandToType("publish", "--out", "DIR")}`);
  const edition = await editionFrom(settings);
  const files = publish(edition);
  try {
    const { written, unchanged, removed } = await writeFolder(options.out, files);
    if (options.json) answer("publish", { command: "publish", out: options.out, written, unchanged, removed }, out);
    else {
      const counts = [`wrote ${counted(written.length, "file")} to ${options.out}`, `${unchanged.length} unchanged`];
      out.line([...counts, ...(removed.length > 0 ? [`${removed.length} removed`] : [])].join(", "));
      if (edition.status.lastCheck === undefined) out.note(`nothing was checked yet: run ${commandToType("scan")}`);
    }
    return exits.done;
  } catch (error) {
    if (error instanceof FolderProblem) throw new WrongUsage(error.message, { cause: error });
    throw error;
  }
}
