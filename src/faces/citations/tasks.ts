import { type Contradiction, contradictedIn, type PageToContradict } from "../../config/claims/contradicted.ts";
import { type Missing, missingOf, type PageToMiss } from "../../config/claims/missing.ts";
import type { ReportFile } from "../../config/draft/index.ts";
import { Failure } from "../../model/failure.ts";
import type { Block } from "../../model/model.ts";
import { type Citations, citationsOf, faultsIn } from "./cited.ts";
import {
  type FeedToRelate,
  linksOf,
  type PageLinks,
  type PageToLink,
  type Relations,
  relationsOf,
  sharedWords,
} from "./links.ts";
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

type Tasks = typeof citationTasks;
type Apart = Pick<Web, "workers">;

/** Does a task apart from this program where there are workers. @throws Failure where it took too much */
async function apart<T extends keyof Tasks>(
  task: T,
  input: Parameters<Tasks[T]>[0],
  { workers }: Apart,
): Promise<ReturnType<Tasks[T]>> {
  const done = workers ? await workers.run(task, input) : citationTasks[task](input as never);
  return done as ReturnType<Tasks[T]>;
}

/** The same for what nobody is told of: something else stands in where it took too much. */
async function apartOr<R>(work: Promise<R>, otherwise: R): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return otherwise;
  }
}

/** All that the files of a report cite. @throws Failure where finding it took too much */
export function citationsApart(files: readonly ReportFile[], web: Apart): Promise<Citations> {
  return apart("cited", files, web);
}

/** Entries of a report that could not be read. @throws Failure where reading them took too much */
export function faultsApart(file: ReportFile, web: Apart): Promise<readonly string[]> {
  return apart("faults", file, web);
}

/** All that a page links to, by what it is; nothing where reading it took too much. */
export function linksApart(page: PageToLink, web: Apart): Promise<PageLinks> {
  return apartOr(apart("links", page, web), { feeds: [], texts: [], all: [] });
}

/** How a feed is about a page that names it; in no way where telling took too much. */
export function relationsApart(feed: FeedToRelate, web: Apart): Promise<Relations> {
  return apartOr(apart("relations", feed, web), {});
}

/** How much of a page's words another text has too, from 0 to 1; nothing where comparing them took too much. */
export function sharedApart(texts: TextsToCompare, web: Apart): Promise<number> {
  return apartOr(apart("shared words", texts, web), 0);
}

/** Finds in texts all that a page which they cite does not have. @throws Failure where that took too much */
export function missingApart(page: PageToMiss, web: Apart): Promise<readonly Missing[]> {
  return apart("missing", page, web);
}

/** Finds where sentences say otherwise than one page that they cite. @throws Failure where that took too much */
export function contradictedApart(page: PageToContradict, web: Apart): Promise<readonly (readonly Contradiction[])[]> {
  return apart("contradicted", page, web);
}

/** Of each sentence in turn: all of its statements on other pages are another task's. */
function contradictionsOn({ sentences, address, page }: PageToContradict): Contradiction[][] {
  const found = Map.groupBy(contradictedIn(sentences, new Map([[address, page]])), ({ sentence }) => sentence);
  return sentences.map((sentence) => found.get(sentence) ?? []);
}
