import type { Recovered } from "../../../recheck/recover.ts";
import type { Origin } from "../../../state/index.ts";

/** Where what is remembered came from, and what was found again. */
export interface Remembered {
  readonly branch: string;
  readonly from: Origin;
  readonly recovered?: Recovered;
}

/** A sentence for each thing that is not as usual. */
export function stateLines({ branch, from, recovered }: Remembered): string[] {
  return [...origin(branch, from), ...found(recovered)];
}

function origin(branch: string, from: Origin): string[] {
  switch (from) {
    case "nothing":
      return [`there was no branch ${branch} yet: it begins with what this machine has`];
    case "elsewhere":
      return [`the branch ${branch} came from another repository: it begins anew with what this machine has`];
    case "journal":
      return ["an earlier run did not come to its end: this one went on from its plan"];
    case "branch":
      return [];
  }
}

function found(recovered: Recovered | undefined): string[] {
  const { adopted = [], answered = [] } = recovered ?? {};
  if (adopted.length + answered.length === 0) return [];
  const list = (issues: readonly number[]) => issues.map((issue) => `#${issue}`).join(", ");
  const parts = [
    ...(adopted.length > 0 ? [`${list(adopted)} ${adopted.length === 1 ? "goes" : "go"} on asking`] : []),
    ...(answered.length > 0 ? [`what ${list(answered)} told of is not asked again`] : []),
  ];
  return [`recovered from issues that were no longer remembered: ${parts.join(", and ")}`];
}
