import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { RequestListener, Server } from "node:http";
import { Readable } from "node:stream";

/** An answer of `emulate`. */
export interface Straight {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Asks `emulate`: a path with its query, and a body as bytes. */
export type AskStraight = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
) => Promise<Straight>;

/** Asks a server of this process by a call, at a third of what a connection costs. `url`: where it listens. */
export async function straightTo(url: string): Promise<AskStraight> {
  const { host } = new URL(url);
  const listener = await listenerAt(url, host);
  return (method, path, headers, body = Buffer.alloc(0)) =>
    new Promise((resolve, reject) => {
      const given = new Map<string, string>();
      const parts: Uint8Array[] = [];
      const request = Object.assign(Readable.from([body]), { method, url: path, headers: { host, ...headers } });
      const response = {
        statusCode: 200,
        setHeader: (name: string, value: string) => void given.set(name.toLowerCase(), value),
        write: (part: Uint8Array) => parts.push(part) > 0,
        end(part?: string) {
          if (part !== undefined) parts.push(Buffer.from(part));
          // What it begins to tell with this answer is on its way.
          setImmediate(resolve, { status: this.statusCode, headers: given, body: Buffer.concat(parts) });
        },
        destroy: reject,
      };
      listener(request as never, response as never);
    });
}

/** What answers the requests of the server there, which Node names at each request. */
async function listenerAt(url: string, host: string): Promise<RequestListener> {
  const found: Server[] = [];
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
