import { createServer } from "node:http";
import { pageOf } from "./page.ts";

/**
 * 64 local hosts in a process of their own: 127.0.0.1 to 127.0.0.64, one port. `/small/…` answers conditional
 * requests with 304; `/page/N` is a page of 200 KB whose text differs with every edition (`/edition/N` sets it).
 */
let edition = 0;
const small = Buffer.from(pageOf(0, 0, 7_000));
const pages = new Map<string, Buffer>();

const made = (url: string) => Buffer.from(pageOf(Number(url.split("/")[2] ?? 0), edition, 200_000));

// A connection that is closed between two requests would be an error of the bare side.
const server = () =>
  createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const url = request.url ?? "/";
    if (url.startsWith("/edition/")) {
      edition = Number(url.split("/")[2]);
      // Now, so that no side waits for it while time is taken.
      for (const known of pages.keys()) pages.set(known, made(known));
      response.end();
    } else if (url.startsWith("/small/")) {
      if (request.headers["if-none-match"] === '"small"') response.writeHead(304, { etag: '"small"' }).end();
      else response.writeHead(200, { "content-type": "text/html; charset=utf-8", etag: '"small"' }).end(small);
    } else if (url === "/robots.txt") {
      response.writeHead(404).end();
    } else {
      const body = pages.get(url) ?? made(url);
      pages.set(url, body);
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(body);
    }
  });

const addresses = Array.from({ length: 64 }, (_, index) => `127.0.0.${index + 1}`);
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
