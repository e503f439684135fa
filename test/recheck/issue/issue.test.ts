import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Evidence, Firing } from "../../../src/model/firing.ts";
import { lengthOnGitHub } from "../../../src/model/markdown.ts";
import { renderIssue } from "../../../src/recheck/issue/body.ts";
import { renderComment } from "../../../src/recheck/issue/comment.ts";
import { maxBodyCharacters } from "../../../src/recheck/issue/layout.ts";
import { markOf, sectionEnd } from "../../../src/recheck/issue/marker.ts";
import { addressOf, type Question } from "../../../src/recheck/issue/question.ts";
import * as samples from "../samples.ts";
import { hostile } from "./hostile.ts";
import { living, rendered } from "./markdown.ts";

const { at, byId, claimAltered, config, evidence, firing, madePublic, matrixChanged, mentioned, released, source } =
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
    [[released], "Recheck Tensor: Loom 2.13.0 released"],
    [[released, madePublic], "Recheck Tensor: tensor-org/board_backend became public"],
    [
      [claimAltered],
      "Recheck Tensor: Tensor 7 documentation [53] now differs from “The new chip runs in the cluster service only, with one framework”",
    ],
    [[mentioned], "Recheck Tensor: a Loom post speaks of Tensor"],
    [[matrixChanged], "Recheck Tensor: Tensor 7 documentation: 2 changes under Matrix"],
  ])("names the strongest event", (firings, title) => {
    expect(renderIssue(question(firings)).title).toBe(title);
  });

  test("tells of a release what it means, and which it is", () => {
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
    expect(renderIssue(question([meant])).title).toBe("Recheck Tensor: Loom 2.13.0: a Loom release speaks of Tensor");
  });

  test.each<[string, Change, string]>([
    [
      "archived",
      { kind: "fact", name: "archived", before: "no", after: "yes" },
      "tensor-org/board_backend was archived",
    ],
    [
      "told only once it comes",
      { kind: "fact", name: "archived", after: "yes" },
      "tensor-org/board_backend was archived",
    ],
    ["first told", { kind: "fact", name: "license", after: "MIT" }, "tensor-org/board_backend: license MIT"],
    [
      "no longer told",
      { kind: "fact", name: "license", before: "MIT" },
      "tensor-org/board_backend: license MIT → no longer given",
    ],
    ["gone", { kind: "link", to: "gone" }, "tensor-org/board_backend [16] is gone"],
    ["moved", { kind: "link", to: "moved" }, "tensor-org/board_backend [16] moved for good"],
    [
      "withdrawn",
      { kind: "item-withdrawn", item: { id: "x", title: "A #12" } },
      "tensor-org/board_backend, entry withdrawn A 12",
    ],
  ])("says what is %s", (_, change, words) => {
    const one = firing("tensor", "key", { evidence: [evidence("tensor-repo", { change })] });
    expect(renderIssue(question([one])).title).toBe(`Recheck Tensor: ${words}`);
  });

  test.each([
    ["feed", "https://loom.example/feed.xml", "loom-news", "`loom-news`"],
    ["pypi", "loom-runtime", "loom-runtime", "`loom-runtime`"],
  ])("calls an untitled %s by what people read best", (kind, address, text, markdown) => {
    const untitled = source("loom-news", { kind, address });
    const sources = new Map([...config.sources, ["loom-news", untitled]]);
    const one = firing("tensor", "key", { evidence: [evidence("loom-news")] });
    const shown = renderIssue(question([one], { config: { ...config, sources } }));
    expect(shown.title).toBe(`Recheck Tensor: ${text}, new entry Loom 2.13.0`);
    expect(shown.body).toContain(`**${markdown}, new entry \`Loom 2.13.0\`, seen 2026-07-08**`);
    expect(shown.body).toContain(`*source:* \`${address}\``);
  });

  test("says what only time has done", () => {
    const condition = { kind: "silence" as const, source: "loom-blog", for: 180 * 86_400_000 };
    const change = { kind: "fact" as const, name: "silent since", after: "2026-01-01" };
    const one = firing("tensor", "loom-blog silent", { evidence: [evidence("loom-blog", { change, condition })] });
    expect(renderIssue(question([one])).title).toBe("Recheck Tensor: Loom blog: nothing new for 180 days");
    expect(body([one])).not.toContain("````");
  });
});

describe("the body", () => {
  test("begins with one sentence: the event, its date, how many more, and the ratings", () => {
    const shown = body([released, madePublic], { previous: { issue: 12, closed: at("2026-05-30") } });
    expect(shown).toContain(
      "**`tensor-org/board_backend` became public, seen 2026-09-21**, and 1 more. Both Tensor Board ratings are in doubt. " +
        "The report was last checked against its sources on 2026-05-16. Follows #12, closed on 2026-05-30.",
    );
  });

  test("counts ratings in doubt and to review apart", () => {
    const only = { kind: "fact" as const, source: "tensor-repo", name: "public", ratings: ["tensor/compile"] };
    const [lead] = madePublic.evidence;
    const doubt = { ...madePublic, evidence: lead ? [{ ...lead, condition: only }] : [] };
    expect(body([doubt, released])).toContain("1 of the 2 Tensor Board ratings is in doubt, 1 is up for review.");
    expect(body([{ ...doubt, weight: "routine" }])).toContain("1 of the 2 Tensor Board ratings is up for review.");
    const both = {
      ...config,
      triggers: byId([samples.trigger("tensor", { ratings: ["tensor/compile", "vector/compile"] })]),
    };
    expect(body([released], { config: both })).toContain("2 of the report's 4 ratings are up for review.");
  });

  test("shows evidence contrary first, then newest first", () => {
    const shown = body([released, claimAltered, mentioned, madePublic]);
    const order = ["**1. `tensor-org", "**2. Claim altered: “The new", "**3. Loom blog", "**4. Loom 2.13.0"];
    const places = order.map((start) => shown.indexOf(start));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });

  test("shows a claim as it was and is, with a link to the passage", () => {
    const shown = body([claimAltered]);
    expect(shown).toContain("seen 2026-06-01 09:00 UTC, confirmed 6 h later");
    expect(shown).toContain(
      "````diff\n- To use it you must use the cluster service. You can use the Jig framework.\n" +
        "+ You can use it with the cluster service or with machines, and with the Jig and Loom frameworks.\n````",
    );
    expect(shown).toContain(
      "[open the passage](https://tensor-docs.example/docs#:~:text=You%20can%20use%20it%20with%20the%20cluster%20service",
    );
    expect(shown).toContain(
      "**1. Claim altered: “The new chip runs in the cluster service only, with one framework”**",
    );
    expect(shown).not.toContain("a claim of the report");
  });

  test("names every source of an event, and the frozen pages they stand for", () => {
    const shown = body([released]);
    expect(shown).toContain("*source:* Loom releases, ref 32, watched instead of refs 1, 4");
    expect(shown).toContain("*also seen in:* Loom blog, watched instead of ref 5\n");
  });

  test("says whether the report named it, awaited it or forgot it", () => {
    expect(body([released])).toContain("*named by the report*\n");
    expect(body([madePublic])).toContain("*the report waits for this*\n");
    expect(body([mentioned])).toContain("*extra condition*");
    const silent = { ...config, triggers: byId([samples.trigger("tensor")]) };
    expect(body([released], { config: silent })).toContain("*named by the trigger*\n");
    expect(body([mentioned])).toContain("````text\n  Backends\n  Tensor boards now compile most models");
  });

  test("shows the rows of a table under their heading and header", () => {
    expect(body([matrixChanged])).toContain(
      "````diff\n@@ Software › Matrix @@\n  Board | Framework\n- Tensor 7 | Jig\n+ Tensor 7 | Jig, Loom 2.12\n- Tensor 6 | Jig\n",
    );
  });

  test("parts the levels of a rubric that ends its sentences without a full stop", () => {
    const rubric = new Map([
      [
        "maturity",
        new Map([
          ["Low", "a prototype"],
          ["Medium", "works!"],
          ["High", "ready"],
        ]),
      ],
    ]);
    expect(body([released], { config: { ...config, rubric } })).toContain(
      "- Maturity: *High:* ready · *Medium:* works\\! *Low:* a prototype",
    );
  });

  test("shows ratings with level and rubric, claims with states, and conclusions above", () => {
    const until = evidence("tensor-repo", { part: "until", claim: "tensor-docs/bridge" });
    const shown = body([madePublic, firing("tensor", "ends the bridge", { weight: "contrary", evidence: [until] })]);
    expect(shown).toContain(
      "| Tensor Board · Maturity | **Medium** | It works as long as one keeps to its rules. |\n| Tensor Board · Compiler | **Medium** |  |\n\n" +
        "<details><summary>What the levels mean</summary>\n\n- Maturity: *High:* Ordinary code runs with few surprises. *Medium:*",
    );
    expect(shown).toContain("framework | ref 53 | **altered**, since 2026-06-01 |");
    expect(shown).toContain("| The bridge is the way to production | ref 15 | **contradicted** by 2 |");
    expect(shown).toContain(
      "Rests on these ratings:\n\n- *Training: a vector cluster*: Maturity\n- *Standardize on vector*, through those above\n\n",
    );
    expect(shown).not.toContain("At the edge");
  });

  test("shows a sentence once, however many proofs of it stand alike", () => {
    const docs = config.sources.get("tensor-docs");
    const twins = ["size", "words"].map((id) =>
      samples.claim(id, "tensor-docs", { says: "A node has 192 GB", ratings: ["tensor/maturity"] }),
    );
    const both = { ...config, sources: byId(docs ? [{ ...docs, claims: twins }] : []) };
    const claims = twins.map(
      ({ id }) => ({ claim: `tensor-docs/${id}`, status: "altered", since: at("2026-06-01") }) as const,
    );
    const shown = body([released], { config: both, claims });
    expect(shown.match(/\| A node has 192 GB \|/g)).toHaveLength(1);
  });

  test("says what to edit where an address is gone, and no claim is asked about", () => {
    const gone = firing("links", "gone", {
      evidence: [evidence("tensor-docs", { change: { kind: "link", to: "gone" } })],
    });
    const links = { ...samples.trigger("links"), ratings: [] };
    const shown = body([gone], { trigger: "links", config: { ...config, triggers: byId([links]) } });
    expect(shown).toContain("Answer by editing `sources.yaml` (the source's address) and closing this issue.");
  });

  test("folds claims away that are not in question, where there are many", () => {
    const docs = config.sources.get("tensor-docs");
    const claims = Array.from({ length: 20 }, (_, index) =>
      samples.claim(`c${index}`, "tensor-docs", { says: `Claim ${index} of @you`, ratings: ["tensor/maturity"] }),
    );
    const wide = { ...config, sources: byId(docs ? [{ ...docs, claims: [...docs.claims, ...claims] }] : []) };
    const shown = body([claimAltered], { config: wide });
    const [above = "", folded = ""] = shown.split("<details><summary>21 more claims, not affected</summary>\n\n");
    expect(above).toContain("| The new chip runs in the cluster service only");
    expect(above).not.toContain("Claim 0");
    expect(folded.split("\n\n</details>")[0]?.split("\n")).toHaveLength(23);
    expect(rendered(shown).html.slice(3, 5)).toEqual([
      "<details><summary>21 more claims, not affected</summary>",
      "</details>",
    ]);
    expect(body([released], { config: wide })).toContain("<summary>21 more claims, not affected</summary>");
    expect(body([released], { config: wide, claims: [] })).toContain("<summary>22 claims, not affected</summary>");
  });

  test("asks the trigger's questions, and says how to answer and why it came", () => {
    const shown = body([released]);
    expect(shown).toContain(
      "### To decide\n\n- [ ] Does eager code run from the public package?\n- [ ] Which generations",
    );
    expect(shown).toContain("Answer by editing `sources.yaml`");
    expect(shown).not.toContain("/recheck");
    expect(shown).toContain("<sub>Opened because of `triggers/tensor.yaml`. Too many of these? Narrow its conditions.");
    const condition = { kind: "fact", source: "tensor-lib", name: "public", becomes: "yes" } as const;
    const met = firing("tensor", "key", { evidence: [evidence("tensor-lib", { part: "also", condition })] });
    expect(body([met])).toContain(
      '<sub>Opened because of `triggers/tensor.yaml` ("public" becomes yes). Too many of these?',
    );
    expect(body([claimAltered])).toContain(
      "<sub>Opened because of claims in `sources.yaml` whose ratings `triggers/tensor.yaml` asks about. Too many of these? Correct the proof, or remove the claim.",
    );
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

  test("ask about claims without ratings", () => {
    const issue = renderIssue(
      question([firing("claims", "key", { evidence: [piece] })], { config: loose, trigger: "claims", claims: [] }),
    );
    expect(issue.title).toBe("Recheck Claims: Loose page [7] does not support “It ships on two boards”");
    expect(issue.labels.map(({ name }) => name)).toEqual(["recheck"]);
    expect(issue.body).toContain("| It ships on two boards | ref 7 | not looked for yet |");
    expect(issue.body).toContain("Opened because of claims in `sources.yaml`");
    expect(issue.body).not.toContain("ratings are");
  });

  test("ask whether a proof is mistyped", () => {
    const shown = renderIssue(
      question([firing("not-found", "key", { evidence: [piece] })], { config: loose, trigger: "not-found" }),
    );
    expect(shown.title).toBe("[7] Loose page does not support “It ships on two boards”");
    expect(shown.body).toContain("- [ ] Or is a proof in sources.yaml mistyped, or on another page?");
    expect(shown.body).toContain("Answer by editing `sources.yaml` (the claim and its proof");
    expect(shown.body).toContain("Opened once: all of this was so at the first check of its source in `sources.yaml`.");
  });

  test("count the others in the title, and show what was looked for", () => {
    const proofs = [
      [{ quote: "two boards" }, 'the passage "two boards"'],
      [{ value: "2 boards" }, "the value 2 boards"],
      [{ value: "2 boards", of: "ships on" }, 'the value 2 boards near "ships on"'],
      [{ absent: "three boards" }, 'that "three boards" is not there'],
      [{ absent: "three boards", under: "Boards" }, 'that "three boards" is not there under "Boards"'],
    ] as const;
    for (const [proof, says] of proofs) {
      const claims = [samples.claim("alone", "loose-page", { says: "It ships", proof })];
      const page = { ...config, sources: byId([samples.source("loose-page", { title: "Loose page", claims })]) };
      const firings = ["a", "b", "c"].map((key) => firing("not-found", key, { evidence: [piece] }));
      const { title, body } = renderIssue(question(firings, { config: page, trigger: "not-found" }));
      expect(title).toBe("3 things in this report are out of date: Loose page does not support “It ships”");
      expect(body).toContain(`*its proof in sources.yaml:* ${says} · *nothing similar was found*\n`);
    }
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

describe("Markdown injection: whatever stands in sources and config", () => {
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
      { numRuns: 150 },
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
    ["texts of 100 KB in one line", many(200, "x".repeat(100_000))],
    ["texts of backticks alone", many(200, "`".repeat(50_000))],
    ["texts of astral characters", many(250, "𝔸 ".repeat(20_000))],
  ])("are kept to with %s, and what is left out is said", (_, firings) => {
    const shown = body(firings);
    expect(lengthOnGitHub(shown)).toBeLessThanOrEqual(maxBodyCharacters);
    expect(lengthOnGitHub(shown)).toBeGreaterThan(maxBodyCharacters / 2);
    expect(shown.endsWith(`\n\n${sectionEnd}`)).toBe(true);
    const [, left = 0] = /\*Left out, because GitHub allows 65,536 characters: (\d+) sightings\.\*/.exec(shown) ?? [];
    expect(Number(left) + (shown.match(/^\*\*\d+\. /gm)?.length ?? 0)).toBe(firings.length);
    expect(shown).toContain("### To decide");
    expect(markOf(shown)?.marker).toBe("0123456789abcdef01");
  });

  test("are shared with what people wrote", () => {
    const shown = renderIssue(question(many(200, "words")), 9_000).body;
    expect(lengthOnGitHub(shown)).toBeLessThanOrEqual(9_000);
    expect(shown).toContain("### What rests on it");
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
    expect(shown).toMatch(/\d+ conclusions\.\*/);
  });
});
