import schema from "../../../../answers.schema.json" with { type: "json" };
import { isoTime } from "../../../model/time.ts";
import type { Edition } from "../../../publish/edition.ts";
import { statusJson } from "../../../publish/json.ts";
import type { Explanation } from "../../../status/explain/index.ts";
import type { Terminal } from "../terminal.ts";
import type { Answers, Standing, StoryAnswer } from "./types.ts";

/** The whole state, in the answers of `status` and `scan`. */
export function standingAnswer(edition: Edition): Standing {
  const { nextCheck, unseen, unnamed, waiting, baselines, unsent } = edition.status;
  return { ...statusJson(edition), nextCheck, unseen, unnamed, waiting, baselines, messages: unsent };
}

/** The story of a source without its options, which may hold secrets. */
export function storyAnswer(story: Explanation): StoryAnswer {
  if (story.kind !== "source") return story;
  const { source, health, ...rest } = story;
  const { kind, address, title } = source;
  return { ...rest, source: { ...health, kind, address, title } };
}

/** Writes an answer as one document: with the fields that its schema has, and times in RFC 3339. */
export function answer<K extends keyof Answers>(kind: K, said: Answers[K], out: Pick<Terminal, "line">): void {
  out.line(JSON.stringify(toAnswer(said, definitions[kind] ?? {}), null, 2));
}

interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const definitions: Readonly<Record<string, Schema>> = schema.$defs as Readonly<Record<string, object>>;

function toAnswer(value: unknown, schema: Schema): unknown {
  if (schema.$ref) return toAnswer(value, resolveSchema(schema));
  if (schema.anyOf) return toAnswer(value, schema.anyOf.find((each) => fits(value, resolveSchema(each))) ?? {});
  if (typeof value === "number" && schema.format === "date-time") return isoTime(value);
  if (Array.isArray(value)) return value.map((entry) => toAnswer(entry, schema.items ?? {}));
  if (!schema.properties || value === undefined) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const entries = Object.entries(schema.properties).map(([name, its]) => [name, toAnswer(fields[name], its)]);
  return Object.fromEntries(entries);
}

function resolveSchema(schema: Schema): Schema {
  return (schema.$ref && definitions[schema.$ref.slice("#/$defs/".length)]) || schema;
}

/** Whether a value is of this part of a union. Objects differ in their fixed values, or in the properties that they need. */
function fits(value: unknown, { type, properties, required = [], ...schema }: Schema): boolean {
  const fixed = "const" in schema ? [schema.const] : schema.enum;
  if (fixed) return fixed.includes(value);
  if (typeof value !== "object" || value === null || !properties) return typeof value === type;
  const fields = value as Readonly<Record<string, unknown>>;
  return required.every((name) => {
    const its = properties[name] ?? {};
    return fields[name] !== undefined && (!("const" in its || its.enum) || fits(fields[name], its));
  });
}
