import * as z from "zod";
import { nameAmong } from "../../config/names.ts";
import { inQuotes } from "../../config/problems.ts";
import { oneOrMore, text } from "../../config/words.ts";
import { isoInstant } from "../../language/dates.ts";
import type { Config } from "../../model/config.ts";
import { reservedTriggers } from "../../model/firing.ts";
import { keyed } from "../../model/options.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import type { Instant } from "../../model/time.ts";
import type { Reader, Sample, SampleState } from "../../read/reader.ts";

const needsMoment = "needs a day such as 2026-07-08, or a time of it such as 2026-07-08 14:30 (UTC)";

/** `2026-07-08`, `2026-07-08 14:30`: UTC. */
const moment = z
  .string({ error: needsMoment })
  .regex(/^\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?$/, { error: needsMoment, abort: true })
  .refine((written) => isMoment(written), { error: "needs a day that exists" })
  .transform((written): Instant => instantOf(written));

function instantOf(written: string): Instant {
  const [day = "", time = "00:00"] = written.split(" ");
  return isoInstant(`${day}T${time}:00Z`);
}

function isMoment(written: string): boolean {
  return !Number.isNaN(instantOf(written));
}

const sampleEntry = z.union([
  text.transform((name) => ({ name })),
  keyed({
    name: text,
    title: text.optional(),
    on: moment.optional(),
    pre: z.boolean().optional(),
    draft: z.boolean().optional(),
    text: text.optional(),
  }),
]);

const always = {
  /** In the kind's own format. */
  body: text.optional(),
  status: z.number().int().min(200).max(599).optional(),
  edits: z.record(z.string().min(1), z.string()).optional(),
};

const adds = {
  adds: z.array(sampleEntry).optional(),
  removes: z.array(text).optional(),
};

/** A change of a source, in the words of its kind. */
export interface SourceRevision {
  readonly adds?: readonly z.output<typeof sampleEntry>[];
  readonly removes?: readonly string[];
  readonly facts?: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly body?: string;
  /** Replacements `{ old words: new words }` within the text or body given before. */
  readonly edits?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** The short form of a revision: the fields that a kind with samples has without options. */
function revisionOf(reader: Reader | undefined): z.ZodType<SourceRevision> {
  const { sample } = reader ?? {};
  const gives = sample ? reader?.gives({}) : undefined;
  const facts = [...(gives?.facts ?? []), ...(sample?.facts ?? [])];
  return keyed({
    ...always,
    ...(gives?.text && { text: text.optional() }),
    ...(gives?.items && adds),
    ...(facts.length > 0 && { facts: factsOf(facts).optional() }),
  }) as z.ZodType<SourceRevision>;
}

function dayOf(revisions: Readonly<Record<string, z.ZodType<SourceRevision | undefined>>>) {
  return keyed({ ...revisions, on: moment }).transform(({ on, ...rest }) => ({
    on: on as Instant,
    revisions: rest as Readonly<Record<string, SourceRevision>>,
  }));
}

function factsOf(names: readonly string[]) {
  return keyed(Object.fromEntries(names.map((name) => [name, z.string().optional()])));
}

/** A firing that is expected, once. */
export interface Expected {
  readonly on: Instant;
  readonly event: string;
  readonly weight: "routine" | "contrary";
  readonly trigger?: string;
  readonly "seen-in"?: readonly string[];
}

/** One scenario: the sources at the audit, the changes by day, and the firings that must follow. */
export interface Scenario {
  readonly name: string;
  readonly before: Readonly<Record<string, SourceRevision>>;
  readonly days: readonly { readonly on: Instant; readonly revisions: Readonly<Record<string, SourceRevision>> }[];
  readonly expect: readonly Expected[];
}

export interface ScenarioFile {
  readonly trigger: readonly string[];
  readonly before: Readonly<Record<string, SourceRevision>>;
  readonly scenarios: readonly Scenario[];
}

/** The schema of `scenarios/*.yaml` for the sources and triggers of a config. */
export function scenarioSchema(config: Config, readers: ReadonlyMap<string, Reader>): z.ZodType<ScenarioFile> {
  const triggers = new Set([...config.triggers.keys(), ...reservedTriggers]);
  const sources = new Set(config.sources.keys());
  const trigger = z.string({ error: "needs the name of a trigger" }).check(({ value, issues }) => {
    if (triggers.has(value)) return;
    const message = `no trigger named ${inQuotes(value)} in triggers/`;
    issues.push({ code: "custom", message, input: value, params: { word: value, among: triggers } });
  });
  const revisions = Object.fromEntries(
    [...config.sources].map(([id, source]) => [id, revisionOf(readers.get(source.kind)).optional()]),
  );
  const expected = keyed({
    on: moment,
    event: text,
    weight: z.enum(["routine", "contrary"]),
    trigger: trigger.optional(),
    "seen-in": z
      .array(nameAmong("source", () => sources))
      .min(1)
      .optional(),
  });
  const scenario = keyed({
    name: text,
    before: keyed(revisions).default({}),
    days: z.array(dayOf(revisions)).min(1),
    expect: z.array(expected),
  });
  return keyed({
    trigger: oneOrMore(trigger),
    before: keyed(revisions).default({}),
    scenarios: z.array(scenario).min(1).max(200),
  }) as unknown as z.ZodType<ScenarioFile>;
}

/** A source as the scenario has described it so far. */
export interface TapedState extends SampleState {
  /** A body in the kind's own format, instead of the short form. */
  readonly body?: string;
  readonly status: number;
}

/** The response of a source in that state. */
export function tapedAnswer(state: TapedState, source: Source, sample: Sample | undefined, url: string): Response {
  const short = state.body === undefined ? sample : undefined;
  const status = state.status === 200 ? (short?.status?.(state) ?? 200) : state.status;
  const body = state.body ?? short?.body(state, source) ?? "";
  const headers = { "content-type": sample?.type ?? "application/json" };
  return { url, status, headers, body: new TextEncoder().encode(body) };
}
