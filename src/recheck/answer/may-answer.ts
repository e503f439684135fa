import type { Permission } from "../../model/ports/index.ts";

const permissionsLeastFirst: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** The ways to answer: a command in a comment, or a box, which GitHub lets only people tick who may edit the issue. */
export type AnswerForm = "command" | "box";

const leastPermission: Readonly<Record<AnswerForm, Permission>> = { command: "triage", box: "write" };

/** Whether a person with this permission may answer in this form. */
export function mayAnswer(permission: Permission, form: AnswerForm): boolean {
  return permissionsLeastFirst.indexOf(permission) >= permissionsLeastFirst.indexOf(leastPermission[form]);
}

/** Told to people who may not answer. */
export const mayNotAnswer =
  "Nothing was changed: `/recheck` is for people with triage access or more to this repository. What you know is welcome as a comment.";
