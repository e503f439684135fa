import { fetchWithBrowser } from "../../../src/adapters/browser/index.ts";
import { createBrowser, type PageLimits } from "../../../src/adapters/browser/page.ts";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { turns } from "../../../src/model/concurrency.ts";
import type { Fetch } from "../../../src/model/ports/index.ts";
import { fetching, web } from "../fetch/local-web.ts";

/** A file of a site, or what its server does; by host and path. */
export type Files = Readonly<
  Record<
    string,
    string | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  >
>;

const types: Readonly<Record<string, string>> = { js: "text/javascript", json: "application/json", css: "text/css" };

export interface LocalSite {
  readonly fetch: Fetch;
  /** What the servers were asked, robots.txt apart. */
  readonly asked: string[];
}

/** Sites on this machine: their names lead to one server. Every other address is closed. `browser`: empty for none. */
export async function localSite(browser: string, files: Files, limits: Partial<PageLimits> = {}): Promise<LocalSite> {
  const asked: string[] = [];
  const server = await web((request, response) => {
    const { host = "" } = request.headers;
    if (request.url === "/robots.txt" && !(`${host}/robots.txt` in files)) return response.writeHead(404).end();
    if (request.url !== "/robots.txt") asked.push(`${request.method} ${host}${request.url}`);
    const file = files[host + request.url];
    if (file === undefined) return response.writeHead(404).end();
    const type = types[request.url?.split(".").at(-1) ?? ""] ?? "text/html; charset=utf-8";
    if (typeof file === "string") return response.writeHead(200, { "content-type": type }).end(file);
    return response.writeHead(file.status, { "content-type": type, ...file.headers }).end(file.body);
  });
  const plain = fetching({
    allowAddresses: parseRanges("127.0.0.1"),
    origin: ({ hostname }) => (/\.example$/.test(hostname) ? server.origin : undefined),
    lookup: (_name, _options, done) => done(Object.assign(new Error("no such host"), { code: "ENOTFOUND" }), ""),
  });
  const opened = Promise.resolve(browser === "" ? undefined : createBrowser(browser, limits));
  return { fetch: fetchWithBrowser(plain, turns(2), () => opened), asked };
}

/** A page whose content is made by this script. */
export function app(script: string, head = ""): string {
  return `<!doctype html><html lang="en"><head><title>Terns</title>${head}</head><body><div id="root"></div><script type="module">${script}</script></body></html>`;
}
