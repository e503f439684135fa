import { appendFileSync } from "node:fs";
import { unwritableBecause } from "../adapters/files/refused.ts";
import type { GitHubWrite } from "../adapters/github/call.ts";
import { WrongSetting } from "./wrong-setting.ts";

/**
 * Appends each write to GitHub to a file, as one line of JSON, which several processes may share. A write that cannot be
 * noted is not sent. The file is made with the first entry. @throws WrongSetting if it cannot be written
 */
export function auditLogTo(path: string, run: { readonly run?: string } = {}): (write: GitHubWrite) => void {
  const why = unwritableBecause(path);
  if (why !== undefined) throw new WrongSetting(`RECHECK_AUDIT_LOG cannot be written: ${why}`);
  return (write) => {
    try {
      appendFileSync(path, `${JSON.stringify({ ...write, ...run })}\n`, { mode: 0o600 });
    } catch (error) {
      // It was sent, and that is noted.
      if (write.state === "sent") throw error;
    }
  };
}
