import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Program, wire } from "../../src/wire/program.ts";
import { type LocalGitHub, startGitHub } from "../github/server.ts";
import { type Lists, startLists } from "../support/lists.ts";
import { hasty } from "./hasty.ts";

/** What tests of a disturbed `scan` stand on: a web and a GitHub of their own, and the program over them. */

const closing: (() => unknown)[] = [];

/** Ends everything that was begun here. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

export async function listsOf(...sources: string[]): Promise<{ lists: Lists; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "recheck-resilience-"));
  const lists = await startLists(...sources);
  lists.configure(folder);
  closing.push(
    () => rmSync(folder, { recursive: true }),
    () => lists.close(),
  );
  return { lists, folder };
}

export async function github(): Promise<LocalGitHub> {
  const local = await startGitHub();
  await local.asPerson("POST", "/labels", { name: "recheck", color: "0e8a16" });
  closing.push(() => local.close());
  return local;
}

export const environment = (folder: string, local: LocalGitHub, data = "data") => ({
  RECHECK_DATA: join(folder, data),
  RECHECK_REPO: local.repo,
  RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
  GITHUB_API_URL: local.url,
  GITHUB_TOKEN: local.token,
});

/** The same program in this process. */
export function opened(folder: string, local: LocalGitHub, data?: string): Promise<Program> {
  const settings = hasty(environment(folder, local, data), folder);
  return wire({ ...settings, github: { ...settings.github, fetch: local.fetch } });
}

/** As an hour later: what was sent before cannot arrive any more, and what was refused is tried again. */
export async function passTime(folder: string, local: LocalGitHub): Promise<void> {
  const program = await opened(folder, local);
  const { store } = program.world;
  const hour = 3_600_000;
  const earlier = (at: number) => ({ attempted: at - hour });
  for (const { id, attempted, refused } of await store.rechecks()) {
    if (attempted) await store.updateRecheck(id, earlier(attempted));
    if (refused) await store.updateRecheck(id, { refused: { ...refused, next: refused.next - hour } });
  }
  for (const { id, attempted } of await store.comments(false))
    if (attempted) await store.updateComment(id, earlier(attempted));
  await program.close();
}

export const issuesOf = (local: LocalGitHub): Promise<{ number: number; title: string; body: string }[]> =>
  local.asPerson("GET", "/issues?state=all&per_page=100");
