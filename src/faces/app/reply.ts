import type { IncomingMessage, ServerResponse } from "node:http";
import type { Sheet } from "./shelf.ts";

/** Nothing that stands in a page can do more than be read, whatever a source made of it. */
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

/** What scripts on other sites may read: the margin of a report's own page. */
const open: readonly string[] = ["status.json", "recheck-margin.js"];

/** Whether it only asks for something. */
export function isRead({ method }: IncomingMessage): boolean {
  return method === "GET" || method === "HEAD";
}

/** A file of a report. */
export function send(request: IncomingMessage, response: ServerResponse, path: string, sheet: Sheet): void {
  const etag = `"${sheet.etag}"`;
  const common = {
    ...guarded,
    etag,
    // Asked for anew each time, which costs no more than the tag: it may have been made private.
    "cache-control": "no-cache",
    ...(open.includes(path) && { "access-control-allow-origin": "*" }),
  };
  if (names(request.headers["if-none-match"], etag)) {
    response.writeHead(304, common).end();
    return;
  }
  const type = types[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream";
  response.writeHead(200, { ...common, "content-type": type, "content-length": sheet.body.length });
  response.end(request.method === "HEAD" ? undefined : sheet.body);
}

/** RFC 9110, 13.1.2. */
function names(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}

/** A sentence instead. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: 404 | 405 | 503,
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

/** To the folder itself: its links are relative. */
export function redirect(response: ServerResponse, to: string): void {
  response.writeHead(308, { ...guarded, location: to, "content-length": 0 }).end();
}
