import { digest } from "../model/digest.ts";
import type { AnswerMemory, RememberedAnswer } from "../model/ports/index.ts";
import { aDay, type Duration, type Instant } from "../model/time.ts";
import type { Registries, WorksByName } from "./registries.ts";

/** Raised if `registries.ts` makes something else of the same answer. */
const version = 1;

/** How long an answer is used again. A registry may have tomorrow what it does not have today. */
const freshFor: Duration = 7 * aDay;
const absentFor: Duration = aDay;
const isAbsent = (answer: string) => /^(?:\[\]|"unregistered"|"none")$/.test(answer);

/** Characters of one answer that are remembered, at most. */
const maxCharacters = 200_000;

type Question = readonly (string | number | undefined)[];

/**
 * The same registries, but with a memory of their answers. An answer that says nothing, because a service failed, is not
 * remembered. `used` is called with the time at which each remembered answer that is used was read.
 */
export function remembering(
  registries: Registries,
  memory: AnswerMemory,
  now: Instant,
  used: (read: Instant) => void = () => {},
): Registries {
  const keyOf = (question: Question) => digest([version, ...question]);

  const isFresh = ({ read, answer }: RememberedAnswer) =>
    read <= now && read > now - (isAbsent(answer) ? absentFor : freshFor);

  async function recall(questions: readonly Question[]): Promise<Map<string, unknown>> {
    const fresh = (await memory.answers(questions.map(keyOf))).filter(isFresh);
    for (const { read } of fresh) used(read);
    return new Map(fresh.map(({ question, answer }) => [question, JSON.parse(answer)]));
  }

  async function keep(answers: readonly (readonly [Question, unknown])[]): Promise<void> {
    const rows = answers.map(([question, answer]) => ({
      question: keyOf(question),
      read: now,
      answer: JSON.stringify(answer),
    }));
    await memory.saveAnswers(rows.filter(({ answer }) => answer.length <= maxCharacters));
  }

  function once<Q extends Question, A>(kind: string, ask: (...question: Q) => Promise<A>) {
    return async (...words: Q): Promise<A> => {
      const question: Question = [kind, ...words];
      const [before] = (await recall([question])).values();
      if (before !== undefined) return before as A;
      const answer = await ask(...words);
      if (answer !== "unsure" && answer !== undefined) await keep([[question, answer]]);
      return answer;
    };
  }

  function each(kind: string, ask: (names: readonly string[]) => Promise<WorksByName>) {
    return async (names: readonly string[]): Promise<WorksByName> => {
      const before = (await recall(names.map((name) => [kind, name]))) as WorksByName;
      const remembered = names.flatMap((name) => {
        const answer = before.get(keyOf([kind, name]));
        return answer === undefined ? [] : [[name, answer] as const];
      });
      const left = names.filter((name) => !before.has(keyOf([kind, name])));
      const answers = left.length > 0 ? await ask(left) : [];
      await keep([...answers].map(([name, answer]) => [[kind, name], answer]));
      return new Map([...remembered, ...answers]);
    };
  }

  return {
    ...registries,
    byDoi: once("doi", registries.byDoi),
    openalexByDois: each("openalex", registries.openalexByDois),
    byArxiv: each("arxiv", registries.byArxiv),
    byPubmed: each("pubmed", registries.byPubmed),
    searchCrossref: once("search crossref", registries.searchCrossref),
    searchOpenalex: once("search openalex", registries.searchOpenalex),
    searchArxiv: once("search arxiv", registries.searchArxiv),
    journals: once("journals", registries.journals),
    sources: once("sources", registries.sources),
  };
}
