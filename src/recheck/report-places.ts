import type { Claim } from "../model/claim.ts";
import type { Source } from "../model/source.ts";
import type { Place } from "../model/words.ts";
import { addressLines } from "../report/cite/addresses.ts";
import { sentencePlace } from "../report/edit/edit-sentence.ts";
import { addressOf, type Link } from "./issue/question.ts";

/** Finds the line of a claim's sentence, else the line that cites the source, or one with another address of it. */
export type PlaceInReport = (source: Source | undefined, claim?: Claim, cited?: string) => Place | undefined;

/** A file of the report with its present text. `byHand`: its text is unknown. */
interface ReportText {
  readonly path: string;
  readonly text: string;
  readonly byHand?: string;
}

/** Finds lines in the report. `link`: the addresses of sources for people. Pure. */
export function placesIn(report: ReportText | undefined, link: Link = addressOf): PlaceInReport | undefined {
  if (!report || report.byHand !== undefined) return undefined;
  const { path, text } = report;
  const lineOfAddress = addressLines(text);
  return (source, claim, cited) => {
    const address = cited ?? (source && link(source));
    const ofClaim = claim && sentencePlace(path, text, claim.says)?.line;
    const line = ofClaim ?? (address === undefined ? undefined : lineOfAddress(address));
    return line === undefined ? undefined : { file: path, line };
  };
}
