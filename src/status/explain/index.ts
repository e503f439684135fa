import { builtIn } from "../../model/firing.ts";
import type { Config, Instant } from "../../model/model.ts";
import type { Store } from "../../model/ports/index.ts";
import type { Reader } from "../../read/reader.ts";
import { conditionsOf, listensTo } from "./condition.ts";
import { gather } from "./known.ts";
import { type SourceStory, sourceStory } from "./source.ts";
import { type RecheckStory, recheckStory, type TriggerStory, triggerStory } from "./trigger.ts";

export type Explanation = SourceStory | TriggerStory | RecheckStory;

/** What is stored of a source, trigger or recheck (`#12`), told. Undefined for a name of neither. Makes no request. */
export async function explain(
  name: string,
  { config, store, readers, at }: { config: Config; store: Store; readers: ReadonlyMap<string, Reader>; at: Instant },
): Promise<Explanation[] | undefined> {
  const source = config.sources.get(name);
  const issue = /^#\d+$/.test(name) ? Number(name.slice(1)) : undefined;
  const conditions = conditionsOf(name, config);
  const sources = new Set([
    ...(source ? [source] : []),
    ...conditions.flatMap(({ condition }) => listensTo(condition, config)),
  ]);
  const known = await gather(config, store, readers, at, [...sources]);
  const stories: Explanation[] = [];
  if (source) stories.push(await sourceStory(source, known));
  if (config.triggers.has(name) || Object.values<string>(builtIn).includes(name)) {
    stories.push(await triggerStory(name, known));
  }
  const recheck = issue === undefined ? undefined : known.rechecks.find((one) => one.issue === issue);
  if (recheck) stories.push(recheckStory(recheck.trigger, known, recheck));
  return stories.length > 0 ? stories : undefined;
}
