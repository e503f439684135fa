import { correctionOf } from "../../model/claim.ts";
import { claimKey } from "../../model/rests.ts";
import { listed } from "../../model/words.ts";
import { isUntrue, offerOf, untrueSentences } from "../correct.ts";
import type { Command } from "./command.ts";
import type { FullRecheck, WatchedRepository } from "./repository.ts";
import type { RequestedAction, Speaker } from "./requested-action.ts";
import { presentFiles } from "./write-pull.ts";

/** Accepts the corrections that can be made in the report as it is now. @throws GitHubProblem */
export async function acceptance(
  { because }: Extract<Command, { kind: "accept" }>,
  { firings, standing, recheck }: FullRecheck,
  repository: WatchedRepository,
  speaker: Speaker,
): Promise<RequestedAction> {
  const states = await repository.store.claims();
  const accepted = new Set(standing.accepted.keys());
  const all = untrueSentences(firings, repository.config);
  const open = all.filter((one) => isUntrue(one, states, accepted));
  if (open.length === 0 && accepted.size > 0) {
    const pull = recheck.pull?.number;
    return nothing(`The correction is accepted already${pull === undefined ? "" : `: merge #${pull}`}.`);
  }
  const { corrections, sentences } = offerOf(open, await presentFiles(repository));
  if (corrections.length === 0) {
    const why = sentences.flatMap(({ says }) => says ?? []);
    const because = why.length > 0 ? `, because ${listed([...new Set(why)])}` : "";
    return nothing(`There is no correction to accept${because}: edit the report and its claim by hand.`);
  }
  const answers = corrections.map(({ claim, figure }) => ({
    ...({ rating: correctionOf(claimKey(claim)), verdict: "change", level: figure.now } as const),
    ...(because !== undefined && { because }),
    ...speaker,
  }));
  return { kind: "answers", answers };
}

function nothing(why: string): RequestedAction {
  return { kind: "nothing", says: `Nothing was changed. ${why}` };
}
