import { spawn } from "node:child_process";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer } from "node:tls";
import { gzipSync } from "node:zlib";
import type { Certificates, Pair } from "./certificates.ts";
import type { Names } from "./inside.ts";

/**
 * A web on this machine, down to the bytes on the wire. Each host serves its pages, unless a fault answers instead. All hosts
 * are names of one address; another address is forbidden.
 */

/** The page at an address. */
export interface Page {
  readonly type: string;
  readonly body: string;
}

/** A received request. */
export interface Asked {
  readonly host: string;
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Answers a request in its own way. `page`: the right answer. */
export type Trouble = (exchange: Exchange) => void;

export interface Exchange {
  readonly asked: Asked;
  readonly page: Page | undefined;
  readonly socket: Socket;
  readonly web: Web;
  /** Answers as a sound server would. */
  honestly(page?: Page): void;
}

/** The present fault of a host. */
export interface Weather {
  /** The addresses of its name instead of the right ones. */
  readonly names?: Names[string];
  readonly onRequest?: Trouble;
  /** Whether also its robots.txt is answered so. */
  readonly robots?: boolean;
}

export interface Web {
  readonly port: number;
  readonly securePort: number;
  /** The address of all hosts, one without a server, and a forbidden one. */
  readonly address: string;
  readonly nobody: string;
  readonly forbidden: string;
  /** An address that never accepts connections; undefined if this system accepts them. */
  readonly stalled: string | undefined;
  /** Addresses at which TLS fails, each in its way; undefined without certificates. */
  readonly secured: Readonly<Record<"mute" | "rude" | "plain" | "self" | "other", string>> | undefined;
  readonly asked: readonly Asked[];
  /** Connections to the forbidden address. */
  readonly trespasses: readonly string[];
  /** Called for each request. */
  onAsked: (() => void) | undefined;
  stand(host: string, path: string, page: Page): void;
  /** Undefined: all is well again. */
  befall(host: string, weather: Weather | undefined): void;
  /** The addresses of all names, for the program. */
  names(): Names;
  forget(): void;
  /** Cleans up if the campaign is interrupted. */
  abandon(): void;
  close(): Promise<void>;
}

/** A host outside of all reports. */
export const elsewhere = "elsewhere.chaos.example";

const address = "127.0.0.2";
const nobody = "127.0.0.3";
const forbidden = "127.0.9.9";
const secured = { self: "127.0.0.4", other: "127.0.0.5", plain: "127.0.0.6", mute: "127.0.0.7", rude: "127.0.0.8" };

/** An address at which connections are never taken: its server sleeps, and no more may wait for it. */
async function stall(port: number): Promise<{ readonly address: string; end(): void } | undefined> {
  const address = "127.0.0.9";
  const program = `require("net").createServer().listen({ port: ${port}, host: "${address}", backlog: 1 }, () => console.log("there"))`;
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  child.kill("SIGSTOP");
  const waiting = Array.from({ length: 4 }, () => connect({ port, host: address }).on("error", () => {}));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const end = () => {
    for (const socket of waiting) socket.destroy();
    child.kill("SIGKILL");
  };
  if (waiting.some((socket) => socket.connecting)) return { address, end };
  end();
  return undefined;
}

export async function openWeb(certificates: Certificates | undefined): Promise<Web> {
  const pages = new Map<string, Page>();
  const hosts = new Set<string>();
  const weathers = new Map<string, Weather>();
  const asked: Asked[] = [];
  const trespasses: string[] = [];
  const sockets = new Set<Socket>();

  function welcome(socket: Socket): void {
    sockets.add(socket);
    // Otherwise the system delays a body until the head is acknowledged, for up to 200 ms of real time, while the campaign's
    // time passes.
    socket.setNoDelay();
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n\r\n"); end >= 0; end = text.indexOf("\r\n\r\n")) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        answer(requestIn(head), socket);
      }
    });
  }

  function answer(one: Asked, socket: Socket): void {
    asked.push(one);
    web.onAsked?.();
    const page = pages.get(one.host + one.path);
    const isRobots = one.path === "/robots.txt";
    const exchange: Exchange = {
      asked: one,
      page,
      socket,
      web,
      honestly: (other = page) => answerHonestly(one, other, socket),
    };
    const weather = weathers.get(one.host);
    if (weather?.onRequest && (!isRobots || weather.robots)) weather.onRequest(exchange);
    else exchange.honestly();
  }

  const open = (at: string, server: Server, port = 0) =>
    new Promise<number>((resolve) => server.listen(port, at, () => resolve((server.address() as AddressInfo).port)));
  const plain = createServer(welcome);
  const port = await open(address, plain);
  const closed = createServer((socket) => {
    trespasses.push(`${socket.remoteAddress} came to ${forbidden}`);
    socket.destroy();
  });
  await open(forbidden, closed, port);
  const servers: Server[] = [plain, closed];
  let securePort = 0;
  if (certificates) {
    const secure = (pair: Pair) => createSecureServer({ ...pair }, welcome).on("tlsClientError", () => {});
    const held = (socket: Socket) => void sockets.add(socket.on("error", () => {}));
    const good = secure(certificates.good);
    securePort = await open(address, good);
    const wrong = {
      self: secure(certificates.self),
      other: secure(certificates.other),
      plain: createServer(welcome),
      mute: createServer(held),
      rude: createServer((socket) => socket.once("data", () => socket.resetAndDestroy()).on("error", () => {})),
    };
    for (const [name, server] of Object.entries(wrong))
      await open(secured[name as keyof typeof secured], server, securePort);
    servers.push(good, ...Object.values(wrong));
  }
  const stalled = await stall(port);

  const web: Web = {
    port,
    securePort,
    address,
    stalled: stalled?.address,
    secured: certificates && secured,
    nobody,
    forbidden,
    asked,
    trespasses,
    onAsked: undefined,
    stand(host, path, page) {
      hosts.add(host);
      pages.set(host + path, page);
    },
    befall(host, weather) {
      // A kept connection would ignore a new address.
      for (const socket of sockets) socket.destroy();
      if (weather) weathers.set(host, weather);
      else weathers.delete(host);
    },
    names: () => Object.fromEntries([...hosts].map((host) => [host, weathers.get(host)?.names ?? [[address]]])),
    forget() {
      for (const socket of sockets) socket.destroy();
      pages.clear();
      hosts.clear();
      weathers.clear();
      web.onAsked = undefined;
      web.stand(elsewhere, "/", { type: "text/html", body: "<p>Elsewhere</p>" });
      asked.length = 0;
      trespasses.length = 0;
    },
    abandon: () => stalled?.end(),
    async close() {
      for (const socket of sockets) socket.destroy();
      stalled?.end();
      for (const server of servers) await new Promise((resolve) => server.close(resolve));
    },
  };
  return web;
}

function requestIn(head: string): Asked {
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const host = (headers.host ?? "").split(":", 1)[0] ?? "";
  return { host, path: first.split(" ")[1] ?? "/", headers };
}

/** Its validator names the body: the same request gets 304. */
function answerHonestly({ headers }: Asked, page: Page | undefined, socket: Socket): void {
  if (!page) {
    send(socket, { status: "404 Not Found", type: "text/plain", body: "nothing" });
    return;
  }
  const etag = `"${etagOf(page.body)}"`;
  if (headers["if-none-match"] === etag) {
    socket.write(`HTTP/1.1 304 Not Modified\r\netag: ${etag}\r\n\r\n`);
    return;
  }
  const isZipped = page.body.length % 2 === 0 && /gzip/.test(headers["accept-encoding"] ?? "");
  const body = isZipped ? gzipSync(page.body, { level: 1 }) : Buffer.from(page.body);
  send(socket, {
    status: "200 OK",
    type: page.type,
    body,
    headers: { etag, ...(isZipped && { "content-encoding": "gzip" }) },
  });
}

function etagOf(text: string): string {
  let state = 7;
  for (let at = 0; at < text.length; at++) state = (Math.imul(state, 31) + text.charCodeAt(at)) | 0;
  return `${text.length}-${state}`;
}

/** A correct answer. */
export interface Sent {
  readonly status: string;
  readonly type?: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export function send(socket: Socket, { status, type = "text/html; charset=utf-8", body, headers = {} }: Sent): void {
  const bytes = Buffer.from(body);
  socket.write(headOf(status, { "content-type": type, "content-length": String(bytes.length), ...headers }));
  socket.write(bytes);
}

export function headOf(status: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status}\r\n${lines.join("")}\r\n`;
}
