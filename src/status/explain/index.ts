import { conditionsOf, listensTo } from "../../model/condition.ts";
import type { Config } from "../../model/config.ts";
import { builtIn } from "../../model/firing.ts";
import type { Store } from "../../model/ports/index.ts";
import { sourcesUnder } from "../../model/rests.ts";
import type { Instant } from "../../model/time.ts";
import { status } from "../status.ts";
import { readRecords } from "./records.ts";
import { type SourceStory, sourceStory } from "./source.ts";
import {
  type RatingStory,
  type RecheckStory,
  ratingStory,
  recheckStory,
  type TriggerStory,
  triggerStory,
} from "./trigger.ts";

export type Explanation = RatingStory | SourceStory | TriggerStory | RecheckStory;

/** Explains a rating, source, trigger or recheck (`#12`) from the store; undefined if nothing has this name. */
export async function explain(
  name: string,
  { config, store, at }: { config: Config; store: Store; at: Instant },
): Promise<Explanation[] | undefined> {
  const source = config.sources.get(name);
  const trigger = config.triggers.get(name);
  const issue = /^#\d+$/.test(name) ? Number(name.slice(1)) : undefined;
  const heard = trigger ? conditionsOf(trigger).flatMap(({ condition }) => listensTo(condition, config)) : [];
  const rating = config.ratings.get(name);
  const under = (rating ? sourcesUnder(rating, config) : []).flatMap((id) => config.sources.get(id) ?? []);
  const records = await readRecords(config, store, at, new Set([...(source ? [source] : []), ...heard, ...under]));
  const stories: Explanation[] = [];
  const freshness = rating && (await status(config, store, at)).ratings.find((one) => one.rating === name);
  if (rating && freshness) stories.push(ratingStory(rating, freshness, records));
  if (source) stories.push(sourceStory(source, records));
  if (trigger || Object.values<string>(builtIn).includes(name)) {
    const sourceStories = new Map(heard.map((one) => [one.id, sourceStory(one, records)]));
    stories.push(triggerStory(name, records, sourceStories));
  }
  const recheck = issue === undefined ? undefined : records.rechecks.find((one) => one.issue === issue);
  if (recheck) stories.push(recheckStory(recheck, records));
  return stories.length > 0 ? stories : undefined;
}
