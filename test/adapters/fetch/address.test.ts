import type { LookupFunction } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { isOpen, parseRanges } from "../../../src/adapters/fetch/address.ts";
import { closeAll, everythingHere, failure, fetching, page, response, text, web } from "./local-web.ts";

afterEach(closeAll);

const none = { allowAddresses: undefined };

describe("addresses", () => {
  const closed = [
    ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254", "169.254.169.254"],
    ...["172.16.0.1", "172.31.255.255", "192.0.0.192", "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255"],
    ...["168.63.129.16", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:a9fe:a9fe", "::127.0.0.1"],
    ...["64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:1::1", "2001:db8::1", "fc00::1", "fd00:ec2::254"],
    ...["fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "100::1", "3fff::1", "", "example.org", "1.2.3"],
  ];
  it.each(closed)("%s is closed", (address) => {
    expect(isOpen(address)).toBe(false);
  });

  it.each(["8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"])("%s is open", (address) => {
    expect(isOpen(address)).toBe(true);
  });

  it("opens what the operator allows, and no more", () => {
    const allowed = parseRanges("10.0.0.0/8, fd00::/8\n192.168.1.7");
    expect(isOpen("10.9.9.9", allowed)).toBe(true);
    expect(isOpen("::ffff:10.9.9.9", allowed)).toBe(true);
    expect(isOpen("fd00::1", allowed)).toBe(true);
    expect(isOpen("192.168.1.7", allowed)).toBe(true);
    expect(isOpen("192.168.1.8", allowed)).toBe(false);
    expect(isOpen("127.0.0.1", allowed)).toBe(false);
  });

  it.each(["10.0.0.0/33", "10.0.0/8", "fd00::/129", "10.0.0.0/8/8", "intranet", "10.0.0.0/", "10.0.0.0/-1"])(
    "does not take %s for a range",
    (entry) => {
      expect(() => parseRanges(`127.0.0.1 ${entry}`)).toThrow(`"${entry}" is not an address range`);
    },
  );
});

describe("the guard", () => {
  const loopbacks = [
    ...["127.0.0.1", "0x7f.1", "0x7f000001", "2130706433", "127.1", "0177.0.0.1", "017700000001", "127.0.0.1.", "0"],
    ...["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]", "[::127.0.0.1]", "[64:ff9b::127.0.0.1]"],
    ...["①②⑦.0.0.1", "127%2e0.0.1", "localhost", "LOCALHOST", "localhost.", "app.localhost", "[2002:7f00:1::]"],
  ];
  it.each(loopbacks)("refuses %s", async (host) => {
    const local = await web((_, answer) => page(answer));
    const refused = await failure(fetching(none), `http://${host}:${local.port}/`);
    expect(refused.kind).toBe("refused-address");
    expect(refused.message).toMatch(/^refused to connect to .+: not a public address$/);
    expect(local.seen).toHaveLength(0);
  });

  it("refuses a name that leads to a closed address, and does not reveal which", async () => {
    const local = await web((_, answer) => page(answer));
    const refused = await failure(fetching(none), `http://inside.example:${local.port}/`);
    expect(refused.kind).toBe("refused-address");
    expect(refused.message).toBe("refused to connect to inside.example: not a public address");
    expect(local.seen).toHaveLength(0);
  });

  it("refuses a name with one closed address among open ones", async () => {
    const both: LookupFunction = (_name, _options, done) =>
      done(null, [
        { address: "8.8.8.8", family: 4 },
        { address: "fd00::1", family: 6 },
      ]);
    expect((await failure(fetching({ ...none, lookup: both }), "http://two.example/")).kind).toBe("refused-address");
  });

  it("DNS rebinding: checks each connection, so that a name cannot turn inwards after it was checked", async () => {
    const local = await web((_, answer) => page(answer, "hello", { connection: "close" }));
    const addresses = ["127.0.0.1", "10.0.0.1"];
    const turning: LookupFunction = (_name, _options, done) =>
      done(null, [{ address: addresses.shift() ?? "10.0.0.1", family: 4 }]);
    const fetch = fetching({ lookup: turning });
    await response(fetch, `http://turning.example:${local.port}/`);
    expect((await failure(fetch, `http://turning.example:${local.port}/`)).kind).toBe("refused-address");
    expect(local.seen).toHaveLength(1);
  });

  it("lets an allowed range through, in any spelling, and under a name", async () => {
    const local = await web((_, answer) => page(answer));
    const fetch = fetching();
    for (const host of ["127.0.0.1", "0x7f.1", "localhost", "inside.example"])
      expect(text((await response(fetch, `http://${host}:${local.port}/`)).response.body)).toBe("hello");
  });

  it.each([
    ["file:///etc/passwd", "refused to connect to file: only http and https are read"],
    ["ftp://example.org/x", "refused to connect to ftp: only http and https are read"],
    ["data:text/plain,x", "refused to connect to data: only http and https are read"],
    ["https://name:word@example.org/", "refused to connect to example.org: the address holds credentials"],
    ["http://mail.example.org:25/", "refused to connect to mail.example.org:25: port 25 is not one of the web"],
    ["http://cache.example.org:6379/", "refused to connect to cache.example.org:6379: port 6379 is not one of the web"],
    ["https://name@example.org/", "refused to connect to example.org: the address holds credentials"],
    ["http://", "refused to connect to an invalid address: not a public address"],
    ["http://metadata.google.internal/", "refused to connect to metadata.google.internal: not a public address"],
  ])("refuses %s", async (url, message) => {
    const refused = await failure(fetching(none), url);
    expect(refused.kind).toBe("refused-address");
    expect(refused.message).toBe(message);
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[fd00:ec2::254]/",
    "http://10.0.0.1/",
    "file:///etc/passwd",
    "http://name:word@inside.example/",
    "gopher://inside.example/",
  ])("refuses a redirect to %s", async (location) => {
    const local = await web((_, answer) => answer.writeHead(302, { location }).end());
    const refused = await failure(fetching({ lookup: everythingHere }), `${local.origin}/`);
    expect(refused.kind).toBe("refused-address");
    expect(local.seen).toHaveLength(1);
  });
});

describe("a local web in place of the real one", () => {
  it("keeps the URL and the host, and is guarded as ever", async () => {
    const local = await web((request, answer) => page(answer, `${request.headers.host}${request.url}`));
    const origin = () => local.origin;
    const got = await response(fetching({ origin }), "https://docs.example/a?b=c#d");
    expect(text(got.response.body)).toBe("docs.example/a?b=c");
    expect(got.response.url).toBe("https://docs.example/a?b=c");
    expect((await failure(fetching({ ...none, origin }), "https://docs.example/")).kind).toBe("refused-address");
    expect((await failure(fetching({ origin }), "http://169.254.169.254/")).kind).toBe("refused-address");
    expect(local.seen).toHaveLength(1);
  });
});
