import { TLSSocket } from "node:tls";
import { deflateRawSync, gzipSync } from "node:zlib";
import type { Dice } from "./dice.ts";
import type { Fault } from "./faults.ts";
import { document } from "./reports.ts";
import { type Exchange, elsewhere, headOf, send, type Trouble, type Weather } from "./web.ts";
import { tellNames, type World } from "./worlds.ts";

/** Faults of the web. Each affects one or some of the hosts, for a round. */

/** Hosts of a world, some of them or all. */
function someHosts({ places }: World, dice: Dice): string[] {
  const all = [...new Set(places.flatMap(({ report }) => report.hosts))];
  const some = dice.in(4) ? all : all.filter(() => dice.in(2));
  return some.length > 0 ? some : [dice.one(all)];
}

/** A fault that is weather at some hosts. */
function weather(name: string, make: (dice: Dice, world: World) => Weather | undefined): Fault {
  return {
    name: `web: ${name}`,
    async begin(world, dice) {
      const own = make(dice, world);
      if (!own) return undefined;
      const hosts = someHosts(world, dice);
      for (const host of hosts) world.web.befall(host, own);
      if (own.names) await tellNames(world);
      return async () => {
        for (const host of hosts) world.web.befall(host, undefined);
        if (own.names) await tellNames(world);
      };
    },
  };
}

const answering = (name: string, make: (dice: Dice, world: World) => Trouble, robots = false): Fault =>
  weather(name, (dice, world) => ({ onRequest: make(dice, world), robots }));

/** Names lead elsewhere. */
const leading = (name: string, make: (dice: Dice, world: World) => Weather["names"]): Fault =>
  weather(name, (dice, world) => {
    const names = make(dice, world);
    return names && { names };
  });

/** Answers with a head of its own, and so much of the body. */
const raw =
  (
    headers: (exchange: Exchange) => Readonly<Record<string, string>>,
    body: (text: string) => string | Buffer,
  ): Trouble =>
  (exchange) => {
    const { page, socket } = exchange;
    socket.write(headOf("200 OK", { "content-type": page?.type ?? "text/html", ...headers(exchange) }));
    socket.write(body(page?.body ?? "nothing"));
  };

const lengthOf = ({ page }: Exchange): number => Buffer.byteLength(page?.body ?? "nothing");
const ending =
  (trouble: Trouble): Trouble =>
  (exchange) => {
    trouble(exchange);
    exchange.socket.end();
  };

/** If half of a page is served well-formed for hours, it is another page, and the rest is gone. */
const unlessPage =
  (trouble: Trouble): Trouble =>
  (exchange) =>
    exchange.asked.path === "/page" ? exchange.honestly() : trouble(exchange);

/** A TLS connection cannot be reset, and is broken off. */
function reset(socket: Exchange["socket"]): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

const refusal =
  (status: string, headers: Readonly<Record<string, string>> = {}, body = "no"): Trouble =>
  ({ socket }) =>
    send(socket, { status, body, headers });

const redirect =
  (status: string, to: (exchange: Exchange) => string): Trouble =>
  (exchange) =>
    send(exchange.socket, { status, body: "elsewhere", headers: { location: to(exchange) } });

/** Another page in the place of every one, of whatever kind it was. */
const page =
  (title: string, ...parts: readonly string[]): Trouble =>
  ({ socket }) =>
    send(socket, { status: "200 OK", body: document(title, parts) });

const many = (text: string): string[] => Array.from({ length: 12 }, (_, n) => `<p>${text} ${n}.</p>`);

let bomb: Buffer | undefined;
const bombOf = (): Buffer => (bomb ??= gzipSync(Buffer.alloc(60_000_000, 32)));

/** Sends one byte at a time: time passes in between only if nothing else is to be done. */
function drip({ socket, page: given }: Exchange): void {
  const body = given?.body ?? "nothing";
  socket.write(headOf("200 OK", { "content-type": "text/html", "content-length": String(body.length) }));
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at >= body.length) return clearInterval(timer);
    socket.write(body[at++] ?? "");
  }, 20);
}

const oddWaits = [
  "-5",
  "soon",
  "1e9",
  "999999999999",
  "3.7",
  "",
  "Thu, 01 Jan 1970 00:00:00 GMT",
  "Fri, 31 Dec 9999 23:59:59 GMT",
  "60, 120",
  "0x10",
];

export const webFaults: readonly Fault[] = [
  leading("connection refused", (_, { web }) => [[web.nobody]]),
  leading("stalled connection", (_, { web }) => (web.stalled === undefined ? undefined : [[web.stalled]])),
  leading("handshake that never answers", (_, { web }) => web.secured && [[web.secured.mute]]),
  leading("handshake broken off", (_, { web }) => web.secured && [[web.secured.rude]]),
  leading("no TLS where it was", (_, { web }) => web.secured && [[web.secured.plain]]),
  leading("certificate of nobody", (_, { web }) => web.secured && [[web.secured.self]]),
  leading("certificate of another name", (_, { web }) => web.secured && [[web.secured.other]]),
  leading("name that does not exist", () => ["ENOTFOUND"]),
  leading("name server that fails", () => ["EAI_AGAIN"]),
  leading("name server that never answers", () => ["never"]),
  leading("name that leads inwards", (dice, { web }) => [
    [dice.one(["10.0.0.1", "169.254.169.254", "192.168.1.1", web.forbidden])],
  ]),
  leading("name that turns inwards", (_, { web }) => [[web.address], [web.forbidden], [web.address], [web.forbidden]]),
  leading("name with one closed address", (_, { web }) => [[web.address, web.forbidden]]),
  answering(
    "reset before the head",
    () =>
      ({ socket }) =>
        reset(socket),
  ),
  answering("reset in the head", () => ({ socket }) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-ty");
    reset(socket);
  }),
  answering("reset in the body", () => (exchange) => {
    raw(
      (it) => ({ "content-length": String(lengthOf(it)) }),
      (text) => text.slice(0, text.length / 2),
    )(exchange);
    reset(exchange.socket);
  }),
  answering("stalled before the head", () => () => {}, true),
  answering(
    "stalled in the head",
    () =>
      ({ socket }) =>
        void socket.write("HTTP/1.1 200 OK\r\ncontent-"),
  ),
  answering("stalled in the body", () =>
    raw(
      (it) => ({ "content-length": String(lengthOf(it)) }),
      (text) => text.slice(0, text.length / 2),
    ),
  ),
  answering("slow drip", () => drip),
  answering("truncated", () =>
    ending(
      raw(
        (it) => ({ "content-length": String(lengthOf(it)) }),
        (text) => text.slice(0, text.length * 0.7),
      ),
    ),
  ),
  answering("length too small", () =>
    unlessPage(
      raw(
        (it) => ({ "content-length": String(lengthOf(it) >> 1) }),
        (text) => text,
      ),
    ),
  ),
  answering("lengths that disagree", () => ({ socket, page: given }) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 12\r\n\r\n");
    socket.write(given?.body ?? "nothing");
  }),
  answering("length that is none", (dice) => {
    const length = dice.one(["-1", "ten", "99999999999999999999", "0x20"]);
    return ending(
      raw(
        () => ({ "content-length": length }),
        (text) => text,
      ),
    );
  }),
  answering("bad chunk", () =>
    raw(
      () => ({ "transfer-encoding": "chunked" }),
      (text) => `zz\r\n${text}\r\n0\r\n\r\n`,
    ),
  ),
  answering("chunks without an end", () =>
    ending(
      raw(
        () => ({ "transfer-encoding": "chunked" }),
        (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`,
      ),
    ),
  ),
  answering("chunks of one byte", () =>
    raw(
      () => ({ "transfer-encoding": "chunked" }),
      (text) =>
        `${[...Buffer.from(text)].map((byte) => `1;x=y\r\n${String.fromCharCode(byte)}\r\n`).join("")}0\r\n\r\n`,
    ),
  ),
  answering("packed in name only", () =>
    raw(
      (it) => ({ "content-length": String(lengthOf(it)), "content-encoding": "gzip" }),
      (text) => text,
    ),
  ),
  answering("packed and broken", () => (exchange) => {
    const bytes = gzipSync(exchange.page?.body ?? "nothing");
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
    const headers = { "content-encoding": "gzip", "content-length": String(bytes.length) };
    raw(
      () => headers,
      () => bytes.subarray(0, bytes.length),
    )(exchange);
  }),
  answering("packed otherwise than told", (dice) => {
    const told = dice.one(["br", "deflate, gzip", "x-unheard-of", "zstd"]);
    return (exchange) => {
      const bytes = deflateRawSync(exchange.page?.body ?? "nothing");
      raw(
        () => ({ "content-encoding": told, "content-length": String(bytes.length) }),
        () => bytes,
      )(exchange);
    };
  }),
  answering("bomb", () => ({ socket }) => {
    const body = bombOf();
    send(socket, { status: "200 OK", body, headers: { "content-encoding": "gzip" } });
  }),
  answering("head without end", () => ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\n${`x-filler: ${"a".repeat(900)}\r\n`.repeat(60)}\r\n`);
  }),
  answering("no HTTP at all", (dice) => {
    const text = dice.one([
      "\u0000\u0001\u0002\u0003",
      "SSH-2.0-OpenSSH_9.2\r\n",
      "HTTP/9.9 ??? \r\n\r\n",
      "<html>hello</html>",
    ]);
    return ({ socket }) => void socket.end(text);
  }),
  answering("early hints without end", () => ({ socket, honestly }) => {
    socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n".repeat(40));
    honestly();
  }),
  answering("redirected in a circle", () => redirect("302 Found", ({ asked }) => asked.path)),
  answering("redirected without end", () =>
    redirect(
      "307 Temporary Redirect",
      ({ asked }) => `${asked.path.split("?")[0]}?${asked.path.length}x${"x".repeat(asked.path.length % 40)}`,
    ),
  ),
  answering("redirected to where nobody may go", (dice, { web }) => {
    const to = dice.one([
      `http://${web.forbidden}:${web.port}/`,
      "http://169.254.169.254/latest/meta-data/",
      "http://[::1]/",
      "http://0x7f000909/",
      "file:///etc/passwd",
      "http://localhost/",
    ]);
    return redirect(dice.one(["301 Moved Permanently", "302 Found", "308 Permanent Redirect"]), () => to);
  }),
  answering("redirected to another host", (_, { web }) =>
    redirect("302 Found", () => `http://${elsewhere}:${web.port}/`),
  ),
  answering("redirected to nowhere", (dice) => {
    const headers = dice.one<Readonly<Record<string, string>>>([{}, { location: "" }, { location: "http://[bad" }]);
    return refusal("301 Moved Permanently", headers);
  }),
  answering("429 and Retry-After", (dice) =>
    refusal("429 Too Many Requests", { "retry-after": dice.one(["60", "1800", "7200"]) }),
  ),
  answering("503 and Retry-After", (dice) =>
    refusal("503 Service Unavailable", { "retry-after": dice.one(["120", "3600"]) }),
  ),
  answering("odd Retry-After", (dice) =>
    refusal(dice.one(["429 Too Many Requests", "503 Service Unavailable"]), { "retry-after": dice.one(oddWaits) }),
  ),
  answering("5xx", (dice) =>
    refusal(dice.one(["500 Internal Server Error", "502 Bad Gateway", "504 Gateway Timeout"])),
  ),
  answering("403 of a bot wall", () =>
    refusal("403 Forbidden", { server: "cloudflare" }, document("Just a moment...", ["<p>Checking your browser</p>"])),
  ),
  answering("404 and 410 for a while", (dice) => refusal(dice.one(["404 Not Found", "410 Gone"]))),
  answering("odd status", (dice) =>
    refusal(
      dice.one(["204 No Content", "206 Partial Content", "418 Teapot", "999 What", "401 Unauthorized", "451 Gone"]),
    ),
  ),
  answering(
    "304 to whoever asks",
    () =>
      ({ socket }) =>
        void socket.write("HTTP/1.1 304 Not Modified\r\n\r\n"),
  ),
  answering(
    "nothing in it",
    () =>
      ({ socket }) =>
        send(socket, { status: "200 OK", body: "" }),
  ),
  answering("another page in its place", () =>
    page("Gardens of the north", ...many("Roses are watered in the evening, and never at noon")),
  ),
  answering("another language", () =>
    page("Handbuch der Gefäße", ...many("Die Hüter dieses Kapitels schreiben, dass kein Gefäß voll ist")),
  ),
  answering(
    "empty shell",
    () =>
      ({ socket }) =>
        send(socket, {
          status: "200 OK",
          body: '<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/a.js"></script></body></html>',
        }),
  ),
  answering("login page", () =>
    page(
      "Sign in",
      '<form action="/login"><label>Name <input name="user"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form>',
      "<p>Sign in to continue.</p>",
    ),
  ),
  answering("consent page", () =>
    page(
      "Before you continue",
      "<p>We value your privacy. Accept all cookies to continue.</p><button>Accept all</button><button>Reject all</button>",
    ),
  ),
  answering("wrong charset", (dice) => {
    const charset = dice.one(["utf-16", "utf-16le", "shift_jis", "x-none", "utf-7"]);
    return (exchange) => {
      const { socket, page: given } = exchange;
      send(socket, { status: "200 OK", type: `text/html; charset=${charset}`, body: given?.body ?? "nothing" });
    };
  }),
  answering("half of it, and well-formed", () =>
    unlessPage(({ socket, page: given }) => {
      const body = given?.body ?? "nothing";
      send(socket, { status: "200 OK", ...(given && { type: given.type }), body: body.slice(0, body.length * 0.4) });
    }),
  ),
  answering("zeros in it", () => ({ socket, page: given }) => {
    const type = given?.type ?? "text/html";
    send(socket, { status: "200 OK", type, body: Buffer.alloc(5_000) });
  }),
  answering(
    "robots.txt that fails",
    (dice) => {
      const status = dice.one(["503 Service Unavailable", "500 Internal Server Error", "429 Too Many Requests"]);
      return (exchange) => (exchange.asked.path === "/robots.txt" ? refusal(status)(exchange) : exchange.honestly());
    },
    true,
  ),
  answering(
    "robots.txt that closes all",
    () => (exchange) => {
      if (exchange.asked.path !== "/robots.txt") return exchange.honestly();
      send(exchange.socket, { status: "200 OK", type: "text/plain", body: "User-agent: *\nDisallow: /\n" });
    },
    true,
  ),
];
