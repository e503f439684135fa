import { parentPort, workerData } from "node:worker_threads";
import words from "../src/language/words.json" with { type: "json" };

/** A thread of `npm run rules`: the digests of all cases, with the words of one idea gone in all languages. */

interface Task {
  readonly idea?: string;
  readonly corpus: readonly string[];
  readonly every: number;
}

const { idea, corpus, every } = workerData as Task;
/** A phrase, and a pattern, that no text has. */
const never = ["(?!)"];
const byLanguage = (words as Record<string, Record<string, object>>)[idea ?? ""] ?? {};
for (const [tag, phrases] of Object.entries(byLanguage))
  byLanguage[tag] = Array.isArray(phrases)
    ? never
    : Object.fromEntries(Object.keys(phrases).map((step) => [step, never]));

// Only now: modules build their patterns from the words as they load.
const { casesIn } = await import("./cases.ts");
parentPort?.postMessage(corpus.map((folder) => [...casesIn(folder, (n) => n % every === 0)].map(({ hash }) => hash())));
