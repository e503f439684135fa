import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { failureOf } from "../../../src/adapters/fetch/exchange.ts";
import { isNoResponse } from "../../../src/model/failure.ts";
import { closeAll, failure, fetching, page, response, tcp, text, web } from "./local-web.ts";

afterEach(closeAll);

describe("no response", () => {
  it.each(["ENOTFOUND", "EAI_AGAIN"])("dns: %s", async (code) => {
    const fetch = fetching({ lookup: (_n, _o, done) => done(Object.assign(new Error("no such name"), { code }), []) });
    const failed = await failure(fetch, "http://nobody.example/");
    expect(failed.kind).toBe("dns");
    expect(failed.facts).toMatchObject({ code });
  });

  it("dns: a name without addresses", async () => {
    expect((await failure(fetching({ lookup: (_n, _o, done) => done(null, []) }), "http://nobody.example/")).kind).toBe(
      "dns",
    );
  });

  it("connect: nobody listens", async () => {
    expect((await failure(fetching(), "http://127.0.0.1:2/")).kind).toBe("connect");
  });

  it("tls: the other side speaks something else", async () => {
    const local = await web((_, answer) => page(answer));
    expect((await failure(fetching(), `https://127.0.0.1:${local.port}/`)).kind).toBe("tls");
  });

  it("reset: before anything was said", async () => {
    const local = await tcp((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect((await failure(fetching(), local.origin)).kind).toBe("reset");
    const silent = await tcp((socket) => socket.once("data", () => socket.end()));
    expect((await failure(fetching(), silent.origin)).kind).toBe("reset");
  });

  it("timeout: no answer", async () => {
    const local = await tcp(() => {});
    const failed = await failure(fetching({ timeout: 200 }), local.origin);
    expect(failed.kind).toBe("timeout");
    expect(failed.facts).toEqual({ after: 200 });
  });

  it("timeout: a name that takes for ever to look up", async () => {
    const failed = await failure(fetching({ timeout: 200, lookup: () => {} }), "http://slow.example/");
    expect(failed.kind).toBe("timeout");
  });

  it("timeout: headers that drip", async () => {
    const local = await tcp((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("x-more: 1\r\n"), 20);
      socket.on("close", () => clearInterval(drip));
    });
    expect((await failure(fetching({ timeout: 300 }), local.origin)).kind).toBe("timeout");
  });

  it("truncated: a body that drips", async () => {
    const local = await web((_, answer) => {
      answer.writeHead(200);
      const drip = setInterval(() => answer.write("x"), 20);
      answer.on("close", () => clearInterval(drip));
    });
    expect(await failure(fetching({ timeout: 1_000 }), local.origin)).toMatchObject({
      kind: "truncated",
      message: "the answer was incomplete after 1 s",
    });
  });
});

describe("half a response", () => {
  it.each([
    ["less than content-length", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"],
    ["chunked without an end", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n"],
    ["a broken chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhalf\r\n"],
  ])("%s is truncated", async (_name, said) => {
    const local = await tcp((socket) => socket.once("data", () => socket.end(said)));
    const failed = await failure(fetching(), local.origin);
    expect(failed.kind).toBe("truncated");
    expect(isNoResponse(failed.kind)).toBe(false);
  });

  it("is truncated when the connection is reset in the middle", async () => {
    const local = await tcp((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
        setTimeout(() => socket.resetAndDestroy(), 30);
      }),
    );
    expect((await failure(fetching(), local.origin)).kind).toBe("truncated");
  });

  it.each([
    ["cut", gzipSync("word ".repeat(5_000)).subarray(0, 30)],
    ["another part that is cut", Buffer.concat([gzipSync("word"), gzipSync("words").subarray(0, 12)])],
    ["damaged", Buffer.concat([gzipSync("word").subarray(0, 12), Buffer.from("damage")])],
    ["not compressed at all", Buffer.from("hello")],
  ])("is truncated when its gzip is %s", async (_name, bytes) => {
    const local = await web((_, answer) => answer.writeHead(200, { "content-encoding": "gzip" }).end(bytes));
    expect((await failure(fetching(), local.origin)).kind).toBe("truncated");
  });

  it.each(["rot13", "gzip, gzip, gzip, gzip"])("coded as %s is not understood", async (coding) => {
    const local = await web((_, answer) => answer.writeHead(200, { "content-encoding": coding }).end("uryyb"));
    const failed = await failure(fetching(), local.origin);
    expect(failed.kind).toBe("wrong-type");
    expect(failed.message).not.toContain(coding);
  });

  it.each(["099", "000", "101", "1000", "99"])("with the status %s is no defect of ours", async (status) => {
    const odd = await tcp((socket) => socket.once("data", () => socket.end(`HTTP/1.1 ${status} Odd\r\n\r\n`)));
    expect((await failure(fetching(), odd.origin)).kind).not.toBe("internal");
  });

  it("is malformed when it is not HTTP, or all headers", async () => {
    const other = await tcp((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH\r\n\r\n")));
    expect((await failure(fetching(), other.origin)).kind).toBe("malformed");
    const long = await web((_, answer) => page(answer, "x", { "x-long": "x".repeat(40_000) }));
    expect((await failure(fetching(), long.origin)).kind).toBe("malformed");
  });
});

describe("too much", () => {
  it("is refused from content-length, before the body", async () => {
    const local = await web((_, answer) => answer.writeHead(200, { "content-length": "10000001" }).write("x"));
    const failed = await failure(fetching(), local.origin);
    expect(failed.kind).toBe("too-large");
    expect(failed.facts).toEqual({ limit: 10_000_000 });
  });

  it("is refused in an endless chunked body", async () => {
    const block = Buffer.alloc(100_000, "x");
    const local = await web((_, answer) => {
      answer.writeHead(200);
      const more = () => {
        while (answer.writable && answer.write(block));
      };
      answer.on("drain", more);
      more();
    });
    expect((await failure(fetching({ maxBytes: 2_000_000 }), local.origin)).kind).toBe("too-large");
  });

  it("is refused in a decompression bomb", async () => {
    const once = gzipSync(Buffer.alloc(50_000_000));
    const twice = gzipSync(once);
    const local = await web((request, answer) =>
      request.url === "/twice"
        ? answer.writeHead(200, { "content-encoding": "gzip, gzip" }).end(twice)
        : answer.writeHead(200, { "content-encoding": "gzip" }).end(once),
    );
    expect(once.length).toBeLessThan(100_000);
    for (const path of ["/once", "/twice"]) {
      const failed = await failure(fetching(), local.origin + path);
      expect(failed.kind).toBe("too-large");
      expect(failed.facts).toEqual({ limit: 20_000_000 });
    }
  });

  it("is not what fits exactly", async () => {
    const body = randomBytes(1_000);
    const local = await web((_, answer) => answer.end(body));
    expect((await response(fetching({ maxBytes: 1_000 }), local.origin)).response.body).toHaveLength(1_000);
    expect((await failure(fetching({ maxBytes: 999 }), local.origin)).kind).toBe("too-large");
  });
});

describe("connections", () => {
  it("that nobody uses are closed within seconds, however long a host would keep them", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<number>();
    const { origin } = await tcp((socket) => {
      let answered = 0;
      socket.on("data", () => {
        answered = performance.now();
        socket.write("HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: 2\r\n\r\nhi");
      });
      socket.on("close", () => resolve(performance.now() - answered));
    });
    await response(fetching(), `${origin}/x`);
    // After four, and more where the machine is busy.
    expect(await closed).toBeLessThan(60_000);
  });

  it("are kept, and a stale one is replaced without a word", async () => {
    let connections = 0;
    const local = await tcp((socket) => {
      const number = ++connections;
      let answered = 0;
      socket.on("data", () => {
        // The first connection answers once and breaks at the second request, as a server does that had enough of it.
        if (number === 1 && answered++ > 0) socket.resetAndDestroy();
        else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello");
      });
    });
    const fetch = fetching();
    for (let check = 0; check < 3; check++)
      expect(text((await response(fetch, local.origin)).response.body)).toBe("hello");
    expect(connections).toBe(2);
  });

  it("end with close, for those who wait too", async () => {
    const asked: ServerResponse[] = [];
    const local = await web((_, answer) => void asked.push(answer));
    const fetch = fetching();
    const running = fetch.get({ url: `${local.origin}/1` }, {});
    const waiting = failure(fetch, `${local.origin}/2`);
    await expect.poll(() => asked.length).toBe(1);
    const closed = fetch.close();
    for (const answer of asked) page(answer);
    await closed;
    expect((await running).kind).toBe("response");
    expect((await waiting).kind).toBe("deferred");
    expect((await failure(fetch, local.origin)).kind).toBe("deferred");
  });
});

describe("the meaning of an error", () => {
  const before = { begun: false, proxies: [], timeout: 20_000 };
  it.each([
    ["CERT_HAS_EXPIRED", "tls"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["EHOSTUNREACH", "connect"],
    ["ENETUNREACH", "connect"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
    ["ETIMEDOUT", "timeout"],
    ["EPIPE", "reset"],
    ["UND_ERR_INVALID_ARG", "internal"],
    ["SOMETHING_NEW", "internal"],
  ])("%s is %s", (code, kind) => {
    const error = Object.assign(new Error("x"), { code });
    expect(failureOf(error, before).kind).toBe(kind);
    expect(failureOf(error, { ...before, begun: true }).kind).toBe("truncated");
    expect(failureOf(new AggregateError([error]), before).kind).toBe(kind);
  });

  it.each([
    ["EAI_AGAIN", "the host name did not resolve: no resolver answered"],
    ["ECONNREFUSED", "no connection: refused"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "TLS failed: the certificate is of an authority that is not known"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "TLS failed: the certificate is of an authority that is not known"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "TLS failed: the certificate is signed by itself"],
    ["CERT_HAS_EXPIRED", "TLS failed: the certificate has expired"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "TLS failed: the certificate is for another name"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "TLS failed: the port answers without TLS"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "TLS failed: it offers only old versions of TLS"],
    ["ERR_SSL_TLSV1_UNRECOGNIZED_NAME", "TLS failed: tlsv1 unrecognized name"],
  ])("%s is reported with its cause", (code, message) => {
    expect(failureOf(Object.assign(new Error("x"), { code }), before).message).toBe(message);
  });

  it("takes a proxy's no for a missing connection", () => {
    const error = Object.assign(new Error("x"), { code: "UND_ERR_ABORTED" });
    expect(failureOf(error, { ...before, proxies: [new URL("http://proxy.example:3128")] }).kind).toBe("connect");
  });

  it("is reported without what was sent or received", () => {
    const error = Object.assign(new Error("x"), { code: "HPE_INVALID", data: "secret", headers: { a: "secret" } });
    expect(JSON.stringify(failureOf(error, before).cause, Object.getOwnPropertyNames(error))).not.toContain("secret");
  });
});
