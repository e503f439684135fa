/**
 * Writes docs/pictures/: the recheck issue and the rating's page that README.md shows, from the demo's last day, as a
 * browser draws them.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import type { Page } from "playwright-core";
import { story } from "../demo/days.ts";
import { startDemo } from "../demo/play.ts";
import { publish } from "../src/status/site/index.ts";
import { editionFrom } from "../src/wire.ts";
import { openChromium } from "../test/support/chromium.ts";

const folder = join(import.meta.dirname, "..");
const pictures = join(folder, "docs", "pictures");
/** Of the demo: the question that it ends with, and a rating that it asks about. */
const shown = { trigger: "TPU", rating: "ratings/tpu--maturity.html" };

const demo = await startDemo({ story, folder });
try {
  const { issues, days } = await demo.play();
  await demo.leave();
  const at = Math.max(...days.flatMap(({ runs }) => runs.map((run) => run.at)));
  const settings = { config: folder, data: demo.data, repo: demo.github.repo, clock: { now: () => at }, fetch: {} };
  const files = publish(await editionFrom(settings));
  const issue = issues.find(({ title }) => title.startsWith(`Recheck ${shown.trigger}`));
  if (!issue) throw new Error(`the demo has no recheck of ${shown.trigger}`);

  mkdirSync(pictures, { recursive: true });
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 860, height: 1080 }, deviceScaleFactor: 1.5 });
  await page.setContent(asGitHubShows(issue));
  await take(page, "recheck");
  // A page says that the monitor has stopped where the reader's clock is far ahead.
  await page.clock.setFixedTime(at);
  await page.route("https://pages.example/**", (route) => {
    const body = files.get(new URL(route.request().url()).pathname.slice(1));
    return body === undefined ? route.abort() : route.fulfill({ body });
  });
  await page.goto(`https://pages.example/${shown.rating}`);
  await take(page, "rating");
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

interface Shown {
  readonly title: string;
  readonly body?: string | null;
  readonly labels: readonly (string | { readonly name?: string })[];
}

/** An issue in the proportions and colours of GitHub's page. */
function asGitHubShows({ title, body, labels }: Shown): string {
  const html = micromark(body ?? "", { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const names = labels.map((label) => (typeof label === "string" ? label : (label.name ?? "")));
  const escaped = (text: string) => text.replace(/[&<]/g, (sign) => (sign === "&" ? "&amp;" : "&lt;"));
  // In an issue GitHub breaks lines where the text does. A block of a diff is coloured line by line.
  const broken = html.replace(/<p>[\s\S]*?<\/p>/g, (paragraph) => paragraph.replaceAll("\n", "<br>"));
  const coloured = broken.replace(/(<code class="language-diff">)([\s\S]*?)(<\/code>)/g, (_, open, diff, close) => {
    const lines = String(diff).split("\n");
    return `${open}${lines.map((line) => (/^[+-]/.test(line) ? `<span class="${line[0] === "+" ? "added" : "gone"}">${line}</span>` : line)).join("\n")}${close}`;
  });
  return `<!doctype html><meta charset="utf-8"><style>
    body { font: 15px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; margin: 24px; }
    h1 { font-weight: 400; font-size: 27px; line-height: 1.25; margin: 0 0 10px; }
    .labels span { display: inline-block; border: 1px solid #d1d9e0; border-radius: 2em; padding: 0 9px; margin: 0 5px 8px 0; font-size: 12px; font-weight: 500; background: #f6f8fa; }
    article { border: 1px solid #d1d9e0; border-radius: 6px; padding: 4px 18px; margin-top: 8px; }
    h3 { font-size: 18px; margin: 20px 0 10px; } p, ul, table, pre, blockquote { margin: 0 0 12px; }
    code { background: #818b981f; border-radius: 6px; padding: 2px 5px; font: 12.5px ui-monospace, Menlo, Consolas, "Liberation Mono", monospace; }
    pre { background: #f6f8fa; border-radius: 6px; padding: 12px; overflow: auto; } pre code { background: none; padding: 0; white-space: pre-wrap; }
    table { border-collapse: collapse; } td, th { border: 1px solid #d1d9e0; padding: 5px 12px; text-align: left; }
    ul { padding-left: 26px; } li:has(> input) { list-style: none; margin-left: -20px; } a { color: #0969da; text-decoration: none; }
    .added { background: #dafbe1; color: #116329; } .gone { background: #ffebe9; color: #82071e; } hr { border: 0; border-top: 1px solid #d1d9e0; }
  </style><h1>${escaped(title)}</h1><p class="labels">${names.map((name) => `<span>${escaped(name)}</span>`).join("")}</p><article>${coloured}</article>`;
}
