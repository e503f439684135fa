import type { Reading } from "../../model/model.ts";
import { provingPage } from "./page.ts";
import type { CitedSentence } from "./sentences.ts";
import { type Otherwise, type ProvedStatement, provedOn, type Statement, statementsIn } from "./statements.ts";

/** A page as it was read, and all that a report says on its authority: plain data. */
export interface PageToProve {
  readonly reading: Reading;
  /** By what config calls its source. */
  readonly called?: string;
  readonly asked: readonly AskedOfPage[];
}

/** One statement of a sentence, by its place among those of the sentence. */
interface AskedOfPage {
  readonly sentence: CitedSentence;
  readonly statement: number;
  /** No other source is cited for it. */
  readonly alone: boolean;
}

/** The answer of a page to a statement; undefined where it says nothing of it. */
export type Outcome = ProvedStatement | Otherwise | undefined;

/** Looks statements up on a page: of each in its turn what the page says of it. Pure. */
export function proveOn({ reading, called, asked }: PageToProve): Outcome[] {
  const page = provingPage(reading, called);
  const known = new Map<CitedSentence, readonly Statement[]>();
  return asked.map(({ sentence, statement: index, alone }) => {
    const statements = known.get(sentence) ?? statementsIn(sentence);
    known.set(sentence, statements);
    const statement = statements[index];
    return statement && provedOn(statement, sentence, { page, reading }, alone);
  });
}
