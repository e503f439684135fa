import { NoConfig } from "../../adapters/files/config.ts";
import { isAddress, placeName } from "../../adapters/store/address.ts";
import { ConfigProblems } from "../../config/problems.ts";
import { StoreProblem } from "../../model/store-problem.ts";
import { counted } from "../../model/words.ts";
import { loadConfigAt } from "../../wire/config.ts";
import type { Settings } from "../../wire/settings.ts";
import { storeFile, wireStoreFile } from "../../wire/stores.ts";
import { answer } from "./answers/index.ts";
import { commandToType, exits, type Terminal } from "./terminal.ts";

export interface Examined {
  readonly of: string;
  readonly findings: readonly { readonly says: string; readonly mend?: "mendable" | "mended" }[];
}

/** `recheck doctor`: examines the config and the store, and repairs what can safely be repaired. Makes no request. */
export async function doctorCommand(
  settings: Settings,
  { mend = false, json }: { readonly mend?: boolean; readonly json?: boolean },
  out: Terminal,
): Promise<number> {
  const examined = [await configOf(settings), ...(await storeOf(settings, mend))];
  const findings = examined.flatMap((one) => one.findings);
  const open = findings.filter(({ mend: state }) => state !== "mended");
  if (json) answer("doctor", { command: "doctor", examined, left: open.length }, out);
  else {
    for (const { of, findings } of examined) for (const line of linesOf(of, findings, out)) out.line(line);
    if (open.some(({ mend: state }) => state === "mendable")) {
      out.line();
      out.line(`${commandToType("doctor", "--mend")} repairs the problems that are marked with +.`);
    }
  }
  return open.length > 0 ? exits.standing : exits.done;
}

function linesOf(of: string, findings: Examined["findings"], { paint }: Terminal): string[] {
  if (findings.length === 0) return [`${paint("green", "✔")} ${of}`];
  return findings.map(({ says, mend }) => {
    if (mend === "mended") return `${paint("green", "✔")} ${of}: ${says}: repaired`;
    return `${mend === "mendable" ? paint("yellow", "+") : paint("red", "✗")} ${of}: ${says}`;
  });
}

async function configOf(settings: Settings): Promise<Examined> {
  try {
    await loadConfigAt(settings.config, settings.clock.now());
    return { of: "config", findings: [] };
  } catch (error) {
    // A server of the App reads the config of each repository there.
    if (error instanceof NoConfig) return { of: "config (none here)", findings: [] };
    if (!(error instanceof ConfigProblems)) throw error;
    const says = `${counted(error.problems.length, "problem")}: ${commandToType("validate")} lists ${error.problems.length === 1 ? "it" : "them"}`;
    return { of: "config", findings: [{ says }] };
  }
}

async function storeOf(settings: Settings, mend: boolean): Promise<readonly Examined[]> {
  const place = storeFile(settings.data);
  // A server keeps its database whole and private by itself.
  if (isAddress(place)) return [{ of: `store (${placeName(place)}: only a file is examined)`, findings: [] }];
  try {
    return await wireStoreFile(settings).examine(mend);
  } catch (error) {
    if (!(error instanceof StoreProblem) || error.kind === "locked") throw error;
    return [{ of: "store", findings: [{ says: error.message }] }];
  }
}
