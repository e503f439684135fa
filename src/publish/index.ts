import { slugOf } from "../model/published.ts";
import { readerState } from "../model/states.ts";
import { statusSchema } from "../model/status-file.ts";
import { ratingTitle } from "../model/words.ts";
import { stateSentence } from "../status/status.ts";
import { badges } from "./badge.ts";
import { digestsPage } from "./digests.ts";
import { type Edition, memoize, renderSheets, type Sheets } from "./edition.ts";
import { feeds } from "./feed.ts";
import { statusJson } from "./json.ts";
import { marginScript } from "./margin-script.ts";
import { type Drawing, drawingOf, placesFrom, sourceTitle } from "./pages/drawing.ts";
import { script, style } from "./pages/files.ts";
import { menu, type Page, pageInFrame } from "./pages/frame.ts";
import { frontPage } from "./pages/front.ts";
import type { Markup } from "./pages/markup.ts";
import { ratingPage } from "./pages/rating.ts";
import { referencesPage } from "./pages/references.ts";
import { sourcePage, sourcesPage } from "./pages/source.ts";
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
  const top = memoize(() => drawingOf(edition, placesFrom("")));
  const below = memoize(() => ({ ...top(), places: placesFrom("../") }));
  const description = stateSentence(edition.status);
  const ofReport = (under: Page["under"], title: string, draw: (drawing: Drawing) => Markup, what?: string): Sheet =>
    sheetOf(menu[under].file, { title, description, what, under }, draw, top);
  return new Map([
    ["style.css", () => style],
    ["recheck.js", () => script],
    ofReport("report", `Status of ${title}`, frontPage),
    ofReport("references", `References of ${title}`, referencesPage, "What is cited by"),
    ofReport("sources", `Sources of ${title}`, sourcesPage, "What is watched for"),
    ofReport("triggers", `Triggers of ${title}`, triggersPage, "What would reopen a rating of"),
    ofReport("digests", `Week by week: ${title}`, digestsPage, "Events, answers, due reviews and failed checks of"),
    ...ratingSheets(edition, below),
    ...sourceSheets(edition, below),
  ]);
}

type Sheet = readonly [path: string, draw: () => string];

function sheetOf(
  path: string,
  page: Omit<Page, "body">,
  draw: (drawing: Drawing) => Markup,
  drawing: () => Drawing,
): Sheet {
  return [path, () => pageInFrame({ ...page, body: draw(drawing()) }, drawing())];
}

function ratingSheets({ config, status }: Edition, below: () => Drawing): Sheet[] {
  const states = new Map(status.ratings.map(({ rating, level }) => [rating, readerState(level)]));
  return [...config.ratings.values()].map((rating) => {
    const page: Omit<Page, "body"> = {
      title: `${ratingTitle(rating.id, config)}: ${config.report.title}`,
      description: `${rating.level}, ${states.get(rating.id) ?? "not checked yet"}`,
      what: "A rating of",
      under: "report",
      rating: rating.id,
    };
    return sheetOf(`ratings/${slugOf(rating.id)}.html`, page, (drawing) => ratingPage(rating, drawing), below);
  });
}

function sourceSheets({ config, sources }: Edition, below: () => Drawing): Sheet[] {
  const { title } = config.report;
  return sources.map((story) => {
    const page: Omit<Page, "body"> = {
      title: `${sourceTitle(story.source)}: ${title}`,
      description: `A source of ${title}: its checks, and the changes that it reported.`,
      what: "A source of",
      under: "sources",
    };
    return sheetOf(`sources/${slugOf(story.source.id)}.html`, page, (drawing) => sourcePage(story, drawing), below);
  });
}
