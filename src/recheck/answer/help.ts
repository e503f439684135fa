import type { Config } from "../../model/config.ts";
import { builtIn } from "../../model/firing.ts";
import { cell, code } from "../../model/markdown.ts";
import { hasFile } from "../issue/question.ts";
import { codeList, otherLevel } from "./names.ts";

/** The answer to `/recheck help` on a recheck of this trigger, as Markdown. */
export function help(asked: readonly string[], config: Config, trigger: string): string {
  const rows = commands(asked, config, trigger).map(([command, does]) => `| ${cell(code(command, 120))} | ${does} |`);
  return ["| first line of a comment | what it does |", "|---|---|", ...rows, "", about(asked, config)].join("\n");
}

/** The commands with what they do, as they are for these ratings. */
function commands(asked: readonly string[], config: Config, trigger: string): [string, string][] {
  const [rating = "RATING"] = asked;
  const level = otherLevel(rating, config) ?? "VALUE";
  const all =
    asked.length === 0
      ? "what the report says stays; closes this issue"
      : "all ratings not answered yet stay as they are";
  const against = hasFile(trigger, config) ? "the" : "no";
  const joins = trigger !== builtIn.catchUp;
  const ofRatings: [string, string][] = [
    [`/recheck keep ${rating}`, "this rating stays as it is; several may be named"],
    [`/recheck change ${rating} ${level} because …`, "this rating changes, and why"],
  ];
  return [
    ["/recheck keep", all],
    ...(asked.length > 0 ? ofRatings : []),
    ["/recheck dismiss because …", `nothing of this matters: closes this issue, and counts against ${against} trigger`],
    ["/recheck snooze 14d", `asks again then; a date${joins ? " or `until-next-event`" : ""} does as well`],
    ["/recheck look", "looks at the sources again now"],
  ];
}

function about(asked: readonly string[], config: Config): string {
  if (asked.length === 0) return "No rating rests on what was seen here.";
  const levels = config.levels.length > 0 ? ` The levels are ${codeList(config.levels, "and")}.` : "";
  return `This recheck asks about ${codeList(asked, "and")}: by its id, by its name, or by the last part of either where only one is called so.${levels}`;
}
