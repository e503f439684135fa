import { digest } from "../model/digest.ts";
import type { AnswerMemory, RememberedAnswer } from "../model/ports/index.ts";
import { aDay, type Duration, type Instant } from "../model/time.ts";
import type { Registries, WorksByName } from "./registries.ts";

/** Raise it if `registries.ts` makes another result of the same answer. */
const version = 3;

/** How long an answer is reused. A registry may have tomorrow what it lacks today. */
const freshFor: Duration = 7 * aDay;
const absentFor: Duration = aDay;
const isAbsent = (answer: string) => /^(?:\[\]|"unregistered"|"none")$/.test(answer);

/** The most characters of an answer that is kept. */
const maxCharacters = 200_000;

type Question = readonly (string | number | undefined)[];

/**
 * The same registries with a memory. An answer is not kept if a service failed. `noteUse` is called for each reused
 * answer, with the time when it was read.
 */
export function withAnswerMemory(
  registries: Registries,
  memory: AnswerMemory,
  now: Instant,
  noteUse: (read: Instant) => void,
): Registries {
  const keyOf = (question: Question) => digest([version, ...question]);

  const isFresh = ({ read, answer }: RememberedAnswer) =>
    read <= now && read > now - (isAbsent(answer) ? absentFor : freshFor);

  async function recall(questions: readonly Question[]): Promise<Map<string, unknown>> {
    const fresh = (await memory.answers(questions.map(keyOf))).filter(isFresh);
    for (const { read } of fresh) noteUse(read);
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
      if (answer !== "unsure") await keep([[question, answer]]);
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
