import type { Evidence, Firing } from "../../model/firing.ts";
import { evidenceEntries } from "./evidence.ts";
import { clip, maxBodyCharacters } from "./layout.ts";
import { tellsLine } from "./marker.ts";
import { askedRatings, type Question, ratingNames, strongestFirst, toldTogether } from "./question.ts";

/** The comment that tells people of contrary firings that joined their issue. `word`: identifies the comment. */
export function renderComment(question: Question, joined: readonly Firing[], word: string): string {
  const { config } = question;
  const firings = toldTogether(strongestFirst(joined));
  const evidence = {
    head: [`${whatCame(firings)}:`, ""],
    entries: evidenceEntries(firings.slice(0, 50), question),
    between: "\n\n",
    least: 1,
    one: "sighting",
    many: "sightings",
  };
  const asked = askedRatings(firings, config);
  const about = asked.length > 0 ? `It is about ${ratingNames(asked, config)}. ` : "";
  return clip(
    [commentMark(word), tellsLine(firings)].join("\n"),
    [evidence],
    `${about}The description of this issue holds all that was seen.`,
    maxBodyCharacters,
  );
}

/** Says what joined. Awaited events are told separately: a program cannot know whether they contradict the report. */
function whatCame(firings: readonly Firing[]): string {
  const otherwise = firings.filter(({ evidence }) => evidence.some(saysOtherwise)).length;
  const count = firings.length;
  if (otherwise === 0) {
    return count === 1 ? "Something that was awaited was seen" : `${count} things that were awaited were seen`;
  }
  const says = count === 1 ? "Something new says" : `${count} new things say`;
  return `${says} otherwise than the report${otherwise < count ? ", or were awaited" : ""}`;
}

function saysOtherwise({ part, condition }: Evidence): boolean {
  return part === "claim" || part === "until" || condition?.kind === "claim";
}

/** The hidden line by which a comment of ours is found again. */
export function commentMark(word: string): string {
  return `<!-- recheck:comment ${word} -->`;
}

const reply = "<!-- recheck:reply ";

/** The hidden line of a comment that answers what a person said or did. */
export function replyMark(occasion: string): string {
  return `${reply}${occasion} -->`;
}

/** Whether a comment answers somebody: then it is written at once, even while the recheck is snoozed. */
export function isReply({ marker }: { readonly marker: string }): boolean {
  return marker.startsWith(reply);
}
