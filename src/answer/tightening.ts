import { fence } from "../recheck/inert.ts";
import { pathIn } from "../repository/config-files.ts";
import { historyOf } from "../verdict/figures.ts";
import { tighten } from "../verdict/tighten.ts";
import type { Asking, Case } from "./asking.ts";

/** What would have kept dismissed rechecks away, this one among them, as Markdown; undefined where no pattern is visible. */
export async function tightening(
  { recheck }: Case,
  dismissed: string,
  { store, config, state }: Asking,
): Promise<string | undefined> {
  const { id, trigger } = recheck;
  const declared = config.triggers.get(trigger);
  const file = state.config?.files.find(({ path }) => path === `triggers/${trigger}.yaml`);
  if (!declared || !file) return undefined;
  const rechecks = (await store.rechecks()).map((one) =>
    one.id === id ? { ...one, state: "closed" as const, dismissed } : one,
  );
  const history = historyOf(trigger, rechecks, await store.firings(), await store.answers());
  const path = pathIn(state.config?.folder ?? "", file.path);
  const found = tighten(declared, config, history, { path, text: file.text });
  if (!found) return undefined;
  const lead = `${found.says} This change to the trigger would keep the like of them away:`;
  return [lead, fence(found.diff.trimEnd().split("\n"), "diff")].join("\n\n");
}
