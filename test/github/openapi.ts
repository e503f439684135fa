import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import type { Recorded } from "./server.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Record<string, { schema: object }> };
}

const { paths } = JSON.parse(readFileSync(new URL("openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
};

const routes = Object.entries(paths).map(([template, operations]) => ({
  operations,
  // Only the last part of a path may hold slashes: `contents/{path}`, `git/refs/{ref}`.
  pattern: new RegExp(`^${template.replace(/\{(?:path|ref)\}$/, "(.+)").replace(/\{\w+\}/g, "([^/]+)")}$`),
  names: [...template.matchAll(/\{(\w+)\}/g)].map((match) => String(match[1])),
  literals: template.replace(/\{\w+\}/g, "").length,
}));

const ajv = new Ajv({ strict: false, allErrors: true, coerceTypes: false });
formats.default(ajv);
// GitHub's own: `owner/name`.
ajv.addFormat("repo.nwo", /^[\w.-]+\/[\w.-]+$/);
const forAddresses = new Ajv({ strict: false, allErrors: true, coerceTypes: true });
formats.default(forAddresses);
const compiled = new Map<object, ValidateFunction>();

/** The mistakes of a request by GitHub's own description of its API; empty when it passes. */
export function violations(request: Recorded): string[] {
  const matching = routes.filter(({ pattern }) => pattern.test(request.path));
  const route = matching.sort((a, b) => b.literals - a.literals)[0];
  const operation = route?.operations[request.method.toLowerCase()];
  if (!route || !operation) return [`no such operation: ${request.method} ${request.path}`];
  const values = route.pattern.exec(request.path)?.slice(1) ?? [];
  const inPath = Object.fromEntries(route.names.map((name, index) => [name, decodeURIComponent(values[index] ?? "")]));
  return [
    ...operation.parameters.flatMap((each) => parameter(each, each.in === "path" ? inPath : request.query)),
    ...unknownQuery(operation, request),
    ...body(operation, request.body),
  ].map((what) => `${operation.operationId}: ${what}`);
}

function parameter({ name, in: place, required, schema }: Parameter, given: Record<string, string>): string[] {
  if (place === "header") return [];
  if (given[name] === undefined) return required ? [`${place} ${name} is missing`] : [];
  return check(forAddresses, schema, given[name], `${place} ${name}`);
}

function unknownQuery(operation: Operation, { query }: Recorded): string[] {
  const known = new Set(operation.parameters.filter((each) => each.in === "query").map((each) => each.name));
  return Object.keys(query).flatMap((name) => (known.has(name) ? [] : [`query ${name} is unknown`]));
}

function body(operation: Operation, given: unknown): string[] {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return given === undefined ? [] : ["a body where none belongs"];
  if (given === undefined) return operation.requestBody?.required ? ["the body is missing"] : [];
  const known = new Set(Object.keys((schema as { properties?: object }).properties ?? {}));
  const extra = known.size === 0 ? [] : Object.keys(given as object).filter((name) => !known.has(name));
  return [...extra.map((name) => `body ${name} is unknown`), ...check(ajv, schema, given, "body")];
}

function check(by: Ajv, schema: object, value: unknown, what: string): string[] {
  let validate = compiled.get(schema);
  if (!validate) {
    validate = by.compile(withoutNullable(schema) as object);
    compiled.set(schema, validate);
  }
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${what}${error.instancePath} ${error.message}`);
}

/** OpenAPI 3.0 says `nullable`, JSON Schema says `null`. */
function withoutNullable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutNullable);
  if (typeof node !== "object" || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withoutNullable(value)]),
  );
  return nullable === true ? { anyOf: [rest, { type: "null" }] } : rest;
}
