import { existsSync } from "node:fs";
import { openStore } from "../adapters/store/open.ts";
import { isAddress } from "../adapters/store/problem.ts";
import type { AnswerMemory, RememberedAnswer } from "../model/ports/index.ts";
import { StoreProblem } from "../model/problem.ts";
import type { Settings } from "./settings.ts";
import { storeFile } from "./stores.ts";
import { type WiredWeb, wireWeb } from "./web.ts";

/** Web access for checks of reports, with earlier answers of registries. */
export async function wireAudit(
  ...[settings, config]: Parameters<typeof wireWeb>
): Promise<WiredWeb & { readonly answers?: AnswerMemory }> {
  const web = await wireWeb(settings, config);
  const answers = await openAnswers(settings);
  if (!answers) return web;
  return {
    ...web,
    answers,
    async close() {
      await web.close();
      await answers.close();
    },
  };
}

/** Earlier answers of registries, without a lock: new ones are written at the end, unless the store is locked. */
async function openAnswers({
  data,
  clock,
  dryRun,
}: Pick<Settings, "data" | "clock" | "dryRun">): Promise<(AnswerMemory & { close(): Promise<void> }) | undefined> {
  const place = storeFile(data);
  if (place === ":memory:" || !(isAddress(place) || existsSync(data))) return undefined;
  const stored = await openIfPossible(openStore(place, { readonly: true }));
  const fresh = new Map<string, RememberedAnswer>();
  return {
    async answers(questions) {
      const before = (await stored?.answers.answers(questions)) ?? [];
      return [...before, ...questions.flatMap((question) => fresh.get(question) ?? [])];
    },
    async saveAnswers(answers) {
      for (const one of answers) fresh.set(one.question, one);
    },
    async close() {
      await stored?.close();
      const writable = fresh.size > 0 && !dryRun ? await openIfPossible(openStore(place)) : undefined;
      await writable?.answers.saveAnswers([...fresh.values()]);
      await writable?.hosts.forget(clock.now());
      await writable?.close();
    },
  };
}

async function openIfPossible<T>(opening: Promise<T>): Promise<T | undefined> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof StoreProblem) return undefined;
    throw error;
  }
}
