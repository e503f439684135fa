import { appendFileSync, closeSync, openSync } from "node:fs";
import { refusedBecause } from "../adapters/files/refused.ts";
import type { GitHubWrite } from "../adapters/github/call.ts";
import { WrongSetting } from "./wrong-setting.ts";

/**
 * Appends each write to GitHub to a file, as one line of JSON, which several processes may share. A write that cannot be
 * noted is not sent. @throws WrongSetting if the file cannot be opened
 */
export function auditLogTo(path: string, run: { readonly run?: string } = {}): (write: GitHubWrite) => void {
  closeSync(opened(path));
  return (write) => {
    try {
      appendFileSync(path, `${JSON.stringify({ ...write, ...run })}\n`, { mode: 0o600 });
    } catch (error) {
      // It was sent, and that is noted.
      if (write.state === "sent") throw error;
    }
  };
}

function opened(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    const why = refusedBecause(error, "there is no such folder");
    if (why === undefined) throw error;
    throw new WrongSetting(`RECHECK_AUDIT_LOG: ${path} cannot be written: ${why}`);
  }
}
