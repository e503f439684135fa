import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pass } from "node:timers/promises";
import type { Backlog } from "../../model/ports/index.ts";
import { StoreProblem } from "../../model/problem.ts";
import type { RequestHandler } from "./http.ts";
import type { Metrics } from "./metrics.ts";
import type { Health, Service } from "./service.ts";

export interface ProbeParts {
  readonly service: Pick<Service, "health">;
  readonly metrics: Metrics;
  /** Makes a small query to the store; anybody may request it. @throws StoreProblem if it does not answer */
  stored(): Promise<unknown>;
  /** Counts the waiting work with queries. @throws StoreProblem */
  backlog(): Promise<Backlog>;
  /** The token for reading metrics; undefined if they are disabled. */
  readonly token?: string;
}

/** Answers `/livez`, `/readyz` (its store answers, its rounds are on time; also `/health`) and `/metrics`. */
export function probesOf(probed: ProbeParts): RequestHandler {
  const answers: Readonly<Record<string, Answering>> = {
    "/livez": async () => ({ status: 200, type: "text/plain; charset=utf-8", body: "ok\n" }),
    "/readyz": () => ready(probed),
    "/health": () => ready(probed),
    "/metrics": (request) => figures(request, probed),
  };
  return async (request, response) => {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    const asked = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (!asked) return false;
    send(request, response, await asked(request));
    return true;
  };
}

interface Answer {
  readonly status: 200 | 401 | 404 | 503;
  readonly type: string;
  readonly body: string;
}

type Answering = (request: IncomingMessage) => Promise<Answer>;

function send({ method }: IncomingMessage, response: ServerResponse, { status, type, body }: Answer): void {
  const bearer = status === 401 && { "www-authenticate": "Bearer" };
  response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...bearer });
  response.end(method === "HEAD" ? undefined : body);
}

/** Milliseconds that a probe waits for the store: monitors wait hardly longer, and ask again. */
const patience = 3_000;

/** The answer of the store; undefined if it is late. @throws StoreProblem if the store reports one */
async function inTime<T>(asked: Promise<T>): Promise<T | undefined> {
  return await Promise.race([asked, pass(patience, undefined, { ref: false })]);
}

async function ready({ service, stored }: ProbeParts): Promise<Answer> {
  const health = service.health();
  const answered = stored().then(
    () => true,
    () => false,
  );
  const isStored = (await inTime(answered)) ?? false;
  const answer: Health = isStored ? health : { ...health, ok: false, says: "the store does not answer" };
  return { status: answer.ok ? 200 : 503, type: "application/json", body: JSON.stringify(answer) };
}

async function figures(request: IncomingMessage, { metrics, backlog, token }: ProbeParts): Promise<Answer> {
  const plain = "text/plain; charset=utf-8";
  if (token === undefined) return { status: 404, type: plain, body: "Set RECHECK_METRICS_TOKEN to read metrics.\n" };
  if (!isSame(request.headers.authorization ?? "", `Bearer ${token}`))
    return { status: 401, type: plain, body: "Send the token to read metrics.\n" };
  try {
    const text = await inTime(metrics.text(backlog));
    return text ? { status: 200, ...text } : { status: 503, type: plain, body: "The store does not answer.\n" };
  } catch (error) {
    if (!(error instanceof StoreProblem)) throw error;
    return { status: 503, type: plain, body: `${error.message}.\n` };
  }
}

/** Compares in constant time. */
function isSame(given: string, wanted: string): boolean {
  const [a, b] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
