import type { Config, Firing } from "../model.ts";
import { askedRatings } from "./question.ts";

/** GitHub takes no more. */
const most = 10;
const login = /^[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}$/;

/** Logins of those who own a rating that is asked about; a team or a name with spaces cannot be assigned. */
export function assigneesOf(firings: readonly Firing[], config: Config): string[] {
  const owners = askedRatings(firings, config).flatMap((id) => config.ratings.get(id)?.owners ?? []);
  const logins = owners.map((owner) => owner.replace(/^@/, "")).filter((owner) => login.test(owner));
  return [...new Set(logins)].slice(0, most);
}
