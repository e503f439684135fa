import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type LookupFunction,
  type Server,
  type Socket,
} from "node:net";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { createFetch, type FetchSettings } from "../../../src/adapters/fetch/index.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { Failure } from "../../../src/model/failure.ts";
import type { Fetch, FetchOptions, HostMemory, Request } from "../../../src/model/ports/index.ts";

const closing: (() => Promise<void>)[] = [];

/** Ends what a test began here: for `afterEach` of every file that uses it. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}

function listening(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  closing.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done((server.address() as AddressInfo).port)));
}

export interface Web {
  readonly port: number;
  readonly origin: string;
  readonly seen: IncomingMessage[];
}

/** A web server on loopback that lives until `closeAll` and remembers what it was asked. */
export async function web(answer: (request: IncomingMessage, response: ServerResponse) => unknown): Promise<Web> {
  const seen: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(request);
    void answer(request, response);
  };
  const port = await listening(createServer({ keepAliveTimeout: 5_000 }, listener));
  return { port, origin: `http://127.0.0.1:${port}`, seen };
}

/** A server that says anything to whoever connects. */
export async function tcp(talk: (socket: Socket) => void): Promise<{ port: number; origin: string }> {
  const port = await listening(createTcpServer(talk));
  return { port, origin: `http://127.0.0.1:${port}` };
}

export const page = (response: ServerResponse, body = "hello", headers: Record<string, string> = {}) =>
  response.writeHead(200, { "content-type": "text/plain", ...headers }).end(body);

/** Remembers hosts as a store does, until `closeAll`. */
export async function hostMemory(): Promise<HostMemory> {
  const database = await openStore(":memory:");
  closing.push(() => database.close());
  return database.hosts;
}

const loopback = parseRanges("127.0.0.0/8");

/** Every name is this machine. */
export const everythingHere: LookupFunction = (_name, options, done) =>
  options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);

export function fetching(settings: Partial<FetchSettings> = {}): Fetch {
  const fetch = createFetch({
    clock: { now: () => Date.UTC(2026, 4, 16) },
    userAgent: "Recheck/0.1 (+https://recheck.example/about)",
    pause: 0,
    timeout: 3_000,
    allowAddresses: loopback,
    lookup: everythingHere,
    ...settings,
  });
  closing.push(() => fetch.close());
  return fetch;
}

/** A clock that stands still until it is set. */
export class HandClock {
  time = Date.UTC(2026, 4, 16);

  now() {
    return this.time;
  }
}

/** The response, where one must come. */
export async function response(fetch: Fetch, request: string | Request, options: FetchOptions = {}) {
  const fetched = await fetch.get(typeof request === "string" ? { url: request } : request, options);
  if (fetched.kind !== "response") throw new Error(`unexpected ${fetched.kind}`);
  return fetched;
}

/** The failure, where one must come. */
export async function failure(fetch: Fetch, request: string | Request, options: FetchOptions = {}): Promise<Failure> {
  try {
    await fetch.get(typeof request === "string" ? { url: request } : request, options);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("no failure");
}

export const text = (body: Uint8Array) => Buffer.from(body).toString("utf8");
