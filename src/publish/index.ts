import { slugOf } from "../model/published.ts";
import { readerState } from "../model/states.ts";
import { statusSchema } from "../model/status-file.ts";
import { ratingTitle } from "../model/words.ts";
import { stateSentence } from "../status/status.ts";
import { badges } from "./badge.ts";
import { digestsPage } from "./digests.ts";
import { computedOnce, type Edition, renderSheets, type Sheets } from "./edition.ts";
import { feeds } from "./feed.ts";
import { statusJson } from "./json.ts";
import { marginScript } from "./margin-script.ts";
import { type Drawing, drawingOf, placesFrom, sourceTitle } from "./pages/drawing.ts";
import { type Page, pageInFrame, script } from "./pages/frame.ts";
import { frontPage } from "./pages/front.ts";
import type { Markup } from "./pages/markup.ts";
import { ratingPage } from "./pages/rating.ts";
import { referencesPage } from "./pages/references.ts";
import { sourcePage, sourcesPage } from "./pages/source.ts";
import { style } from "./pages/style.ts";
import { triggersPage } from "./pages/triggers.ts";

export function sheets(edition: Edition): Sheets {
  return new Map([
    ["status.json", () => `${JSON.stringify(statusJson(edition))}\n`],
    ["status.schema.json", () => `${JSON.stringify(statusSchema(), null, 2)}\n`],
    ["recheck-margin.js", () => `${marginScript}\n`],
    ...feeds(edition),
    ...badges(edition),
    ...pageSheets(edition),
  ]);
}

export function publish(edition: Edition): ReadonlyMap<string, string> {
  return renderSheets(sheets(edition));
}

/** The pages for people, by their paths from the folder that is published, with the style and the script they share. */
export function pageSheets(edition: Edition): Sheets {
  const { title } = edition.config.report;
  const top = computedOnce(() => drawingOf(edition, placesFrom("")));
  const below = computedOnce(() => ({ ...top(), places: placesFrom("../") }));
  const description = stateSentence(edition.status);
  const ofReport = (
    path: string,
    page: Omit<Page, "description" | "body">,
    draw: (drawing: Drawing) => Markup,
  ): Sheet => [path, () => pageInFrame({ ...page, description, body: draw(top()) }, edition, top().places)];
  return new Map([
    ["style.css", () => style],
    ["recheck.js", () => script],
    ofReport("index.html", { title: `${title}: how it stands`, under: "report" }, frontPage),
    ofReport(
      "references.html",
      { title: `References of ${title}`, what: "What is cited by", under: "references" },
      referencesPage,
    ),
    ofReport(
      "sources.html",
      { title: `Sources of ${title}`, what: "What is watched for", under: "sources" },
      sourcesPage,
    ),
    ofReport(
      "triggers.html",
      { title: `Triggers of ${title}`, what: "What would reopen a rating of", under: "triggers" },
      triggersPage,
    ),
    ofReport(
      "digests.html",
      {
        title: `Week by week: ${title}`,
        what: "Events, answers, due reviews and failed checks of",
        under: "digests",
        feed: "digests.xml",
      },
      digestsPage,
    ),
    ...ratingSheets(edition, below),
    ...sourceSheets(edition, below),
  ]);
}

type Sheet = readonly [path: string, draw: () => string];

function ratingSheets(edition: Edition, below: () => Drawing): Sheet[] {
  const { config, status } = edition;
  const states = new Map(status.ratings.map(({ rating, level }) => [rating, readerState(level)]));
  return [...config.ratings.values()].map((rating): Sheet => {
    const page: Omit<Page, "body"> = {
      title: `${ratingTitle(rating.id, config)}: ${config.report.title}`,
      description: `${rating.level}, ${states.get(rating.id) ?? "not checked yet"}`,
      what: "A rating of",
      under: "report",
      rating: rating.id,
    };
    const draw = () => pageInFrame({ ...page, body: ratingPage(rating, below()) }, edition, below().places);
    return [`ratings/${slugOf(rating.id)}.html`, draw];
  });
}

function sourceSheets(edition: Edition, below: () => Drawing): Sheet[] {
  const { title } = edition.config.report;
  return edition.sources.map((story): Sheet => {
    const page: Omit<Page, "body"> = {
      title: `${sourceTitle(story.source)}: ${title}`,
      description: `A source of ${title}: its checks, and the changes that it reported.`,
      what: "A source of",
      under: "sources",
    };
    const draw = () => pageInFrame({ ...page, body: sourcePage(story, below()) }, edition, below().places);
    return [`sources/${slugOf(story.source.id)}.html`, draw];
  });
}
