import { plain } from "../find/words.ts";
import type { DraftCondition, DraftTrigger } from "./triggers.ts";
import { volatilityOf } from "./volatility.ts";
import { comment, list, scalar } from "./yaml.ts";

/** A `triggers/<id>.yaml`. */
export function triggerYaml({
  name,
  wording,
  confidence,
  volatility,
  ratings,
  on,
  also,
  ask,
  notes,
  stated,
}: DraftTrigger): string {
  const word = volatilityOf(volatility);
  const origin = stated
    ? "The report itself says when to look at this again."
    : "A starter: the report does not say when to look at this again.";
  const lines = [
    comment(origin),
    ...notes.map((note) => comment(note)),
    `name: ${scalar(name)}`,
    ...(wording ? [`wording: ${scalar(wording)}`] : []),
    ...(confidence ? [`confidence: ${scalar(confidence)}`] : []),
    ...(word ? [`volatility: ${scalar(word)}`] : []),
    ...(volatility && !word ? [comment(`volatility: ${volatility} (say in sources.yaml how long that is)`)] : []),
    ...(ratings.length > 0 ? [`ratings: ${list(ratings)}`] : []),
    ...conditions("on", on),
    ...conditions("also", also),
    ...(ask.length > 0 ? ["ask: |", ...ask.map((question) => `  ${plain(question, 300)}`)] : []),
  ];
  return `${lines.join("\n")}\n`;
}

function conditions(part: string, all: readonly DraftCondition[]): string[] {
  if (all.length === 0) return [];
  const one = (condition: DraftCondition) =>
    Object.entries(condition).map(([key, value], i) => `  ${i === 0 ? "- " : "  "}${key}: ${scalar(value)}`);
  return [`${part}:`, ...all.flatMap(one)];
}
