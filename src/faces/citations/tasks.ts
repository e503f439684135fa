import { type Contradiction, contradictedIn, type PageToContradict } from "../../config/claims/contradicted.ts";
import { type Missing, missingOf, type PageToMiss } from "../../config/claims/missing.ts";
import type { ReportFile } from "../../config/draft/index.ts";
import { Failure } from "../../model/failure.ts";
import type { Block } from "../../model/model.ts";
import { type Citations, citationsOf, faultsIn } from "./cited.ts";
import { type FeedToRelate, linksOf, type PageToLink, type Relations, relationsOf, sharedWords } from "./links.ts";
import type { Web } from "./see.ts";

/** Two texts whose words are compared. */
interface TextsToCompare {
  readonly page: readonly Block[];
  readonly other: readonly Block[];
}

/** The tasks of workers on reports that came from the network, and on pages that are looked at once. */
export const citationTasks = {
  cited: (files: readonly ReportFile[]) => citationsOf(files),
  faults: (file: ReportFile) => faultsIn(file),
  links: ({ html, at }: PageToLink) => linksOf(html, at),
  relations: (feed: FeedToRelate) => relationsOf(feed),
  "shared words": ({ page, other }: TextsToCompare) => sharedWords(page, other),
  missing: (page: PageToMiss) => missingOf(page),
  contradicted: (page: PageToContradict) => contradictionsOn(page),
};

type Apart = Pick<Web, "workers">;

/** All that the files of a report cite. @throws Failure where finding it took too much */
export async function citationsApart(files: readonly ReportFile[], { workers }: Apart): Promise<Citations> {
  return workers ? ((await workers.run("cited", files)) as Citations) : citationsOf(files);
}

/** Entries of a report that could not be read. @throws Failure where reading them took too much */
export async function faultsApart(file: ReportFile, { workers }: Apart): Promise<readonly string[]> {
  return workers ? ((await workers.run("faults", file)) as string[]) : faultsIn(file);
}

/** How a feed is about a page that names it; in no way where telling took too much. */
export async function relationsApart(feed: FeedToRelate, { workers }: Apart): Promise<Relations> {
  if (!workers) return relationsOf(feed);
  try {
    return (await workers.run("relations", feed)) as Relations;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return {};
  }
}

/** How much of a page's words another text has too, from 0 to 1; nothing where comparing them took too much. */
export async function sharedApart(texts: TextsToCompare, { workers }: Apart): Promise<number> {
  if (!workers) return sharedWords(texts.page, texts.other);
  try {
    return (await workers.run("shared words", texts)) as number;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return 0;
  }
}

/** Finds in texts all that a page which they cite does not have. @throws Failure where that took too much */
export async function missingApart(page: PageToMiss, { workers }: Apart): Promise<readonly Missing[]> {
  return workers ? ((await workers.run("missing", page)) as Missing[]) : missingOf(page);
}

/** Finds where sentences say otherwise than one page that they cite. @throws Failure where that took too much */
export async function contradictedApart(
  page: PageToContradict,
  { workers }: Apart,
): Promise<readonly (readonly Contradiction[])[]> {
  return workers ? ((await workers.run("contradicted", page)) as Contradiction[][]) : contradictionsOn(page);
}

/** Of each sentence in turn: all of its statements on other pages are another task's. */
function contradictionsOn({ sentences, address, page }: PageToContradict): Contradiction[][] {
  const found = Map.groupBy(contradictedIn(sentences, new Map([[address, page]])), ({ sentence }) => sentence);
  return sentences.map((sentence) => found.get(sentence) ?? []);
}
