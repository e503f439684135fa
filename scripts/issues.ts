/** Six recheck issues of the demo's last day, for those who want to see how they read. */
import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { issuePage, type ShownIssue } from "../demo/issue-page.ts";
import type { Demo, Played } from "../demo/play.ts";
import type { Config } from "../src/model/config.ts";
import { builtIn } from "../src/model/firing.ts";
import type { StoredFiring } from "../src/model/ports/index.ts";
import { renderIssue } from "../src/recheck/issue/body.ts";
import { countWords } from "../src/recheck/issue/layout.ts";
import type { Link, Question } from "../src/recheck/issue/question.ts";
import { questionOf } from "../src/recheck/issue/section.ts";
import { readRunState, type State } from "../src/recheck/run.ts";
import { openStored } from "../src/wire/stores.ts";
import { wordsBeforeFolds } from "../test/support/words-before-folds.ts";

/** By name, as a report would have them that publishes its pages. To be called once the demo is left. */
export async function sixIssues(
  demo: Demo,
  played: Played,
  folder: string,
  link: Link,
): Promise<ReadonlyMap<string, ShownIssue>> {
  const { store, close } = await openStored({ data: demo.data, repo: demo.github.repo });
  const state = await readRunState(store);
  await close();
  const pages = "https://pages.example/recheck/";
  const config: Config = { ...played.config, report: { ...played.config.report, pages } };
  const page = (path: string) => `https://github.com/example/report/edit/main/${path}`;
  const files = { sources: { path: "sources.yaml", text: await readFile(join(folder, "sources.yaml"), "utf8") } };
  const outbox = { config, page, link };
  const asked = (trigger: string, firings = fed(trigger, state)): Question => {
    const recheck = state.rechecks.find((one) => one.trigger === trigger);
    if (!recheck) throw new Error(`the demo has no recheck of ${trigger}`);
    return questionOf(recheck, firings, { ...state, files }, outbox);
  };
  const routine = state.firings.filter(({ weight, trigger }) => weight === "routine" && trigger !== builtIn.notFound);
  const catchUp = { ...asked("cuda", routine), trigger: builtIn.catchUp, offer: undefined };
  return new Map([
    ["release", renderIssue(asked("cuda"))],
    ["claim-altered", renderIssue(asked("tpu"))],
    ["claim-gone", renderIssue(asked("apple-memory"))],
    ["not-found", renderIssue(asked(builtIn.notFound))],
    ["catch-up", renderIssue(catchUp)],
    ["answered", renderIssue(answered(asked("rocm")))],
  ]);
}

function fed(trigger: string, { firings, rechecks }: State): StoredFiring[] {
  const recheck = rechecks.find((one) => one.trigger === trigger);
  return firings.filter((firing) => firing.recheck === recheck?.id);
}

/** Closed by two answers: one rating changed, the others kept. */
function answered(question: Question): Question {
  const at = Math.max(...question.firings.map(({ fired }) => fired)) + 2 * 86_400_000;
  const { config } = question;
  const [changed = "", ...kept] = config.triggers.get(question.trigger)?.ratings ?? [];
  const before = config.ratings.get(changed);
  const ratings = new Map([...config.ratings, ...(before ? [[changed, { ...before, level: "High" }] as const] : [])]);
  const all = { by: "octocat", at, settled: at };
  return {
    ...question,
    config: { ...config, ratings },
    answers: [
      { ...all, rating: changed, verdict: "change", level: "High", because: "the matrix lists it as supported" },
      ...kept.map((rating) => ({ ...all, rating, verdict: "keep" as const })),
    ],
    closed: { at },
  };
}

/**
 * The effort of a person to decide an issue: to read all of its words, and to open the pages of events that it does not
 * quote. An answered issue needs no decision, so no page has to be opened.
 */
function effortOf(body: string): { readonly read: number; readonly open: number; readonly minutes: number } {
  const [, evidence = ""] = /### Evidence\n(.*?)(?=\n### |$)/s.exec(body) ?? [];
  const events = evidence.split(/^(?=\*\*\d+\. )/m).filter((event) => event.startsWith("**"));
  const unquoted = events.filter((event) => !/^(?:`{3}|The same e(?:dit|vent) |Its notes do not mention)/m.test(event));
  const [read, open] = [countWords(body), body.includes("### Answered") ? 0 : unquoted.length];
  return { read, open, minutes: read / wordsAMinute + (open * secondsAPage) / 60 };
}

const [wordsAMinute, secondsAPage] = [200, 20];

/** Words in front of the first question. */
function wordsBeforeQuestion(body: string): number {
  const paragraphs = body.replace(/<!--.*?-->/gs, "").split("\n\n");
  const at = paragraphs.findIndex((paragraph) => paragraph.includes("?"));
  return countWords(paragraphs.slice(0, Math.max(0, at)).join("\n\n"));
}

/** How far down a browser draws the first question. */
const pixelsToQuestion = `(() => {
  const texts = document.createTreeWalker(document.querySelector("article, main") ?? document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { nodeValue, parentElement } = texts.currentNode;
    if (nodeValue.includes("?") && !parentElement.closest("h1")) return Math.round(parentElement.getBoundingClientRect().top);
  }
  return 0;
})()`;

/** Writes each as Markdown and as browsers draw it, wide and narrow, and prints the effort to decide it. */
export async function drawIssues(
  issues: ReadonlyMap<string, ShownIssue>,
  browser: Browser,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const page = await browser.newPage();
  console.log(
    "| issue | words before the question | before the evidence | before the folds | in all | pixels to the question, 1280 and 375 wide | pages to open | minutes |\n|---|---|---|---|---|---|---|---|",
  );
  for (const [name, issue] of issues) {
    const [body, html] = [issue.body ?? "", issuePage(issue)];
    writeFileSync(join(folder, `${name}.md`), `# ${issue.title}\n\n${body}\n`);
    await page.setContent(html);
    const pixels: number[] = [];
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
      pixels.push(await page.evaluate<number>(pixelsToQuestion));
      const over = await page.evaluate<number>(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      if (over > 0) console.log(`${name} is ${over} px wider than ${width} px`);
    }
    const { read, open, minutes } = effortOf(body);
    const beforeEvidence = countWords(body.split("### Evidence")[0] ?? "");
    console.log(
      `| ${name} | ${wordsBeforeQuestion(body)} | ${beforeEvidence} | ${wordsBeforeFolds(body)} | ${read} | ${pixels.join(", ")} | ${open} | ${minutes.toFixed(1)} |`,
    );
  }
  await page.close();
}
