import { z } from "zod";
import type { AppGitHub, IssueComment, Permission } from "../../ports.ts";
import { type Call, ifThere, pages } from "./call.ts";

const granted = z.object({
  permission: z.string(),
  role_name: z.string().nullish(),
  user: z.object({ permissions: z.record(z.string(), z.boolean()).nullish() }).nullish(),
});

const comment = z
  .object({
    id: z.number(),
    body: z.string().nullish(),
    issue_url: z.string(),
    created_at: z.string(),
    updated_at: z.string(),
    user: z.object({ login: z.string(), type: z.string().nullish() }).nullish(),
  })
  .transform(
    ({ id, body, issue_url, created_at, updated_at, user }): IssueComment => ({
      id,
      issue: Number(/\/issues\/(\d+)$/.exec(issue_url)?.[1] ?? 0),
      body: body ?? "",
      by: user?.login ?? "",
      bot: user?.type === "Bot",
      at: Date.parse(created_at),
      ...(updated_at !== created_at && { edited: true }),
    }),
  );

/** What people say, and what they may. */
export function peopleOf(call: Call): Pick<AppGitHub, "react" | "permission" | "commentsSince"> {
  return {
    async react(id, content) {
      const route = "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions";
      await call("react to a comment", route, { comment_id: id, content }, z.unknown());
    },
    async permission(login) {
      const route = "GET /repos/{owner}/{repo}/collaborators/{username}/permission";
      const found = await ifThere(
        call("read a person's permission", route, { username: login }, granted, "metadata: read"),
      );
      return found ? permissionOf(found) : "none";
    },
    commentsSince: (since) =>
      Array.fromAsync(
        pages(
          call,
          "list comments",
          "GET /repos/{owner}/{repo}/issues/comments",
          { since: new Date(since).toISOString(), sort: "created", direction: "asc" },
          comment,
        ),
      ),
  };
}

/** `permission` alone calls triage *read*: the parts of a role say more, also of roles that an organisation made. */
function permissionOf({ permission, user }: z.infer<typeof granted>): Permission {
  const parts = user?.permissions ?? {};
  if (parts.admin || permission === "admin") return "admin";
  if (parts.maintain) return "maintain";
  if (parts.push || permission === "write") return "write";
  if (parts.triage) return "triage";
  return parts.pull || permission === "read" ? "read" : "none";
}
