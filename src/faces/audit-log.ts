import { accessSync, appendFileSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { noFolder, refusedBecause } from "../adapters/files/refused.ts";
import type { GitHubWrite } from "../adapters/github/call.ts";
import { WrongSetting } from "./wrong-setting.ts";

/**
 * Appends each write to GitHub to a file, as one line of JSON, which several processes may share. A write that cannot be
 * noted is not sent. @throws WrongSetting if the file cannot be opened
 */
export function auditLogTo(path: string, run: { readonly run?: string } = {}): (write: GitHubWrite) => void {
  expectWritable(path);
  return (write) => {
    try {
      appendFileSync(path, `${JSON.stringify({ ...write, ...run })}\n`, { mode: 0o600 });
    } catch (error) {
      // It was sent, and that is noted.
      if (write.state === "sent") throw error;
    }
  };
}

/** Whether the file can be written; it is made with its first entry. */
function expectWritable(path: string): void {
  try {
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    accessSync(there ? path : dirname(path), constants.W_OK);
  } catch (error) {
    const why = refusedBecause(error, noFolder);
    if (why === undefined) throw error;
    throw new WrongSetting(`RECHECK_AUDIT_LOG cannot be written: ${why}`);
  }
}
