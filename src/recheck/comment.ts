import type { Firing } from "../model.ts";
import { clip, mostCharacters } from "./clip.ts";
import { evidenceEntries } from "./evidence.ts";
import { ratingNames } from "./names.ts";
import { askedRatings, inOrder, type Question } from "./question.ts";

/** The comment that tells people of contrary firings that joined their issue. `word`: by which it is found again. */
export function renderComment(question: Question, joined: readonly Firing[], word: string): string {
  const { config } = question;
  const firings = inOrder(joined);
  const count = firings.length === 1 ? "Something new says" : `${firings.length} new things say`;
  const evidence = {
    head: [`${count} otherwise than the report:`, ""],
    entries: evidenceEntries(firings.slice(0, 50), question),
    between: "\n\n",
    least: 1,
    one: "sighting",
    many: "sightings",
  };
  const asked = askedRatings(firings, config);
  const about = asked.length > 0 ? `It is about ${ratingNames(asked, config)}. ` : "";
  return clip(
    commentMark(word),
    [evidence],
    `${about}The description of this issue holds all that was seen.`,
    mostCharacters,
  );
}

/** Hidden in a comment. */
export function commentMark(word: string): string {
  return `<!-- recheck:comment ${word} -->`;
}

const reply = "<!-- recheck:reply ";

/** Hidden in a comment that answers what a person said or did. */
export function replyMark(occasion: string): string {
  return `${reply}${occasion} -->`;
}

/** Whether it answers somebody: it is written at once, also where the recheck is snoozed. */
export function isReply({ marker }: { readonly marker: string }): boolean {
  return marker.startsWith(reply);
}
