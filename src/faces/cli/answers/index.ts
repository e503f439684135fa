import * as z from "zod";
import { findingKinds } from "../../../model/finding.ts";
import { statusFile } from "../../../model/status-file.ts";
import type { Edition } from "../../../publish/edition.ts";
import { statusJson } from "../../../publish/json.ts";
import type { Terminal } from "../terminal.ts";
import { story } from "./explained.ts";
import { check, count, firing, manyOf, recheck, sightingList, texts, time, trouble } from "./parts.ts";

/**
 * The answer of each command to `--json`: one document. Things and states have the names of `status.json`, times are
 * RFC 3339. Only the fields declared here are written.
 */

const text = z.string();
const problem = z.object({
  file: text,
  line: count,
  column: count,
  message: text,
  suggestion: text.optional(),
});
const asked = z.object({ trigger: text, times: count });
const place = { file: text, line: count.optional() };

/** The state of a report, with the fields that only its author needs. */
const standing = statusFile.extend({
  nextCheck: time.optional().describe("When a source is checked next."),
  unseen: manyOf(z.object({ source: text, trouble, blindFrom: time.optional(), gone: z.boolean() })),
  unnamed: manyOf(z.object({ source: text, says: text })),
  waiting: manyOf(z.object({ source: text, sightings: sightingList, secondCheck: time })),
  baselines: manyOf(z.object({ source: text, copy: z.object({ url: text, at: time }).optional(), says: text })),
  messages: manyOf(z.object({ channel: text, state: text, title: text, says: text, next: time })),
});

const opened = manyOf(
  z.object({ trigger: text, title: text, labels: texts, issue: count.optional(), url: text.optional() }),
);
const numbers = manyOf(count);
const issueOf = { trigger: text, issue: count };
const synced = z.object({
  adopted: numbers,
  answered: numbers,
  opened,
  updated: numbers,
  commented: numbers,
  closed: numbers,
  gone: numbers,
  reopened: numbers,
  left: manyOf(z.object({ ...issueOf, because: text })),
  waiting: manyOf(
    z.object({ trigger: text, what: z.enum(["issue", "comment"]), because: text, until: time.optional() }),
  ),
  wouldOpen: opened,
  wouldUpdate: manyOf(z.object(issueOf)),
  problems: manyOf(z.object({ kind: text, says: text, resumeAt: time.optional() })),
});

const scanned = z.object({
  started: time,
  ended: time,
  outage: z.boolean(),
  checks: manyOf(check),
  firings: manyOf(firing),
  unaudited: text.optional(),
});
const sentMessages = z.object({
  sent: manyOf(z.object({ channel: text, title: text })),
  problems: manyOf(z.object({ channel: text, says: text, next: time.optional() })),
});
const remembered = z.object({ branch: text, from: text });

const claimCounts = {
  considered: count,
  stated: count,
  proved: count,
  atAudit: count,
  unproved: count,
  left: count,
  cut: z.boolean(),
};
const claims = {
  ...claimCounts,
  claims: manyOf(
    z.object({
      id: text,
      source: text,
      says: text,
      ratings: texts,
      cites: numbers,
      proof: z.record(text, text),
    }),
  ),
  contrary: manyOf(z.object({ source: text, says: text, figure: text, there: text.optional() })),
  unconfirmed: manyOf(z.object({ source: text, says: text, nearest: text.optional() })),
  open: texts,
  beyond: manyOf(z.object({ source: text, says: text })),
};

const foundReport = z.object({
  path: text,
  chapters: count.optional(),
  references: count,
  numbered: z.boolean(),
  sources: count,
  frozen: count,
  unwatchable: count,
  left: count,
  others: count,
  ratings: count,
  levels: texts,
  unplaced: texts,
  rubric: count,
  triggers: count,
  stated: count,
  audited: time,
  because: text,
  cut: z.boolean(),
});

const proposal = z.object({
  id: text,
  kind: text,
  address: text,
  options: z.record(text, z.union([text, z.literal(true)])).optional(),
  why: text,
  instead: text.optional(),
  from: text.optional(),
  frozen: text.optional(),
  title: text.optional(),
  announces: text.optional(),
  cites: numbers,
  standsFor: numbers,
  every: text.optional(),
  notes: texts,
  gives: text,
});

const finding = z.object({
  kind: z.enum(findingKinds),
  address: text,
  title: text,
  numbers,
  ...place,
  about: text.optional(),
  says: text,
  evidence: text,
  todo: text,
  copy: z.object({ url: text, at: time }).optional().describe("A copy in a web archive, with `--suggest`."),
  also: manyOf(z.object({ address: text, ...place })),
  edits: manyOf(z.object({ file: text, line: count, before: text, after: text })).optional(),
});

const audited = z.object({
  report: text,
  at: time,
  citations: count,
  read: count,
  figures: count,
  quotes: count,
  says: text,
  counts: text,
  left: texts,
  findings: manyOf(finding),
});

const copied = { bytes: count, sha256: text };
const replayed = { since: time, until: time.optional() };

/** By command, and by the question if a command has several answers. */
export const answerSchemas = {
  scan: z.object({
    command: z.literal("scan"),
    scan: scanned,
    sync: synced,
    messages: sentMessages.optional(),
    status: standing,
    state: remembered.optional(),
  }),
  status: standing.extend({ command: z.literal("status") }),
  repositories: z.object({
    command: z.literal("status"),
    repositories: manyOf(z.object({ name: text, standing: text, says: text })),
    putAside: manyOf(z.object({ lane: text, repository: text.optional(), at: time, tries: z.int(), says: text })),
  }),
  explain: z.object({ command: z.literal("explain"), stories: manyOf(story) }),
  backtest: z.object({
    command: z.literal("backtest"),
    ...replayed,
    firings: manyOf(firing),
    rechecks: manyOf(recheck),
  }),
  "backtest of a trigger": z.object({
    command: z.literal("backtest"),
    ...replayed,
    came: manyOf(firing),
    went: manyOf(firing),
    stayed: count,
    rechecks: z.object({ came: count, went: count }),
  }),
  publish: z.object({
    command: z.literal("publish"),
    out: text,
    written: texts,
    unchanged: texts,
    removed: texts,
  }),
  notify: z.object({
    command: z.literal("notify"),
    channels: manyOf(z.object({ channel: text, sent: z.boolean(), says: text.optional() })),
  }),
  validate: z.object({ command: z.literal("validate"), problems: manyOf(problem), warnings: manyOf(problem) }),
  audit: audited.extend({ command: z.literal("audit") }),
  init: z.object({
    command: z.literal("init"),
    report: text,
    at: time,
    faults: texts,
    written: z.boolean(),
    claims: z.object(claims),
    audit: audited.optional().describe("What is out of date in the report today."),
    givenUp: texts,
    later: texts,
    asked: manyOf(asked),
    found: foundReport,
    goOver: texts,
    tables: manyOf(
      z.object({ id: text, place: text, counts: text, lines: texts, reason: text, isChosen: z.boolean() }),
    ),
    probes: manyOf(z.object({ source: text, address: text, says: text.optional(), moved: text.optional() })),
    files: manyOf(z.object({ path: text, text })),
  }),
  claims: z.object({
    command: z.literal("claims"),
    report: text,
    ...claims,
    read: count,
    unread: count,
    written: z.boolean(),
    diff: text,
  }),
  check: z.object({
    command: z.literal("check"),
    since: text,
    required: z.boolean(),
    sentences: count,
    pages: count,
    findings: manyOf(z.object({ ...place, title: text, message: text })),
    unread: manyOf(z.object({ address: text, because: text })),
    cut: texts,
  }),
  add: z.object({
    command: z.literal("add"),
    address: text,
    at: time,
    dryRun: z.boolean(),
    tried: manyOf(z.object({ kind: text, address: text, says: text, seen: z.boolean() })),
    proposal: proposal.optional(),
    diff: text.optional(),
    written: z.boolean().optional(),
    check: check.optional(),
    later: text.optional(),
    refused: z
      .object({
        says: text,
        hints: texts,
        unwatchable: z.object({ title: text, url: text, because: text }).optional(),
      })
      .optional(),
  }),
  "add of references": z.object({
    command: z.literal("add"),
    file: text,
    written: z.boolean(),
    added: manyOf(z.object({ line: count, proposal })),
    refused: manyOf(z.object({ line: count, title: text, says: text })),
    later: count,
    faults: texts,
    diff: text,
  }),
  backup: z.object({ command: z.literal("backup"), file: text, ...copied }),
  restore: z.object({ command: z.literal("restore"), file: text, store: text, ...copied, kept: text.optional() }),
  move: z.object({
    command: z.literal("move"),
    from: text,
    to: text,
    tables: manyOf(z.object({ table: text, rows: count, digest: text })),
  }),
  erase: z.object({ command: z.literal("erase"), subject: text, erased: z.boolean() }),
  doctor: z.object({
    command: z.literal("doctor"),
    left: count,
    examined: manyOf(
      z.object({
        of: text,
        findings: manyOf(z.object({ says: text, mend: z.enum(["mendable", "mended"]).optional() })),
      }),
    ),
  }),
};

/** The whole state, in the answers of `status` and `scan`. */
export function standingAnswer(edition: Edition): z.output<typeof standing> {
  const { nextCheck, unseen, unnamed, waiting, baselines, untold } = edition.status;
  return { ...statusJson(edition), nextCheck, unseen, unnamed, waiting, baselines, messages: untold };
}

type Answers = typeof answerSchemas;

/** Writes an answer as one document; fields that its schema does not have are left out. */
export function answer<K extends keyof Answers>(
  kind: K,
  said: z.output<Answers[K]>,
  out: Pick<Terminal, "line">,
): void {
  const schema: z.ZodType<unknown, unknown> = answerSchemas[kind];
  out.line(JSON.stringify(z.encode(schema, said), null, 2));
}

/** The same as JSON Schema; `command` identifies the type of a document. */
export function answersSchema(): object {
  const { $schema, ...rest } = z.toJSONSchema(z.union(Object.values(answerSchemas)), {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  return { $schema, title: "Recheck: answers to --json", ...rest };
}
