import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { type AddCommandOptions, addCommand } from "../../../../src/faces/cli/add/index.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import { linesOut } from "../../../support/lines-out.ts";
import { archiveHost, type LocalArchive } from "../../../support/local-archive.ts";

/** A web on this machine for `add`: answers by address, whatever host it names, and remembers what was asked. */

export interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Happens before it is given. */
  readonly meanwhile?: () => void;
}

export interface LocalWeb {
  /** What was asked for, in order, robots.txt left out. */
  readonly asked: string[];
  readonly origin: string;
  close(): Promise<void>;
}

/** As GitHub says it of a repository, and any other server of a page. */
function absent(host: string | undefined): Answer {
  if (host === "api.github.com") return { ...json({ message: "Not Found" }), status: 404 };
  return { status: 404, body: "<title>Not found</title>" };
}

/** `answers`: by address without its scheme, `widget.example/blog/`. All else is 404, but for a web archive at its host. */
export async function openWeb(
  answers: Readonly<Record<string, Answer>>,
  at = 0,
  archive?: Pick<LocalArchive, "answer">,
): Promise<LocalWeb> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (archive && request.headers.host === archiveHost) return archive.answer(request, response);
    const address = `${request.headers.host}${request.url}`;
    if (request.url !== "/robots.txt") asked.push(address);
    const answer = answers[address] ?? absent(request.headers.host);
    const { status = 200, type = "text/html; charset=utf-8", headers = {}, body = "" } = answer;
    answer.meanwhile?.();
    response.writeHead(status, { "content-type": type, ...headers }).end(body);
  });
  await new Promise<void>((done) => server.listen(at, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

export interface Done {
  readonly code: number;
  readonly out: string;
  /** `sources.yaml` as it is afterwards. */
  readonly yaml: string;
  readonly asked: readonly string[];
}

/** A folder with a config, and the command run in it. */
export class Home {
  /** The address of a browser, if there is one. */
  browser: string | undefined;
  readonly folder = mkdtempSync(join(tmpdir(), "recheck-add-"));
  readonly #web: LocalWeb;

  constructor(web: LocalWeb, sources: string, triggers: Readonly<Record<string, string>> = {}) {
    this.#web = web;
    writeFileSync(this.file, sources);
    mkdirSync(join(this.folder, "triggers"));
    for (const [id, text] of Object.entries(triggers)) writeFileSync(join(this.folder, "triggers", `${id}.yaml`), text);
  }

  get file(): string {
    return join(this.folder, "sources.yaml");
  }

  get settings(): Settings {
    return {
      config: this.folder,
      data: join(this.folder, "data"),
      clock: { now: () => Date.UTC(2026, 10, 20) },
      browser: this.browser,
      fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => this.#web.origin, pause: 0 },
    };
  }

  async add(address: string, options: AddCommandOptions = {}): Promise<Done> {
    const { out: terminal, lines } = linesOut();
    const from = this.#web.asked.length;
    const code = await addCommand(address, this.settings, options, terminal);
    const yaml = readFileSync(this.file, "utf8");
    return { code, out: lines.join("\n"), yaml, asked: this.#web.asked.slice(from) };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Enough words to be a page. */
export function prose(about: string, sentences = 8): string {
  const each = (i: number) => `Part ${i} of ${about} says how many widgets, levers and gauges step ${i} needs.`;
  return Array.from({ length: sentences }, (_, i) => `<p>${each(i + 1)}</p>`).join("\n");
}

/** A page with this head and content. */
export function page(title: string, head: string, content: string): Answer {
  return {
    body: `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main>${content}</main></body></html>`,
  };
}

/** An Atom feed with these entries. Spec: https://www.rfc-editor.org/rfc/rfc4287 */
export function atom(title: string, entries: readonly { title: string; url: string; at: string }[]): Answer {
  const all = entries.map(
    (one) =>
      `<entry><id>${one.url}</id><title>${one.title}</title><link href="${one.url}"/><updated>${one.at}T00:00:00Z</updated></entry>`,
  );
  const body = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title><id>urn:x</id><updated>2026-11-01T00:00:00Z</updated>${all.join("")}</feed>`;
  return { type: "application/atom+xml", body };
}

export function json(value: unknown): Answer {
  return { type: "application/json", body: JSON.stringify(value) };
}
