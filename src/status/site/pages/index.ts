import { slugOf } from "../../../model/published.ts";
import { ratingTitle } from "../../../model/words.ts";
import { stateSentence } from "../../sentence.ts";
import { computedOnce, drawn, type Edition, type Sheets } from "../edition.ts";
import { digestsPage } from "./digests.ts";
import { drawingOf, placesFrom } from "./drawing.ts";
import { framed, type Page, script } from "./frame.ts";
import { frontPage } from "./front.ts";
import { ratingPage } from "./rating.ts";
import { referencesPage } from "./references.ts";
import { sourcePage, sourcesPage } from "./source.ts";
import { style } from "./style.ts";
import { triggersPage } from "./triggers.ts";
import { sourceTitle } from "./words.ts";

/** The pages for people, by their paths from the folder that is published, with the style and the script they share. */
export function pages(edition: Edition): ReadonlyMap<string, string> {
  return drawn(pageSheets(edition));
}

/** The same, each drawn when it is asked for. */
export function pageSheets(edition: Edition): Sheets {
  const { config, status } = edition;
  const { title } = config.report;
  const above = computedOnce(() => drawingOf(edition, placesFrom("")));
  const below = computedOnce(() => ({ ...above(), places: placesFrom("../") }));
  const levels = new Map(status.ratings.map(({ rating, level }) => [rating, level]));
  const at = (page: Page, { places } = above()) => framed(page, edition, places);
  const state = stateSentence(status);
  return new Map([
    ["style.css", () => style],
    ["recheck.js", () => script],
    [
      "index.html",
      () => at({ title: `${title}: how it stands`, description: state, under: "report", body: frontPage(above()) }),
    ],
    [
      "references.html",
      () =>
        at({
          title: `References of ${title}`,
          description: state,
          what: "What is cited by",
          under: "references",
          body: referencesPage(above()),
        }),
    ],
    [
      "sources.html",
      () =>
        at({
          title: `Sources of ${title}`,
          description: state,
          what: "What is watched for",
          under: "sources",
          body: sourcesPage(above()),
        }),
    ],
    [
      "triggers.html",
      () =>
        at({
          title: `Triggers of ${title}`,
          description: state,
          what: "What would reopen a rating of",
          under: "triggers",
          body: triggersPage(above()),
        }),
    ],
    [
      "digests.html",
      () =>
        at({
          title: `Week by week: ${title}`,
          description: state,
          what: "What happened, what was answered, what is due and what could not be seen, of",
          under: "digests",
          feed: "digests.xml",
          body: digestsPage(above()),
        }),
    ],
    ...[...config.ratings.values()].map((rating): [string, () => string] => [
      `ratings/${slugOf(rating.id)}.html`,
      () => {
        const page: Page = {
          title: `${ratingTitle(rating.id, config)}: ${title}`,
          description: `${rating.level}, ${levels.get(rating.id) ?? "not looked at yet"}`,
          what: "A rating of",
          under: "report",
          rating: rating.id,
          body: ratingPage(rating, below()),
        };
        return at(page, below());
      },
    ]),
    ...edition.sources.map((story): [string, () => string] => [
      `sources/${slugOf(story.source.id)}.html`,
      () => {
        const name = sourceTitle(story.source);
        const description = `A source of ${title}: its looks, and what it told.`;
        const body = sourcePage(story, below());
        return at({ title: `${name}: ${title}`, description, what: "A source of", under: "sources", body }, below());
      },
    ]),
  ]);
}
