import type { Instant } from "../time.ts";

/** An answer of a registry of works. */
export interface RememberedAnswer {
  readonly question: string;
  readonly read: Instant;
  /** JSON, as `works/remembered.ts` writes it. */
  readonly answer: string;
}

/** Remembers the answers of registries beyond one run, for all reports. */
export interface AnswerMemory {
  answers(questions: readonly string[]): Promise<readonly RememberedAnswer[]>;
  saveAnswers(answers: readonly RememberedAnswer[]): Promise<void>;
}
