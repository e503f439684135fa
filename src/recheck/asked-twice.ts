import { type Issue, isOver, type StoredRecheck } from "../model/ports/index.ts";
import { beginLine, endedMark, markOf, sectionEnd, withSection } from "./issue/marker.ts";
import { changeRecheck, type Run } from "./run.ts";

/**
 * Closes the second issue of a recheck that was created twice: GitHub's answer to the first creation was lost, and its
 * lists did not show the issue for so long that it was created again. The older issue stays, or the one that people
 * have answered. A second issue that people reopened is left to them. `open`: all open issues with our label. @throws
 * GitHubProblem
 */
export async function closeTwins(open: readonly Issue[], run: Run): Promise<void> {
  for (const issue of open) {
    const mark = issue.own ? markOf(issue.body) : undefined;
    const recheck = run.rechecks.find(({ marker }) => marker === mark?.marker);
    if (!mark || recheck?.issue === undefined || recheck.issue === issue.number) continue;
    if (!issue.body.includes(endedMark)) await closeTwin(recheck, recheck.issue, issue.number, run);
  }
}

async function closeTwin(recheck: StoredRecheck, known: number, other: number, run: Run): Promise<void> {
  const { github, synced } = run;
  const stays = isOver(recheck) ? known : Math.min(known, other);
  const goes = stays === known ? other : known;
  const said = `This asks what #${stays} asks: GitHub did not say in time that it was there. Answer it there.`;
  const section = [beginLine(recheck.marker, recheck.trigger, [], []), endedMark, said, sectionEnd].join("\n\n");
  const { body, state } = await github.issue(goes);
  if (stays !== known) await changeRecheck(run, recheck.id, { state: "open", issue: stays, written: undefined });
  if (state === "open") {
    const closed = { body: withSection(body, () => section), state: "closed", reason: "not_planned" } as const;
    await github.updateIssue(goes, closed);
  }
  synced.left.push({ trigger: recheck.trigger, issue: goes, because: `#${stays} asks the same: it was opened twice` });
}
