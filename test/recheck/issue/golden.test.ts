import { expect, test } from "vitest";
import type { ReviewFiles } from "../../../src/config/edit/index.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Claim } from "../../../src/model/claim.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Firing } from "../../../src/model/firing.ts";
import type { StoredAnswer, StoredFiring } from "../../../src/model/ports/index.ts";
import { relatedTo, renderIssue } from "../../../src/recheck/issue/body.ts";
import { renderComment } from "../../../src/recheck/issue/comment.ts";
import { countWords, maxWords } from "../../../src/recheck/issue/layout.ts";
import { addressOf, type Question } from "../../../src/recheck/issue/question.ts";
import { questionOf } from "../../../src/recheck/issue/section.ts";
import type { State } from "../../../src/recheck/run.ts";
import { wordsBeforeFolds } from "../../support/words-before-folds.ts";
import {
  at,
  byId,
  claim,
  claimAltered,
  config,
  evidence,
  firing,
  madePublic,
  matrixChanged,
  mentioned,
  released,
  source,
  states,
  trigger,
} from "../samples.ts";

/**
 * Whole issues as people read them, in golden/. After a change that is meant, write them again and read the difference:
 * npx vitest run test/recheck/issue/golden.test.ts -u
 */

const price = claim("team", "tensor-docs", {
  ...{ says: "The Team plan costs $29 per month", proof: { value: "$29", of: "Team plan" } },
  ...{ ratings: ["tensor/maturity"], cites: [2] },
});

/** The samples with more claims, and an owner. */
function withClaims(...claims: Claim[]): Config {
  const docs = source("tensor-docs", { title: "Tensor pricing", cites: [53], claims });
  const owned = [...config.ratings.values()].map((one) => ({ ...one, owners: ["octocat", "hubot"] }));
  const sources = [...config.sources.values()].filter(({ id }) => id !== docs.id);
  return { ...config, ratings: byId(owned), sources: byId([...sources, docs]) };
}

const priced = withClaims(price);

function claimChange(
  id: string,
  more: Partial<Extract<Change, { kind: "claim" }>>,
  at_ = "2026-06-06T09:00:00Z",
): Firing {
  const key = `tensor-docs/${id}`;
  const change = { kind: "claim", claim: key, from: "supported", to: "altered", ...more } as const;
  const seen = at(at_);
  return firing("tensor", `${key} ${change.to} ${more.after ?? ""}`, {
    ...{ weight: "contrary", seen, fired: seen + 6 * 3_600_000 },
    evidence: [evidence("tensor-docs", { seen, part: "claim", claim: key, change })],
  });
}

const dearer = claimChange("team", {
  before: "The Team plan costs $29 per month.",
  after: "The Team plan costs $39 per month.",
});

const yaml = `ratings:
  tensor/maturity: Medium # as of May
  tensor/compile: Medium
sources:
  tensor-docs:
    claims:
      team: { says: The Team plan costs $29 per month, value: $29, of: Team plan }
`;
const files = (report: string | undefined, path = "README.md"): ReviewFiles => ({
  sources: { path: "sources.yaml", text: yaml },
  ...(report !== undefined && { text: { path, text: report } }),
});
const page = (path: string) => `https://github.com/example/report/edit/main/${path}`;

interface Case {
  readonly firings: readonly Firing[];
  readonly config?: Config;
  readonly files?: ReviewFiles;
  readonly commands?: true;
  readonly trigger?: string;
  readonly answers?: readonly Partial<StoredAnswer>[];
  readonly closed?: Question["closed"];
  readonly more?: Partial<Question>;
  readonly claims?: State["claims"];
  /** Firings of another recheck. */
  readonly others?: readonly Firing[];
}

function questionIn({
  firings,
  trigger = "tensor",
  answers = [],
  closed,
  more,
  claims = states,
  others = [],
  ...outbox
}: Case): Question {
  const stored = firings.map((one, index): StoredFiring => ({ ...one, id: index + 1, recheck: 1 }));
  const given = answers.map(
    (one, id): StoredAnswer => ({
      ...{ id, recheck: 1, rating: "tensor/maturity", verdict: "keep", by: "octocat", at: at("2026-09-22"), ...one },
    }),
  );
  const elsewhere = others.map((one, index): StoredFiring => ({ ...one, id: 100 + index, recheck: 2 }));
  const state: State = {
    firings: [...stored, ...elsewhere],
    rechecks: [],
    claims,
    answers: given,
    archived: [],
    files: outbox.files,
  };
  const record = { id: 1, trigger, marker: "0123456789abcdef01", opened: 0 };
  const recheck = closed
    ? { ...record, state: "closed" as const, issue: 7, closed: closed.at, verdict: closed.verdict }
    : { ...record, state: "open" as const, issue: 7 };
  const { config: used = config, commands } = outbox;
  return {
    ...questionOf(recheck, stored, state, { config: used, link: addressOf, page, ...(commands && { commands }) }),
    ...more,
  };
}

const open = { commands: true as const };
const says = "The Team plan costs **$29** per month [2].";
const closedAt = at("2026-09-24T08:00:00Z");
const note = (about: string[], paragraphs: string[], headings?: string[]) =>
  firing("tensor", "loom 2.13.0", {
    event: { key: "loom 2.13.0", product: "loom", version: "2.13.0" },
    evidence: [evidence("loom-releases", { notes: { about, paragraphs, more: 0, ...(headings && { headings }) } })],
  });
const link = (to: "gone" | "moved", address?: string) =>
  firing("tensor", to, {
    evidence: [
      evidence("tensor-docs", {
        change: { kind: "link", to, address, ...(to === "gone" && { says: "404, not found" }) },
      }),
    ],
  });
const both = withClaims(price, ...(config.sources.get("tensor-docs")?.claims ?? []));
const lone = byId([trigger("tensor", { ratings: [] })]);

const cases: Record<string, Case> = {
  "a price, on GitHub": { firings: [dearer], config: priced, files: files(`# Tools\n\n${says}\n`), ...open },
  "a price, by hand": { firings: [dearer], config: priced, files: files(`# Tools\n\n${says}\n`) },
  "a price that is accepted": {
    ...{ firings: [dearer], config: priced, files: files(says), ...open },
    answers: [{ rating: "claim tensor-docs/team", verdict: "change", level: "$39" }],
    more: { pending: { pull: 9 } },
  },
  "a price that changed again": {
    firings: [
      dearer,
      claimChange(
        "team",
        { from: "altered", before: "The Team plan costs $39 per month.", after: "The Team plan costs $45 per month." },
        "2026-07-01T09:00:00Z",
      ),
    ],
    ...{ config: priced, files: files(says), ...open },
  },
  "a sentence in two places": { firings: [dearer], config: priced, files: files(`${says}\n\n- ${says}\n`), ...open },
  "a second sentence in other words": {
    firings: [dearer],
    ...{ config: priced, files: files(`# Tools\n\n${says}\n\nFor $29, a team has all of it.\n`), ...open },
  },
  "a sentence in other words": {
    firings: [dearer],
    ...{ config: priced, files: files("# Tools\n\nPer month, the Team plan comes at $29.\n"), ...open },
  },
  "a report in HTML": {
    firings: [dearer],
    config: priced,
    files: files("<p>The <b>Team</b> plan costs\n$29 per month</p>", "index.html"),
  },
  "a report in another repository": { firings: [dearer], config: priced, files: files(undefined), ...open },
  "a sentence in another file of the report": {
    ...{ firings: [dearer], config: priced, files: files("Our prices are in the next chapter."), ...open },
  },
  "a report that is a symbolic link": {
    ...{ firings: [dearer], config: priced, ...open },
    files: { ...files(undefined), text: { path: "README.md", text: "", byHand: "it is a symbolic link" } },
  },
  "a report that was corrected already": {
    firings: [dearer],
    config: priced,
    files: files(says.replace("29", "39")),
    ...open,
  },
  "two sentences, one of them certain": { firings: [dearer, claimAltered], config: both, files: files(says), ...open },
  "a sentence without ratings": {
    ...{ config: { ...withClaims({ ...price, ratings: [] }), triggers: lone }, files: files(says), ...open },
    firings: [dearer],
  },
  "claim altered": { firings: [claimAltered] },
  "claim gone, with a title of 10,000 characters": {
    firings: [claimChange("team", { to: "gone", before: "The Team plan" })],
    config: withClaims({ ...price, says: `The Team plan ${"is cheap and ".repeat(800)}good` }),
  },
  "release, by hand": { firings: [released], files: files(undefined) },
  "release, on GitHub": { firings: [released], ...open },
  "all at once": { firings: [released, claimAltered, mentioned, madePublic, matrixChanged], ...open },
  "notes that mention it": { firings: [note(["MPS"], ["Backends\nMPS: `torch.compile` works <img src=x> @everyone"])] },
  "notes that do not": { firings: [note(["MPS", "torch.compile"], [], ["Highlights", "Fixes"])] },
  "an address that moved": { firings: [link("moved", "https://new.example/docs")] },
  "an address that moved, with its edit": {
    firings: [link("moved", "https://new.example/docs")],
    ...open,
    files: {
      ...files("# Boards\n\n53. <https://tensor-docs.example/docs#install>; <https://tensor-docs.example/docs/old>\n"),
      sources: {
        path: "sources.yaml",
        text: yaml.replace("  tensor-docs:\n", "  tensor-docs:\n    page: https://tensor-docs.example/docs\n"),
      },
    },
  },
  "an address that is gone": {
    firings: [link("gone")],
    ...open,
    files: files("# Boards\n\nThe new chip runs here [53].\n\n53. https://tensor-docs.example/docs\n"),
    claims: [],
  },
  "snoozed, with others": {
    firings: [released],
    ...open,
    more: {
      ...{ snoozed: at("2026-12-24"), previous: { issue: 12, closed: at("2026-05-30") } },
      related: relatedTo([released], [{ issue: 13, firings: [{ ...released, trigger: "vector" }] }]),
    },
  },
  "one rating answered": {
    firings: [released],
    ...open,
    answers: [{ because: "it *runs* now, says @you" }],
    more: { pending: { pull: 9 } },
  },
  "pages and archive": {
    firings: [claimAltered],
    config: { ...config, report: { ...config.report, pages: "https://pages.example/recheck" } },
    more: {
      archived: [
        {
          ...{ source: "tensor-docs", seen: at("2026-06-01T09:00:00Z"), tries: 1, next: 0 },
          before: { url: "https://archive.example/2026-05-14/docs", at: at("2026-05-14") },
          after: { url: "https://archive.example/2026-06-01/docs", at: at("2026-06-01") },
        },
      ],
    },
  },
  "not found at the first check": {
    ...{ trigger: "not-found", config: both },
    firings: [
      claimChange("team", { from: "not found", to: "not found", otherwise: true, after: "Team plan | $39" }),
      claimChange("bridge", { from: "not found", to: "not found" }),
    ].map((one) => ({ ...one, trigger: "not-found" })),
  },
  "catch up": { firings: [released, mentioned, { ...madePublic, trigger: "vector" }], trigger: "catch-up", ...open },
  "closed by answers": {
    firings: [madePublic],
    ...open,
    answers: [
      { settled: closedAt },
      {
        rating: "tensor/compile",
        verdict: "change",
        level: "High",
        by: "hubot[bot]",
        because: "it runs",
        settled: closedAt,
      },
    ],
    closed: { at: closedAt },
  },
  "closed by hand": { firings: [released], closed: { at: closedAt } },
  "closed as dismissed": {
    firings: [released],
    closed: { at: closedAt, verdict: { kind: "dismiss", by: "octocat", because: "a *typo*" } },
  },
  "closed as it is": { firings: [released], closed: { at: closedAt, verdict: { kind: "keep", by: "octocat" } } },
  "closed after a correction": {
    ...{ firings: [dearer], config: priced, ...open, closed: { at: closedAt } },
    answers: [
      { rating: "claim tensor-docs/team", verdict: "change", level: "$39", settled: closedAt },
      { settled: closedAt },
    ],
  },
};

test.each(Object.entries(cases))("%s", async (name, given) => {
  const { title, body, labels } = renderIssue(questionIn(given));
  const [, evidence = ""] = body.split("### Evidence");
  expect(body.split("\n").filter((line) => line.startsWith("````"))).toHaveLength(
    2 * Math.floor(body.split("\n````").length / 2),
  );
  if (!given.closed) expect(countWords(body) - countWords(evidence)).toBeLessThanOrEqual(maxWords.asking);
  expect(wordsBeforeFolds(body)).toBeLessThanOrEqual(maxWords.shown);
  expect(countWords(body)).toBeLessThanOrEqual(maxWords.all);
  const shown = `# ${title}\n\n${labels.map((label) => `\`${label.name}\``).join(" ")}\n\n${body}\n`;
  await expect(shown).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.md`);
});

test("a sentence that its source contradicted at the first check is contradicted for other rechecks, too", () => {
  const state = { claim: "tensor-docs/team", status: "not found", since: at("2026-05-16") } as const;
  const denied = claimChange("team", { from: "not found", to: "not found", otherwise: true, after: "Team plan | $39" });
  const given = { firings: [released], config: both, claims: [state] };
  const sentence = "“The Team plan costs \\$29 per month”, ref 2: ";
  expect(renderIssue(questionIn(given)).body).toContain(`${sentence}**its source has not said so**`);
  expect(renderIssue(questionIn({ ...given, others: [denied] })).body).toContain(
    `${sentence}**its source has contradicted it**`,
  );
});

test.each<[string, Firing[]]>([
  ["one that was awaited", [madePublic]],
  ["a sentence and one that was awaited", [claimAltered, madePublic]],
])("a comment about %s", async (name, joined) => {
  const text = renderComment(questionIn({ firings: joined, ...open }), joined, "c0ffee");
  await expect(`${text}\n`).toMatchFileSnapshot(`golden/comment-${name.replace(/\W+/g, "-")}.md`);
});
