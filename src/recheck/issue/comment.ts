import { type Firing, isOfClaim } from "../../model/firing.ts";
import { evidenceEntries } from "./evidence.ts";
import { clip, maxBodyCharacters } from "./layout.ts";
import { reportedLine } from "./marker.ts";
import { askedRatings, groupReleases, type Question, ratingNames, strongestFirst } from "./question.ts";

/** The comment about contrary firings that joined an open issue. `word`: identifies the comment. */
export function renderComment(question: Question, joined: readonly Firing[], word: string): string {
  const { config } = question;
  const firings = groupReleases(strongestFirst(joined));
  const evidence = {
    head: [`${newEventsSentence(firings)}:`, ""],
    entries: evidenceEntries(firings.slice(0, 50), { ...question, offer: undefined }),
    between: "\n\n",
    least: 1,
    one: "sighting",
  };
  const asked = askedRatings(firings, config);
  const about =
    asked.length > 0 ? `${firings.length === 1 ? "It is" : "They are"} about ${ratingNames(asked, config)}. ` : "";
  return clip(
    [commentMark(word), reportedLine(firings)].join("\n"),
    [evidence],
    `${about}The description of this issue lists everything that was seen.`,
    maxBodyCharacters,
  );
}

/** Names the new events. Awaited ones are counted apart: a program cannot know whether they are against the report. */
function newEventsSentence(firings: readonly Firing[]): string {
  const otherwise = firings.filter(({ evidence }) => evidence.some(isOfClaim)).length;
  const count = firings.length;
  if (otherwise === 0) {
    return count === 1
      ? "An event that the report waits for was seen"
      : `${count} events that the report waits for were seen`;
  }
  const are = count === 1 ? "A new event is" : `${count} new events are`;
  return `${are} against the report${otherwise < count ? ", or the report waits for them" : ""}`;
}

export function commentMark(word: string): string {
  return `<!-- recheck:comment ${word} -->`;
}

const reply = "<!-- recheck:reply ";

/** The hidden line of a reply to a comment or an action of a person. */
export function replyMark(occasion: string): string {
  return `${reply}${occasion} -->`;
}

/** Whether a comment is a reply: those are written at once, even while the recheck is snoozed. */
export function isReply({ marker }: { readonly marker: string }): boolean {
  return marker.startsWith(reply);
}
