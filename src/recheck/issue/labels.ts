import type { Config, Trigger } from "../../model/config.ts";
import { type Firing, weightOf } from "../../model/firing.ts";
import { cut, fold } from "../../model/markdown.ts";
import { askedRatings } from "./question.ts";

export interface Label {
  readonly name: string;
  /** Six hex digits. */
  readonly color: string;
  readonly description: string;
}

const contrary: Label = {
  name: "contrary",
  color: "d73a4a",
  description: "Something says otherwise than the report, or was awaited",
};

/**
 * Labels for values of the first axis, at most: a trigger that asks about more gets none, as they would not help to
 * find it.
 */
const maxValueLabels = 20;

/** The labels of a recheck: what it is, whom it concerns, and how it was declared. */
export function labelsOf(
  trigger: Trigger,
  asked: readonly string[],
  firings: readonly Firing[],
  config: Config,
): Label[] {
  const [axis] = config.axes;
  const ratings = trigger.ratings.length > 0 ? trigger.ratings : asked;
  const values =
    axis === undefined ? [] : [...new Set(ratings.map((id) => id.split("/")[0] ?? id))].slice(0, maxValueLabels);
  return [
    { name: "recheck", color: "0e8a16", description: "A source has moved under a rating" },
    ...values.map((value) => label(axis ?? "", value, "1d76db", "Ratings that are asked about")),
    ...(trigger.volatility ? [label("volatility", trigger.volatility, "fbca04", "How fast this goes stale")] : []),
    ...(trigger.confidence ? [label("confidence", trigger.confidence, "c5def5", "As the report has it")] : []),
    ...(weightOf(firings) === "contrary" ? [contrary] : []),
  ];
}

/** Cuts the name to GitHub's 50 characters, and drops commas, which would split it in a filter. */
function label(kind: string, value: string, color: string, description: string): Label {
  const name = fold(`${kind}: ${value.toLowerCase()}`)
    .replace(/[,`@#]/g, " ")
    .replace(/ +/g, " ");
  return { name: cut(name, 50), color, description };
}

/** GitHub's limit for the assignees of an issue. */
const maxAssignees = 10;

const login = /^[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}$/;

/** Logins of those who own a rating that is asked about; a team or a name with spaces cannot be assigned. */
export function assigneesOf(firings: readonly Firing[], config: Config): string[] {
  const owners = askedRatings(firings, config).flatMap((id) => config.ratings.get(id)?.owners ?? []);
  const logins = owners.map((owner) => owner.replace(/^@/, "")).filter((owner) => login.test(owner));
  return [...new Set(logins)].slice(0, maxAssignees);
}
