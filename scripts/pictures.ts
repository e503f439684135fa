/**
 * Writes docs/pictures/: the recheck issue and the rating's page that README.md shows, from the demo's last day, as a
 * browser draws them. With a folder behind it six issues are written there, wide and narrow.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { story } from "../demo/days.ts";
import { issuePage } from "../demo/issue-page.ts";
import { startDemo } from "../demo/play.ts";
import { publish } from "../src/publish/index.ts";
import { editionFrom } from "../src/wire/program.ts";
import { openChromium } from "../test/support/chromium.ts";
import { drawIssues, sixIssues } from "./issues.ts";

const folder = join(import.meta.dirname, "..");
const pictures = join(folder, "docs", "pictures");
/** The question at the end of the demo, and a rating that it asks about. */
const shown = { trigger: "TPU7x", rating: "ratings/tpu--maturity.html" };

const demo = await startDemo({ story, folder });
try {
  const played = await demo.play();
  const { issues, days } = played;
  await demo.leave();
  const at = Math.max(...days.flatMap(({ runs }) => runs.map((run) => run.at)));
  const settings = { config: folder, data: demo.data, repo: demo.github.repo, clock: { now: () => at }, fetch: {} };
  const edition = await editionFrom(settings);
  const files = publish(edition);
  const issue = issues.find(({ title }) => title.includes(shown.trigger));
  if (!issue) throw new Error(`the demo has no recheck of ${shown.trigger}`);

  mkdirSync(pictures, { recursive: true });
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 860, height: 1080 }, deviceScaleFactor: 1.5 });
  await page.setContent(issuePage(issue));
  await take(page, "recheck");
  // A page says that the monitor has stopped if the reader's clock is far ahead.
  await page.clock.setFixedTime(at);
  await page.route("https://pages.example/**", (route) => {
    const body = files.get(new URL(route.request().url()).pathname.slice(1));
    return body === undefined ? route.abort() : route.fulfill({ body });
  });
  await page.goto(`https://pages.example/${shown.rating}`);
  await take(page, "rating");
  const [elsewhere] = process.argv.slice(2);
  if (elsewhere !== undefined)
    await drawIssues(await sixIssues(demo, played, folder, edition.link), browser, elsewhere);
  await browser.close();
} finally {
  await demo.close();
}

/** WebP, which is a quarter of the same PNG: only the protocol below Playwright writes it. */
async function take(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 82 });
  const bytes = Buffer.from(data, "base64");
  writeFileSync(join(pictures, `${name}.webp`), bytes);
  console.log(`docs/pictures/${name}.webp: ${Math.round(bytes.length / 1000)} KB`);
}
