import type { Permission } from "../../model/ports/index.ts";

const permissionsLeastFirst: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The ways to answer: a command in a comment, or a box, which only people with write access can tick. */
export type AnswerForm = "command" | "box";

const leastPermission: Readonly<Record<AnswerForm, Permission>> = { command: "triage", box: "write" };

export function mayAnswer(permission: Permission, form: AnswerForm): boolean {
  return permissionsLeastFirst.indexOf(permission) >= permissionsLeastFirst.indexOf(leastPermission[form]);
}

export const mayNotAnswer =
  "Nothing was changed: `/recheck` needs triage access or more to this repository. Other comments are welcome.";
