import { createServer, type ServerResponse } from "node:http";
import { hostAt } from "./host-names.ts";
import { pageOf } from "./page.ts";

/**
 * 320 local hosts in a process of their own: 127.0.0.1 to 127.0.2.120, one port.
 *
 * - `/small/…` answers conditional requests with 304.
 * - `/page/N` is a page of 200 KB, always sent whole. Its text differs with every edition (`/edition/N` sets it).
 * - `/site/N` is a page of 150 KB on average with an ETag. `/publish/EDITION/VISIT/SHARE`: SHARE percent of the pages get
 *   that edition's news; if VISIT differs from the one before, all pages get other bytes.
 * - `/slow/…` is `/small/…` after 50 ms.
 * - `/asked` returns the number of requests for pages since it was requested last.
 */
let edition = 0;
let asked = 0;
const small = Buffer.from(pageOf(0, 0, 7_000));
const pages = new Map<string, Buffer>();
const sites = new Map<number, { readonly tag: string; readonly body: Buffer }>();
let published = { edition: 0, visit: 0, share: 0 };

const made = (url: string) => Buffer.from(pageOf(Number(url.split("/")[2] ?? 0), edition, 200_000));

/** Bytes of the pages of sites: most are small, few are large. */
const sizes = [20, 40, 60, 80, 110, 140, 180, 250, 470].map((kilobytes) => kilobytes * 1_000);

function site(number: number): { readonly tag: string; readonly body: Buffer } {
  const news = number % 100 < published.share ? published.edition : 0;
  const tag = `"${news}-${published.visit}"`;
  const known = sites.get(number);
  if (known?.tag === tag) return known;
  const one = { tag, body: Buffer.from(pageOf(number, news, sizes[number % sizes.length] ?? 0, published.visit)) };
  sites.set(number, one);
  return one;
}

const html = { "content-type": "text/html; charset=utf-8" };

function send(response: ServerResponse, found: { tag: string; body: Buffer }, known: string | undefined): void {
  if (known === found.tag) response.writeHead(304, { etag: found.tag }).end();
  else response.writeHead(200, { ...html, etag: found.tag, "content-length": found.body.length }).end(found.body);
}

// A connection that is closed between two requests would be an error of the bare side.
const server = () =>
  createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const url = request.url ?? "/";
    const [, what, ...rest] = url.split("/");
    const known = request.headers["if-none-match"];
    if (what === "edition") {
      edition = Number(rest[0]);
      // Now, so that no side waits for it while time is taken.
      for (const known of pages.keys()) pages.set(known, made(known));
      response.end();
    } else if (what === "publish") {
      const [edition = 0, visit = 0, share = 0] = rest.map(Number);
      published = { edition, visit, share };
      for (const number of sites.keys()) site(number);
      response.end();
    } else if (what === "asked") {
      response.end(String(asked));
      asked = 0;
    } else {
      if (what !== "robots.txt") asked++;
      if (what === "small") send(response, { tag: '"small"', body: small }, known);
      else if (what === "slow") setTimeout(() => send(response, { tag: '"small"', body: small }, known), 50);
      else if (what === "site") send(response, site(Number(rest[0])), known);
      else if (what === "robots.txt") response.writeHead(404).end();
      else {
        const body = pages.get(url) ?? made(url);
        pages.set(url, body);
        response.writeHead(200, html).end(body);
      }
    }
  });

const addresses = Array.from({ length: 320 }, (_, index) => hostAt(index));
const first = server();
first.listen(0, addresses[0], () => {
  const address = first.address();
  const port = typeof address === "object" && address ? address.port : 0;
  let left = addresses.length - 1;
  for (const host of addresses.slice(1)) {
    server().listen(port, host, () => {
      left--;
      if (left === 0) process.send?.({ port });
    });
  }
});
process.on("disconnect", () => process.exit(0));
