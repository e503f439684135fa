/**
 * A GitHub on this machine: `emulate` behind a small proxy that closes its gaps (see `github-gaps.ts`), records what
 * was asked, and can fail before or after it did what was asked. For the demo and for tests; needs no network.
 */
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createEmulator } from "emulate";
import { type Answer, answer, conditional, type Reaction, react, Tokens, tooLong } from "./github-gaps.ts";

/** One request, as it came: `path` without `/api/v3` and without its query. */
export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly authorization?: string;
  readonly status: number;
}

/** The next requests that match (`POST /repos/…/issues`) fail. */
interface Fault {
  readonly match: RegExp;
  /** Answered instead of GitHub's own; without it the connection is cut. */
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `after`: what was asked is done all the same. */
  readonly when: "before" | "after";
  /** Instead of a failure: what was asked is done, and the answer held back for so many milliseconds. */
  readonly hold?: number;
  /** How many times; once unless told. */
  readonly times?: number;
}

export interface LocalGitHub {
  /** The base address of its API; `url + "/api/v3"` works as well, as on GitHub Enterprise. */
  readonly url: string;
  readonly repo: string;
  /** Of a person who may write. */
  readonly token: string;
  readonly app: { readonly id: number; readonly privateKey: string; readonly installation: number };
  readonly requests: readonly Recorded[];
  readonly reactions: readonly Reaction[];
  fault(fault: Fault): void;
  /** Ends the installation's tokens. */
  expireTokens(): void;
  /** Does what a person would do in a browser; not recorded. Paths below the repository: `/issues/1`. */
  asPerson<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  close(): Promise<void>;
}

export interface LocalGitHubOptions {
  /** `owner/name`; the owner is an organisation. */
  readonly repo?: string;
  readonly port?: number;
  /** Where events are delivered, signed. */
  readonly webhook?: { readonly url: string; readonly secret: string };
}

const token = "author-token";
const person = "author";
const appId = 4711;
const installation = 100;

export async function startGitHub(options: LocalGitHubOptions = {}): Promise<LocalGitHub> {
  const repo = options.repo ?? "example/report";
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const proxy = new Front(new Tokens([token], privateKey));
  const url = await proxy.listen(options.port ?? 0);
  const emulator = await createEmulator({ service: "github", port: 0, seed: seed(repo, privateKey, options.webhook) });
  proxy.upstream = emulator.url;
  return {
    url,
    repo,
    token,
    app: { id: appId, privateKey, installation },
    requests: proxy.requests,
    reactions: proxy.reactions,
    fault: (fault) => proxy.faults.push({ fault, left: fault.times ?? 1 }),
    expireTokens: () => proxy.tokens.expire(),
    asPerson: (method, path, body) => asPerson(emulator.url, `/repos/${repo}${path}`, method, body),
    close: async () => {
      await proxy.close();
      await emulator.close();
    },
  };
}

function seed(repo: string, privateKey: string, webhook: LocalGitHubOptions["webhook"]) {
  const [owner, name] = repo.split("/");
  return {
    tokens: { [token]: { login: person, scopes: ["repo", "user"] } },
    github: {
      users: [{ login: person }, { login: "reader" }],
      orgs: [{ login: owner, members: [{ login: person, role: "admin" }] }],
      repos: [{ owner, name, auto_init: true }],
      apps: [
        {
          app_id: appId,
          slug: "recheck",
          name: "Recheck",
          private_key: privateKey,
          permissions: {
            contents: "write",
            issues: "write",
            checks: "write",
            pull_requests: "write",
            metadata: "read",
          },
          events: ["issues", "issue_comment", "push", "pull_request", "installation"],
          installations: [{ installation_id: installation, account: owner, repository_selection: "all" }],
          ...(webhook ? { webhook_url: webhook.url, webhook_secret: webhook.secret } : {}),
        },
      ],
    },
  };
}

async function asPerson<T>(upstream: string, path: string, method: string, body: unknown): Promise<T> {
  const response = await fetch(upstream + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

class Front {
  readonly requests: Recorded[] = [];
  readonly reactions: Reaction[] = [];
  readonly faults: { fault: Fault; left: number }[] = [];
  readonly tokens: Tokens;
  upstream = "";
  #url = "";
  #server: Server | undefined;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  async listen(port: number): Promise<string> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    this.#url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return this.#url;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? "GET";
    const address = new URL((request.url ?? "/").replace(/^\/api\/v3(?=\/)/, ""), "http://local");
    const bytes = await bytesOf(request);
    const body = json(bytes);
    const fault = this.#faultFor(`${method} ${address.pathname}`);
    const isCut = fault !== undefined && fault.status === undefined && fault.hold === undefined;
    const own = fault?.when === "before" ? undefined : await this.#answer(method, address, request, bytes, body);
    const given = fault?.status
      ? answer(fault.status, { message: fault.message ?? "failed" }, { ...fault.headers })
      : own;
    this.requests.push({
      method,
      path: address.pathname,
      query: Object.fromEntries(address.searchParams),
      body,
      authorization: request.headers.authorization,
      status: isCut ? 0 : (given?.status ?? 0),
    });
    if (fault?.hold !== undefined) await sleep(fault.hold);
    if (!given || isCut) {
      response.destroy();
      return;
    }
    response.writeHead(given.status, given.headers);
    response.end(given.body);
  }

  #faultFor(request: string): Fault | undefined {
    const found = this.faults.find((each) => each.left > 0 && each.fault.match.test(request));
    if (found) found.left--;
    return found?.fault;
  }

  async #answer(method: string, address: URL, request: IncomingMessage, bytes: Buffer, body: unknown): Promise<Answer> {
    const path = address.pathname;
    const own =
      this.tokens.refusal(request.headers, method) ??
      tooLong(method, path, body) ??
      react(this.reactions, method, path, body);
    if (own) return own;
    const given = await this.#forward(method, path + address.search, request, bytes);
    if (path.endsWith("/access_tokens") && given.status === 201) {
      this.tokens.mint((json(given.body ?? Buffer.alloc(0)) as { token: string }).token);
    }
    return conditional(given, method, request.headers);
  }

  async #forward(method: string, path: string, request: IncomingMessage, sent: Buffer): Promise<Answer> {
    const headers: Record<string, string> = {};
    for (const name of ["authorization", "accept", "content-type"] as const) {
      const value = request.headers[name];
      if (value !== undefined) headers[name] = value;
    }
    const response = await fetch(this.upstream + path, {
      method,
      headers,
      redirect: "manual",
      ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
    });
    const kept: Record<string, string> = {};
    for (const name of ["content-type", "link", "location"]) {
      const value = response.headers.get(name);
      if (value !== null) kept[name] = this.#ours(value);
    }
    if (/raw/.test(headers.accept ?? "") && kept["content-type"] === "application/octet-stream") {
      kept["content-type"] = "application/vnd.github.raw; charset=utf-8";
    }
    if (response.status === 204) return { status: 204, headers: kept };
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = kept["content-type"]?.startsWith("application/json");
    const body = isJson ? Buffer.from(this.#ours(bytes.toString())) : bytes;
    return { status: response.status, headers: kept, body };
  }

  /** `emulate` speaks of itself under its own address. */
  #ours(text: string): string {
    return text
      .replaceAll(this.upstream.replace("127.0.0.1", "localhost"), this.#url)
      .replaceAll(this.upstream, this.#url);
  }
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
