import { join } from "node:path";
import { type CheerioAPI, load } from "cheerio/slim";
import { Command } from "commander";
import { type AnyNode, type Element, isTag, isText, type Text } from "domhandler";
import { openStore } from "../src/adapters/store/open.ts";
import { occurrences } from "../src/compare/page/text-search.ts";
import { aDay, anHour } from "../src/model/time.ts";
import { pageOf } from "../src/read/html/html.ts";
import { type Dice, diceOf } from "./chaos/dice.ts";
import { Monitor } from "./monitor.ts";
import { type Sequence, sequencesOf, snapshotsOf } from "./snapshots.ts";

/**
 * `npm run mutations -- --corpus DIR [--edits N] [--seed S] [--list]`: edits recorded pages at random places. Half of the edits
 * change the content, and must be reported by the second check or named in `explain`. The other half change menus,
 * headers and footers, and must not be reported. Prints one line of JSON.
 */

const command = new Command("mutations").requiredOption("--corpus <dir>");
const { corpus, edits, seed, list } = command
  .option("--edits <n>", "edits of the content, and as many outside it", Number, 2_000)
  .option("--seed <n>", "of all random choices", Number, 1)
  .option("--list", "print every edit that was missed, and every one that was reported outside the content")
  .parse()
  .opts<{ corpus: string; edits: number; seed: number; list?: true }>();
const say = (line: string) => process.stderr.write(`${line}\n`);

/** Edits of one snapshot, at most: further ones take another snapshot. */
const perSnapshot = 5;
const word = "granite";
const furniture =
  "nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo], #sidebar, .sidebar, .toc";
const unread =
  "script, style, noscript, template, svg, head, button, select, textarea, [hidden], [aria-hidden=true], .lineno, .linenos";

/** A page that can be edited. */
interface Draft {
  readonly $: CheerioAPI;
  /** Text nodes of the content, or outside it. */
  readonly texts: readonly Text[];
}

/** Edits a page, and describes the edit; undefined if the page has nothing to edit in this way. */
type Editor = (draft: Draft, dice: Dice) => { readonly what: string } | undefined;

function pick<T>(of: readonly T[], dice: Dice): T | undefined {
  return of.length === 0 ? undefined : dice.one(of);
}

function replaced(node: Text | undefined, pattern: RegExp, dice: Dice, by: (match: string) => string) {
  const match = node && pick([...node.data.matchAll(pattern)], dice);
  if (!node || !match) return undefined;
  const to = by(match[0]);
  const what = `${node.data.slice(Math.max(0, match.index - 30), match.index + match[0].length + 30)}: ${match[0]} → ${to}`;
  node.data = node.data.slice(0, match.index) + to + node.data.slice(match.index + match[0].length);
  return { what };
}

const matching = (texts: readonly Text[], pattern: RegExp) => texts.filter(({ data }) => data.search(pattern) >= 0);

const changeWord: Editor = ({ texts }, dice) => {
  const words = /(?<![\p{L}\p{N}_.-])\p{L}{3,}(?![\p{L}\p{N}_-])/gu;
  return replaced(pick(matching(texts, words), dice), words, dice, () => word);
};

const changeFigure: Editor = ({ texts }, dice) => {
  const figures = /(?<![\p{L}\p{N}])\d{1,6}(?![\p{L}\p{N}])/gu;
  return replaced(pick(matching(texts, figures), dice), figures, dice, (figure) => String(Number(figure) + 1));
};

/** Signs that say something anywhere, and those of code. */
const signs = /[%$€£≤≥±✓✗✔✘❌✅]/gu;
const signsOfCode = /[[\]{}()<>|=+*/%&!^~]/gu;

const changeSign: Editor = ({ $, texts }, dice) => {
  const ofCode = texts.filter((node) => $(node).closest("pre, dt").length > 0);
  const [nodes, pattern] = dice.in(2) ? [texts, signs] : [ofCode, signsOfCode];
  return replaced(pick(matching(nodes, pattern), dice), pattern, dice, () => "");
};

const changeCell: Editor = ({ $, texts }, dice) => {
  const cells = [...new Set(texts.flatMap((node) => $(node).closest("td").toArray()))];
  const cell = pick(cells, dice);
  const from = $(cell).text().trim();
  const other = pick(
    $(cell)
      .closest("table")
      .find("td")
      .toArray()
      .map((one) => $(one).text().trim())
      .filter((text) => text !== from && /[\p{L}\p{N}]/u.test(text)),
    dice,
  );
  if (!cell || other === undefined) return undefined;
  $(cell).text(other);
  return { what: `${from} → ${other}` };
};

/** Whole sentences, with the space behind them. */
const sentences = /(?<=^|[.!?] )\p{Lu}[^.!?<>]{15,200}[.!?](?= |$)/gu;

const removeSentence: Editor = ({ texts }, dice) => {
  const several = texts.filter(({ data }) => [...data.matchAll(sentences)].length > 1);
  return replaced(pick(several, dice), sentences, dice, () => "");
};

/** Repeats a sentence of the page in one more place. */
const repeatSentence: Editor = ({ texts }, dice) => {
  const holders = matching(texts, sentences);
  const [from, to] = [pick(holders, dice), pick(holders, dice)];
  const sentence = from && pick([...from.data.matchAll(sentences)], dice)?.[0];
  if (!to || sentence === undefined || to.data.includes(sentence)) return undefined;
  to.data = `${to.data.trimEnd()} ${sentence}`;
  return { what: `+ ${sentence}` };
};

const removeRow: Editor = ({ $, texts }, dice) => {
  const rows = [...new Set(texts.flatMap((node) => $(node).closest("tr").toArray()))].filter(
    (row) => $(row).find("td").length > 1,
  );
  const row = pick(rows, dice);
  if (!row) return undefined;
  const what = `- ${$(row).text().replace(/\s+/g, " ").trim()}`;
  $(row).remove();
  return { what };
};

/** Removes one of several equal entries or paragraphs. */
const removeRepeated: Editor = ({ $, texts }, dice) => {
  const holders = [...new Set(texts.flatMap((node) => $(node).closest("p, li, dd, td").toArray()))].filter(isTag);
  const textOf = (holder: Element) => $(holder).text().replace(/\s+/g, " ").trim();
  const repeated = [...Map.groupBy(holders, textOf)].filter(([text, all]) => text.length > 12 && all.length > 1);
  const [text, all] = pick(repeated, dice) ?? [];
  const holder = all && pick(all, dice);
  if (!holder || text === undefined) return undefined;
  if (holder.name === "td") $(holder).text(word);
  else $(holder).remove();
  return { what: `- one of ${all.length}: ${text}` };
};

/** Removes an entry from a menu. */
const removeEntry: Editor = ({ $, texts }, dice) => {
  const entry = pick([...new Set(texts.flatMap((node) => $(node).closest("li").toArray()))], dice);
  if (!entry) return undefined;
  const what = `- ${spaced($(entry).text())}`;
  $(entry).remove();
  return { what };
};

const ofContent: Readonly<Record<string, Editor>> = {
  word: changeWord,
  figure: changeFigure,
  sign: changeSign,
  cell: changeCell,
  sentence: removeSentence,
  "repeated sentence": repeatSentence,
  row: removeRow,
  "repeated text": removeRepeated,
};
const outside: Readonly<Record<string, Editor>> = { word: changeWord, figure: changeFigure, entry: removeEntry };

/** Text nodes below a node, without those in some elements. */
function textsIn(node: AnyNode, without: ReadonlySet<AnyNode>): Text[] {
  if (without.has(node)) return [];
  if (isText(node)) return node.data.trim() === "" ? [] : [node];
  return "children" in node ? node.children.flatMap((child) => textsIn(child as AnyNode, without)) : [];
}

const spaced = (text: string) => text.replace(/\s+/g, " ").trim();

/**
 * The text nodes of a page that its reading has, or those of menus, headers and footers that it lacks. A text that the
 * page has more often than its reading is not edited: it may be a copy in a dialog, or for small screens.
 */
function draftOf(html: string, read: string, where: "content" | "outside"): Draft {
  const $ = load(html);
  const never = $(unread).toArray();
  const menus = $(furniture).toArray();
  const isRead = ({ data }: Text) => read.includes(spaced(data));
  if (where === "outside") {
    const texts = menus.flatMap((menu) => textsIn(menu, new Set(never)));
    return { $, texts: [...new Set(texts)].filter((node) => !isRead(node)) };
  }
  const texts = textsIn($.root()[0] as AnyNode, new Set([...never, ...menus]));
  const all = texts.map(({ data }) => spaced(data)).join("\n");
  const isAllRead = ({ data }: Text) => occurrences(all, spaced(data)) <= occurrences(read, spaced(data));
  return { $, texts: texts.filter((node) => isRead(node) && isAllRead(node)) };
}

const start = Date.UTC(2026, 0, 1);

/** Whether the edit is reported by the second check, and whether `explain` names it. Undefined if the page cannot be read. */
async function outcomeOf(monitor: Monitor, url: string, before: string, after: string) {
  const { outcome } = await monitor.check({ url, at: start, html: before });
  if (outcome === "unknown") return undefined;
  const checks = [
    await monitor.check({ url, at: start + aDay, html: after }),
    await monitor.check({ url, at: start + aDay + 7 * anHour, html: after }),
  ];
  return {
    isReported: checks.some(({ firings }) => firings.length > 0),
    isNamed: checks.some(({ noise }) => noise.length > 0),
  };
}

interface Tally {
  edits: number;
  reported: number;
  named: number;
}

/** Plays edits on random snapshots of all sequences in turn. */
async function play(sequences: readonly Sequence[], where: "content" | "outside"): Promise<Map<string, Tally>> {
  const editors = Object.entries(where === "content" ? ofContent : outside);
  const tallies = new Map<string, Tally>(editors.map(([kind]) => [kind, { edits: 0, reported: 0, named: 0 }]));
  let done = 0;
  for (let round = 0; done < edits && round < edits; round++) {
    const dice = diceOf(seed, where.length, round);
    const { id, file, url } = dice.one(sequences);
    const snapshots = snapshotsOf(join(corpus, file), (why) => say(`${id}: ${why}`));
    const snapshot = pick(snapshots, dice);
    if (!snapshot) continue;
    const database = await openStore(":memory:");
    const before = load(snapshot.html).html();
    const read = pageOf(before)
      .blocks.map(({ text }) => spaced(text))
      .join("\n");
    for (let i = 0; i < perSnapshot && done < edits; i++) {
      const [kind, edit] = dice.one(editors);
      const draft = draftOf(snapshot.html, read, where);
      const made = edit(draft, dice);
      if (!made) continue;
      const monitor = new Monitor([{ url, kind: "page", options: {} }], database.repository(`edit${i}`));
      const outcome = await outcomeOf(monitor, url, before, draft.$.html());
      const tally = tallies.get(kind);
      if (!outcome || !tally) continue;
      const { isReported, isNamed } = outcome;
      done++;
      tally.edits++;
      if (isReported) tally.reported++;
      else if (isNamed) tally.named++;
      const isWrong = where === "content" ? !isReported && !isNamed : isReported;
      if (list && isWrong) say(`${where}, ${kind}, ${id} ${snapshot.n}: ${spaced(made.what).slice(0, 300)}`);
    }
    await database.close();
  }
  return tallies;
}

function summary(tallies: ReadonlyMap<string, Tally>) {
  const sum = (of: (tally: Tally) => number) => [...tallies.values()].reduce((all, tally) => all + of(tally), 0);
  const [all, reported, named] = [sum(({ edits }) => edits), sum((one) => one.reported), sum((one) => one.named)];
  const share = Math.round((10_000 * (reported + named)) / Math.max(1, all)) / 10_000;
  return { edits: all, reported, named, share, kinds: Object.fromEntries(tallies) };
}

const sequences = sequencesOf(corpus);
const content = summary(await play(sequences, "content"));
const others = summary(await play(sequences, "outside"));
process.stdout.write(`${JSON.stringify({ content, outside: others })}\n`);
