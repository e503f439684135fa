import type { Config } from "../../model/config.ts";
import { builtIn } from "../../model/firing.ts";
import { cell, code } from "../../model/markdown.ts";
import { hasFile } from "../issue/question.ts";
import { codeList, otherLevel } from "./names.ts";

/** The answer to `/recheck help` on a recheck of this trigger, as Markdown. */
export function help(asked: readonly string[], config: Config, trigger: string): string {
  const rows = commands(asked, config, trigger).map(([command, does]) => `| ${cell(code(command, 120))} | ${does} |`);
  return ["| first line of a comment | effect |", "|---|---|", ...rows, "", aboutText(asked, config)].join("\n");
}

/** The commands and their effects, with these ratings as examples. */
function commands(asked: readonly string[], config: Config, trigger: string): [string, string][] {
  const [rating = "RATING"] = asked;
  const level = otherLevel(rating, config) ?? "VALUE";
  const all =
    asked.length === 0
      ? "keeps the report as it is, and closes this issue"
      : "keeps all ratings that have no answer yet";
  const against = hasFile(trigger, config) ? "the" : "no";
  const joins = trigger !== builtIn.catchUp;
  const ofRatings: [string, string][] = [
    [`/recheck keep ${rating}`, "keeps this rating; several can be named"],
    [`/recheck change ${rating} ${level} because …`, "changes this rating, and says why"],
  ];
  return [
    ["/recheck accept", "corrects the sentence and its claim as suggested"],
    ["/recheck keep", all],
    ...(asked.length > 0 ? ofRatings : []),
    ["/recheck dismiss because …", `this does not matter: closes this issue, and counts against ${against} trigger`],
    ["/recheck snooze 14d", `asks again in 14 days; a date${joins ? " or `until-next-event`" : ""} works as well`],
    ["/recheck check", "checks the sources again now"],
  ];
}

function aboutText(asked: readonly string[], config: Config): string {
  if (asked.length === 0) return "No rating is affected here.";
  const levels = config.levels.length > 0 ? ` The levels are ${codeList(config.levels, "and")}.` : "";
  return `This recheck asks about ${codeList(asked, "and")}. Write a rating's id, its name, or the last part of either if it is unique.${levels}`;
}
