import { citationsIn } from "../src/claims/mine/citations.ts";
import { provingPage } from "../src/claims/mine/page.ts";
import { proveStatement, type Statement, statementsIn } from "../src/claims/mine/statements.ts";
import { parseConfig } from "../src/config/index.ts";
import { distinctiveStems, wordsIn } from "../src/language/words.ts";
import type { Reading } from "../src/model/reading.ts";
import type { Source } from "../src/model/source.ts";
import { describeProof } from "../src/model/words.ts";
import { readers } from "../src/read/index.ts";
import { blocksOfMarkdown } from "../src/read/text/markdown.ts";
import { draft, type ReportFile } from "../src/report/index.ts";
import { reportTextOf } from "../src/report/parse/report-text.ts";
import { differs, madePage, type Said, type Way } from "./made-pages.ts";

/** The statements of a report, looked up on generated pages. */

/** Statements of one document: one long list would outweigh all others. */
export const maxStatements = 160;

export interface Stated {
  readonly statement: Statement;
  readonly said: Said;
  readonly source: Source;
}

/** Figures and states that cite exactly one source, each with it; quoted words are on a page or not. */
export function statedIn({ path, text }: ReportFile): Stated[] {
  const drafted = draft({ path, text }, { at: Date.now(), readers });
  const config = drafted && parseConfig(drafted.files, readers).config;
  if (!config) return [];
  const { cited } = citationsIn(reportTextOf(path, text), config, readers);
  const found = cited.flatMap(({ sentence, sourcesAt }) =>
    statementsIn(sentence).flatMap((statement): Stated[] => {
      const [source, ...more] = sourcesAt(statement.to);
      const isQuoted = /["“”«»„_]/.test(sentence.text.slice(statement.from, statement.to));
      const isWhole = statement.from === 0 && statement.to === sentence.text.length;
      return source && more.length === 0 && !isWhole && !isQuoted
        ? [{ statement, source, said: { ...sentence, from: statement.from, to: statement.to } }]
        : [];
    }),
  );
  // A report says of many things, in the same words, what its source says once.
  const once = [...new Map(found.map((one) => [keyOf(one), one])).values()];
  const step = Math.max(1, once.length / maxStatements);
  return Array.from({ length: Math.min(once.length, maxStatements) }, (_, i) => once[Math.floor(i * step)]).flatMap(
    (one) => one ?? [],
  );
}

function keyOf({ source, said: { text, from } }: Stated): string {
  return JSON.stringify([source.id, text, from]);
}

/** What was found for a statement on the page of its source. `page`: its text, if it should have proved the statement. */
interface Lookup {
  readonly way: Way;
  readonly source: string;
  readonly text: string;
  readonly row?: string;
  readonly column?: string;
  readonly says: string;
  readonly proof?: string;
  readonly there?: string;
  readonly page?: string;
}

/** Looks statements up on pages of this kind, those for which the kind makes a difference. */
export function lookUp(stated: readonly Stated[], way: Way): Lookup[] {
  return [...Map.groupBy(stated, ({ source }) => source)].flatMap(([source, own]) => {
    // A report may name what it cites by its own description; no page has that name.
    const called = source.title ?? source.id;
    const title = /\d/.test(called) ? (URL.parse(source.address)?.host ?? source.id) : called;
    const markdown = madePage(
      title,
      own.map(({ said }) => said),
      way,
    );
    const reading: Reading = { title, blocks: blocksOfMarkdown(markdown) };
    const page = provingPage(reading, title);
    const judged = own.filter(({ said }) => way === "true" || differs(said, way));
    return judged.map(({ statement, said }): Lookup => {
      const stems = distinctiveStems(wordsIn(said.text));
      const outcome = proveStatement(statement, stems, { page, reading }, true);
      const proof = outcome && "proof" in outcome ? describeProof(outcome.proof) : undefined;
      const there = outcome && "there" in outcome ? outcome.there : undefined;
      const { text, from, to, row, column } = said;
      const missed = way === "true" && proof === undefined && { page: markdown };
      return { way, source: source.id, text, row, column, says: text.slice(from, to), proof, there, ...missed };
    });
  });
}
