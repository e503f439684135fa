import { pairsIn } from "../../language/fold.ts";
import { anyOf, matches, phrasesOf, phrasesOfStep, type SteppedIdea } from "../../language/lexicon.ts";

/** Words and marks of a rating scale, lowest first. All in one step mean the same. */
interface Scale {
  readonly steps: readonly (readonly string[])[];
  /**
   * Levels that are always available, so that a rating can change to one that the report does not use yet. One list per
   * language, English first.
   */
  readonly base?: readonly string[];
}

/** The steps of each scale whose words are in the files of languages. */
const worded: Readonly<Record<string, readonly [idea: SteppedIdea, steps: string]>> = {
  // Answers, marks, colours and stages of development are one scale: reports mix them.
  support: [
    "levels.support",
    "no ended planned developing experimental alpha beta limited partly mostly yes native best",
  ],
  extent: ["levels.extent", "none very-low low low-medium medium medium-high high very-high critical"],
  ring: ["levels.ring", "hold assess trial adopt"],
  quality: ["levels.quality", "terrible poor fair good very-good excellent"],
  strength: ["levels.strength", "none very-weak weak moderate strong very-strong"],
  // https://www.cisa.gov/resources-tools/resources/minimum-requirements-vulnerability-exploitability-exchange-vex
  weakness: ["levels.weakness", "vulnerable investigated mitigated fixed unaffected"],
  // https://adr.github.io/madr/, https://peps.python.org/pep-0001/, https://bips.dev/3/
  decision: ["levels.decision", "rejected superseded deferred draft proposed accepted implemented deployed"],
  incubation: ["levels.incubation", "sandbox incubating graduated"],
  growth: ["levels.growth", "nascent emerging growing mature"],
  speed: ["levels.speed", "very-slow slow medium fast very-fast"],
  difficulty: ["levels.difficulty", "easy medium hard"],
  colour: ["levels.colour", "red orange yellow green"],
  medal: ["levels.medal", "bronze silver gold platinum diamond"],
};
/** Marks that mean the same as the words of a step. */
const marks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  support: {
    no: "x ✗ ✘ ✖ ✕ × ❌ ❎ ☒ 🚫 ⛔ 🛑 🔴 🟥 👎 🙁 ☹ 😞 😠 😡 ○ ⚪ ⬜ ☐ 💔 💀",
    planned: "🔜 📅 🗓 ⏳ ⌛ 📝",
    developing: "🚧 🏗 🔨",
    experimental: "🧪 ⚗",
    limited: "🟠 🟧 🔶 🧡 ◔",
    partly: "~ ± +/- +- -+ ⚠ 🟡 🟨 💛 ◐ ◑ ◒ ◓ 🌓 🌗 😐 😕 🤷",
    mostly: "◕",
    yes: "✓ ✔ ✅ ☑ 🗸 🟢 🟩 👍 🙂 😀 😃 😄 😊 ● ⬤ 💚",
    native: "🏆 ✓✓ ✔✔ ✅✅ 👍👍",
    best: "✓✓✓ ✔✔✔ ✅✅✅ 👍👍👍",
  },
  medal: { bronze: "🥉", silver: "🥈", gold: "🥇" },
};

function wordedScale(name: string, [idea, steps]: readonly [SteppedIdea, string]): Scale {
  const marksAt = (step: string) => marks[name]?.[step]?.split(" ") ?? [];
  return {
    steps: steps.split(" ").map((step) => [...phrasesOfStep(idea, step), ...marksAt(step)]),
    base: phrasesOfStep("levels.base", name),
  };
}

const scales: Readonly<Record<string, Scale>> = {
  // A circle means yes, as in Japanese tables.
  circle: {
    steps: [["×", "✕", "✗", "✖", "✘", "❌"], ["△", "▲", "🔺"], ["○", "◯", "〇", "⭕", "✓", "✔", "✅"], ["◎"]],
  },
  ...Object.fromEntries(Object.entries(worded).map(([name, scale]) => [name, wordedScale(name, scale)])),
  plus: {
    steps: [["---"], ["--"], ["-"], ["neutral", "+/-", "+-", "-+", "±"], ["+"], ["++"], ["+++"], ["++++"], ["+++++"]],
  },
  // Runs of any mark, by the number of filled ones, from none up.
  stars: {
    steps: [
      ["☆"],
      ...[1, 2, 3, 4, 5].flatMap((count) => {
        const [star, other] = ["★".repeat(count), "⭐".repeat(count)];
        return [
          [star, other],
          [`${star}½`, `${other}½`],
        ];
      }),
    ],
  },
  grade: { steps: "f e d- d d+ c- c c+ b- b b+ a- a a+".split(" ").map((grade) => [grade]) },
};

const ranks: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map(
  Object.entries(scales).map(([name, { steps }]) => [
    name,
    new Map(steps.flatMap((words, rank) => words.map((word) => [word, rank]))),
  ]),
);

/** Yes, no and similar words, which often state a fact rather than a judgement. */
export const plainAnswers: ReadonlySet<string> = new Set([
  ...phrasesOf("levels.answer"),
  ...["no", "yes"].flatMap((answer) => [answer, ...foreignPhrases(answer)]),
]);

function foreignPhrases(step: string): readonly string[] {
  return phrasesOfStep("levels.support", step, (tag) => tag !== "en");
}

/** No and yes, as words of any language and as marks: one level each. */
export const poles: readonly ReadonlySet<string>[] = [
  ["yes", "y|true|tick|check|checkmark|✓|✔|✅|☑|🗸"],
  ["no", "n|false|cross|x|✗|✘|✖|✕|×|❌|❎|☒"],
].map(([step = "", more = ""]) => new Set([step, ...more.split("|"), ...foreignPhrases(step)]));

export const makerWords = phrasesOf("levels.maker");

/** Whether a mark belongs to the circle scale, and to no other scale with crosses. */
export function isCircle(key: string): boolean {
  return /^[△▲○◯〇◎⭕🔺]$/u.test(key);
}

/** Scales of degree, whose words are judgements in any table. */
export const ordinalScales: ReadonlySet<string> = new Set(["extent", "ring", "quality", "strength"]);

const numbered = /^(stage|phase|tier|level|class|trl|of5|of10) ?(\d{1,2}(?:\.\d{1,2})?)([a-z+-]?)$/;
/** So many points out of five or ten: `3.5/5`. */
const points = /^(\d{1,2}(?:\.\d)?) ?\/ ?(5|10)(?: ?\(.*\))?$/;
/** Numbered stages that are judgements in any table. */
export const judgingStages: ReadonlySet<string> = new Set(["stage", "tier", "trl"]);
const bestFirst = new Set(["tier", "class"]);

/** Texts of cells without a rating. */
const blanks = new Set([
  ...phrasesOf("levels.unknown"),
  ..."|-|–|—|−|─|ー|－|--|---|?|??|⁇|…|...|/|❓|❔|➖|🤔".split("|"),
]);

/** Emoji for ratings, by their Markdown names. Spec: https://github.com/github/gemoji */
const shortcodes = pairsIn(
  "white_check_mark=✅ heavy_check_mark=✔ ballot_box_with_check=☑ check=✅ x=❌ heavy_multiplication_x=✖ " +
    "negative_squared_cross_mark=❎ no_entry=⛔ no_entry_sign=🚫 octagonal_sign=🛑 stop_sign=🛑 red_circle=🔴 " +
    "red_square=🟥 orange_circle=🟠 orange_square=🟧 large_orange_diamond=🔶 yellow_circle=🟡 yellow_square=🟨 " +
    "green_circle=🟢 green_square=🟩 green_heart=💚 yellow_heart=💛 orange_heart=🧡 broken_heart=💔 white_circle=⚪ " +
    "warning=⚠ construction=🚧 soon=🔜 hourglass=⌛ hourglass_flowing_sand=⏳ test_tube=🧪 +1=👍 thumbsup=👍 -1=👎 " +
    "thumbsdown=👎 star=⭐ question=❓ grey_question=❔ trophy=🏆 1st_place_medal=🥇 2nd_place_medal=🥈 " +
    "3rd_place_medal=🥉",
);

/** A level as it may be written: `✅` also by its Markdown names. */
export function writingsOf(level: string): string[] {
  const names = Object.keys(shortcodes).filter((name) => shortcodes[name] === level);
  return [level, ...names.map((name) => `:${name}:`)];
}

/** An icon, perhaps with a colour. Spec: https://squidfunk.github.io/mkdocs-material/reference/icons-emojis/ */
const icon = /:[a-z0-9]+(?:-[a-z0-9]+)+:(?:\{[^{}]{0,100}\})?/g;

/** An icon's colour counts more than its shape between yes and no, and alone if the shape has no meaning. */
const iconMarks: readonly (readonly ["shape" | "colour", RegExp, string])[] = [
  ["colour", /\b(?:yellow|amber|orange)\b/, "🟡"],
  ["shape", /-check\b/, "✓"],
  ["shape", /-(?:alert|warning)\b/, "⚠"],
  ["shape", /-(?:close|x|times|xmark)\b/, "✗"],
  ["colour", /\bgreen\b/, "🟢"],
  ["colour", /\bred\b/, "🔴"],
];

function iconMark(written: string): string {
  const [shape = "", colour = ""] = written.split("{");
  const parts = { shape, colour };
  return iconMarks.find(([part, pattern]) => pattern.test(parts[part]))?.[2] ?? written;
}

/** The level in a cell, heading or item. */
export interface WrittenLevel {
  /** For comparison: a mark, or words in lower case. */
  readonly key: string;
  readonly shown: string;
  /** Words next to the mark. */
  readonly beside?: string;
}

/** An emoji name that is in no table here counts as the mark. */
const shortcode = ":[a-z][a-z0-9_+-]{1,39}:";
const starting = new RegExp(`^(?:(?![©®™ℹ])\\p{Extended_Pictographic}|[✓✔✗✘✕×☒☑🗸★☆●○◯〇◎△▲⬤◐◑◒◓◔◕]|${shortcode})`, "u");
const behindLevel = new RegExp(`(?<!\\s)\\s+${anyOf("levels.behind")}(?:\\s|$)`);
const ending = new RegExp(`(?:(?![©®™ℹ])\\p{Extended_Pictographic}|[✓✔✗✘✕☒☑🗸●○◯〇◎△◐◑]|${shortcode})$`, "u");
const maxLevelCharacters = 28;

/** Empty marks; together with filled ones they form a score. */
const empty = "☆○◯⚪□▫◻⬜▱◇⊝⊖";
/** Marks of cost: a run of them is a price. */
const price = /^[$€£¥💲💰💵💸🪙]/u;
const mostInRun = 5;

/** The run of equal, half and empty marks at the start of a line. */
function runOf(line: string): string {
  const [mark = "", ...others] = line;
  let written = mark;
  let space = "";
  let isFilled = true;
  for (const character of others) {
    isFilled = isFilled && character === mark;
    if (character === " " && space === "") space = character;
    else if (isFilled || empty.includes(character) || (character === "½" && space === "")) {
      written += space + character;
      space = "";
    } else return /[\s,;:/([–—-]/.test(space || character) ? written : "";
  }
  return written;
}

/**
 * The number of filled marks in a run: `●●●○○`, `⊕⊕⊕⊝`, `★★½`, `✓✓`. Null for a range of two runs, undefined for no
 * run.
 */
function runIn(line: string): WrittenLevel | null | undefined {
  const [mark = ""] = line;
  if (/[\p{L}\p{N}\p{ASCII}–—]/u.test(mark) || price.test(mark)) return undefined;
  const written = runOf(line);
  const marks = [...written.replace(/[\s½]/g, "")];
  const filled = marks.filter((one) => !empty.includes(one)).length;
  const isBad = !empty.includes(mark) && (heightOf(mark, "support") ?? 1) < 0.75;
  if (isBad || marks.length < 2 || filled > mostInRun || (filled === 0 && marks.length < 3)) return undefined;
  const rest = line.slice(written.length).replace(/^[\s/–—-]+/, "");
  if (rest.startsWith(mark)) return null;
  const [beside = ""] = rest.replace(/^[([]+/, "").split(/[)\]([{]|[:;,]\s+|(?<!\s)\s+[–—-]\s+/);
  const whole = written.replace(/\s/g, "");
  const counted = `${(mark === "⭐" ? mark : "★").repeat(filled)}${whole.includes("½") ? "½" : ""}` || "☆";
  const key = isLevelKey(whole) ? whole : counted;
  // Ticks with spaces between them are several answers.
  if (/\s/.test(written.trim()) && scalesOf(key).includes("support")) return undefined;
  return { key, shown: key.startsWith(mark) ? key : whole, ...(beside.trim() && { beside: beside.trim() }) };
}

/** The level of a text: `High (baseline)` is High, `✅ since 2.0` is ✅. Undefined if it has none. */
export function levelIn(text: string): WrittenLevel | undefined {
  const lines = normalise(text).split("\n");
  const level = lineLevel(lines[0] ?? "");
  // Different marks on several lines are no single level.
  const others = lines.slice(1).flatMap((line) => (starting.test(line) ? (lineLevel(line)?.key ?? []) : []));
  return level && others.some((key) => isLevelKey(key) && key !== level.key) ? undefined : level;
}

/** The level of a text, or the only sign in it: a legend may explain any, such as `/` and `-`. */
export function signIn(text: string): WrittenLevel | undefined {
  const sign = text.trim();
  return levelIn(text) ?? (/^[^\p{L}\p{N}\s]$/u.test(sign) ? { key: sign, shown: sign } : undefined);
}

function lineLevel(line: string): WrittenLevel | undefined {
  if (line === "" || line.length > 2_000) return undefined;
  const filled = runIn(line);
  if (filled !== undefined) return filled ?? undefined;
  const [, count = "", most = ""] = points.exec(line) ?? [];
  if (Number(count) <= Number(most) && count !== "") return { key: `of${most} ${count}`, shown: `${count}/${most}` };
  const mark = starting.exec(line)?.[0];
  if (mark !== undefined) return markLevel(line, mark);
  const [clause = ""] = line.split(/(?<!\s)\s*[([{（【]|(?<!\s)\s+[–—-]+\s+|[:;,/]\s+|\.(?:\s|$)/);
  const isWhole = isLevelKey(keyOf(clause.trim()));
  const [first = ""] = isWhole ? [clause] : clause.split(behindLevel);
  const word = first.trim();
  const after = ending.exec(word)?.[0];
  if (after !== undefined && isLevelKey(after)) {
    const beside = word.slice(0, -after.length).trim();
    if (beside.length <= maxLevelCharacters) return { key: after, shown: after, ...(beside && { beside }) };
  }
  const key = bareKey(keyOf(word));
  const [, joint = "", other = ""] = /^\s*([/–—-])\s*(\S.*)$/.exec(line.slice(clause.length)) ?? [];
  const between = `${key} ${keyOf(other)}`;
  if (other !== "" && isLevelKey(between)) return { key: between, shown: line };
  // Two different levels with a slash between them are no single level.
  if (joint === "/" && isLevelKey(key) && keyOf(other) !== key && isLevelKey(keyOf(other))) return undefined;
  return blanks.has(key) || word.length > maxLevelCharacters ? undefined : { key, shown: word };
}

const nounOfDegree = new RegExp(` ${anyOf("levels.noun")}$`);

/** The key without a noun of degree: `high risk` is high, `low/medium` is low medium. */
function bareKey(key: string): string {
  if (isLevelKey(key)) return key;
  const bare = key.replace(nounOfDegree, "").replace(/ ?[/–] ?/, " ");
  return scalesOf(bare).some((scale) => ordinalScales.has(scale) || scale === "support") ? bare : key;
}

/** The mark at the end of an item, with the words before it. */
export function markAtEnd(text: string): WrittenLevel | undefined {
  const line = normalise(text.slice(0, 400));
  const [mark = ""] = ending.exec(line) ?? [];
  const beside = line.slice(0, line.length - mark.length).trim();
  return mark === "" || beside === "" || line.includes("\n") ? undefined : { key: mark, shown: mark, beside };
}

function markLevel(line: string, mark: string): WrittenLevel | undefined {
  if (blanks.has(mark)) return undefined;
  const rest = line
    .slice(mark.length)
    .replace(/^\u200d\S+/u, "")
    .trim();
  const [beside = ""] = rest.split(/(?<!\s)\s*[([{（【]|[:;,]\s+|(?<!\s)\s+[–—-]\s+/);
  const next = rest.replace(/^[\s/,|+&]+/, "");
  // `✓ Partial`: the word counts.
  const [height, partial] = [heightOf(mark, "support"), heightOf("partial", "support")];
  const word = height === undefined || height === partial ? undefined : lineLevel(beside);
  if (word?.shown === beside && !isMarkKey(word.key) && heightOf(word.key, "support") === partial) return word;
  // Two different marks side by side are no single level.
  if (starting.test(next) && !next.startsWith(mark) && !blanks.has(next)) return undefined;
  return { key: mark, shown: mark, ...(beside && { beside }) };
}

const current = `^(?:${anyOf("tables.current")} )?`;
const isReadiness = matches(`${current}${anyOf("tables.readiness")}$`);
const isCapability = matches(`${current}${anyOf("tables.capability")}(?: \\(\\d ?[–-] ?\\d\\))?$`);

/**
 * A number below a heading that names a numbered scale: `6`, `3 - Defined`.
 * Spec: https://www.iso.org/standard/56064.html (TRL), https://cmmiinstitute.com/learning/appraisals/levels
 */
export function readinessIn(heading: string, text: string): WrittenLevel | undefined {
  const name = heading.trim();
  const value = text.trim();
  if (isReadiness(name)) return /^[1-9]$/.test(value) ? { key: `trl ${value}`, shown: value } : undefined;
  const number = /^([0-5])(?:\s*[:–-]\s*\p{L}.{0,24})?$/u.exec(value)?.[1];
  return isCapability(name) && number !== undefined ? { key: `level ${number}`, shown: value } : undefined;
}

/** Removes emphasis, emoji variants and footnote marks, and resolves names of emoji and icons. */
function normalise(text: string): string {
  return text
    .slice(0, 4_000)
    .replace(/:([a-z0-9_+-]{1,40}):/g, (whole, name: string) => shortcodes[name] ?? whole)
    .replace(/\$?\\(checkmark|cmark|times|xmark)(?![a-z])\$?/g, (_, name: string) => (/^c/.test(name) ? "✓" : "✗"))
    .replace(icon, iconMark)
    .replace(/\ufe0e|\ufe0f|\u200b|\u20e3|[*`†‡§]|(?<=[\p{L}\p{S}\p{Po})])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[\s,]+[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*/gu, "")
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

export function isBlank(text: string): boolean {
  const line = normalise(text).split("\n")[0] ?? "";
  return (
    blanks.has(line.toLowerCase()) ||
    /^[([].*[)\]]$/.test(line) ||
    blanks.has((line.split(/[([]/, 1)[0] ?? "").trim().toLowerCase())
  );
}

function keyOf(word: string): string {
  // Grades are capital letters; small letters are names.
  if (/^[a-f]$/.test(word)) return `letter ${word}`;
  const lower = word.toLowerCase().replace(/[’]/g, "'");
  return /^[+*-]+$|^\+\/-$|^[a-f][+-]?$/.test(lower)
    ? lower
    : lower
        .replace(/[\s_-]+/g, " ")
        .replace(/(?<![.!?:])[.!?:]+$/, "")
        .trim();
}

/** Whether a text is a level of any scale. */
export function isLevel(word: string): boolean {
  const level = levelIn(word);
  return level !== undefined && isLevelKey(level.key);
}

export function isMarkKey(key: string): boolean {
  return !/[\p{L}\p{N}]/u.test(key) || /^:.+:$/.test(key);
}

export function isLevelKey(key: string): boolean {
  return numbered.test(key) || [...ranks.values()].some((rank) => rank.has(key));
}

/** The names of the scales with this level. The noun of a numbered stage is its scale. */
export function scalesOf(key: string): readonly string[] {
  const stage = numbered.exec(key)?.[1];
  return [
    ...(stage === undefined ? [] : [stage]),
    ...[...ranks].flatMap(([name, rank]) => (rank.has(key) ? [name] : [])),
  ];
}

export function scaleOfMost(keys: readonly string[]): string | undefined {
  const counts = Map.groupBy(keys.flatMap(scalesOf), (scale) => scale);
  const [first] = [...counts].sort(([, a], [, b]) => b.length - a.length);
  return first?.[0];
}

/** The height of a level in a scale, from 0 to 1; undefined if the scale does not have it. */
export function heightOf(key: string, scale: string): number | undefined {
  const [, stage = "", number = ""] = numbered.exec(key) ?? [];
  if (stage === scale && stage !== "") return bestFirst.has(stage) ? 1 - Number(number) / 100 : Number(number) / 100;
  const rank = ranks.get(scale)?.get(key);
  const top = (scales[scale]?.steps.length ?? 1) - 1;
  return rank === undefined ? undefined : rank / Math.max(1, top);
}

/** The full set of a scale's levels, in the report's language. */
export function baseOf(scale: string, used: readonly string[]): readonly string[] {
  const words = new Set(used.flatMap((key) => key.split(" ")).map((word) => adjectiveStem(word, scale)));
  const known = (base: readonly string[]) =>
    base.filter((one) => words.has(adjectiveStem(one.toLowerCase(), scale))).length;
  const [first = []] = (scales[scale]?.base ?? [])
    .map((base) => base.split("|"))
    .toSorted((a, b) => known(b) - known(a));
  return first;
}

const adjectiveEnding = new RegExp(`${anyOf("levels.ending")}$`, "u");

/** The stem of an adjective of degree, without its ending for gender: `alto` and `alta`, `moyen` and `moyenne`. */
export function adjectiveStem(key: string, scale: string): string {
  const stem = key.replace(adjectiveEnding, "");
  return ordinalScales.has(scale) && /^[^ ]{2,}$/.test(stem) ? stem : key;
}
