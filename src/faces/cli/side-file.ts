import { appendFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NotReplaced, replaceFile } from "../../adapters/files/folder.ts";
import { noFolder, refusedBecause, unwritableBecause } from "../../adapters/files/refused.ts";
import { WrongUsage } from "./terminal.ts";

export interface SideFile {
  replace(text: string): Promise<void>;
  /** Adds Markdown to it, as far as GitHub would show it. */
  add(markdown: string): Promise<void>;
}

/** Opens the file of an option before any check. @throws WrongUsage if it cannot be written */
export async function sideFile(option: string, path: string | undefined): Promise<SideFile | undefined> {
  if (path === undefined) return undefined;
  const refuse = (why: string) => new WrongUsage(`${option}: ${path} cannot be written: ${why}`);
  const why = unwritableBecause(path);
  if (why !== undefined) throw refuse(why);
  const orRefuse = async (write: () => Promise<void>) => {
    try {
      await write();
    } catch (error) {
      const why = refusedBecause(error, noFolder);
      throw why === undefined ? error : refuse(why);
    }
  };
  return {
    replace: (text) => orRefuse(() => writeFile(path, text)),
    add: (markdown) =>
      orRefuse(async () => {
        const size = await stat(path).then(
          (there) => there.size,
          () => 0,
        );
        await appendFile(path, cut(markdown, maxSummaryBytes - size));
      }),
  };
}

/** Replaces `sources.yaml`, unless it was changed meanwhile. @throws WrongUsage */
export async function replaceSources(folder: string, before: Uint8Array, after: string): Promise<void> {
  await replaceFile(join(folder, "sources.yaml"), before, after).catch((error: unknown) => {
    throw error instanceof NotReplaced ? new WrongUsage(`${error.message}; nothing was written`) : error;
  });
}

/** GitHub shows no more of one step's summary. */
const maxSummaryBytes = 1_048_576;

/** Whole lines that fit, and a note that there was more. */
function cut(markdown: string, room: number): string {
  if (Buffer.byteLength(markdown) <= room) return markdown;
  const note = "\n\nThe rest is in the log of this step.\n";
  let left = room - Buffer.byteLength(note);
  const lines: string[] = [];
  for (const line of markdown.split("\n")) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  return lines.length > 0 ? `${lines.join("\n")}${note}` : "";
}
