import { randomBytes } from "node:crypto";
import { usualLimits } from "../../../config/schema.ts";
import { digest } from "../../../model/digest.ts";
import { length } from "../../../model/markdown.ts";
import type { Config } from "../../../model/model.ts";
import { type AppGitHub, GitHubProblem, type OwnIssue } from "../../../model/ports/index.ts";
import type { Home } from "../../../recheck/answer/case.ts";
import { mostCharacters } from "../../../recheck/issue/clip.ts";
import { around, holds, mergeBody } from "../../../recheck/issue/marker.ts";
import { mayArrive, once } from "../../../recheck/once.ts";
import { isCapped } from "../../../recheck/outbox.ts";

/** What an issue of ours that is no recheck is to tell. `room`: characters that its section may take. */
export interface Telling {
  readonly title: string;
  readonly body: (marker: string, room?: number) => string;
  /** Changes when there is something to tell; the body's own digest unless given. */
  readonly hash?: string;
}

/**
 * Brings such an issue up to date. It is created once: `keep` notes its marker before, and its number after. One that
 * a person closed or deleted is let be: that is an answer too. @throws GitHubProblem
 */
export async function writeOwnIssue(
  { github, store, clock }: Pick<Home, "github" | "store" | "clock">,
  own: OwnIssue | undefined,
  telling: Telling,
  keep: (own: OwnIssue) => Promise<void>,
): Promise<void> {
  const marker = own?.marker ?? randomBytes(9).toString("hex");
  const written = telling.hash ?? digest(telling.body(marker));
  if (own?.number !== undefined) return await update(own.number);
  const known = own && (await github.findIssue(holds(marker)));
  if (known) return await update(known.number);
  if (own && mayArrive(own, clock.now()) !== undefined) return;
  await keep({ marker, attempted: clock.now() });
  await store.countCreation(clock.now());
  const draft = { title: telling.title, body: telling.body(marker), labels: [] };
  const { number } = await once(
    () => keep({ marker }),
    () => github.createIssue(draft),
    () => github.findIssue(holds(marker)),
  );
  await keep({ marker, number, written });

  async function update(number: number): Promise<void> {
    if (own?.written === written) return;
    const issue = await unlessGone(github, number);
    if (issue?.state === "open") {
      const { before, after } = around(issue.body);
      const body = mergeBody(issue.body, telling.body(marker, mostCharacters - length(before) - length(after)));
      if (body !== issue.body) await github.updateIssue(number, { body });
    }
    await keep({ marker, number, written });
  }
}

async function unlessGone(github: AppGitHub, number: number) {
  try {
    return await github.issue(number);
  } catch (error) {
    if (error instanceof GitHubProblem && ["deleted", "not-found"].includes(error.kind)) return undefined;
    throw error;
  }
}

/** Whether no more may be created within this hour, also where no config says how much that is. */
export function isFullHour({
  store,
  clock,
  config,
}: Pick<Home, "store" | "clock"> & { config?: Config }): Promise<boolean> {
  const { limits = usualLimits } = config ?? {};
  return isCapped({ store, clock, config: { limits } });
}
