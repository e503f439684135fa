import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { shareFetch } from "../../../src/adapters/fetch/index.ts";
import type { Request } from "../../../src/model/ports/index.ts";
import { closeAll, failure, fetching, HandClock, hostMemory, page, response, tcp, web } from "./local-web.ts";

afterEach(closeAll);

const repo: Request = { url: "https://api.github.com/repos/octo/demo?x=1", githubApi: true };
const word = "ghs_0123456789abcdefghij";
const digest = createHash("sha256").update(word).digest("hex").slice(0, 16);
const token = async () => word;

describe("GitHub's API", () => {
  it("is asked where it is, with the token", async () => {
    const local = await web((_, answer) => page(answer, "{}", { etag: '"a"' }));
    const fetch = fetching({ githubApi: `${local.origin}/api/v3/`, githubToken: token });
    const got = await response(fetch, repo);
    expect(local.seen[0]?.url).toBe("/api/v3/repos/octo/demo?x=1");
    expect(local.seen[0]?.headers.authorization).toBe(`Bearer ${word}`);
    expect(got.validators).toEqual({ etag: '"a"', token: digest });
    expect(fetch.githubAllowance()).toBeUndefined();
  });

  it("is reached under its own name through a local web", async () => {
    const local = await web((request, answer) => page(answer, request.headers.host));
    const fetch = fetching({ githubToken: token, origin: () => local.origin });
    const got = await response(fetch, repo);
    expect(got.response.url).toBe(repo.url);
    expect(local.seen[0]?.headers.authorization).toBe(`Bearer ${word}`);
  });

  it("gets an ETag back only with the token it came with", async () => {
    const local = await web((request, answer) =>
      request.headers["if-none-match"] ? answer.writeHead(304).end() : page(answer),
    );
    let current = word;
    const fetch = fetching({ githubApi: local.origin, githubToken: async () => current });
    const validators = { etag: '"a"', token: digest };
    expect((await fetch.get(repo, { validators })).kind).toBe("not-modified");
    current = "ghs_another";
    expect((await fetch.get(repo, { validators })).kind).toBe("response");
    expect((await fetch.get(repo, { validators: { etag: '"a"' } })).kind).toBe("response");
    await fetch.get(repo, { validators: { ...validators, lastModified: "Sat, 16 May 2026 00:00:00 GMT" } });
    expect(local.seen.at(-1)?.headers["if-modified-since"]).toBe("Sat, 16 May 2026 00:00:00 GMT");
    expect(local.seen.at(-1)?.headers["if-none-match"]).toBeUndefined();
  });

  it("alone gets the token", async () => {
    const local = await web((_, answer) => page(answer));
    const fetch = fetching({ githubToken: token, origin: () => local.origin });
    await response(fetch, "https://api.github.com/repos/octo/demo");
    await response(fetch, { url: "https://github.com/octo/demo", githubApi: true });
    await response(fetch, { url: "http://api.github.com/repos/octo/demo", githubApi: true });
    for (const { headers } of local.seen) expect(headers.authorization).toBeUndefined();
    expect(local.seen).toHaveLength(3);
  });

  it("keeps the token through a renamed repository, and loses it for good elsewhere", async () => {
    const local = await web((request, answer) => {
      const location = {
        "/repos/octo/demo?x=1": "/repositories/1",
        "/repositories/1": `http://elsewhere.example:${local.port}/`,
        "/": `${local.origin}/back`,
      }[request.url ?? ""];
      if (location) answer.writeHead(301, { location }).end();
      else page(answer);
    });
    await response(fetching({ githubApi: local.origin, githubToken: token }), repo);
    expect(local.seen.map(({ headers }) => headers.authorization !== undefined)).toEqual([true, true, false, false]);
  });

  it("rests until its quota is filled up", async () => {
    const clock = new HandClock();
    const reset = String(clock.time / 1_000 + 1_800);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const local = await web((_, answer) => answer.writeHead(403, headers).end("{}"));
    const fetch = fetching({ clock, githubApi: local.origin, githubToken: token });
    const failed = await failure(fetch, repo);
    expect(failed.kind).toBe("rate-limited");
    expect(failed.facts).toEqual({ status: 403, retryAfter: 1_800_000 });
    expect((await failure(fetch, repo)).facts.retryAfter).toBe(1_800_000);
    expect(local.seen).toHaveLength(1);
  });

  it("rests for the one whose quota is used up, also in the next run, and for nobody else", async () => {
    const clock = new HandClock();
    const reset = String(clock.time / 1_000 + 1_800);
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const local = await web((request, answer) => {
      if (request.headers.authorization === "Bearer one") answer.writeHead(403, headers).end("{}");
      else page(answer);
    });
    const hosts = await hostMemory();
    const run = () => {
      const shared = shareFetch({
        ...{ clock, hosts, githubApi: local.origin, pause: 0, allowAddresses: parseRanges("127.0.0.0/8") },
      });
      const of = (allowance: string, word: string) =>
        shared.for({ userAgent: "Recheck-test/0", githubToken: async () => word, allowance });
      return { shared, one: of("100", "one"), sibling: of("100", "another hour's"), other: of("101", "other") };
    };
    const first = run();
    expect((await failure(first.one, repo)).kind).toBe("rate-limited");
    expect((await failure(first.sibling, repo)).kind).toBe("rate-limited");
    await response(first.other, repo);
    await first.shared.close();
    const next = run();
    expect((await failure(next.sibling, repo)).kind).toBe("rate-limited");
    await response(next.other, repo);
    await next.shared.close();
    expect(local.seen).toHaveLength(3);
  });

  it("is forbidden, not resting, with quota left", async () => {
    const local = await web((_, answer) => answer.writeHead(403, { "x-ratelimit-remaining": "7" }).end("{}"));
    expect((await failure(fetching({ githubApi: local.origin, githubToken: token }), repo)).kind).toBe("status");
  });

  it("heeds a secondary limit", async () => {
    const local = await web((_, answer) => answer.writeHead(403, { "retry-after": "60" }).end("{}"));
    const failed = await failure(fetching({ githubApi: local.origin, githubToken: token }), repo);
    expect(failed.facts).toEqual({ status: 403, retryAfter: 60_000 });
  });
});

describe("GitHub's API without a token", () => {
  it("answers 60 times an hour, 304s counted, and then nothing is sent", async () => {
    const clock = new HandClock();
    const local = await web((request, answer) =>
      request.headers["if-none-match"] ? answer.writeHead(304).end() : page(answer),
    );
    const fetch = fetching({ clock, githubApi: local.origin });
    expect(fetch.githubAllowance()).toBe(60);
    await response(fetch, repo);
    expect(fetch.githubAllowance()).toBe(59);
    for (let n = 0; n < 59; n++) await fetch.get(repo, { validators: { etag: '"a"' } });
    expect(fetch.githubAllowance()).toBe(0);
    const failed = await failure(fetch, repo);
    expect(failed.kind).toBe("deferred");
    expect(failed.message).toBe("left for later: GitHub's hourly allowance without a token is used up");
    expect(local.seen).toHaveLength(60);
    clock.time += 3_600_000;
    expect(fetch.githubAllowance()).toBe(60);
    await response(fetch, repo);
  });

  it("believes what GitHub says is left", async () => {
    const clock = new HandClock();
    const reset = String(clock.time / 1_000 + 600);
    const headers = { "x-ratelimit-remaining": "1", "x-ratelimit-reset": reset, "x-ratelimit-resource": "core" };
    const local = await web((_, answer) => page(answer, "{}", headers));
    const fetch = fetching({ clock, githubApi: local.origin, githubToken: async () => undefined });
    await response(fetch, repo);
    expect(fetch.githubAllowance()).toBe(1);
    headers["x-ratelimit-remaining"] = "0";
    await response(fetch, repo);
    expect((await failure(fetch, repo)).kind).toBe("deferred");
    expect(local.seen).toHaveLength(2);
    clock.time += 600_000;
    expect(fetch.githubAllowance()).toBe(60);
  });

  it("does not count what goes elsewhere", async () => {
    const local = await web((_, answer) => page(answer));
    const fetch = fetching({ githubApi: "https://api.example" });
    await response(fetch, local.origin);
    expect(fetch.githubAllowance()).toBe(60);
  });

  it("is left for later when the token cannot be had", async () => {
    const fetch = fetching({
      githubToken: async () => {
        throw new Error(`bad key ${word}`);
      },
    });
    const failed = await failure(fetch, repo);
    expect(failed.kind).toBe("deferred");
    expect(inspect(failed, { depth: 20, showHidden: true })).not.toContain(word);
  });
});

describe("a failure", () => {
  it.each([
    ["a reset", "", "reset"],
    ["nonsense", `${word} is what you said\r\n\r\n`, "malformed"],
    ["half an answer", `HTTP/1.1 200 OK\r\nx-echo: ${word}\r\ncontent-length: 100\r\n\r\n${word}`, "truncated"],
    ["an error", `HTTP/1.1 401 ${word}\r\ncontent-length: 24\r\n\r\n${word}`, "status"],
  ])("with %s does not reveal the token", async (_name, said, kind) => {
    const local = await tcp((socket) => socket.once("data", () => socket.end(said)));
    const failed = await failure(fetching({ githubApi: local.origin, githubToken: token }), repo);
    expect(failed.kind).toBe(kind);
    expect(inspect(failed, { depth: 20, showHidden: true })).not.toContain(word);
  });
});
