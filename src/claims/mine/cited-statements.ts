import type { Config } from "../../model/config.ts";
import type { Reader } from "../../read/reader.ts";
import type { ReportFile } from "../../report/index.ts";
import { reportTextOf } from "../../report/parse/report-text.ts";
import { citationsIn } from "./citations.ts";
import type { CitedSentence } from "./sentences.ts";
import { statementsIn, wordsOfReport } from "./statements.ts";

/** All statements of one file of a report about its sources: plain data. */
export interface FileStatements {
  /** Those that cite a source of the config. */
  readonly sentences: readonly CitedSentence[];
  readonly statements: readonly CitedStatement[];
  /** Sentences that were left out, because there were too many. */
  readonly left: number;
  /** The file is longer than the limit for reports. */
  readonly cut: boolean;
}

export interface CitedStatement {
  readonly sentence: number;
  readonly statement: number;
  /** It is the sentence as a whole, which counts only if it is proved. */
  readonly isWhole?: true;
  /** The report's own words. */
  readonly says: string;
  /** Their ids. */
  readonly sources: readonly string[];
  readonly alone: boolean;
}

/** Finds the statements of a file that cite sources of a config. Pure. */
export function statementsInFile(
  { path, text }: ReportFile,
  config: Config,
  readers: ReadonlyMap<string, Reader>,
): FileStatements {
  const report = reportTextOf(path, text);
  const { cited, left } = citationsIn(report, config, readers);
  const statements = cited.flatMap(({ sentence, sourcesAt, sourcesOfHostAt }, place) =>
    statementsIn(sentence).flatMap((statement, index): CitedStatement[] => {
      const sourceIds = sourcesAt(statement.to);
      const sources = sourceIds.length > 0 ? sourceIds : sourcesOfHostAt(statement.to);
      if (sources.length === 0) return [];
      const ids = sources.map(({ id }) => id);
      const says = wordsOfReport(sentence, statement);
      const { isWhole } = statement;
      return [
        {
          sentence: place,
          statement: index,
          says,
          sources: ids,
          alone: sourceIds.length === 1,
          ...(isWhole && { isWhole }),
        },
      ];
    }),
  );
  return { sentences: cited.map(({ sentence }) => sentence), statements, left, cut: report.cut };
}
