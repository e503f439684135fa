import { isDeepStrictEqual } from "node:util";
import { parseConfig } from "../../src/config/index.ts";
import { newsOf } from "../../src/faces/app/webhooks/news.ts";
import type { Firing } from "../../src/model/firing.ts";
import {
  cell,
  clean,
  code,
  fence,
  fold,
  link,
  name,
  ownLink,
  paragraph,
  plainName,
  words,
} from "../../src/model/markdown.ts";
import { externalLink, homeLink, html } from "../../src/publish/pages/markup.ts";
import { readers } from "../../src/read/index.ts";
import { tickOf } from "../../src/recheck/answer/boxes.ts";
import { type CommandContext, parseComment } from "../../src/recheck/answer/command.ts";
import { renderIssue } from "../../src/recheck/issue/body.ts";
import {
  beginLine,
  firstLine,
  hasMarker,
  markOf,
  newTicks,
  sectionEnd,
  splitAtSection,
  tickedBoxes,
  withSection,
} from "../../src/recheck/issue/marker.ts";
import { addressOf } from "../../src/recheck/issue/question.ts";
import { sources, trigger } from "../../test/config/valid.ts";
import { elementsOf, wordsOf } from "../../test/publish/pages/elements.ts";
import { living, rendered } from "../../test/recheck/issue/markdown.ts";
import * as samples from "../../test/recheck/samples.ts";
import { altered, alteredData, hostileText, type Pick } from "./mutate.ts";

/**
 * Parsers of texts from strangers, and renderers of them. Each makes one input from its seed, and throws if a part of it
 * becomes markup, is taken for something else, or is reported at the wrong place.
 */
export interface FuzzTarget {
  readonly name: string;
  /** Its share of a thousand inputs. */
  readonly share: number;
  try(pick: Pick): void;
}

function must(holds: boolean, what: string, ...shown: readonly unknown[]): void {
  if (!holds) throw new Error(`${what}: ${shown.map((one) => JSON.stringify(one)).join(" ")}`);
}

const none = (all: readonly unknown[], what: string, text: string) => must(all.length === 0, what, text, all);

const configLoader: FuzzTarget = {
  name: "config loader",
  share: 20,
  try(pick) {
    const root = pick(2) === 0 ? altered([sources, trigger], pick) : sources;
    const texts: Readonly<Record<string, string>> = {
      "sources.yaml": root,
      "triggers/delta.yaml": root === sources ? altered([trigger, sources], pick) : trigger,
    };
    const parsed = parseConfig(
      Object.entries(texts).map(([path, text]) => ({ path, text })),
      readers,
    );
    must((parsed.config === undefined) === parsed.problems.length > 0, "neither config nor problems", texts);
    for (const { file, line, column, message } of parsed.problems) {
      const lines = (texts[file] ?? "").split("\n");
      must(line >= 1 && line <= lines.length, "a problem beyond its file", file, line, texts);
      must(
        column >= 1 && column <= (lines[line - 1]?.length ?? 0) + 1,
        "a problem beyond its line",
        file,
        line,
        column,
        texts,
      );
      must(/^[^\n]{3,400}$/.test(message), "a problem on several lines", message, texts);
    }
  },
};

const asking: CommandContext = {
  config: samples.config,
  asked: ["tensor/maturity", "tensor/compile"],
  at: samples.at("2026-11-20T10:00:00Z"),
};
const commands = [
  "/recheck keep maturity, compile because we checked",
  "/recheck change tensor/maturity to High because it is public",
  "/recheck dismiss because it is another thing",
  "/recheck snooze 2 weeks",
  "> /recheck keep\n\n/recheck snooze until-next-event\n\nand more",
  "/recheck help\n```\n/recheck check\n```",
];

const commandParser: FuzzTarget = {
  name: "command parser",
  share: 330,
  try(pick) {
    const body = altered(commands, pick);
    const parsed = parseComment({ body, bot: false }, asking);
    must(parseComment({ body, bot: true }, asking) === undefined, "a bot is obeyed", body);
    if (!parsed) return;
    const said = "says" in parsed ? parsed.says : (parsed.note ?? "");
    must(said.length < 1_500, "a long answer", body);
    if (said !== "" && pick(20) === 0) inertLine(said, body);
    if ("says" in parsed) return;
    const { command } = parsed;
    if (command.kind === "keep")
      none(
        command.ratings.filter((one) => !asking.asked.includes(one)),
        "not asked about",
        body,
      );
    if (command.kind === "change")
      must(
        asking.asked.includes(command.rating) && samples.config.levels.includes(command.level),
        "not asked about",
        body,
      );
    if ("because" in command && command.because !== undefined)
      must(/^[^\p{Cc}\p{Cf}\p{Cs}]{1,1000}$/u.test(command.because), "a reason of several lines", body);
    if (command.kind === "snooze" && command.until !== "next-event")
      must(command.until > asking.at, "not in the future", body);
  },
};

const firings: readonly Firing[] = [samples.released, samples.madePublic];
const section = `${beginLine("0123456789abcdef01", "tensor", firings, ["recheck"])}\n## Seen\n\n\`\`\`diff\n- [x] a\n\`\`\`\n\n- [ ] <!-- recheck:do keep -->keep all\n\n### To decide\n\n- [ ] Does it hold?\n\n${sectionEnd}`;
const bodies = [
  section,
  `Before.\n\n${section}\n\nBehind.`,
  section.replaceAll("\n", "\r\n"),
  section.replace("[ ] <!--", "[x] <!--"),
  "- [x] <!-- recheck:do keep -->keep",
];

const markerParser: FuzzTarget = {
  name: "marker parser",
  share: 330,
  try(pick) {
    const body = altered(bodies, pick);
    const mark = markOf(body);
    if (mark)
      must(
        mark.events.every((one) => typeof one === "string"),
        "events that are no texts",
        body,
      );
    hasMarker("0123456789abcdef01")({ body });
    const { before, section: own, after } = splitAtSection(body);
    if (own !== "") {
      must(before + own + after === body, "a part is lost", body);
      must(own.endsWith(sectionEnd), "a section without an end", body);
    }
    const ticked = tickedBoxes(body);
    for (const id of ticked) {
      must(own.includes(`<!-- recheck:do ${id} -->`), "a box outside the section", body);
      tickOf(id);
    }
    none(newTicks(body, body), "ticks of nobody", body);
    const again = withSection(body, () => section);
    must(splitAtSection(again).section.startsWith(firstLine(section)), "another section", body);
    must(isDeepStrictEqual(markOf(again), markOf(section)), "another mark", body);
    must(withSection(again, () => section) === again, "a section that grows", body);
    // Whatever an event is called, the line that names it stays one, and reads back.
    const keys = [hostileText(pick), hostileText(pick)];
    const told = firings.map((firing, i) => ({ ...firing, event: { ...firing.event, key: keys[i] ?? "" } }));
    const line = beginLine("m", hostileText(pick), told, [hostileText(pick)]);
    must(!/[\n\r]/.test(line) && line.indexOf("-->") === line.length - 3, "a mark that ends early", line);
    must(isDeepStrictEqual(markOf(line)?.events, keys), "a mark that reads otherwise", line, keys);
  },
};

/** One paragraph whose only markup is code spans. */
function inertLine(markdown: string, of: unknown): void {
  const { kinds, text, html: tags, links } = rendered(markdown);
  none(
    [...kinds].filter((kind) => !["root", "paragraph", "text", "inlineCode"].includes(kind)),
    "markup",
    JSON.stringify([of, markdown]),
  );
  none([...living(text), ...tags, ...links], "something lives", JSON.stringify([of, markdown]));
}

const markdown: FuzzTarget = {
  name: "Markdown renderer",
  share: 60,
  try(pick) {
    const text = hostileText(pick);
    if (pick(150) === 0) return wholeIssue(text, hostileText(pick));
    const ways = [
      paragraph,
      (one: string) => `A ${words(one)}`,
      (one: string) => `A ${code(one)}`,
      (one: string) => `A ${name(one)}`,
      (one: string) => `A ${words(plainName(one))}`,
    ];
    const way = pick(ways.length + 3);
    const one = ways[way];
    if (one) return inertLine(one(text) || "a", text);
    if (way === ways.length) {
      const lines = clean(text)
        .split("\n")
        .map((line) => ` ${line}`);
      const shown = rendered(`a\n\n${fence(lines, "diff")}\n\nb`);
      must(shown.text === "a\nb" && shown.code === lines.join("\n"), "a fence that is left", text);
    } else if (way === ways.length + 1) {
      const shown = rendered(`| a | b |\n| - | - |\n| ${cell(words(text))} | ${cell(code(text))} |`);
      none([...living(shown.text), ...shown.html, ...shown.links], "something lives in a cell", text);
      must(
        [...shown.kinds].every((kind) =>
          ["root", "table", "tableRow", "tableCell", "text", "inlineCode"].includes(kind),
        ),
        "markup in a cell",
        text,
      );
    } else {
      const address = `https://docs.example/${text}`;
      for (const made of [link("words", address), ownLink("words", address)]) {
        const shown = rendered(made);
        must(
          shown.text === "words" && shown.links.every((url) => URL.parse(url)?.host === "docs.example"),
          "a link elsewhere",
          text,
        );
      }
      const { links } = rendered(link("words", text));
      none(
        links.filter((url) => !/^https?:/.test(url) || /^https?:\/\/(?:www\.)?github\.com/.test(url)),
        "a link that is none",
        text,
      );
    }
  },
};

const token = "SOURCETOKEN";

/** A whole issue whose evidence and config are hostile. */
function wholeIssue(text: string, word: string): void {
  const said = token + text + token;
  const change = { kind: "fact" as const, name: text, before: said, after: `${said} now` };
  const firing: Firing = {
    ...samples.released,
    event: { key: text, product: "loom", version: text },
    evidence: [samples.evidence("loom-blog", { change })],
  };
  const tensor = samples.config.triggers.get("tensor");
  const triggers = new Map(tensor ? [["tensor", { ...tensor, name: word, wording: word, ask: [word] }]] : []);
  const { title, body } = renderIssue({
    config: { ...samples.config, triggers },
    trigger: "tensor",
    marker: "0123456789abcdef01",
    firings: [firing],
    claims: samples.states,
    link: addressOf,
  });
  const shown = rendered(body);
  must(!shown.text.includes(token), "text of a source outside a fence", text, word);
  none(living(shown.text), "something lives", JSON.stringify([text, word]));
  none(
    shown.links.filter((url) => !/^https?:\/\/[^\s"'<>()[\]]+$/.test(url)),
    "an address of a text",
    JSON.stringify([text, word]),
  );
  must(!/[\n`@#<>]/.test(title), "a title that lives", title);
  must(isDeepStrictEqual(markOf(body)?.events, [text]), "a mark that reads otherwise", text);
}

const page: FuzzTarget = {
  name: "HTML renderer",
  share: 160,
  try(pick) {
    const text = hostileText(pick);
    const made = String(html`<p title="${text}">${text}<b>b</b></p>`);
    const [p, b, ...more] = elementsOf(made);
    must(p?.name === "p" && b?.name === "b" && more.length === 0, "an element of a text", text);
    must(isDeepStrictEqual(p?.attributes, { title: clean(text) }), "another attribute", text, p);
    must(wordsOf(made) === fold(`${clean(text)}b`).trim(), "other words", text, wordsOf(made));
    const address = pick(2) === 0 ? text : `https://docs.example/${text}`;
    for (const anchor of [externalLink("a", address), homeLink("a", address)]) {
      const found = elementsOf(String(anchor));
      must(
        found.length <= 1 &&
          found.every(({ name: one, attributes }) => one === "a" && /^https?:\/\//.test(attributes.href ?? "")),
        "an address of a text",
        address,
      );
      must(
        found.every(({ attributes }) => Object.keys(attributes).every((one) => one === "href" || one === "rel")),
        "an attribute of a text",
        address,
      );
    }
  },
};

const sha = "0123456789abcdef0123456789abcdef01234567";
const common = {
  installation: { id: 7 },
  repository: {
    id: 9,
    full_name: "a/b",
    private: false,
    fork: false,
    updated_at: "2026-05-16T00:00:00Z",
    archived: false,
  },
  sender: { login: "somebody", type: "User" },
};
const payloads: readonly (readonly [event: string, payload: object])[] = [
  [
    "issue_comment",
    {
      ...common,
      action: "created",
      issue: { number: 3, body: section },
      comment: { id: 5, body: "/recheck keep", user: common.sender },
    },
  ],
  [
    "issues",
    {
      ...common,
      action: "edited",
      issue: { number: 3, body: section, updated_at: "2026-05-16T00:00:00Z" },
      changes: { body: { from: section } },
    },
  ],
  [
    "push",
    {
      ...common,
      ref: "refs/heads/main",
      before: sha,
      after: sha,
      deleted: false,
      forced: false,
      commits: [{ added: ["sources.yaml"], modified: [], removed: [] }],
    },
  ],
  [
    "pull_request",
    {
      ...common,
      action: "synchronize",
      before: sha,
      pull_request: { number: 4, merged: null, head: { ref: "b", sha, repo: { id: 9 } }, base: { ref: "main" } },
    },
  ],
  [
    "check_run",
    {
      ...common,
      action: "rerequested",
      check_run: { head_sha: sha, name: "Recheck report", external_id: "recheck a" },
    },
  ],
  ["check_suite", { ...common, action: "rerequested", check_suite: { head_sha: sha } }],
  ["repository", { ...common, action: "renamed" }],
  ["installation", { ...common, action: "created", repositories: [common.repository] }],
  [
    "installation_repositories",
    { ...common, action: "added", repositories_added: [common.repository], repositories_removed: [common.repository] },
  ],
];
const kinds = new Set([
  "push",
  "branch-deleted",
  "pull",
  "comment",
  "edited",
  "issue",
  "rerun",
  "repository",
  "repository-deleted",
  "installed",
  "removed",
  "uninstalled",
  "suspended",
  "resumed",
]);

const webhook: FuzzTarget = {
  name: "webhook bodies",
  share: 100,
  try(pick) {
    const [event, payload] = payloads[pick(payloads.length)] ?? payloads[0] ?? ["", {}];
    const name = pick(10) === 0 ? (payloads[pick(payloads.length)]?.[0] ?? "") : event;
    const given = alteredData([payload], [...commands, ...bodies, "refs/heads/main", sha], pick);
    const told = newsOf(name, given);
    if (!told) return;
    must(kinds.has(told.news.kind), "news of no kind", name, told);
    must(typeof told.installation === "number", "nobody's news", name, given);
    const whole = /^(?:installed|removed|uninstalled|suspended|resumed)$/.test(told.news.kind);
    must(whole || typeof told.repository?.id === "number", "news of no repository", name, given);
    if (told.news.kind === "comment") must(/^\s*\/recheck/im.test(told.news.body), "no command", name, given);
    must(isDeepStrictEqual(JSON.parse(JSON.stringify(told)), told), "news that cannot be kept", name, given);
  },
};

export const targets: readonly FuzzTarget[] = [configLoader, commandParser, markerParser, markdown, page, webhook];
