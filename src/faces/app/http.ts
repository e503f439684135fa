import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { makeOnce, RecentlyUsed } from "../../model/cache.ts";
import { version } from "../../model/own-version.ts";
import { type Clock, GitHubProblem, type RepositoryFacts, type RepositoryState } from "../../model/ports/index.ts";
import { StoreProblem } from "../../model/problem.ts";
import { aMinute, type Duration, hasPassed, type Instant } from "../../model/time.ts";
import { type Edition, editionOf, type Sheets } from "../../publish/edition.ts";
import { sheets } from "../../publish/index.ts";
import { html } from "../../publish/pages/markup.ts";
import { addressOf } from "../../recheck/issue/question.ts";
import type { Instance } from "../../wire/instance.ts";
import type { Program } from "../../wire/program.ts";
import { parsedOrProblem } from "./config/trial.ts";
import type { Sandbox } from "./sandbox.ts";
import type { Service } from "./service.ts";
import { createLanes } from "./turns.ts";

/** Answers a request for a published file. Returns false for other paths. */
export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** For a store that cannot be read: an empty page would be wrong. */
export function answer503IfClosed(handler: RequestHandler): RequestHandler {
  return async (request, response) => {
    try {
      return await handler(request, response);
    } catch (error) {
      if (!(error instanceof StoreProblem) || response.headersSent) throw error;
      refuse(request, response, 503, "The store cannot be read at the moment.");
      return true;
    }
  };
}

interface Shown {
  readonly id: string;
  /** Changes with its config: pages with another stamp are not shown. */
  readonly stamp: string;
  edition(): Promise<Edition>;
}

/** Serves the public repositories of an App, each under `/reports/<owner>/<name>/`. */
export function reportsOf(
  instance: Instance,
  sandbox: Sandbox,
  service: Pick<Service, "health" | "onRound">,
): RequestHandler {
  const { registry, clock } = instance;
  const cache = createFileCache(clock);
  service.onRound(cache.clear);
  const visibility = createVisibility(clock);
  /** The webhook about it may be lost. */
  const check = async (state: RepositoryState): Promise<Visibility> => {
    const { id } = state;
    const seen = await visibility(id, async () => {
      const facts = await instance.github(state).facts();
      return { ...facts, public: facts.public && facts.id === id };
    });
    if (seen === "hidden") await registry.revise(id, (known) => known && { ...known, public: false });
    return seen;
  };
  const front = frontOf(instance);
  return async (request, response) => {
    const path = pathOf(request);
    if (path === "/" || path === "/reports" || path === "/reports/") {
      send(request, response, "index.html", servedFile(await front()));
      return true;
    }
    if (!path.startsWith("/reports/")) return false;
    const [, name, file] = /^\/reports\/([\w.-]+\/[\w.-]+)(?:\/(.*))?$/.exec(path) ?? [];
    const state = name === undefined ? undefined : await registry.named(name);
    const report = state && shownOf(state, instance, sandbox);
    const seen = report && state ? await check(state) : "hidden";
    if (!report || typeof seen === "string") hide(request, response, seen);
    // The links of its page are relative to a folder with its final slash.
    else if (file === undefined) {
      const location = `${path.slice(path.lastIndexOf("/") + 1)}/`;
      response.writeHead(308, { ...guarded, location, "content-length": 0 }).end();
    } else await answer({ request, response, cache, service }, report, file);
    return true;
  };
}

const maxListed = 1_000;

/** The first page: that the server runs, its version, and the public reports. It reads the store once a minute. */
function frontOf({ registry, clock }: Instance): () => Promise<string> {
  let drawn = { at: Number.NEGATIVE_INFINITY, page: "" };
  return async () => {
    const at = clock.now();
    if (at >= drawn.at && at - drawn.at < aMinute) return drawn.page;
    const names: string[] = [];
    for await (const state of registry.repositories()) {
      if (isShown(state)) names.push(state.name);
      if (names.length >= maxListed) break;
    }
    const items = names.sort().map((name) => html`<li><a href="/reports/${name}/">${name}</a></li>`);
    const list = items.length > 0 ? html`<ul>${items}</ul>` : html`<p>No public report is watched here.</p>`;
    const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Recheck</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"></head>
<body><main><h1>Recheck ${version} is running</h1><h2>Public reports</h2>${list}</main></body></html>
`;
    drawn = { at, page: page.toString() };
    return drawn.page;
  };
}

function isShown({ public: isPublic, standing, config }: RepositoryState): boolean {
  return isPublic === true && standing === "active" && config !== undefined;
}

function shownOf(state: RepositoryState, instance: Instance, sandbox: Sandbox): Shown | undefined {
  const { link, clock } = instance;
  const { config: files, name, web } = state;
  if (!files || !isShown(state)) return undefined;
  return {
    id: String(state.id),
    stamp: files.commit,
    edition: async () => {
      const { config } = parsedOrProblem(await sandbox.parse(files));
      if (!config) throw new Error(`the config of ${name} that is in use is not valid`);
      const repository = web ?? `https://github.com/${name}`;
      return await editionOf({ config, store: instance.store(state), at: clock.now(), link, repository });
    },
  };
}

/** Serves the one repository of a server that has a config of its own, under `/`. */
export function reportOf(
  { world, outbox, github }: Program,
  service: Pick<Service, "health" | "onRound">,
): RequestHandler {
  const { config, store, clock } = world;
  const { link = addressOf } = outbox;
  const cache = createFileCache(clock);
  service.onRound(cache.clear);
  const visibility = createVisibility(clock);
  return async (request, response) => {
    const path = pathOf(request);
    // Webhooks belong to the App.
    if (!path.startsWith("/") || path.startsWith("/api/")) return false;
    const seen = github ? await visibility(0, () => github.facts()) : "hidden";
    if (typeof seen === "string") {
      hide(request, response, seen);
      return true;
    }
    const edition = () => editionOf({ config, store, at: clock.now(), link, repository: seen.web });
    await answer({ request, response, cache, service }, { id: "", stamp: "", edition }, path.slice(1));
    return true;
  };
}

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly cache: FileCache;
  readonly service: Pick<Service, "health">;
}

async function answer({ request, response, cache, service }: Asked, report: Shown, file: string): Promise<void> {
  const path = file === "" ? "index.html" : file;
  // Changes of the last run are shown at once.
  const stamp = `${report.stamp} ${service.health().lastRun}`;
  const rendered = await cache.file(report.id, stamp, path, report.edition);
  if (!rendered) refuse(request, response, 404, "There is no such file.");
  else if (!["GET", "HEAD"].includes(request.method ?? "")) refuse(request, response, 405, "This can only be read.");
  else send(request, response, path, rendered);
}

/** The path of the request, not decoded: so no path has two spellings. */
function pathOf({ url = "/" }: IncomingMessage): string {
  return url.replace(/[?#].*$/s, "");
}

/** Headers that make a page passive, even if a source's text got into its markup. */
const guarded = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  xml: "application/atom+xml; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
};

/** Files that scripts on other sites may read: the script in the margin of a report does. */
const filesForScripts: readonly string[] = ["status.json", "recheck-margin.js"];

function send(request: IncomingMessage, response: ServerResponse, path: string, file: ServedFile): void {
  const etag = `"${file.etag}"`;
  const common = {
    ...guarded,
    etag,
    // Must be revalidated each time, because the repository may have become private. That costs only a comparison of
    // tags.
    "cache-control": "no-cache",
    ...(filesForScripts.includes(path) && { "access-control-allow-origin": "*" }),
  };
  if (hasTag(request.headers["if-none-match"], etag)) {
    response.writeHead(304, common).end();
    return;
  }
  const type = types[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  response.writeHead(200, { ...common, "content-type": type, "content-length": file.body.length });
  response.end(request.method === "HEAD" ? undefined : file.body);
}

/** Whether `If-None-Match` names a tag: https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 */
function hasTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}

/** Answers with a sentence in place of what was requested. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: 400 | 404 | 405 | 408 | 413 | 503,
  says: string,
): void {
  const body = Buffer.from(`${says}\n`);
  response.writeHead(status, {
    ...guarded,
    "content-type": "text/plain; charset=utf-8",
    "content-length": body.length,
    "cache-control": "no-store",
    ...(status === 405 && { allow: "GET, HEAD" }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function hide(request: IncomingMessage, response: ServerResponse, seen: Visibility): void {
  if (seen === "unknown") refuse(request, response, 503, "GitHub cannot confirm at the moment who may see this.");
  else refuse(request, response, 404, "No report is published here.");
}

type ShownFacts = Pick<RepositoryFacts, "public" | "web">;

/** A public repository, or the reason why it is not shown: *unknown* if GitHub does not answer. */
export type Visibility = ShownFacts | "hidden" | "unknown";

const lastWordCounts: Duration = 15 * aMinute;

interface LastAnswer {
  readonly asked: Instant;
  readonly next: Instant;
  readonly says: Promise<Visibility>;
  readonly problem?: GitHubProblem;
  /** GitHub's last answer that it is public, and the time of that answer. */
  readonly seen?: { readonly at: Instant; readonly facts: ShownFacts };
}

/** GitHub is asked at a page's request, once a minute: the webhook that it became private may be lost. */
function createVisibility(clock: Clock): (id: number, ask: () => Promise<ShownFacts>) => Promise<Visibility> {
  const answers = new Map<number, LastAnswer>();

  async function askAgain(
    id: number,
    ask: () => Promise<ShownFacts>,
    lastAnswer: LastAnswer["seen"],
  ): Promise<Visibility> {
    const now = clock.now();
    const keep = (says: Visibility, more: Partial<LastAnswer>) => {
      answers.set(id, { asked: now, next: now + aMinute, says: Promise.resolve(says), ...more });
      return says;
    };
    try {
      const facts = await ask();
      return facts.public ? keep(facts, { seen: { at: now, facts } }) : keep("hidden", {});
    } catch (error) {
      if (!(error instanceof GitHubProblem)) throw error;
      const next = Math.max(now + aMinute, error.resumeAt ?? 0);
      return keep(withoutAnswer(error, lastAnswer, now), { next, problem: error, seen: lastAnswer });
    }
  }

  return async (id, ask) => {
    const now = clock.now();
    const last = answers.get(id);
    if (last && now >= last.asked && now < last.next)
      return last.problem ? withoutAnswer(last.problem, last.seen, now) : await last.says;
    const says = askAgain(id, ask, last?.seen);
    // Requests at the same time share the answer.
    answers.set(id, { asked: now, next: now + aMinute, says, seen: last?.seen });
    says.catch(() => answers.delete(id));
    return await says;
  };
}

/** A refusal counts as an answer. Without any answer, the last one counts for a while. */
function withoutAnswer(problem: GitHubProblem, seen: LastAnswer["seen"], now: Instant): Visibility {
  const isSilent = problem.uncertain || problem.kind === "slow-down" || problem.kind === "blocked";
  if (!isSilent) return "hidden";
  return seen && !hasPassed(lastWordCounts, seen.at, now) ? seen.facts : "unknown";
}

export interface ServedFile {
  readonly body: Buffer;
  /** Its entity tag, without quotes. */
  readonly etag: string;
}

type FileCache = ReturnType<typeof createFileCache>;

const maxAge: Duration = aMinute;
const maxReports = 20;

interface CachedReport {
  readonly stamp: string;
  readonly at: Instant;
  readonly sheets: Promise<Sheets>;
  readonly drawn: Map<string, ServedFile>;
}

/** Caches the rendered files of reports while they are valid. */
function createFileCache(clock: Clock) {
  const cached = new RecentlyUsed<string, CachedReport>(maxReports);
  const turns = createLanes<"edition">();

  function reportOf(report: string, stamp: string, make: () => Promise<Edition>): CachedReport {
    const previous = cached.get(report);
    const now = clock.now();
    const isSame = previous?.stamp === stamp && now >= previous.at && now - previous.at < maxAge;
    const entry = isSame
      ? previous
      : {
          stamp,
          at: now,
          sheets: turns.run("edition", async () => sheets(await make())),
          drawn: new Map<string, ServedFile>(),
        };
    cached.set(report, entry);
    return entry;
  }

  return {
    /** Empties the cache: an edition takes much memory, and the next run makes it invalid. */
    clear: () => cached.clear(),
    /**
     * A file of a report; undefined if it has none at this path. Another `stamp` makes cached files invalid. `make`
     * renders an edition that is not cached; one report at a time.
     */
    async file(
      report: string,
      stamp: string,
      path: string,
      make: () => Promise<Edition>,
    ): Promise<ServedFile | undefined> {
      const cachedReport = reportOf(report, stamp, make);
      try {
        const draw = (await cachedReport.sheets).get(path);
        if (!draw) return undefined;
        return makeOnce(cachedReport.drawn, path, () => servedFile(draw()));
      } catch (error) {
        if (cached.get(report) === cachedReport) cached.delete(report);
        throw error;
      }
    },
  };
}

function servedFile(text: string): ServedFile {
  const body = Buffer.from(text);
  return { body, etag: createHash("sha256").update(body).digest("base64url").slice(0, 27) };
}
