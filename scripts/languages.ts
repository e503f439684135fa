import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { monthNamesFile } from "./month-names.ts";

/**
 * `npm run languages`: checks the words of languages in src/language/data/, one file for each language, and writes
 * src/language/words.json and month-names.json, which the program loads, docs/languages.md, and the JSON schema that
 * editors use.
 */

const root = join(import.meta.dirname, "..");
const longest = 120;

/** A placeholder in a phrase: `{n}`, `{unit}`. */
const placeholder = /\{[a-z]+\}/g;

function isPattern(text: string): boolean {
  try {
    new RegExp(text.replaceAll(placeholder, "x"), "iu");
    return true;
  } catch {
    return false;
  }
}

/** A word or phrase as a regular expression: `(?:diese )?seite bearbeiten`. It has no capturing group. */
const phrase = z
  .string()
  .min(1)
  .max(longest)
  .refine(isPattern, "is no regular expression")
  .refine((text) => !/(?<!\\)\((?!\?[:=!<])/.test(text), "has a capturing group: write (?:…)");
const phrases = (about: string) => z.array(phrase).min(1).optional().describe(about);
const steps = (about: string) => z.record(z.string(), z.array(phrase).min(1)).optional().describe(about);
const group = <T extends z.ZodRawShape>(about: string, ideas: T) => z.strictObject(ideas).optional().describe(about);

/** The words of one language: ideas by the mechanism that reads them. Every idea is optional. */
export const languageSchema = z.strictObject({
  name: z.string().describe("The language's name in English"),
  detect: group("The language of a text", {
    common: phrases("The commonest words, by which a text is known to be in this language"),
    only: phrases("Words by which a single sentence is"),
  }),
  words: group("Words of any text", {
    function: phrases("Function words, which say little by themselves"),
    elided: phrases("Words that an apostrophe joins to the next one"),
  }),
  dates: group("Dates in texts", {
    ago: phrases("How long ago, with {n} for a number and {unit} for a unit of the language"),
    "ago-alone": phrases("The same as a whole label, with any word for {unit}"),
    "ago-unit": phrases("Units in such phrases"),
    "ago-joined": phrases("Units in such phrases in scripts without spaces, before 前"),
    "ago-count": phrases("Words for numbers in such phrases"),
    "ago-about": phrases("Words before the number in such phrases"),
    "ago-one": phrases("Words for one in such a label, before a unit"),
    "no-unit": phrases("Words that are no unit of time in such a label"),
    today: phrases("Words that mean another day every day"),
    ordinal: phrases("Endings of the number of a day: 3*rd*"),
    between: phrases("Words between the parts of a date: 3 *of* March"),
    at: phrases("Words before a time of day"),
    clock: phrases("Words behind a time of day"),
  }),
  bounds: group("Bounds of figures", {
    upper: phrases("Before a figure: at most so much"),
    lower: phrases("Before a figure: at least so much"),
    below: phrases("Before a figure: less than that"),
    above: phrases("Before a figure: more than that"),
    or: phrases("Links behind a figure: 8 GB *or* more"),
    "or-less": phrases("Behind such a link: at most so much"),
    "or-more": phrases("Behind such a link: at least so much"),
    "upper-behind": phrases("Behind a figure: at most so much"),
    "lower-behind": phrases("Behind a figure: at least so much"),
    "below-behind": phrases("Behind a figure: less than that"),
    "above-behind": phrases("Behind a figure: more than that"),
  }),
  figures: group("Numbers and units in words", {
    spelled: steps("Words for numbers, except those that mean something else in another language"),
    larger: phrases("Words that continue a number: one *hundred* two"),
    joint: phrases("Links between the words of a number"),
    unit: steps(
      "Words for units and currencies, by their sign, except those that mean something else behind a number or year",
    ),
    scale: steps("Words and signs behind a number that multiply it, by the factor"),
    "scale-abbreviated": phrases("Those of them that a point may end: 2 *Mio.*"),
    of: phrases("Between such a word and the things that it counts: 3 millones *de* unidades"),
    numbered: phrases("Words for numbered things, before the number: *table* 1"),
    range: phrases("Words between both ends of a range: 10 *to* 20"),
    "decimal-sign": phrases("The sign before decimals, if it is the same in all countries of the language"),
  }),
  negation: group("Negation, exceptions and doubt", {
    deny: phrases("Words that deny what follows, even with a few words between"),
    lack: phrases("Words that deny the next word"),
    without: phrases("Those of them that behind a denial ask for what follows"),
    auxiliary: phrases("Words between such a sign and what it denies"),
    "not-alone": phrases("Words that behind a denial end it: not *only*"),
    pair: phrases("Two words that deny together"),
    parted: phrases("The same with a word between them"),
    unable: phrases("Two signs that deny nothing together"),
    behind: phrases("A denial behind what it denies"),
    ending: phrases("Endings of a verb that deny it"),
    "no-ending": phrases("Words that make such an ending no denial"),
    except: phrases("Words of an exception or a condition behind a passage"),
    "except-beside": phrases("Those that must be right behind it"),
    until: phrases("Words that lead to a last day"),
    "of-day": phrases("Words before such a day or within it"),
    doubt: phrases("Words before a figure that is not, or not exactly, the figure of the thing itself"),
  }),
  levels: group("Levels of rating scales, by step", {
    support: steps("Whether and how well something is supported"),
    extent: steps("Low to high"),
    ring: steps("Rings of a radar"),
    quality: steps("Poor to excellent"),
    strength: steps("Weak to strong"),
    weakness: steps("The status of a weakness in software"),
    decision: steps("The status of a decision or proposal"),
    incubation: steps("The status of a project of a foundation"),
    growth: steps("Immature to mature"),
    speed: steps("Slow to fast"),
    difficulty: steps("Easy to hard"),
    colour: steps("Colours of a traffic light"),
    medal: steps("Medals"),
    base: steps("Levels that a scale always has, lowest first and separated by bars"),
    ending: phrases("Endings of adjectives for gender and number"),
    unknown: phrases("Cells without a rating: unknown, untested, not applicable"),
    behind: phrases("Words behind a level that begin a remark"),
    answer: phrases("Answers that often state a fact rather than a judgement, besides yes and no"),
    maker: phrases("Levels that only say who made a thing"),
    noun: phrases("Nouns behind a level: high *risk*"),
    shelf: phrases("Levels of support that may head a list of things; those of other scales may head anything"),
    anchor: phrases("One of these must be among such headings; otherwise they are a work plan"),
    plan: phrases("Steps of a work plan"),
    "of-text": phrases("Words for the progress of the text itself"),
  }),
  tables: group("Headings of tables in reports", {
    judgement: phrases("The column judges"),
    offer: phrases("Yes and no in the column are judgements"),
    criterion: phrases("The column lists criteria"),
    comparison: phrases("The table compares"),
    permission: phrases("The table says who may do what"),
    part: phrases("The rows of this column are parts of one thing, such as settings"),
    origin: phrases("The column names an origin or a kind"),
    property: phrases("The column holds plain properties, whose yes and no are facts"),
    remark: phrases("The column holds remarks"),
    legend: phrases("Titles of legends"),
    unrated: phrases("Headings of sections without ratings"),
    verdict: phrases("The row holds a judgement"),
    level: phrases("The column holds levels, and its heading says no more"),
    likelihood: phrases("Beginnings of steps of likelihood"),
    recheck: phrases("The column says when to check again"),
    horizon: phrases("The column is a time of a plan"),
    period: phrases("Periods before their number: the column is a time of a plan"),
    means: phrases("Between a sign and its meaning in a legend"),
    confidence: phrases("The column says how sure its author is"),
    volatility: phrases("The column says how soon its subject changes"),
    joining: phrases("Words that tell no two names apart"),
    current: phrases("Before the heading of a level"),
    field: phrases("Names of fields with a level: *status*: trial"),
    implementation: phrases("The table compares, as do all below the heading"),
    edition: phrases("Paid editions of a product"),
    price: phrases("Plain properties, unless they are beside such an edition"),
    "remark-end": phrases("Ends of headings of columns that hold remarks"),
    area: phrases("The rows are parts of the subject, so that the columns are platforms"),
    risk: phrases("Properties of a risk, beside their level"),
    any: phrases("The cell holds for each level"),
    readiness: phrases("The column holds numbers of technology readiness levels"),
    capability: phrases("The column holds numbers of capability maturity levels"),
    references: phrases("The column holds numbers of references"),
    venue: phrases("The column holds the journal or conference of a work"),
  }),
  citations: group("References and editions of reports", {
    heading: phrases("Headings of lists of references"),
    notes: phrases("Headings of lists of notes"),
    updated: phrases("Words before the day of the last change"),
    prose: phrases("Words that a sentence has and a citation has not"),
    pointing: phrases("Labels of links that only point"),
    in: phrases("Before the book or the proceedings that a work is in"),
    "and-others": phrases("More authors than are named"),
    retracted: phrases("The work is retracted"),
    visited: phrases("Words before the day on which an address was visited"),
    editors: phrases("Words in brackets behind the editors of a book"),
    wiki: steps("Names of templates, fields and namespaces in MediaWiki"),
    section: phrases("Headings of first sections"),
    badge: phrases("Words for badges and pictures of no content"),
    checked: phrases("Before the day on which a report was checked"),
    "about-itself": phrases("Headings of sections about the document itself"),
    label: phrases("Labels of links that name only the kind of page"),
    manual: phrases("Chapters of manuals of programs"),
    customary: phrases("Names of files that every repository has and that are no reports"),
    part: phrases("Beginnings of names of files right before a number: the file is a part of a book"),
    picture: phrases("Ends of descriptions of pictures of no content, behind the name of the report"),
    edition: phrases("Before the version or the day of an edition, at the beginning of a line"),
    "of-edition": phrases("Words between these and the day"),
    by: phrases("Before the author, at the beginning of a line"),
    version: phrases("Before the number of the report's version"),
    "before-version": phrases("Right before that word, if the version is that of the report"),
    "behind-version": phrases("Right behind the number, if the version is that of the report"),
    "updated-at-start": phrases("Before the day of the last change, at the beginning of a line"),
    history: phrases("Headings of logs of changes of the report"),
    and: phrases("Between the authors of a work"),
    venue: phrases("Words that most names of journals and conferences have in common"),
    group: phrases("Words in the names of groups of authors"),
    signal: phrases("Before a work in a footnote"),
    forthcoming: phrases("The work is not published yet"),
    lead: phrases("Words at the end of an entry that lead to its address"),
    available: phrases("The same, before a colon or nothing"),
  }),
  labels: group("Short labels beside a text, which change by themselves", {
    edited: phrases("The text was edited"),
    posted: phrases("The text was published"),
    on: phrases("Words between these and the date"),
    crowd: phrases("Readers and what they did, behind a number"),
    "crowd-before": phrases("The same before a number"),
    counter: phrases("Words behind the number of the crowd"),
    thousand: phrases("Thousands and millions, in short"),
    minutes: phrases("Minutes, behind a number"),
    reading: phrases("The time that reading takes, before a number"),
    "to-read": phrases("The same behind the minutes"),
    limit: phrases("Words of an allowance or a plan: its number counts nobody"),
    "in-advance": phrases("Words of periods before something ends or begins"),
  }),
  teasers: group("Announcements of other pages", {
    title: phrases("Titles of lists of other pages"),
    beginning: phrases("Beginnings of such titles, which go on with a subject"),
    kind: phrases("First words of such titles, before a word for pages"),
    other: phrases("Words for pages in such titles, right behind the first word"),
  }),
  boilerplate: group("Parts of pages that are not their content", {
    contents: phrases("Titles of a page's own table of contents"),
    skip: phrases("Links to the content of the page"),
    top: phrases("Links to the top of the page"),
    edit: phrases("Links to edit the page"),
    "edit-mark": phrases("Words in brackets behind a heading that edit or show its source"),
    rights: phrases("Who owns the page"),
    fleeting: phrases("Texts that a page shows while it loads"),
    advert: phrases("Labels of advertisements"),
    new: phrases("Badges that say that something is new"),
  }),
  names: group("Words in ids and classes", {
    advert: phrases("An advertisement"),
    comments: phrases("The comments of readers"),
    comment: phrases("The same beside a word for a part"),
    author: phrases("Who wrote the text"),
  }),
  pages: group("Pages that are not the page that was asked for", {
    wall: phrases("A wall asks whether a person or a program visits"),
    accusation: phrases("A wall takes the visitor for a program"),
    "consent-title": phrases("Beginnings of the titles of pages that ask for consent"),
    consent: phrases("A page asks for consent"),
    "about-consent": phrases("Words of sentences about consent and privacy"),
    "login-title": phrases("Titles of pages for logging in"),
    login: phrases("A page asks its visitor to log in"),
    missing: phrases("Sentences that say that the page does not exist, on any short page"),
    "not-found": phrases("The same as a title"),
    "not-existing": phrases("The same in words that mean more elsewhere, on pages with an error"),
    gone: phrases("Words of error pages of a page, site or domain that is gone"),
    "error-title": phrases("Titles of error pages"),
    error: phrases("Words of error pages"),
    crash: phrases("Beginnings of the message of a program that ended"),
    parked: phrases("Sentences of those who keep a domain without a site"),
    "sale-title": phrases("Titles of pages that sell a domain"),
    sale: phrases("Words of pages that sell a domain"),
    browser: phrases("Browsers"),
    "needs-script": phrases("A page needs a script to be shown"),
    unwritten: phrases("A text that is still to be written"),
  }),
  statements: group("Sentences that state figures and facts", {
    relicensed: phrases("Another licence, or none of those that are named"),
    quotes: phrases("The text quotes somebody"),
    loosely: phrases("A figure is not said exactly, or of something else"),
    loses: phrases("A figure is what a thing saves or lacks"),
    "no-longer": phrases("Nothing that follows in the sentence is true any more"),
    unsure: phrases("A wish, a doubt, or another time"),
    lacks: phrases("Before a name that a page does not hold"),
    about: phrases("Before a figure that is not exact"),
    "for-each": phrases("Between a figure and the thing that each of it is for"),
    "doubt-before": phrases("Before a figure of something else, of another time, or of a wish"),
    "doubt-behind": phrases("The same behind a figure"),
    column: phrases("Headings of columns that say nothing"),
    publication: phrases("Publications that say something"),
    "according-on": phrases("Before the host that says so"),
    "according-in": phrases("Before the publication that says so"),
    states: phrases("Behind the publication that says so"),
    standing: phrases("How a thing stands: its licence, whether it is kept up"),
    state: steps("Words for the state of a thing, by state"),
    denied: phrases("Before a quote that the source does not have"),
    negation: phrases("Words that deny a statement"),
    nearly: phrases("Before a figure that is just not reached"),
    dated: phrases("Beside a date they are no doubt"),
    limiting: phrases("Limits of figures, which are no doubt"),
    qualifying: phrases("Between a number and the things that it counts"),
    comparing: phrases("Before the other side of a comparison"),
    parting: phrases("Words that separate the parts of a sentence"),
    opening: phrases("Words at the beginning of a sentence, before a name or number"),
    joining: phrases("Words that join statements: neither names nor measures"),
    needs: phrases("A figure is what a thing needs"),
    gains: phrases("A figure is what a thing has gained"),
    shares: phrases("A figure is shared"),
    gives: phrases("A figure is what a thing has"),
    obliges: phrases("A figure is what there must be"),
    comparative: phrases("Behind a figure that is a difference"),
    preposition: phrases("Before the name for which a figure holds"),
    auxiliary: phrases("Verbs behind the subject of a figure"),
    doubt: phrases("A fact is doubtful, or of another time"),
    maintained: phrases("A project is kept up"),
    unmaintained: phrases("It is not"),
    "denies-value": phrases("A fact has another value"),
    tracked: phrases("Things that are open or closed"),
    manual: phrases("Words for documentation in the name of a source"),
    unnaming: phrases("Words that tell no two sources apart"),
    abbreviation: phrases("Before a stop that ends no sentence"),
    "fact-holds": phrases("Before a fact that is so"),
    "fact-denied": phrases("Before a fact that is not so"),
    remains: phrases("Before the state of an open or closed thing"),
  }),
  stamps: group("Lines that programs write on the pages that they make", {
    made: phrases("A program made the page"),
    drafted: phrases("A document was made or edited on the day that follows"),
    generator: phrases("Programs that make pages of documents"),
    page: phrases("What such a program makes, with the verb behind it"),
    making: phrases("What it does with that, and the word before its name"),
    edited: phrases("Beginnings of lines on the last change"),
    measured: phrases("How long a run took, what it used, or what its clock said"),
    version: phrases("A version, a date or a build"),
    edit: phrases("The page was changed"),
    creation: phrases("The page was made, beside another date"),
    binding: phrases("Words that always date the text itself"),
    filler: phrases("Words of such lines beside dates and names"),
    naming: phrases("Before the name of the program or person"),
    signed: phrases("The program names itself"),
    defined: phrases("Before a file and a line of code"),
    beginning: phrases("Beginnings of such lines behind a copyright"),
    numbered: phrases("Before a number of a version, a release or a build"),
    manual: phrases("Beside the name of a product: the line names its documentation"),
    release: phrases("The line dates a release"),
  }),
  controls: group("Links and signs of a page that are not its text", {
    offer: phrases("Beginnings of links that offer something with the page"),
    offered: phrases("Ends of such links"),
    switch: phrases("Beginnings of links that change what is seen"),
    switched: phrases("Ends of such links"),
    whether: phrases("Icons that say whether something is so"),
  }),
  releases: group("Titles that announce a version", {
    announcing: phrases("Before a name: the title announces a release"),
    kind: phrases("Between a name and its version: what the thing is"),
    behind: phrases("Behind a version that is released"),
    auxiliary: phrases("Words between a version and its state"),
    "to-come": phrases("Behind a version that is still to come, or is not to be used"),
    "to-come-apart": phrases("The same behind a colon or a dash"),
    tag: phrases("In brackets before a title: mailing lists announce so"),
    unreleased: phrases("A version is not released yet"),
    "unreleased-heading": phrases("Beginnings of headings of such a version"),
  }),
  status: group("The status of a product, a page or a text", {
    ended: phrases("It has ended"),
    progress: phrases("It is new, unfinished, ending or maintained"),
    draft: phrases("A version that is not out yet"),
  }),
});

type Language = z.infer<typeof languageSchema>;
type Words = readonly string[] | Readonly<Record<string, readonly string[]>>;

/** The languages by their BCP 47 tags, English first: they are read in this order. */
export function languages(folder = join(root, "src/language/data")): ReadonlyMap<string, Language> {
  const tags = globSync("*.yaml", { cwd: folder }).map((file) => basename(file, ".yaml"));
  const sorted = tags.sort((a, b) => Number(b === "en") - Number(a === "en") || (a < b ? -1 : 1));
  return new Map(
    sorted.map((tag) => {
      const read = languageSchema.safeParse(parse(readFileSync(join(folder, `${tag}.yaml`), "utf8")));
      if (!read.success) throw new Error(`src/language/data/${tag}.yaml: ${z.prettifyError(read.error)}`);
      return [tag, read.data] as const;
    }),
  );
}

const mechanisms = Object.entries(languageSchema.shape).flatMap(([mechanism, schema]) =>
  schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodObject
    ? [{ mechanism, about: schema.description ?? "", ideas: (schema.unwrap() as z.ZodObject).shape }]
    : [],
);

/** Each idea, and its words by language. */
function ideasOf(all: ReadonlyMap<string, Language>) {
  return mechanisms.flatMap(({ mechanism, ideas }) =>
    Object.entries(ideas).map(([idea, schema]) => {
      const byLanguage = [...all].flatMap(([tag, language]) => {
        const words: Readonly<Record<string, Words>> = Reflect.get(language, mechanism) ?? {};
        return words[idea] === undefined ? [] : [[tag, words[idea]] as const];
      });
      return { mechanism, name: `${mechanism}.${idea}`, about: schema.description ?? "", byLanguage };
    }),
  );
}

/** The program's data: for each idea the words of each language, one language a line. */
export function wordsFile(all: ReadonlyMap<string, Language>): string {
  const ideas = ideasOf(all).map(({ name, byLanguage }) => {
    const lines = byLanguage.map(([tag, words]) => `    ${JSON.stringify(tag)}: ${JSON.stringify(words)}`);
    return `  ${JSON.stringify(name)}: {\n${lines.join(",\n")}\n  }`;
  });
  return `{\n${ideas.join(",\n")}\n}\n`;
}

/** The page that shows which ideas each language has and lacks. */
export function languagesPage(all: ReadonlyMap<string, Language>): string {
  const ideas = ideasOf(all);
  const rows = [...all].map(([tag, { name }]) => {
    const cells = mechanisms.map(({ mechanism }) => {
      const own = ideas.filter((idea) => idea.mechanism === mechanism);
      const count = own.filter(({ byLanguage }) => byLanguage.some(([other]) => other === tag)).length;
      return count === 0 ? "" : `${count} of ${own.length}`;
    });
    return [`${name} (\`${tag}\`)`, ...cells];
  });
  const list = ideas.map(({ name, about, byLanguage }) => {
    const lacking = [...all.keys()].filter((tag) => !byLanguage.some(([other]) => other === tag));
    const has = byLanguage.map(([tag]) => tag).join(" ");
    return [`\`${name}\``, about, has, lacking.length === 0 ? "" : `${lacking.length}: ${lacking.join(" ")}`];
  });
  return `# Languages

<!-- Written by \`npm run languages\` from src/language/data/: change it there. -->

Recheck reads pages and reports in many languages. Each language has one file, \`src/language/data/<tag>.yaml\`, named by
its [BCP 47](https://www.rfc-editor.org/info/bcp47) tag. The names of months and weekdays come from \`Intl\`, in all of
these languages and more.

To add a language, add one file and run \`npm run languages\`. Every idea is optional. A phrase is a regular expression
of at most ${longest} characters. In languages that separate words by spaces it matches whole words only.

## What each language has

${table(["language", ...mechanisms.map(({ mechanism }) => mechanism)], rows)}

${mechanisms.map(({ mechanism, about }) => `- **${mechanism}**: ${about}`).join("\n")}

## What each idea has and lacks

${table(["idea", "content", "languages", "lacking"], list)}
`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Completion in editors. */
export function editorSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(languageSchema), null, 2)}\n`;
}

if (import.meta.main) {
  const all = languages();
  writeFileSync(join(root, "src/language/words.json"), wordsFile(all));
  writeFileSync(join(root, "src/language/month-names.json"), monthNamesFile());
  writeFileSync(join(root, "docs/languages.md"), languagesPage(all));
  writeFileSync(join(root, "src/language/data/schema.json"), editorSchema());
}
