import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { type AddressInfo, createServer, isIP, type LookupFunction, type Server, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { guardedLookup, isOpen, parseRanges } from "../../../src/adapters/fetch/address.ts";
import { closeAll, failure, fetching, page, response, text, web } from "./local-web.ts";

/** Hosts as an address may spell them, by what they are; each leads to no public address. */
const hosts: Readonly<Record<string, string>> = {
  "loopback, IPv4": `127.0.0.1 127.0.0.2 127.1.1.1 127.255.255.254 127.255.255.255 127.0.0.0 127.0.0.1. 127.1 127.0.1 127.65535
    0x7f.0.0.1 0x7f.0x0.0x0.0x1 0X7F.1 0x7f000001 0x7F000001 0x7f.0.1 0x7f.0x000001 0177.0.0.1 0177.0000.0000.0001 0177.1
    00177.0.0.1 017700000001 2130706433 2130706434 127.0.0.0x1 127.0.0.01 127.0x0.01 127.00.00.01 0x7f.0.0.01 0000177.1`,
  "loopback, IPv6": `[::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0:1] [0::1] [::0001] [0:0::1] [::0.0.0.1]`,
  "this host": `0 0.0.0.0 0.0 0.0.0 0x0 00 000000000000 0.1.2.3 0.255.255.255 [::] [0::0] [0:0:0:0:0:0:0:0] [::0.0.0.0]`,
  "IPv4 mapped into IPv6": `[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::FFFF:127.0.0.1] [::ffff:0:1] [::ffff:10.0.0.1]
    [::ffff:a00:1] [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::ffff:192.168.0.1] [::ffff:c0a8:1] [::ffff:0.0.0.0] [::ffff:8.8.8.8]`,
  "IPv4 beside IPv6": `[::127.0.0.1] [::7f00:1] [::10.0.0.1] [::169.254.169.254] [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]`,
  "IPv4 carried by IPv6": `[2002:7f00:1::] [2002:7f00:1::1] [2002:a00:1::] [2002:a9fe:a9fe::] [2002:c0a8:1::1] [2001:0:7f00:1::] [2001::1]
    [2001:0:0:0:0:0:80ff:fffe] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::1] [64:ff9b:1:7f00:1::]`,
  private: `10.0.0.0 10.0.0.1 10.255.255.255 0xa.0.0.1 012.0.0.1 167772161 0x0a000001 10.1 172.16.0.0 172.16.0.1 172.31.255.255 0xac.16.0.1
    2886729729 172.1048577 192.168.0.0 192.168.0.1 192.168.255.255 0xc0.0xa8.0.1 3232235521 192.168.1 0300.0250.0.1`,
  "link-local": `169.254.0.0 169.254.0.1 169.254.255.255 0xa9.0xfe.1 [fe80::] [fe80::1] [febf:ffff::1] [fe80:0:0:0:1::1] [fec0::1] [feff::1]`,
  "metadata of clouds": `169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.16689662 0xa9.254.0251.254 169.254.169.254. 169.254.170.2
    169.254.169.253 168.63.129.16 0xa83f8110 100.100.100.200 192.0.0.192 [fd00:ec2::254] [fd20:ce::254] metadata.google.internal
    METADATA.GOOGLE.INTERNAL metadata.google.internal.`,
  "shared and reserved": `100.64.0.0 100.64.0.1 100.127.255.255 192.0.0.0 192.0.0.1 192.0.0.255 192.0.2.1 192.0.2.255 198.51.100.1 203.0.113.1
    192.88.99.1 198.18.0.0 198.18.0.1 198.19.255.255 240.0.0.0 240.0.0.1 254.255.255.255 255.255.255.254`,
  "many at once": `224.0.0.0 224.0.0.1 239.255.255.255 0xe0.1 255.255.255.255 4294967295 0xffffffff 037777777777 [ff00::1] [ff02::1] [ff05::1:3] [ffff::1]`,
  "IPv6 of no public kind": `[fc00::] [fc00::1] [fd00::1] [fdff:ffff::1] [100::1] [100:0:0:1::1] [2001:db8::1] [2001:db8:ffff::1] [3fff::1] [3fff:fff::1] [2001:2::1] [2001:10::1]
    [2001:20::1] [5f00::1] [4000::1] [1fff::1] [e000::1]`,
  localhost: `localhost LOCALHOST LocalHost localhost. a.localhost A.LOCALHOST a.b.localhost a.localhost. LOCALHOST.`,
  "other letters": `①②⑦.0.0.1 ①②⑦.⓪.⓪.① １２７．０．０．１ 127。0。0。1 127｡0｡0｡1 127．0．0．1 ⑫7.0.0.1 127.0.0.１ 𝟏𝟐𝟕.𝟎.𝟎.𝟏 𝟙𝟚𝟟.0.0.1 ₁₂₇.0.0.1 ¹²⁷.0.0.¹ 0ⓧ7f.1
    ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ ℓocalhost locⒶlhost localhost。 loc\u00adalhost 127.0.0.\u00ad1 127%2e0%2e0%2e1 %31%32%37.0.0.1 127.0.0.1%2e %6c%6f%63%61lhost
    [::ﬀff:127.0.0.1] [fe80::1%25eth0] [fe80::1%eth0] [::1%25lo]`,
};

/** Whole addresses, of which a careless reader takes another part for the host. */
const addresses = [
  ...["http://8.8.8.8@127.0.0.1:PORT/", "http://example.org@127.0.0.1:PORT/", "http://example.org:80@127.0.0.1:PORT/"],
  ...[
    "http://@127.0.0.1:PORT/",
    "http://:@127.0.0.1:PORT/",
    "http://a:b@127.0.0.1:PORT/",
    "http://%00@127.0.0.1:PORT/",
  ],
  ...[
    "http://127.0.0.1:PORT#@example.org/",
    "http://127.0.0.1:PORT?@example.org/",
    "http://127.0.0.1:PORT\\@example.org/",
  ],
  ...[
    "http://127.0.0.1:PORT/@example.org",
    "http://127.0.0.1:PORT;@example.org/",
    "http:127.0.0.1:PORT/",
    "http:/127.0.0.1:PORT/",
  ],
  ...[
    "http:///127.0.0.1:PORT/",
    "http:\\\\127.0.0.1:PORT\\",
    "http:////127.0.0.1:PORT/",
    " http://127.0.0.1:PORT/",
    "ht\ntp://127.0.0.1:PORT/",
  ],
  ...[
    "http://127.0.\t0.1:PORT/",
    "http://127.0.0.1\r\n:PORT/",
    "HTTP://127.0.0.1:PORT/",
    "https://127.0.0.1:PORT/",
    "http://127.0.0.1:0PORT/",
  ],
  ...[
    "//127.0.0.1:PORT/",
    "127.0.0.1:PORT",
    "http://[::1]:PORT@example.org:PORT@127.0.0.1:PORT/",
    "http://127.0.0.1%00.example.org:PORT/",
  ],
  ...[
    "file:///etc/passwd",
    "file://127.0.0.1:PORT/",
    "ftp://127.0.0.1:PORT/",
    "gopher://127.0.0.1:PORT/_GET",
    "dict://127.0.0.1:PORT/a",
  ],
  ...[
    "ws://127.0.0.1:PORT/",
    "wss://127.0.0.1:PORT/",
    "ldap://127.0.0.1:PORT/",
    "data:text/plain,a",
    "blob:http://127.0.0.1:PORT/a",
  ],
  ...[
    "javascript:fetch('http://127.0.0.1:PORT/')",
    "about:blank",
    "view-source:http://127.0.0.1:PORT/",
    "unix:/var/run/docker.sock",
    "jar:http://127.0.0.1:PORT/!/a",
  ],
];

const table: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(hosts).map(([what, words]) => [what, words.split(/\s+/).map((host) => `http://${host}:PORT/`)]),
  ),
  "careless readings": addresses,
};
const all = Object.values(table).flat();

/** All sockets of this process that were to connect somewhere, and all that reached this machine. */
const sockets = { asked: 0, come: 0 };
const open = new Set<Socket>();
const asked = () => void sockets.asked++;
let server: Server;
let port: number;

beforeAll(async () => {
  const listening = (host: string) =>
    new Promise<Server>((done, fail) => {
      const one = createServer((socket: Socket) => {
        sockets.come++;
        open.add(socket);
        socket.on("error", () => {}).end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
      });
      one.once("error", fail).listen(0, host, () => done(one));
    });
  // All addresses of this machine, also where it has no IPv6.
  server = await listening("::").catch(() => listening("0.0.0.0"));
  port = (server.address() as AddressInfo).port;
  subscribe("net.client.socket", asked);
});

afterEach(closeAll);

afterAll(async () => {
  unsubscribe("net.client.socket", asked);
  for (const socket of open) socket.destroy();
  await new Promise((done) => server.close(done));
});

const none = { allowAddresses: undefined };
const leadingTo =
  (...found: string[]): LookupFunction =>
  (_name, _options, done) =>
    done(
      null,
      found.map((address) => ({ address, family: isIP(address) })),
    );

/** The outcome of each of these, by the address. */
async function kindsOf(list: readonly string[], check: (address: string) => Promise<{ kind: string }>) {
  const kinds: [string, string][] = [];
  for (const address of list) kinds.push([address, (await check(address.replaceAll("PORT", String(port)))).kind]);
  return kinds;
}

const refused = (list: readonly string[]) => list.map((address) => [address, "refused-address"]);

describe("request forgery: no spelling of an address that is not public is connected to", () => {
  test("there are more than 150 of them, each once", () => {
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(250);
  });

  test.each(Object.entries(table))("%s", async (_, list) => {
    const before = { ...sockets };
    const fetch = fetching(none);
    expect(await kindsOf(list, (address) => failure(fetch, address))).toEqual(refused(list));
    expect(sockets).toEqual(before);
  });

  test.each([
    ["alone", (address: string) => [address]],
    ["among others", (address: string) => ["8.8.8.8", address, "1.1.1.1"]],
  ])("a name that leads to one of them, %s", async (_, found) => {
    const list = [...new Set(all.flatMap(literal))];
    const { come } = sockets;
    const kinds = await kindsOf(list, (address) =>
      failure(fetching({ ...none, lookup: leadingTo(...found(address)) }), `http://inside.example:${port}/`),
    );
    expect(list.length).toBeGreaterThan(100);
    expect(kinds).toEqual(refused(list));
    expect(sockets.come).toBe(come);
  });

  test.each(Object.entries(table))("a redirect: %s", async (_, list) => {
    let location = "";
    const start = await web((_request, answer) => answer.writeHead(302, { location }).end());
    const fetch = fetching({
      allowAddresses: parseRanges("127.0.0.1"),
      lookup: leadingTo("127.0.0.2"),
      origin: ({ hostname }) => (hostname === "start.example" ? start.origin : undefined),
    });
    const { come } = sockets;
    const others = list.filter((to) => !startsWhereWeStart(to));
    const kinds = await kindsOf(others, (to) => {
      // As servers send it, byte by byte; line breaks never come this way.
      location = Buffer.from(to)
        .toString("latin1")
        .replaceAll(/[\r\n\t]/g, "");
      return failure(fetch, "http://start.example/");
    });
    // Some are no address, some one more page of the first.
    for (const [to, kind] of kinds)
      expect([to, kind]).toEqual([to, expect.stringMatching(/^(?:refused-address|redirects|status)$/)]);
    expect(start.seen.filter(({ headers }) => headers.host !== "start.example")).toEqual([]);
    expect(sockets.come).toBe(come);
  });

  test("if the operator allows all, the same spellings are connected to", async () => {
    const before = sockets.come;
    const fetch = fetching({ allowAddresses: parseRanges("0.0.0.0/0 ::/0") });
    for (const address of table["loopback, IPv4"] ?? []) {
      if (literal(address)[0] !== "127.0.0.1") continue;
      expect(text((await response(fetch, address.replace("PORT", String(port)))).response.body)).toBe("hi");
    }
    expect(sockets.come - before).toBeGreaterThan(20);
  });
});

/** Just outside the ranges: first and last of what lies between them. */
const neighbours =
  `1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255
  172.32.0.0 191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0 192.88.98.255 192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
  198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0 223.255.255.255 168.63.129.15 168.63.129.17 2001:200:: 2000:: 2001:db7:ffff::1 2001:db9::
  2001:ffff::1 2003:: 2606:4700::1111 2a00:1450::1 3ffe:: 3fff:1000:: 3fff:ffff:ffff::1`.split(/\s+/);

describe("neighbours of closed addresses are read", () => {
  test.each(neighbours)("%s", async (address) => {
    expect(isOpen(address)).toBe(true);
    const host = isIP(address) === 6 ? `[${address}]` : address;
    const local = await web((_, answer) => page(answer));
    const fetch = fetching({ origin: () => local.origin });
    expect(text((await response(fetch, `http://${host}:${port}/`)).response.body)).toBe("hello");
    const found = await new Promise((done) =>
      guardedLookup(undefined, leadingTo(address))("a.example", { all: true }, (error, all) => done(error ?? all)),
    );
    expect(found).toEqual([{ address, family: isIP(address) }]);
  });

  test.each([
    "localhost.example.org",
    "notlocalhost.example",
    "metadata.google.internal.example.org",
    "127.0.0.1.example.org",
    "a127.0.0.1.example",
  ])("%s is a name like any other", async (name) => {
    const local = await web((_, answer) => page(answer));
    expect(text((await response(fetching({ origin: () => local.origin }), `http://${name}/`)).response.body)).toBe(
      "hello",
    );
  });
});

/** The IP address that an address spells, if it does. */
function literal(address: string): string[] {
  const host = URL.parse(address.replaceAll("PORT", "1"))?.hostname.replace(/^\[|\]$|\.$/g, "") ?? "";
  return isIP(host) === 0 ? [] : [host];
}

/** Leads to the one address that the start of a redirect has. */
function startsWhereWeStart(to: string): boolean {
  const host = URL.parse(to.replaceAll("PORT", "1"), "http://start.example")?.hostname.replace(/\.$/, "") ?? "";
  return /^127\.0\.0\.1$|^\[::ffff:7f00:1\]$|(?:^|\.)localhost$/.test(host);
}
