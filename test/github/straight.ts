import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RequestListener, Server } from "node:http";
import { Readable } from "node:stream";

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Asks a server: a path with its query, and a body as bytes. Rejects if the server breaks off. */
export type Ask = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
) => Promise<Answered>;

/** Asks a server of this process by a call, at a third of what a connection costs. */
export function straightTo(listener: RequestListener, host: string): Ask {
  return (method, path, headers, body = Buffer.alloc(0)) =>
    new Promise((resolve, reject) => {
      const given: Record<string, string> = {};
      const parts: Uint8Array[] = [];
      const request = Object.assign(Readable.from([body]), { method, url: path, headers: { host, ...headers } });
      const response = {
        statusCode: 200,
        setHeader(name: string, value: string) {
          given[name.toLowerCase()] = value;
        },
        writeHead(status: number, headers: Readonly<Record<string, string>> = {}) {
          this.statusCode = status;
          for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
          return this;
        },
        write: (part: Uint8Array) => parts.push(part) > 0,
        end(part: Uint8Array | string = "") {
          parts.push(Buffer.from(part));
          // What the server begins to tell with this answer is on its way.
          setImmediate(resolve, { status: this.statusCode, headers: given, body: Buffer.concat(parts) });
        },
        destroy: () => reject(new Error(`${method} ${path} was broken off`)),
      };
      listener(request as never, response as never);
    });
}

/** What answers the requests to a server of this process, which Node names at each request. */
export async function listenerAt(url: string): Promise<RequestListener> {
  const found: Server[] = [];
  const { host } = new URL(url);
  const see = (message: unknown) => {
    const { request, server } = message as { request: { headers: { host?: string } }; server: Server };
    if (request.headers.host === host) found.push(server);
  };
  subscribe("http.server.request.start", see);
  await (await fetch(url)).arrayBuffer();
  unsubscribe("http.server.request.start", see);
  const [listener] = found[0]?.listeners("request") ?? [];
  if (!listener) throw new Error(`no server of this process listens at ${url}`);
  return listener as RequestListener;
}
