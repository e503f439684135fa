import { RecentlyUsed } from "../../model/cache.ts";
import { Failure } from "../../model/failure.ts";
import type { Clock, Fetched, Validators } from "../../model/ports/index.ts";
import { aMinute, type Duration, hasPassed, type Instant } from "../../model/time.ts";

/** How long a response is shared. Sources that are due together are fetched within minutes. */
const keptFor: Duration = 10 * aMinute;
/** Limit of cached bytes, and the rough size of an answer besides its body. Most have no body. */
const maxBytes = 32_000_000;
const bytesOfAnswer = 1_600;

export interface Came {
  readonly fetched: Fetched;
  readonly isPublic: boolean;
}

export interface Question {
  /** Everything that the answer depends on, except the validators. */
  readonly request: string;
  readonly validators: Validators | undefined;
  /** Identifies the asker: one that asks again wants a newer answer than it had. */
  readonly asker: string;
  readonly newerThan: Instant | undefined;
  ask(): Promise<Came>;
}

interface Answer {
  readonly at: Instant;
  /** The validators of the request as text: a 304 is of use only to askers with the same ones. */
  readonly validators: string;
  readonly outcome: { readonly fetched: Fetched } | { readonly failure: Failure };
  readonly had: Set<string>;
}

/** Sends a request once for all who ask within minutes. Answers that only some may see are marked by the asker. */
export class SharedAnswers {
  readonly #clock: Clock;
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #answers = new RecentlyUsed<string, Answer>(maxBytes);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @throws Failure of the host, also for those who share the request */
  async get(question: Question): Promise<Fetched> {
    const { request, asker } = question;
    for (let turn = 0; ; turn++) {
      const answer = this.#find(question);
      if (answer) {
        answer.had.add(asker);
        if ("failure" in answer.outcome) throw answer.outcome.failure;
        return { ...answer.outcome.fetched, at: answer.at };
      }
      const other = this.#underWay.get(request);
      // If the first answer cannot be shared, or is of no use here, a second wait would not help.
      if (!other || turn > 0) return await this.#ask(question);
      await other;
    }
  }

  async #ask(question: Question): Promise<Fetched> {
    const { request } = question;
    const asking = question.ask();
    const settled = asking.then(
      ({ fetched, isPublic }) => isPublic && this.#keep(question, { fetched }),
      (error: unknown) => isOfHost(error) && this.#keep(question, { failure: error }),
    );
    this.#underWay.set(request, settled);
    try {
      return (await asking).fetched;
    } finally {
      await settled;
      if (this.#underWay.get(request) === settled) this.#underWay.delete(request);
    }
  }

  #find({ request, validators, asker, newerThan = 0 }: Question): Answer | undefined {
    const answer = this.#answers.get(request);
    if (!answer || answer.had.has(asker) || answer.at <= newerThan) return undefined;
    if (hasPassed(keptFor, answer.at, this.#clock.now())) return undefined;
    const isBare = "fetched" in answer.outcome && answer.outcome.fetched.kind === "not-modified";
    return isBare && answer.validators !== textOf(validators) ? undefined : answer;
  }

  #keep({ request, validators, asker }: Question, outcome: Answer["outcome"]): void {
    const body = "fetched" in outcome && outcome.fetched.kind === "response" ? outcome.fetched.response.body : "";
    const answer = { at: this.#clock.now(), validators: textOf(validators), outcome, had: new Set([asker]) };
    this.#answers.set(request, answer, bytesOfAnswer + body.length);
  }
}

/** Whether every asker would get this answer. */
function isOfHost(error: unknown): error is Failure {
  return error instanceof Failure && error.kind !== "rate-limited" && error.facts.status !== undefined;
}

function textOf({ etag, lastModified, token, of }: Validators = {}): string {
  return JSON.stringify([etag, lastModified, token, of]);
}
