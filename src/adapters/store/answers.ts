import type { Kysely } from "kysely";
import type { AnswerMemory } from "../../model/ports/index.ts";
import type { Tables } from "./schema.ts";
import { chunks, type Engine, put } from "./tables.ts";

/** The stored answers of registries of works. `HostMemory.forget` deletes them. */
export function answerMemoryOf(scope: () => Kysely<Tables>, engine: Engine): AnswerMemory {
  return {
    async answers(questions) {
      const rows = chunks([...new Set(questions)]).map((some) =>
        scope().selectFrom("registry_answer").selectAll().where("question", "in", some).execute(),
      );
      return (await Promise.all(rows)).flat();
    },

    async saveAnswers(answers) {
      // Sorted by name, so that two processes that store the same rows cannot deadlock.
      const sorted = [...new Map(answers.map((one) => [one.question, one])).values()].sort((a, b) =>
        a.question < b.question ? -1 : 1,
      );
      // Not synced to the disk, because a registry can be asked again.
      await engine.unsynced(scope(), async (db) => {
        for (const some of chunks(sorted)) await put(db, "registry_answer", some).execute();
      });
    },
  };
}
