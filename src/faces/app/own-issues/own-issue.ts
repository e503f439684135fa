import { digest } from "../../../model/digest.ts";
import { type GitHub, type Issue, type OwnIssue, refusals, tolerate } from "../../../model/ports/index.ts";
import type { ServedRepository } from "../../../recheck/answer/repository.ts";
import { contentsAnHour, createOnce, type Wait } from "../../../recheck/create-once.ts";
import { beginLine, endedMark, hasMarker, newMarker, sectionEnd, withSection } from "../../../recheck/issue/marker.ts";
import { readIssue } from "../../../recheck/observe.ts";

/** Closes an issue of ours with a final sentence. A refusal of GitHub is ignored. @throws GitHubProblem */
export async function closeOwnIssue(
  ownIssue: OwnIssue,
  says: string,
  github: Pick<GitHub, "issue" | "findIssue" | "updateIssue">,
): Promise<void> {
  const endings = ["deleted", "not-found", "disabled", ...refusals] as const;
  const issue = await tolerate(readOwnIssue(ownIssue, github), ...endings);
  if (issue?.state !== "open") return;
  const body = withSection(issue.body, () => endedSection(ownIssue.marker, says));
  await tolerate(github.updateIssue(issue.number, { body, state: "closed" }), ...endings);
}

export function endedSection(marker: string, says: string): string {
  return [beginLine(marker, "", [], []), endedMark, says, sectionEnd].join("\n\n");
}

/** Reads an issue of ours, even if its creation was not confirmed; undefined if it was deleted. @throws GitHubProblem */
async function readOwnIssue(
  { marker, number, attempted }: OwnIssue,
  github: Pick<GitHub, "issue" | "findIssue">,
): Promise<Issue | undefined> {
  if (number !== undefined) return await readIssue(github, number);
  return attempted === undefined ? undefined : await github.findIssue(hasMarker(marker));
}

/** The text of an issue of ours that is not a recheck. `room`: characters that its section may take. */
export interface OwnText {
  readonly title: string;
  readonly body: (marker: string, room?: number) => string;
  /** Changes when there is something new; the body's digest unless given. */
  readonly hash?: string;
}

/**
 * Updates such an issue, or creates it once. `keep` receives its marker before, and its number afterwards. An issue
 * that a person closed or deleted stays closed, because that is an answer. Returns why it has to wait, if it does.
 * @throws GitHubProblem
 */
export async function writeOwnIssue(
  { github, store, clock, config }: Pick<ServedRepository, "github" | "store" | "clock" | "config">,
  ownIssue: OwnIssue | undefined,
  text: OwnText,
  keep: (own: OwnIssue) => Promise<void>,
): Promise<Wait | undefined> {
  const marker = ownIssue?.marker ?? newMarker();
  const written = text.hash ?? digest(text.body(marker));
  const update = async (number: number): Promise<void> => {
    if (ownIssue?.written === written) return;
    const issue = await readIssue(github, number);
    if (issue?.state === "open") {
      const body = withSection(issue.body, (room) => text.body(marker, room));
      if (body !== issue.body) await github.updateIssue(number, { body });
    }
    await keep({ marker, number, written });
  };
  if (ownIssue?.number !== undefined) {
    await update(ownIssue.number);
    return undefined;
  }
  const published = await createOnce<Issue>(
    {
      attempted: ownIssue?.attempted,
      find: () => github.findIssue(hasMarker(marker)),
      note: (attempted) => keep({ marker, attempted }),
      create: (sending) => github.createIssue({ title: text.title, body: text.body(marker), labels: [] }, sending),
    },
    { store, clock, cap: contentsAnHour(config) },
  );
  if (published.kind === "waits") return published;
  if (published.kind === "found") await update(published.made.number);
  else await keep({ marker, number: published.made.number, written });
  return undefined;
}
