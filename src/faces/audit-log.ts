import { appendFileSync } from "node:fs";
import { unwritableBecause } from "../adapters/files/refused.ts";
import type { GitHubWrite } from "../adapters/github/call.ts";
import { WrongSetting } from "./wrong-setting.ts";

/**
 * Appends each write to GitHub to a file as a line of JSON. Several processes may share the file. A write that cannot
 * be logged is not sent. The file is created with the first entry. @throws WrongSetting if it cannot be written
 */
export function auditLogTo(path: string, run: { readonly run?: string } = {}): (write: GitHubWrite) => void {
  const why = unwritableBecause(path);
  if (why !== undefined) throw new WrongSetting(`RECHECK_AUDIT_LOG cannot be written: ${why}`);
  return (write) => {
    try {
      appendFileSync(path, `${JSON.stringify({ ...write, ...run })}\n`, { mode: 0o600 });
    } catch (error) {
      // The write was sent, and its first entry is in the log.
      if (write.state === "sent") throw error;
    }
  };
}
