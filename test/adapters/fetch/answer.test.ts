import { createHash } from "node:crypto";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { closeAll, failure, fetching, HandClock, page, response, text, web } from "./local-web.ts";

afterEach(closeAll);

describe("an answer", () => {
  it("has body, hash, validators, headers and address", async () => {
    const local = await web((_, answer) =>
      page(answer, "hello", { etag: '"a"', "last-modified": "Sat, 16 May 2026 00:00:00 GMT", "set-cookie": "id=1" }),
    );
    const got = await response(fetching(), `${local.origin}/page#part`);
    expect(text(got.response.body)).toBe("hello");
    expect(got.hash).toBe(createHash("sha256").update("hello").digest("hex"));
    expect(got.validators).toEqual({ etag: '"a"', lastModified: "Sat, 16 May 2026 00:00:00 GMT" });
    expect(got.response).toMatchObject({ url: `${local.origin}/page`, status: 200 });
    expect(got.response.headers["content-type"]).toBe("text/plain");
    expect(got.response.headers["set-cookie"]).toBeUndefined();
    expect(got.moved).toBeUndefined();
  });

  it("is asked for politely", async () => {
    const local = await web((_, answer) => page(answer));
    await response(fetching(), { url: local.origin, accept: "text/html", headers: { "X-Kind": "page" } });
    expect(local.seen[0]?.headers).toMatchObject({
      "user-agent": "Recheck/0.1 (+https://recheck.example/about)",
      accept: "text/html",
      "x-kind": "page",
      "accept-encoding": "gzip, br",
    });
    expect(local.seen[0]?.headers.authorization).toBeUndefined();
    expect(local.seen[0]?.headers["if-none-match"]).toBeUndefined();
  });

  const long = "word ".repeat(1_000);
  it.each([
    ["gzip", gzipSync(long)],
    ["x-gzip", gzipSync(long)],
    // Browsers ignore bytes behind the end.
    ["gzip", Buffer.concat([gzipSync(long), Buffer.from("\n")])],
    ["gzip", Buffer.concat([gzipSync(long), Buffer.from("<!-- by a proxy -->")])],
    ["gzip", Buffer.concat([gzipSync(long.slice(0, 100)), gzipSync(long.slice(100))])],
    ["br", brotliCompressSync(long)],
    ["deflate", deflateSync(long)],
    ["deflate", deflateRawSync(long)],
    ["gzip, br", brotliCompressSync(gzipSync(long))],
    ["identity", Buffer.from(long)],
  ])("is decompressed from %s and hashed after that", async (coding, bytes) => {
    const local = await web((_, answer) => answer.writeHead(200, { "content-encoding": coding }).end(bytes));
    const got = await response(fetching(), local.origin);
    expect(text(got.response.body)).toBe(long);
    expect(got.hash).toBe(createHash("sha256").update(long).digest("hex"));
  });

  it("may be another status than 2xx if the caller says so", async () => {
    const local = await web((_, answer) => answer.writeHead(404).end("{}"));
    expect((await response(fetching(), local.origin, { answers: [404] })).response.status).toBe(404);
    expect((await failure(fetching(), local.origin, { answers: [410] })).kind).toBe("not-found");
  });
});

describe("a conditional request", () => {
  const conditional = () =>
    web((request, answer) =>
      request.headers["if-none-match"] === '"a"' || request.headers["if-modified-since"] === "then"
        ? answer.writeHead(304).end()
        : page(answer, "hello", { etag: '"a"' }),
    );

  it("is not modified by ETag, or by date", async () => {
    const local = await conditional();
    const fetch = fetching();
    expect(await fetch.get({ url: local.origin }, { validators: { etag: '"a"' } })).toEqual({ kind: "not-modified" });
    expect(await fetch.get({ url: local.origin }, { validators: { lastModified: "then" } })).toEqual({
      kind: "not-modified",
    });
    expect((await response(fetch, local.origin, { validators: { etag: '"old"' } })).validators.etag).toBe('"a"');
  });

  it("does not send an ETag that came with a token when there is none now", async () => {
    const local = await conditional();
    await response(fetching(), local.origin, { validators: { etag: '"a"', token: "0123456789abcdef" } });
    expect(local.seen[0]?.headers["if-none-match"]).toBeUndefined();
  });

  it("fails on a 304 that was not asked for", async () => {
    const local = await web((_, answer) => answer.writeHead(304).end());
    const failed = await failure(fetching(), local.origin);
    expect(failed.kind).toBe("status");
    expect(failed.facts).toEqual({ status: 304 });
  });
});

describe("a status that is no answer", () => {
  it.each([
    [404, {}, "not-found"],
    [410, {}, "not-found"],
    [400, {}, "status"],
    [401, {}, "status"],
    [403, {}, "status"],
    [403, { "retry-after": "5" }, "status"],
    [418, {}, "status"],
    [429, {}, "rate-limited"],
    [451, {}, "status"],
    [500, {}, "status"],
    [502, {}, "status"],
    [503, {}, "status"],
    [503, { "retry-after": "5" }, "rate-limited"],
    [206, {}, "truncated"],
    [302, {}, "status"],
    [300, { location: "/x" }, "status"],
  ])("%i %j is %s", async (status, headers, kind) => {
    const local = await web((_, answer) => answer.writeHead(status, headers as Record<string, string>).end("no"));
    const failed = await failure(fetching(), local.origin);
    expect(failed.kind).toBe(kind);
    expect(failed.facts.status).toBe(status);
  });

  it.each([{}, { location: "http://[" }])("a redirect with %j says that it leads nowhere", async (headers) => {
    const local = await web((_, answer) => answer.writeHead(302, headers).end());
    expect((await failure(fetching(), local.origin)).message).toBe("302 without an address to go to");
  });

  it.each([
    ["no content", 204, undefined],
    ["an empty body", 200, ""],
  ])("%s is empty", async (_name, status, body) => {
    const local = await web((_, answer) => answer.writeHead(status).end(body));
    expect((await failure(fetching(), local.origin)).kind).toBe("empty");
  });

  it("stays what it is when its body breaks off, or has no end", async () => {
    const broken = await web((_, answer) => {
      answer.writeHead(500, { "content-length": "100" }).write("half");
      setTimeout(() => answer.destroy(), 20);
    });
    expect((await failure(fetching(), broken.origin)).facts.status).toBe(500);
    const endless = await web((_, answer) => {
      answer.writeHead(404);
      const more = () => {
        while (answer.writable && answer.write("x".repeat(10_000)));
      };
      answer.on("drain", more);
      more();
    });
    expect((await failure(fetching(), endless.origin)).kind).toBe("not-found");
  });
});

describe("a bot wall", () => {
  const walls: [string, number, Record<string, string>, string][] = [
    ["Cloudflare's header", 403, { "cf-mitigated": "challenge" }, "x"],
    ["Cloudflare's header, busy", 503, { "cf-mitigated": "challenge", "retry-after": "5" }, "x"],
    ["Cloudflare's page", 403, { server: "cloudflare" }, "<title>Just a moment...</title>"],
    ["DataDome", 403, { server: "DataDome" }, "x"],
    ["DataDome's page", 403, {}, "<script src='https://geo.captcha-delivery.com/c.js'></script>"],
    ["Akamai", 403, { server: "AkamaiGHost" }, "<TITLE>Access Denied</TITLE> You cannot"],
    ["Akamai under another name", 403, {}, "<title>Access Denied</title> Reference #18.2f"],
    ["PerimeterX", 403, {}, '<div id="px-captcha"></div>'],
    ["Imperva", 403, {}, '<iframe src="/_Incapsula_Resource?x">'],
    ["AWS, as an empty 202", 202, { "x-amzn-waf-action": "challenge" }, ""],
    ["Vercel", 429, { "x-vercel-mitigated": "challenge" }, "x"],
  ];
  it.each(walls)("%s", async (_name, status, headers, body) => {
    const local = await web((_, answer) => answer.writeHead(status, headers).end(body));
    const failed = await failure(fetching(), local.origin);
    expect(failed.kind).toBe("bot-wall");
    expect(failed.facts).toEqual({ status });
  });

  it("is recognised when compressed", async () => {
    const wall = gzipSync("<title>Just a moment...</title>");
    const headers = { server: "cloudflare", "content-encoding": "gzip" };
    const local = await web((_, answer) => answer.writeHead(403, headers).end(wall));
    expect((await failure(fetching(), local.origin)).kind).toBe("bot-wall");
  });

  it.each([
    ["a refusal behind Cloudflare", 403, { server: "cloudflare" }, "<title>Forbidden</title>"],
    ["a plain refusal", 403, { server: "nginx" }, "<title>403 Forbidden</title>"],
    ["an access denied of one's own", 403, { server: "nginx" }, "<title>Access denied</title> ask the owner"],
    ["an outage behind Cloudflare", 502, { server: "cloudflare" }, "just a moment"],
  ])("is not %s", async (_name, status, headers, body) => {
    const local = await web((_, answer) => answer.writeHead(status, headers).end(body));
    expect((await failure(fetching(), local.origin)).kind).toBe("status");
  });

  it("is not what an answer speaks of", async () => {
    const local = await web((_, answer) => page(answer, "px-captcha just a moment", { server: "cloudflare" }));
    expect((await response(fetching(), local.origin)).response.status).toBe(200);
  });
});

describe("a host that asks to be left alone", () => {
  it("rests for as many seconds, and nobody else does", async () => {
    const clock = new HandClock();
    let status = 429;
    const local = await web((_, answer) => answer.writeHead(status, { "retry-after": "120" }).end("x"));
    const other = await web((_, answer) => page(answer));
    const fetch = fetching({ clock });
    const first = await failure(fetch, local.origin);
    expect(first.facts).toEqual({ status: 429, retryAfter: 120_000 });
    status = 200;
    clock.time += 60_000;
    const second = await failure(fetch, `${local.origin}/another`);
    expect(second.kind).toBe("rate-limited");
    expect(second.facts).toEqual({ status: 429, retryAfter: 60_000, unasked: "yes" });
    expect(local.seen).toHaveLength(1);
    expect((await response(fetch, other.origin)).response.status).toBe(200);
    clock.time += 60_000;
    expect((await response(fetch, local.origin)).response.status).toBe(200);
  });

  it("rests until a date, at most a day", async () => {
    const clock = new HandClock();
    const dates = ["Sat, 16 May 2026 00:10:00 GMT", "Wed, 01 Jan 2031 00:00:00 GMT", "999999999", "0", "soon"];
    const local = await web((_, answer) => answer.writeHead(503, { "retry-after": dates.shift() ?? "" }).end("x"));
    const fetch = fetching({ clock });
    expect((await failure(fetch, local.origin)).facts.retryAfter).toBe(600_000);
    clock.time += 600_000;
    expect((await failure(fetch, local.origin)).facts.retryAfter).toBe(86_400_000);
    clock.time += 86_400_000;
    expect((await failure(fetch, local.origin)).facts.retryAfter).toBe(86_400_000);
    clock.time += 86_400_000;
    expect((await failure(fetch, local.origin)).facts.retryAfter).toBe(0);
    const unreadable = await failure(fetch, local.origin);
    expect(unreadable.kind).toBe("status");
    expect(local.seen).toHaveLength(5);
  });

  it("sends away those who wait for their turn", async () => {
    const local = await web((_, answer) => answer.writeHead(429, { "retry-after": "60" }).end("x"));
    const fetch = fetching();
    const kinds = await Promise.all([1, 2, 3, 4].map((n) => failure(fetch, `${local.origin}/${n}`)));
    expect(kinds.map(({ kind }) => kind)).toEqual(Array(4).fill("rate-limited"));
    expect(local.seen).toHaveLength(1);
  });
});
