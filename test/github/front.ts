import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../src/model/ports/index.ts";
import { anHour } from "../../src/model/time.ts";
import {
  Annotations,
  type Answer,
  answer,
  conditional,
  permissionOf,
  type Reaction,
  react,
  type Tokens,
  tooLong,
  truncated,
} from "./gaps.ts";
import type { Hooks } from "./hooks.ts";
import { type Ask, lastHead, withHead } from "./merge.ts";
import { type Ask as AskServer, straightTo } from "./straight.ts";

/** The proxy in front of `emulate`: records what was asked, closes gaps, and fails where it is told to. */

/** One request, as it came: `path` without `/api/v3` and without its query. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly authorization?: string;
  readonly status: number;
  /** Whether it was carried out, heard of or not. */
  readonly isDone?: boolean;
  /** The number of the issue or pull request that was made by it. */
  readonly created?: number;
}

/** The next requests that match (`POST /repos/…/issues`) fail. */
export interface Fault {
  readonly match: RegExp;
  /** Answered instead of GitHub's own; without it the connection is cut. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `after`: what was asked is done all the same. */
  readonly when: "before" | "after";
  /** Instead of a failure: what was asked is done, and the answer held back for so many milliseconds, or until all is mended. */
  readonly hold?: number | "until-mended";
  /** Instead of a failure: what was asked is done, and this is answered in place of GitHub's own answer. */
  readonly change?: (given: Answer) => Answer;
  /** How many times; once unless told. */
  readonly times?: number;
}

/** Of a comment or an issue, what is checked here. */
interface LocalComment {
  readonly number: number;
  readonly id: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Where `emulate` sends its webhooks. */
export const hookPath = "/_hooks";

export class Front {
  readonly requests: Recorded[] = [];
  readonly reactions: Reaction[] = [];
  faults: { fault: Fault; left: number }[] = [];
  /** Requests that are being answered, without those that are held back. */
  busy = 0;
  #mended = Promise.withResolvers<void>();
  readonly tokens: Tokens;
  readonly #hooks: Hooks;
  readonly #clock: Clock;
  readonly #annotations = new Annotations();
  /** Comments whose text was changed; `emulate` gives some a later time than that of their creation on its own. */
  readonly edited = new Set<number>();
  /** Files of a tree that are listed at once; GitHub's own limit unless told. */
  listed = 100_000;
  /** The heads of the pull requests that ended, as they were then. */
  readonly heads = new Map<number, string>();
  /** Those of the installations, by name. */
  repositories: readonly string[] = [];
  /** Issues that were deleted: `owner/name#1`. */
  readonly deleted = new Set<string>();
  /** Who has installed the App, by the number of the installation. */
  owners: ReadonlyMap<number, string> = new Map();
  /** Types of issues that the organisation defines; nobody knows any where there are none. */
  issueTypes: readonly string[] = [];
  upstream = "";
  askUpstream: AskServer | undefined;
  /** Whether `emulate` was written to, and may have begun to tell of it. */
  isWritten = false;
  #hearing: Promise<void> = Promise.resolve();
  #url = "";
  #server: Server | undefined;
  #lists = 0;

  constructor(tokens: Tokens, hooks: Hooks, clock: Clock = Date) {
    this.tokens = tokens;
    this.#hooks = hooks;
    this.#clock = clock;
  }

  async listen(port: number): Promise<string> {
    const server = createServer((request, response) => this.#handle(request, response));
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    this.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this.#url;
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    this.busy++;
    this.#serve(request, response)
      .catch(() => response.destroy())
      .finally(() => this.busy--);
  }

  /** A `fetch` that reaches it by a call; by a connection if the request is to fail or to be held back, or if it has ended. */
  readonly fetch: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const { host, pathname, search } = new URL(String(input));
    const method = init?.method ?? "GET";
    if (!this.#server?.listening || this.#nextFault(`${method} ${pathOf(pathname)}`)) return await fetch(input, init);
    const ask = straightTo((request, response) => this.#handle(request, response), host);
    const sent = Buffer.from(String(init?.body ?? ""));
    const named = Object.fromEntries(new Headers(init?.headers));
    const { status, headers, body } = await ask(method, pathname + search, named, sent);
    if (headers.location !== undefined && status < 400 && status >= 300) {
      throw new Error(`${method} ${pathname} leads elsewhere: only a connection follows it`);
    }
    return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), { status, headers });
  };

  /** Once all that `emulate` has begun to tell has arrived: it tells by requests like these, begun before them. */
  async heard(): Promise<void> {
    if (this.isWritten) this.#hearing = this.#hear();
    await this.#hearing;
  }

  async #hear(): Promise<void> {
    this.isWritten = false;
    for (let turn = 0; turn < 2; turn++) await fetch(this.#url + hookPath, { method: "POST" });
  }

  /** Nothing fails any more, and nothing is held back. */
  mend(): void {
    this.faults = [];
    this.#mended.resolve();
    this.#mended = Promise.withResolvers();
  }

  async close(): Promise<void> {
    this.mend();
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const address = new URL(pathOf(request.url ?? "/"), "http://local");
    const bytes = await bytesOf(request);
    const body = json(bytes);
    if (address.pathname === hookPath) {
      if (bytes.length > 0)
        void this.#hooks.relay(String(request.headers["x-github-event"]), body as Record<string, unknown>);
      response.writeHead(202).end();
      return;
    }
    const fault = this.#faultFor(`${method} ${address.pathname}`);
    const isCut = fault && !fault.status && fault.hold === undefined && !fault.change;
    const own = fault?.when === "before" ? undefined : await this.#answer(method, address, request, bytes, body);
    const given = fault?.status
      ? answer(fault.status, { message: fault.message ?? "failed" }, { ...fault.headers })
      : own && (fault?.change?.(own) ?? own);
    this.requests.push({
      method,
      path: address.pathname,
      query: Object.fromEntries(address.searchParams),
      body,
      authorization: request.headers.authorization,
      status: isCut ? 0 : (given?.status ?? 0),
      isDone: own !== undefined && own.status < 400,
      ...(method === "POST" && own?.status === 201 && own.body && { created: numberIn(own.body) }),
    });
    if (fault?.hold !== undefined) await this.#hold(fault.hold);
    if (!given || isCut) {
      response.destroy();
      return;
    }
    response.writeHead(given.status, given.headers);
    response.end(given.body);
  }

  async #hold(time: number | "until-mended"): Promise<void> {
    this.busy--;
    await (time === "until-mended" ? this.#mended.promise : sleep(time));
    this.busy++;
  }

  #faultFor(request: string): Fault | undefined {
    const found = this.#nextFault(request);
    if (found) found.left--;
    return found?.fault;
  }

  #nextFault(request: string) {
    return this.faults.find((each) => each.left > 0 && each.fault.match.test(request));
  }

  async #answer(method: string, address: URL, request: IncomingMessage, bytes: Buffer, body: unknown): Promise<Answer> {
    const path = address.pathname;
    const own =
      this.tokens.refusal(request.headers, method) ??
      tooLong(method, path, body) ??
      react(this.reactions, method, path, body);
    if (own) return own;
    const [, of = "", number] = /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)(?:\/|$)/.exec(path) ?? [];
    if (this.deleted.has(`${of}#${number}`)) return answer(410, { message: "This issue was deleted" });
    if (method === "GET" && path === "/installation/repositories") return await this.#repositories(request);
    if (method === "GET" && /^\/repos\/[^/]+\/[^/]+\/issue-types$/.test(path) && this.issueTypes.length > 0) {
      const types = this.issueTypes.map((name, id) => ({ id, node_id: `IT_${id}`, name, description: null }));
      return answer(200, types);
    }
    if (method === "GET" && path.endsWith("/issues/comments")) return await this.#comments(path, address, request);
    const [, repository = "", pull] = /^(\/repos\/[^/]+\/[^/]+)\/pulls\/(\d+)$/.exec(path) ?? [];
    if (method === "PATCH" && pull !== undefined) {
      this.heads.set(Number(pull), await lastHead(this.#asking(repository, request), Number(pull)));
    }
    const [, listed] = /^\/repos\/([^/]+\/[^/]+)\/issues$/.exec(method === "GET" ? path : "") ?? [];
    const sent = this.#annotations.whole(method, path, body) ?? bytes;
    const all = await this.#forward(method, path + address.search, request, sent);
    const forwarded = listed === undefined ? all : this.#withoutDeleted(listed, all);
    this.#annotations.keep(path, body, forwarded);
    const told = await this.#withoutCommits(
      path,
      request,
      await this.#withoutIssues(path, request, permissionOf(path, forwarded)),
    );
    const given = this.#inIssue(method, path, await this.#withHeads(method, path, request, told));
    if (/\/git\/trees\/[^/]+$/.test(path)) return conditional(truncated(given, this.listed), method, request.headers);
    if (path.endsWith("/access_tokens") && given.status === 201) {
      const owner = this.owners.get(Number(path.split("/").at(-2)));
      const minted = json(given.body ?? Buffer.alloc(0)) as { token: string };
      this.tokens.mint(minted.token, owner);
      return answer(201, { ...minted, expires_at: new Date(this.#clock.now() + anHour).toISOString() });
    }
    return conditional(given, method, request.headers);
  }

  #withoutDeleted(repository: string, given: Answer): Answer {
    if (this.deleted.size === 0 || given.status !== 200 || !given.body) return given;
    const issues = json(given.body) as { number: number }[];
    const left = issues.filter(({ number }) => !this.deleted.has(`${repository}#${number}`));
    return left.length === issues.length ? given : { ...given, body: Buffer.from(JSON.stringify(left)) };
  }

  /** GitHub finds a pull request as an issue, too, and says that issues are gone if they are switched off. `emulate` finds neither. */
  async #withoutIssues(path: string, request: IncomingMessage, given: Answer): Promise<Answer> {
    const [, repository, number] = /^(\/repos\/[^/]+\/[^/]+)\/issues(?:\/(\d+)$|\/|$)/.exec(path) ?? [];
    if (given.status !== 404 || repository === undefined) return given;
    if (number !== undefined && request.method === "GET") {
      const pull = await this.#forward("GET", `${repository}/pulls/${number}`, request, Buffer.alloc(0));
      if (pull.status === 200) return pull;
    }
    const { body = Buffer.alloc(0) } = await this.#forward("GET", repository, request, Buffer.alloc(0));
    const { has_issues } = (json(body) ?? {}) as { has_issues?: boolean };
    return has_issues === false ? answer(410, { message: "Issues has been disabled in this repository." }) : given;
  }

  /** Where there is no commit yet, `emulate` finds no ref, commit or tree: GitHub says why. */
  async #withoutCommits(path: string, request: IncomingMessage, given: Answer): Promise<Answer> {
    const [, repository] = /^(\/repos\/[^/]+\/[^/]+)\/(?:commits|git)\//.exec(path) ?? [];
    if (given.status !== 404 || repository === undefined) return given;
    const { status } = await this.#forward("GET", `${repository}/commits`, request, Buffer.alloc(0));
    return status === 409 ? answer(409, { message: "Git Repository is empty." }) : given;
  }

  /** The repositories that an installation's token may reach, which `emulate` does not tell. */
  async #repositories(request: IncomingMessage): Promise<Answer> {
    const owner = this.tokens.ownerOf(request.headers);
    const own = this.repositories.filter((repo) => owner === undefined || repo.startsWith(`${owner}/`));
    // One request of GitHub's: `emulate` would count each against the quota of the token that asks.
    const headers = { ...request.headers, authorization: `Bearer list-${++this.#lists}` };
    const all = await Promise.all(
      own.map((repo) => this.#forward("GET", `/repos/${repo}`, { headers }, Buffer.alloc(0))),
    );
    const found = all.flatMap(({ status, body }) => (status === 200 && body ? [json(body)] : []));
    return answer(200, { total_count: found.length, repository_selection: "all", repositories: found });
  }

  /** The comments on all issues, oldest first: `emulate` takes the address for that of an issue. */
  async #comments(path: string, { searchParams }: URL, request: IncomingMessage): Promise<Answer> {
    const all = path.slice(0, -"/comments".length);
    const ask = async (at: string): Promise<LocalComment[]> => {
      const { body = Buffer.alloc(0) } = await this.#forward("GET", `${at}per_page=100`, request, Buffer.alloc(0));
      return json(body) as LocalComment[];
    };
    const issues = await ask(`${all}?state=all&`);
    const listed = (await Promise.all(issues.map(({ number }) => ask(`${all}/${number}/comments?`)))).flat();
    const comments = this.#asEdited(listed);
    const since = Date.parse(searchParams.get("since") ?? "1970-01-01");
    const found = comments.filter(({ updated_at }) => Date.parse(updated_at) >= since).sort((a, b) => a.id - b.id);
    const size = Number(searchParams.get("per_page") ?? 30);
    const from = size * (Number(searchParams.get("page") ?? 1) - 1);
    return answer(200, found.slice(from, from + size));
  }

  #asEdited(comments: readonly LocalComment[]): LocalComment[] {
    return comments.map((one) => (this.edited.has(one.id) ? one : { ...one, updated_at: one.created_at }));
  }

  /** The comments on one issue. */
  #inIssue(method: string, path: string, given: Answer): Answer {
    const areComments = method === "GET" && /\/issues\/\d+\/comments$/.test(path);
    if (!areComments || given.status !== 200 || !given.body) return given;
    const comments = this.#asEdited(json(given.body) as LocalComment[]);
    return { ...given, body: Buffer.from(JSON.stringify(comments)) };
  }

  /** Pull requests with the head that their branch has by now. */
  async #withHeads(method: string, path: string, request: IncomingMessage, given: Answer): Promise<Answer> {
    const [, repository = ""] = /^(\/repos\/[^/]+\/[^/]+)\/pulls(?:\/\d+)?$/.exec(path) ?? [];
    if (method !== "GET" || repository === "" || given.status !== 200 || !given.body) return given;
    const told = await withHead(this.#asking(repository, request), json(given.body), this.heads);
    return { ...given, body: Buffer.from(JSON.stringify(told)) };
  }

  #asking(repository: string, request: IncomingMessage): Ask {
    return async (how, below) => {
      const { status, body } = await this.#forward(how, repository + below, request, Buffer.alloc(0));
      if (status !== 200 || !body) throw new Error(`${how} ${below}: ${status}`);
      return json(body) as never;
    };
  }

  async #forward(
    method: string,
    path: string,
    request: Pick<IncomingMessage, "headers">,
    sent: Buffer,
  ): Promise<Answer> {
    const headers: Record<string, string> = {};
    for (const name of ["authorization", "accept", "content-type"] as const) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    if (!this.askUpstream) throw new Error("`emulate` has not started");
    const response = await this.askUpstream(method, path, headers, sent);
    if (method !== "GET") this.isWritten = true;
    const kept: Record<string, string> = {};
    for (const name of ["content-type", "link", "location"]) {
      const value = response.headers[name];
      if (value !== undefined) kept[name] = this.#ours(value);
    }
    if (/raw/.test(headers.accept ?? "") && kept["content-type"] === "application/octet-stream") {
      kept["content-type"] = "application/vnd.github.raw; charset=utf-8";
    }
    if (response.status === 204) return { status: 204, headers: kept };
    const isJson = kept["content-type"]?.startsWith("application/json");
    const body = isJson ? Buffer.from(this.#ours(response.body.toString())) : response.body;
    return { status: response.status, headers: kept, body };
  }

  /** `emulate` speaks of itself under its own address. */
  #ours(text: string): string {
    return text
      .replaceAll(this.upstream.replace("127.0.0.1", "localhost"), this.#url)
      .replaceAll(this.upstream, this.#url);
  }
}

/** Without what GitHub Enterprise has before it. */
function pathOf(path: string): string {
  return path.replace(/^\/api\/v3(?=\/)/, "");
}

function numberIn(body: Buffer): number | undefined {
  const { number } = (json(body) ?? {}) as { number?: unknown };
  return typeof number === "number" ? number : undefined;
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function json(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return bytes.toString();
  }
}
