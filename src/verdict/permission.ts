/** What a person may do in a repository, least first. */
export type Permission = "none" | "read" | "triage" | "write" | "maintain" | "admin";

const order: readonly Permission[] = ["none", "read", "triage", "write", "maintain", "admin"];

/** By a comment, or by a box: GitHub lets only those tick one who may edit the issue. */
export type Door = "command" | "box";

const least: Readonly<Record<Door, Permission>> = { command: "triage", box: "write" };

/** Whether a person may answer. */
export function may(permission: Permission, door: Door): boolean {
  return order.indexOf(permission) >= order.indexOf(least[door]);
}

/** What those are told who may not. */
export const refusal =
  "Nothing was changed: `/recheck` is for people with triage access or more to this repository. What you know is welcome as a comment.";
