import { createServer } from "node:http";

/**
 * All hosts of 127.0.0.0/8 on one port, in a process of its own. Each answer takes this long, in ms: `node origin.ts 50`.
 *
 * - `/page/…` answers conditional requests with 304.
 * - `/list/…` is a list with one entry of today.
 * - `/asked` returns the number of requests for pages and lists.
 */
const takes = Number(process.argv[2] ?? 0);
let asked = 0;
const page = Buffer.from(`<!doctype html><title>A page</title><main>${"<p>So it goes on.</p>".repeat(200)}</main>`);
const html = { "content-type": "text/html; charset=utf-8" };
const list = Buffer.from(JSON.stringify({ entries: [{ id: "one", date: new Date().toISOString() }] }));

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const [, what] = (request.url ?? "").split("/");
  if (what === "asked") return void response.end(String(asked));
  if (what === "robots.txt") return void response.writeHead(404).end();
  asked++;
  setTimeout(() => {
    const etag = `"${what}"`;
    if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end();
    else if (what === "page") response.writeHead(200, { ...html, etag }).end(page);
    else response.writeHead(200, { "content-type": "application/json", etag }).end(list);
  }, takes);
});
server.listen(0, "0.0.0.0", () => {
  const address = server.address();
  process.send?.({ port: typeof address === "object" && address ? address.port : 0 });
});
process.on("disconnect", () => process.exit(0));
