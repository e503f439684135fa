import { applyPatch, parsePatch } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Evidence, Firing } from "../../../src/model/firing.ts";
import { lengthOnGitHub } from "../../../src/model/markdown.ts";
import { offerOf, untrueSentences } from "../../../src/recheck/correct.ts";
import { renderIssue } from "../../../src/recheck/issue/body.ts";
import { renderComment } from "../../../src/recheck/issue/comment.ts";
import { maxBodyCharacters } from "../../../src/recheck/issue/layout.ts";
import { markOf, sectionEnd } from "../../../src/recheck/issue/marker.ts";
import { addressOf, type Question } from "../../../src/recheck/issue/question.ts";
import { patchOf } from "../../../src/report/edit/splice.ts";
import { runs } from "../../support/runs.ts";
import * as samples from "../samples.ts";
import { hostile } from "./hostile.ts";
import { living, rendered } from "./markdown.ts";

const { byId, claimAltered, config, evidence, firing, madePublic, matrixChanged, mentioned, released, source } =
  samples;

const question = (firings: readonly Firing[], more: Partial<Question> = {}): Question => ({
  config,
  trigger: "tensor",
  marker: "0123456789abcdef01",
  firings,
  claims: samples.states,
  link: addressOf,
  ...more,
});
const body = (firings: readonly Firing[], more: Partial<Question> = {}) => renderIssue(question(firings, more)).body;
const names = (firings: readonly Firing[], more: Partial<Question> = {}) =>
  renderIssue(question(firings, more)).labels.map(({ name }) => name);

describe("the title", () => {
  test.each([
    [[released], "Loom 2.13.0 released; is “Tensor” still right?"],
    [[released, madePublic], "tensor-org/board_backend [16] became public; is “Tensor” still right?"],
    [
      [claimAltered],
      "Tensor 7 documentation [53] now differs from “The new chip runs in the cluster service only, with one framework”",
    ],
    [[mentioned], "A Loom post speaks of Tensor; is “Tensor” still right?"],
    [[matrixChanged], "Tensor 7 documentation [53]: 2 changes under Matrix; is “Tensor” still right?"],
  ])("names the strongest event", (firings, title) => {
    expect(renderIssue(question(firings)).title).toBe(title);
  });

  test("gives the meaning of a release, and its version", () => {
    const [lead] = released.evidence;
    const condition = {
      kind: "release" as const,
      products: ["loom"],
      bump: ["minor" as const],
      pre: "no" as const,
      sources: [],
      means: "a Loom release speaks of Tensor",
    };
    const meant = { ...released, evidence: lead ? [{ ...lead, condition }] : [] };
    expect(renderIssue(question([meant])).title).toBe(
      "Loom 2.13.0: a Loom release speaks of Tensor; is “Tensor” still right?",
    );
  });

  test.each<[string, Change, string]>([
    [
      "archived",
      { kind: "fact", name: "archived", before: "no", after: "yes" },
      "tensor-org/board_backend [16] was archived",
    ],
    [
      "told only once it comes",
      { kind: "fact", name: "archived", after: "yes" },
      "tensor-org/board_backend [16] was archived",
    ],
    ["first given", { kind: "fact", name: "license", after: "MIT" }, "tensor-org/board_backend [16]: license MIT"],
    [
      "no longer given",
      { kind: "fact", name: "license", before: "MIT" },
      "tensor-org/board_backend [16]: license MIT → no longer given",
    ],
    ["gone", { kind: "link", to: "gone" }, "tensor-org/board_backend [16] is gone"],
    ["moved", { kind: "link", to: "moved" }, "tensor-org/board_backend [16] moved for good"],
    [
      "withdrawn",
      { kind: "item-withdrawn", item: { id: "x", title: "A #12" } },
      "tensor-org/board_backend [16], entry withdrawn A 12",
    ],
  ])("says what is %s", (_, change, words) => {
    const one = firing("tensor", "key", { evidence: [evidence("tensor-repo", { change })] });
    expect(renderIssue(question([one])).title).toBe(`${words}; is “Tensor” still right?`);
  });

  test.each([
    ["Team costs $29.", "Team costs $39.", "Tensor 7 documentation [53] now says $39 under Plans, no longer $29"],
    ["Team | $29 | 5 GB", "Team | $39 | 5 GB", "Tensor 7 documentation [53] now says $39 under Plans, no longer $29"],
    ["Team costs $29.", "Solo costs $39.", "Tensor 7 documentation [53]: text changed under Plans"],
    ["$29 or 5 GB", "$39 or 6 GB", "Tensor 7 documentation [53]: text changed under Plans"],
    ["Team costs $29.", "Team costs 3 GB.", "Tensor 7 documentation [53]: text changed under Plans"],
  ])("names the only figure that a text replaced: %s → %s", (before, after, words) => {
    const block = (text: string) => ({ path: ["Plans"], kind: "paragraph" as const, text });
    const change = { kind: "block" as const, before: block(before), after: block(after) };
    const one = firing("tensor", "key", { evidence: [evidence("tensor-docs", { change })] });
    expect(renderIssue(question([one])).title).toBe(`${words}; is “Tensor” still right?`);
  });

  test("asks about nothing if no rating rests on the event", () => {
    const bare = samples.trigger("links", { name: "Cited addresses" });
    const triggers = new Map([...config.triggers, ["links", bare]]);
    const one = firing("links", "key", {
      evidence: [evidence("tensor-repo", { change: { kind: "link", to: "gone" } })],
    });
    const shown = renderIssue(question([one], { trigger: "links", config: { ...config, triggers } }));
    expect(shown.title).toBe("tensor-org/board_backend [16] is gone");
  });

  test.each<[string, string | undefined, string, string]>([
    ["retracted", undefined, "10.5555/notice", "A paper was retracted"],
    ["new-version", undefined, "10.5555/second", "A paper has a newer version"],
    ["retracted", "10.5555/notice", "10.5555/other", "A paper: retracted 10.5555 notice → 10.5555 other"],
  ])("gives a state of a work in its own words: %s after %s", (name, before, after, words) => {
    const paper = source("paper", { kind: "doi", address: "10.5555/paper", title: "A paper" });
    const sources = new Map([...config.sources, ["paper", paper]]);
    const change = { kind: "fact" as const, name, ...(before && { before }), after };
    const one = firing("tensor", "key", { evidence: [evidence("paper", { change })] });
    const shown = renderIssue(question([one], { config: { ...config, sources } }));
    expect(shown.title).toBe(`${words}; is “Tensor” still right?`);
  });

  test.each([
    ["feed", "https://loom.example/feed.xml", "loom-news", "`loom-news`"],
    ["pypi", "loom-runtime", "loom-runtime", "`loom-runtime`"],
  ])("calls an untitled %s by its most readable text", (kind, address, text, markdown) => {
    const untitled = source("loom-news", { kind, address });
    const sources = new Map([...config.sources, ["loom-news", untitled]]);
    const one = firing("tensor", "key", { evidence: [evidence("loom-news")] });
    const shown = renderIssue(question([one], { config: { ...config, sources } }));
    expect(shown.title).toBe(`${text}, new entry Loom 2.13.0; is “Tensor” still right?`);
    expect(shown.body).toContain(`**1. ${markdown}, new entry \`Loom 2.13.0\`**`);
  });

  test("says what only time has done", () => {
    const condition = { kind: "silence" as const, source: "loom-blog", for: 180 * 86_400_000 };
    const change = { kind: "fact" as const, name: "silent since", after: "2026-01-01" };
    const one = firing("tensor", "loom-blog silent", { evidence: [evidence("loom-blog", { change, condition })] });
    expect(renderIssue(question([one])).title).toBe("Loom blog: nothing new for 180 days; is “Tensor” still right?");
    expect(body([one])).not.toContain("````");
  });
});

describe("the body", () => {
  test("asks about the one thing that was out of date at first with its line in the report", () => {
    const change = { kind: "link" as const, to: "gone" as const };
    const dead = firing("not-found", "key", { evidence: [evidence("tensor-repo", { change })] });
    const places = () => ({ file: "README.md", line: 33 });
    const shown = body([dead], { trigger: "not-found", places });
    expect(shown).toContain("**1 thing in this report is out of date**, seen 2026-07-08. Should it be corrected?");
    expect(shown).toContain("`README.md:33`: tensor-org/board\\_backend \\[16\\] was not found");
  });

  test("is the same for the same evidence, in any order", () => {
    expect(body([released, madePublic, claimAltered])).toBe(body([claimAltered, released, madePublic]));
  });

  test("never leaves a difference empty", () => {
    const change: Change = {
      kind: "block",
      before: { path: [], kind: "paragraph", text: "same\u200b words" },
      after: { path: [], kind: "paragraph", text: "same words" },
    };
    const shown = body([firing("tensor", "key", { evidence: [evidence("tensor-docs", { change })] })]);
    expect(shown).toContain("  same words\n  (only characters that are not shown differ)");
  });

  test("shows the words that differ, however far into a long text", () => {
    const text = (word: string) => `${"before ".repeat(15_000)}${word}${" after".repeat(15_000)}`;
    const block = (word: string) => ({ path: [], kind: "paragraph" as const, text: text(word) });
    const change: Change = { kind: "block", before: block("128GB"), after: block("192GB") };
    const shown = body([firing("tensor", "key", { evidence: [evidence("tensor-docs", { change })] })]);
    expect(shown).toMatch(/^- … before (?:before )*128GB (?:after )*after … \([\d,]+ more characters\)$/m);
    expect(shown).toMatch(/^\+ … before (?:before )*192GB /m);
    expect(lengthOnGitHub(shown)).toBeLessThan(6_000);
  });
});

describe("built-in triggers", () => {
  const orphan = samples.claim("alone", "loose-page", { says: "It ships on two boards", cites: [7] });
  const loose = { ...config, sources: byId([samples.source("loose-page", { title: "Loose page", claims: [orphan] })]) };
  const change: Change = { kind: "claim", claim: "loose-page/alone", from: "not found", to: "not found" };
  const piece = evidence("loose-page", { part: "claim", claim: "loose-page/alone", change });

  test("name the source and the sentence, or count the sentences", () => {
    const titles = [["key"], ["a", "b", "c"]].flatMap((keys) =>
      ["claims", "not-found"].map((trigger) => {
        const firings = keys.map((key) => firing(trigger, key, { evidence: [piece] }));
        return renderIssue(question(firings, { config: loose, trigger, claims: [] })).title;
      }),
    );
    const unsupported = "Loose page [7] does not support “It ships on two boards”";
    const first = "Loose page [7] does not support “It ships on two boards”";
    const counted = `3 things in this report are out of date: ${first}`;
    expect(titles).toEqual([unsupported, first, unsupported, counted]);
  });

  test.each([
    [{ quote: "two boards" }, "rests on the passage “two boards”"],
    [{ value: "2 boards" }, "rests on the value 2 boards"],
    [{ value: "2 boards", of: "ships on" }, "rests on the value 2 boards near “ships on”"],
    [{ absent: "three boards" }, "holds as long as “three boards” is not there"],
    [{ absent: "three boards", under: "Boards" }, "holds as long as “three boards” is not there under “Boards”"],
  ])("show what was searched for: %o", (proof, says) => {
    const claims = [samples.claim("alone", "loose-page", { says: "It ships", proof })];
    const page = { ...config, sources: byId([samples.source("loose-page", { title: "Loose page", claims })]) };
    const given = question([firing("not-found", "key", { evidence: [piece] })], { config: page, trigger: "not-found" });
    expect(renderIssue(given).body).toContain(
      `\nAccording to \`sources.yaml\`, the claim ${says}. Nothing like it is there.\n`,
    );
  });
});

describe("labels", () => {
  test("say what it is, whom it concerns and how it was declared", () => {
    expect(names([released])).toEqual(["recheck", "platform: tensor", "volatility: high", "confidence: medium-high"]);
    expect(names([released, madePublic])).toContain("contrary");
  });

  test("keep to GitHub's 50 characters and hold no comma", () => {
    const wordy = samples.trigger("tensor", { confidence: `Medium, ${"very ".repeat(40)}` });
    const [, long = ""] = names([released], { config: { ...config, triggers: byId([wordy]) } }).slice(-2);
    expect(lengthOnGitHub(long)).toBeLessThanOrEqual(50);
    expect(long).not.toContain(",");
  });
});

describe("Markdown injection: any text of sources and config", () => {
  const token = "zqxsource";
  const fromSource = () => hostile().map((text) => `${token}${text}${token}`);
  const block = () =>
    fc.record({
      path: fc.array(fromSource(), { maxLength: 3 }),
      kind: fc.constantFrom("paragraph" as const, "row" as const),
      text: fromSource(),
      header: fc.option(fromSource(), { nil: undefined }),
    });
  const own = () => fc.tuple(fc.constantFrom("", "https://loom-blog.example/", "https://github.com/a/"), fromSource());
  const url = () => own().map((parts) => parts.join(""));
  const item = () => fc.record({ id: fromSource(), title: fromSource(), url: url() });
  const change = (): fc.Arbitrary<Change> =>
    fc.oneof(
      item().map((each): Change => ({ kind: "item-added", item: each })),
      fc.tuple(item(), item()).map(([before, each]): Change => ({ kind: "item-edited", before, item: each })),
      fc.record({ kind: fc.constant("fact" as const), name: hostile(), before: fromSource(), after: fromSource() }),
      fc.record({ kind: fc.constant("block" as const), before: block(), after: block() }),
      fc.record({
        kind: fc.constant("claim" as const),
        claim: fc.constant("tensor-docs/cluster-only"),
        from: fc.constant("supported" as const),
        to: fc.constant("altered" as const),
        before: fromSource(),
        after: fromSource(),
      }),
      fc.record({ kind: fc.constant("link" as const), to: fc.constant("moved" as const), address: fromSource() }),
    );
  const piece = (): fc.Arbitrary<Evidence> =>
    fc
      .record({
        source: fc.constantFrom("tensor-docs", "tensor-repo", "loom-blog"),
        change: change(),
        part: fc.constantFrom("on" as const, "also" as const, "until" as const, "claim" as const),
        excerpt: fc.option(fromSource(), { nil: undefined }),
        means: fc.option(hostile(), { nil: undefined }),
      })
      .map(({ means, ...rest }) =>
        evidence(rest.source, {
          ...rest,
          claim: "tensor-docs/cluster-only",
          condition: { kind: "change", source: rest.source, means },
        }),
      );
  const anyFiring = (): fc.Arbitrary<Firing> =>
    fc
      .record({ key: fromSource(), version: hostile(), evidence: fc.array(piece(), { minLength: 1, maxLength: 4 }) })
      .map(({ key, version, evidence: pieces }) =>
        firing("tensor", key, { event: { key, product: "loom", version }, weight: "contrary", evidence: pieces }),
      );

  /** Every word of config replaced. */
  function worded(word: string): Config {
    const tensor = config.triggers.get("tensor");
    const docs = config.sources.get("tensor-docs");
    const repo = config.sources.get("tensor-repo");
    const blog = config.sources.get("loom-blog");
    return {
      ...config,
      names: new Map([["tensor", word]]),
      rubric: new Map([["maturity", new Map([["High", word]])]]),
      conclusions: byId([{ id: "final", text: word, restsOn: ["tensor/maturity"] }]),
      products: byId([{ id: "loom", name: word, aliases: [], tags: [], renumbered: {}, phantom: [] }]),
      sources: byId([
        ...(docs ? [{ ...docs, title: word, claims: docs.claims.map((claim) => ({ ...claim, says: word })) }] : []),
        ...(repo ? [{ ...repo, address: `repo ${word}` }] : []),
        ...(blog ? [blog] : []),
      ]),
      triggers: byId(tensor ? [{ ...tensor, name: word, wording: word, ask: [word, word] }] : []),
    };
  }

  const known = new Set([
    "root",
    "paragraph",
    "text",
    "strong",
    "emphasis",
    "inlineCode",
    "code",
    "html",
    "link",
    "break",
  ]);
  const tables = ["table", "tableRow", "tableCell", "heading", "list", "listItem"];

  test("nothing comes alive outside a fence", () => {
    fc.assert(
      fc.property(fc.array(anyFiring(), { minLength: 1, maxLength: 3 }), hostile(), (firings, word) => {
        const asked = question(firings, { config: worded(word) });
        const { body: text, title } = renderIssue(asked);
        const comment = renderComment(asked, firings, "c0ffee");
        const [first = ""] = text.split("\n");
        expect(comment.split("\n")[1]).toMatch(/^<!-- recheck:tells [A-Za-z0-9 ._{}[\]":,\\]+ -->$/);
        for (const [markdown, html] of [
          [text, [first, sectionEnd, "<sub>", "</sub>"]],
          [comment, comment.split("\n", 2)],
        ] as const) {
          const shown = rendered(markdown);
          expect(shown.text).not.toContain(token);
          expect(living(shown.text)).toEqual([]);
          const tags = shown.html.filter(
            (tag) => !/^(?:<details><summary>[A-Za-z0-9 ,]+<\/summary>|<\/details>)$/.test(tag),
          );
          expect([...new Set(tags)].sort()).toEqual([...html].sort());
          for (const url of shown.links) {
            expect(url).toMatch(/^https?:\/\/[^\s"'<>()[\]]+$/);
            expect(URL.parse(url)?.hostname).not.toMatch(/^(?:www\.)?github\.com/);
          }
          expect([...shown.kinds].filter((kind) => !known.has(kind) && !tables.includes(kind))).toEqual([]);
        }
        expect(markOf(text)?.events).toEqual(
          markOf(text)?.more === 0 ? expect.arrayContaining(firings.map(({ event }) => event.key)) : expect.anything(),
        );
        expect(title).not.toMatch(/[\n`@#<>]/);
        expect(lengthOnGitHub(title)).toBeLessThanOrEqual(256);
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("a correction", () => {
  const price = samples.claim("price", "docs", { says: "It costs $29 a month", proof: { value: "$29", of: "costs" } });
  const priced = { ...config, sources: byId([source("docs", { claims: [price] })]) };
  const change = { kind: "claim", claim: "docs/price", from: "supported", to: "altered" } as const;
  const texts = { before: "It costs $29 a month.", after: "It costs $39 a month." };
  const dearer = firing("tensor", "key", {
    evidence: [evidence("docs", { part: "claim", claim: "docs/price", change: { ...change, ...texts } })],
  });
  const yaml = "sources:\n  docs:\n    claims:\n      price: { says: It costs $29 a month, value: $29 }\n";

  test("is not followed by the same edit of its page as if that were news", () => {
    const block = (text: string) => ({ path: [], kind: "paragraph" as const, text });
    const edit = { kind: "block", before: block(texts.before), after: block(texts.after) } as const;
    const ofPage = firing("tensor", "docs changed", { evidence: [evidence("docs", { change: edit })] });
    const later = firing("tensor", "docs changed", {
      evidence: [evidence("docs", { change: edit, seen: samples.at("2026-08-01") })],
    });
    const files = { sources: { path: "sources.yaml", text: yaml } };
    const offer = offerOf(untrueSentences([dearer], priced), files);
    expect(body([dearer, ofPage], { config: priced, offer })).not.toContain("Also new");
    expect(body([dearer, later], { config: priced, offer })).toContain("Also new");
  });

  test("brings nothing of the report alive, and applies", () => {
    fc.assert(
      fc.property(hostile(), hostile(), fc.boolean(), (above, beside, commands) => {
        const text = `${above}\n\n**It costs $29** a month ${beside}\n`;
        const files = { sources: { path: "sources.yaml", text: yaml }, text: { path: "a.md", text } };
        const offer = offerOf(untrueSentences([dearer], priced), files);
        const shown = body([dearer], { config: priced, offer, commands });
        const { text: outside, html, links } = rendered(shown);
        expect(living(outside)).toEqual([]);
        expect(html.join("\n")).not.toMatch(/<img|<script|evil/);
        expect(links.filter((url) => url.includes("evil"))).toEqual([]);
        if (offer.corrections.length > 0)
          expect(applyPatch(text, parsePatch(patchOf(offer.changes))[0] ?? "")).toBe(
            text.replace("costs $29", "costs $39"),
          );
      }),
    );
  });
});

describe("GitHub's 65,536 characters", () => {
  const many = (count: number, text: string) =>
    Array.from({ length: count }, (_, index) =>
      firing("tensor", `event ${index}`, {
        evidence: [
          evidence("tensor-docs", {
            change: {
              kind: "block",
              before: { path: ["Top"], kind: "paragraph", text: `${text} old ${index}` },
              after: { path: ["Top"], kind: "paragraph", text: `${text} new ${index}` },
            },
          }),
        ],
      }),
    );

  test.each([
    ["five hundred firings", many(500, "words")],
    ["texts of 100 KB in one line", many(30, "x".repeat(100_000))],
    ["texts of backticks alone", many(30, "`".repeat(50_000))],
    ["texts of astral characters", many(50, "𝔸 ".repeat(4_000))],
  ])("are kept to with %s, and the left out part is named", (_, firings) => {
    const shown = body(firings);
    expect(lengthOnGitHub(shown)).toBeLessThanOrEqual(maxBodyCharacters);
    expect(shown.endsWith(`\n\n${sectionEnd}`)).toBe(true);
    const [, left = 0] = /^and (\d+) more events: see `recheck explain tensor`$/m.exec(shown) ?? [];
    expect(Number(left) + (shown.match(/^\*\*\d+\. /gm)?.length ?? 0)).toBe(firings.length);
    expect(markOf(shown)?.marker).toBe("0123456789abcdef01");
  });

  test("are shared with people's text", () => {
    const shown = renderIssue(question(many(200, "words")), 9_000).body;
    expect(lengthOnGitHub(shown)).toBeLessThanOrEqual(9_000);
    expect(shown).toContain("### What depends on it");
  });

  test("are not filled by the config of a big report", () => {
    const wide = {
      ...config,
      conclusions: byId(
        Array.from({ length: 6_000 }, (_, id) => ({
          id: `c${id}`,
          text: `Conclusion ${id}`,
          restsOn: ["tensor/maturity"],
        })),
      ),
    };
    const shown = body([released], { config: wide });
    expect(lengthOnGitHub(shown)).toBeLessThanOrEqual(maxBodyCharacters);
    expect(shown).toContain("and 5,998 more\n");
  });
});
