import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../src/model/config.ts";
import type { Clock } from "../src/model/ports/index.ts";
import type { Source } from "../src/model/source.ts";
import type { Reader } from "../src/read/reader.ts";
import type { Story } from "./story.ts";
import { type Answer, answerFor } from "./web/answers.ts";
import { Archive } from "./web/archive.ts";
import { escaped } from "./web/html.ts";

/**
 * A web on this machine: every host that `sources.yaml` names, as of the clock's time. The host comes from the `Host` header
 * or, for a browser, from the path: `http://127.0.0.1:PORT/www.apple.com/mac-studio/`.
 */

export interface LocalWeb {
  readonly url: string;
  /** The target of the connection for an address: this server, or nothing on a day without a connection. */
  origin(): string;
  /** Sources whose bytes were others than at the request before, since this was last asked. */
  otherBytes(): string[];
  close(): Promise<void>;
}

export interface LocalWebOptions {
  readonly config: Config;
  readonly readers: ReadonlyMap<string, Reader>;
  readonly story: Story;
  readonly clock: Clock;
  readonly port?: number;
  /** Requests to GitHub's API for this repository are passed on. */
  readonly github?: { readonly repo: string; readonly url: string };
}

/** No server listens here: the system never assigns such a port, and `fetch` does not refuse it, unlike port 1. */
const nowhere = "http://127.0.0.1:2";

export async function startWeb(options: LocalWebOptions): Promise<LocalWeb> {
  const web = new Web(options);
  const server = createServer((request, response) => {
    web.serve(request, response).catch((error: unknown) => {
      response.writeHead(500).end(error instanceof Error ? error.message : "");
    });
  });
  await new Promise<void>((done) => server.listen(options.port ?? 0, "127.0.0.1", done));
  const port = (server.address() as AddressInfo).port;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    origin: () => (web.weather().offline ? nowhere : url),
    otherBytes: () => web.otherBytes(),
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

class Web {
  readonly #archive: Archive;
  readonly #clock: Clock;
  readonly #github: LocalWebOptions["github"];
  readonly #sources: ReadonlyMap<string, Source>;
  readonly #last = new Map<string, string>();
  #others = new Set<string>();

  constructor({ config, readers, story, clock, github }: LocalWebOptions) {
    this.#archive = new Archive(story, config);
    this.#clock = clock;
    this.#github = github;
    this.#sources = new Map(
      [...config.sources.values()].flatMap((source) => {
        const reader = readers.get(source.kind);
        if (!reader) return [];
        return [[keyOf(new URL(reader.request(source, { githubToken: true }).url)), source] as const];
      }),
    );
  }

  weather() {
    return this.#archive.weather(this.#clock.now());
  }

  otherBytes(): string[] {
    const others = [...this.#others];
    this.#others = new Set();
    return others;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = addressed(request);
    if (this.weather().hangs?.includes(url.host)) return;
    const answer = await this.#answer(url, request);
    const { etag } = answer.headers;
    if (etag !== undefined && request.headers["if-none-match"] === etag) {
      response.writeHead(304, { etag }).end();
      return;
    }
    response.writeHead(answer.status, { ...answer.headers, "content-length": answer.body.length }).end(answer.body);
  }

  async #answer(url: URL, request: IncomingMessage): Promise<Answer> {
    if (url.pathname === "/robots.txt") return page(200, "User-agent: *\nDisallow: /search\n", "text/plain");
    if (this.weather().walls?.includes(url.host)) return wall;
    if (this.#github && url.host === "api.github.com" && url.pathname.startsWith(`/repos/${this.#github.repo}`)) {
      return await forward(this.#github.url + url.pathname + url.search, request);
    }
    const source = this.#sources.get(keyOf(url));
    if (source) return this.#remember(source, answerFor(source, url, this.#archive, this.#clock.now()));
    if (url.host === "localhost") return page(200, this.#index());
    return page(404, "<h1>Not found</h1>");
  }

  #remember(source: Source, answer: Answer): Answer {
    const bytes = answer.body.toString("latin1");
    const before = this.#last.get(source.id);
    if (before !== undefined && before !== bytes) this.#others.add(source.id);
    this.#last.set(source.id, bytes);
    return answer;
  }

  #index(): string {
    const links = [...this.#sources].map(
      ([key, { id }]) => `<li><a href="/${escaped(key)}">${escaped(key)}</a> ${escaped(id)}</li>`,
    );
    return `<!doctype html><title>The demo's web</title><h1>The demo's web</h1><ul>${links.join("\n")}</ul>`;
  }
}

/** The real address: of the `Host` header, or, at this server's own, of the path. */
function addressed(request: IncomingMessage): URL {
  const host = request.headers.host ?? "localhost";
  const path = request.url ?? "/";
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host)) return new URL(`https://${host}${path}`);
  const named = /^\/([a-z\d.-]+\.[a-z]+)(\/.*)?$/i.exec(path);
  return named ? new URL(`https://${named[1]}${named[2] ?? "/"}`) : new URL(path, "https://localhost");
}

/** The part in which two addresses differ: GitHub's lists may be requested in other portions. */
function keyOf({ host, pathname, searchParams, search }: URL): string {
  if (host !== "api.github.com") return host + pathname + search;
  const path = searchParams.get("path");
  return `${host}${pathname}${path === null ? "" : `?path=${path}`}`;
}

function page(status: number, text: string, type = "text/html; charset=utf-8"): Answer {
  return { status, headers: { "content-type": type }, body: Buffer.from(text) };
}

const wall: Answer = {
  status: 403,
  headers: { "content-type": "text/html", server: "cloudflare", "cf-mitigated": "challenge" },
  body: Buffer.from("<title>Just a moment...</title>"),
};

async function forward(to: string, request: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    ["authorization", "accept", "content-type"].flatMap((name) => {
      const value = request.headers[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
  const sent = Buffer.concat(chunks);
  const method = request.method ?? "GET";
  const answer = await fetch(to, { method, headers, ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}) });
  const kept = ["content-type", "link", "etag"].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return { status: answer.status, headers: Object.fromEntries(kept), body: Buffer.from(await answer.arrayBuffer()) };
}
