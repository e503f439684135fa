import { codeOf } from "../../../model/failure.ts";
import { StoreProblem, type StoreProblemKind } from "../../../model/problem.ts";

/** `says`: DB stands for the database with its place. */
type Told = readonly [kind: StoreProblemKind, says: string, codes: string, ofDriver?: RegExp];

const untrusted: Told = [
  "unusable",
  "DB cannot be spoken to by TLS as DATABASE_URL asks",
  "",
  /does not support SSL|certificate|self-signed|tls/i,
];

/**
 * By the codes of errors: https://www.postgresql.org/docs/current/errcodes-appendix.html, and those of Node's network. The
 * driver's own errors have none, but a message, which the first pattern that matches explains.
 */
const problems: readonly Told[] = [
  [
    "unreachable",
    "DB does not answer",
    "57P03 ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN ENOENT ETIMEDOUT",
    /Connection terminated due to connection timeout|timeout expired|Query read timeout/,
  ],
  ["busy", "DB has no connection free", "53300", /timeout exceeded when trying to connect/],
  [
    "unreachable",
    "DB ended the connection",
    "25P03 57P01 57P02 57P05 08000 08003 08006 08P01 ECONNRESET EPIPE",
    /Connection terminated|Client has encountered a connection error|not queryable/,
  ],
  ["refused", "DB does not let this user in", "28000 28P01", /no password|password must be a string|SASL/],
  untrusted,
  ["refused", "this user may not do that in DB", "42501"],
  ["busy", "DB broke off a statement: it was cancelled, or took longer than its statement_timeout", "57014"],
  ["busy", "DB has something locked for longer than its lock_timeout", "55P03"],
  ["busy", "DB has no memory left", "53200"],
  ["conflict", "another transaction was in the way of this one in DB", "40001 40P01"],
  ["damaged", "DB is damaged", "XX001 XX002"],
  ["unusable", "the disk of DB fails to read or write it", "58030"],
  ["read-only", "DB is read-only: it may be a standby", "25006"],
  ["full", "there is no space left for DB", "53100"],
  ["unusable", "there is no database at PLACE", "3D000 57P04"],
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
  const byCode = problems.find(([, , codes]) => code !== "" && codes.split(" ").includes(code));
  const byMessage = ofServer ? undefined : problems.find(([, , , ofDriver]) => ofDriver?.test(first.message));
  const [kind, says] = (isFile ? untrusted : byCode) ?? byMessage ?? [];
  return kind && says
    ? new StoreProblem(
        kind,
        says.replace(/DB|PLACE/, (word) => (word === "DB" ? `the database at ${place}` : place)),
        error,
      )
    : error;
}
