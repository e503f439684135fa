import { codeOf } from "../../../model/failure.ts";
import { StoreProblem, type StoreProblemKind } from "../../../model/problem.ts";

type Told = readonly [StoreProblemKind, (place: string) => string];

const silent: Told = ["unreachable", (place) => `the database at ${place} does not answer`];
const broken: Told = ["unreachable", (place) => `the database at ${place} ended the connection`];
const stranger: Told = ["refused", (place) => `the database at ${place} does not let this user in`];
const powerless: Told = ["refused", (place) => `this user may not do that in the database at ${place}`];
const crowded: Told = ["busy", (place) => `the database at ${place} has no connection free`];
const cancelled: Told = [
  "busy",
  (place) =>
    `the database at ${place} broke off a statement: it was cancelled, or took longer than its statement_timeout`,
];
const blocked: Told = [
  "busy",
  (place) => `the database at ${place} has something locked for longer than its lock_timeout`,
];
const outOfMemory: Told = ["busy", (place) => `the database at ${place} has no memory left`];
const inTheWay: Told = [
  "conflict",
  (place) => `another transaction was in the way of this one in the database at ${place}`,
];
const damaged: Told = ["damaged", (place) => `the database at ${place} is damaged`];
const failing: Told = ["unusable", (place) => `the disk of the database at ${place} fails to read or write it`];
const readOnly: Told = ["read-only", (place) => `the database at ${place} is read-only: it may be a standby`];
const full: Told = ["full", (place) => `there is no space left for the database at ${place}`];
const nowhere: Told = ["unusable", (place) => `there is no database at ${place}`];
const untrusted: Told = [
  "unusable",
  (place) => `the database at ${place} cannot be spoken to by TLS as DATABASE_URL asks`,
];

/** https://www.postgresql.org/docs/current/errcodes-appendix.html, and the codes of Node's network. */
const byCode: ReadonlyMap<string, Told> = new Map([
  ["28000", stranger],
  ["28P01", stranger],
  ["3D000", nowhere],
  ["42501", powerless],
  ["25006", readOnly],
  ["25P03", broken],
  ["40001", inTheWay],
  ["40P01", inTheWay],
  ["53100", full],
  ["53200", outOfMemory],
  ["53300", crowded],
  ["55P03", blocked],
  ["57014", cancelled],
  ["57P01", broken],
  ["57P02", broken],
  ["57P03", silent],
  ["57P04", nowhere],
  ["57P05", broken],
  ["58030", failing],
  ["XX001", damaged],
  ["XX002", damaged],
  ["08000", broken],
  ["08003", broken],
  ["08006", broken],
  ["08P01", broken],
  ["ECONNREFUSED", silent],
  ["EHOSTUNREACH", silent],
  ["ENETUNREACH", silent],
  ["ENOTFOUND", silent],
  ["EAI_AGAIN", silent],
  ["ENOENT", silent],
  ["ETIMEDOUT", silent],
  ["ECONNRESET", broken],
  ["EPIPE", broken],
]);

/** pg's own errors have no code. */
const bySaying: readonly (readonly [RegExp, Told])[] = [
  [/Connection terminated due to connection timeout|timeout expired|Query read timeout/, silent],
  [/timeout exceeded when trying to connect/, crowded],
  [/Connection terminated|Client has encountered a connection error|not queryable/, broken],
  [/no password|password must be a string|SASL/, stranger],
  [/does not support SSL|certificate|self-signed|tls/i, untrusted],
];

/** An error of the driver as a StoreProblem; any other one unchanged. `place`: where the database is. */
export function postgresProblem(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreProblem) return error;
  // Node tries each address of a name, and reports all errors.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error;
  const code = codeOf(first);
  // Certificates, keys and local sockets are files.
  const isFile = "syscall" in first && first.syscall === "open";
  const ofServer = /^[0-9A-Z]{5}$/.test(code);
  const said = ofServer ? undefined : bySaying.find(([pattern]) => pattern.test(first.message))?.[1];
  const [kind, says] = (isFile ? untrusted : byCode.get(code)) ?? said ?? [];
  return kind && says ? new StoreProblem(kind, says(place), error) : error;
}
