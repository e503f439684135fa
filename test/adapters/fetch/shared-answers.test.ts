import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { type SharedFetch, type SharingAsker, shareFetch } from "../../../src/adapters/fetch/index.ts";
import type { Fetch, Request } from "../../../src/model/ports/index.ts";
import { closeAll, everythingHere, failure, HandClock, page, response, text, type Web, web } from "./local-web.ts";

/** One address that several repositories watch. */

const minute = 60_000;
const clock = new HandClock();
const origins = new Map<string, string>();
let shared: SharedFetch;
beforeEach(() => {
  shared = shareFetch({
    clock,
    pause: 0,
    timeout: 3_000,
    allowAddresses: parseRanges("127.0.0.0/8"),
    lookup: everythingHere,
    origin: ({ host }) => origins.get(host),
  });
});
afterEach(async () => {
  await shared.close();
  await closeAll();
  origins.clear();
});

const asker = (id: string, change: Partial<SharingAsker> = {}): Fetch =>
  shared.for({ id, userAgent: `Recheck/0.1 (+https://${id}.example/)`, ...change });
const tokenOf = (id: string) => async () => `ghs_${id.padEnd(20, "0")}`;
/** A repository `owner/id`, whose token sees that one alone. */
const installed = (id: string, isPublic = true): Fetch =>
  asker(id, { githubToken: tokenOf(id), allowance: id, own: { name: `owner/${id}`, isPublic } });

async function counted(): Promise<Web> {
  let number = 0;
  return await web((request, answer) => {
    if (request.headers["if-none-match"] === '"a"') answer.writeHead(304).end();
    else page(answer, `answer ${++number}`, { etag: '"a"' });
  });
}

const bodyOf = async (fetch: Fetch, url: string | Request, options = {}) =>
  text((await response(fetch, url, options)).response.body);

describe("an address that several watch", () => {
  it("is asked for once by all who ask at the same time, or within minutes, and says when it came", async () => {
    const { origin, seen } = await counted();
    const together = ["a", "b", "c"].map((id) => bodyOf(asker(id), `${origin}/x`));
    expect(await Promise.all(together)).toEqual(["answer 1", "answer 1", "answer 1"]);
    const came = clock.time;
    clock.time += 9 * minute;
    const late = await response(asker("d"), `${origin}/x`);
    expect([text(late.response.body), late.at, late.validators]).toEqual(["answer 1", came, { etag: '"a"' }]);
    expect(seen).toHaveLength(1);
    clock.time += 2 * minute;
    const later = await response(asker("e"), `${origin}/x`);
    expect([text(later.response.body), later.at]).toEqual(["answer 2", undefined]);
  });

  it("is asked for again by a source that asks a second time, or knows a newer answer", async () => {
    const { origin } = await counted();
    expect(await bodyOf(asker("a"), origin)).toBe("answer 1");
    expect(await bodyOf(asker("b"), origin)).toBe("answer 1");
    expect(await bodyOf(asker("b"), origin)).toBe("answer 2");
    expect(await bodyOf(asker("c"), origin, { newerThan: clock.time })).toBe("answer 3");
    expect(await bodyOf(asker("a"), origin)).toBe("answer 3");
  });

  it("did not change for those alone who have what did not", async () => {
    const { origin, seen } = await counted();
    const validators = { etag: '"a"' };
    expect((await asker("a").get({ url: origin }, { validators })).kind).toBe("not-modified");
    expect((await asker("b").get({ url: origin }, { validators })).kind).toBe("not-modified");
    expect(seen).toHaveLength(1);
    expect(await bodyOf(asker("c"), origin)).toBe("answer 1");
    expect((await asker("d").get({ url: origin }, { validators })).kind).toBe("response");
    expect(seen).toHaveLength(2);
  });

  it("is another one by each thing that its answer depends on", async () => {
    const { origin, seen } = await counted();
    const asked: [Request, object][] = [
      [{ url: `${origin}/x` }, {}],
      [{ url: `${origin}/y` }, {}],
      [{ url: `${origin}/x`, accept: "text/html" }, {}],
      [{ url: `${origin}/x`, headers: { "x-part": "1" } }, {}],
      [{ url: `${origin}/x` }, { answers: [404] }],
    ];
    for (const [index, [request, options]] of asked.entries()) await asker(`${index}`).get(request, options);
    expect(seen).toHaveLength(asked.length);
  });

  it("that fails by its host's answer does so for all; one that gives none is asked for by each", async () => {
    const gone = await web((_, answer) => answer.writeHead(404).end());
    for (const id of ["a", "b"]) expect(await failure(asker(id), gone.origin)).toMatchObject({ kind: "not-found" });
    expect(gone.seen).toHaveLength(1);
    const mute = await web((request) => request.socket.destroy());
    for (const id of ["a", "b"]) expect(await failure(asker(id), mute.origin)).toMatchObject({ kind: "reset" });
    expect(mute.seen.length).toBeGreaterThanOrEqual(2);
  });

  it("keeps so many bytes at most: the oldest are asked for again", async () => {
    const { origin, seen } = await web((_, answer) => page(answer, "x".repeat(9_000_000)));
    for (const path of ["1", "2", "3", "4"]) await asker("a").get({ url: `${origin}/${path}` }, {});
    for (const path of ["4", "1"]) await asker("b").get({ url: `${origin}/${path}` }, {});
    expect(seen.map(({ url }) => url)).toEqual(["/1", "/2", "/3", "/4", "/1"]);
  });

  it("is asked for by each who did not say who he is", async () => {
    const { origin, seen } = await counted();
    for (const id of ["a", "b"]) await shared.for({ userAgent: `Recheck/0.1 (${id})` }).get({ url: origin }, {});
    expect(seen).toHaveLength(2);
  });
});

describe("cross-repository access: private sources", () => {
  it("that take a secret are each asked for with its own", async () => {
    const { origin, seen } = await counted();
    origins.set("locked.example", origin);
    for (const id of ["a", "b"])
      await asker(id).get({ url: "https://locked.example/x", authorization: `Bearer ${id}` }, {});
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer a", "Bearer b"]);
    expect(await bodyOf(asker("c"), "https://locked.example/x")).toBe("answer 3");
  });

  it("are never a repository's that only its own token sees, by whichever name", async () => {
    const github = await web((request, answer) => {
      const [, owner] = (request.url ?? "").split("/repos/");
      if (owner?.startsWith("owner/old")) answer.writeHead(301, { location: "/repositories/7" }).end();
      else page(answer, `seen with ${request.headers.authorization}`);
    });
    origins.set("api.github.com", github.origin);
    const of = (path: string): Request => ({ url: `https://api.github.com${path}`, githubApi: true });
    for (const path of ["/repos/Owner/A/releases", "/repos/owner/old/releases", "/user/repos", "/repositories/7"]) {
      const mine = await bodyOf(installed("a"), of(path));
      expect(await bodyOf(installed("b"), of(path)), path).not.toBe(mine);
    }
    const hidden = await bodyOf(installed("p", false), of("/repos/owner/renamed/releases"));
    expect(await bodyOf(installed("b"), of("/repos/owner/renamed/releases"))).not.toBe(hidden);
  });

  it("are not GitHub's public ones: one request serves all, and counts against one quota", async () => {
    const github = await counted();
    origins.set("api.github.com", github.origin);
    const request = { url: "https://api.github.com/repos/pytorch/pytorch/releases", githubApi: true };
    expect(await Promise.all(["a", "b"].map((id) => bodyOf(installed(id), request)))).toEqual(["answer 1", "answer 1"]);
    expect(await bodyOf(installed("p", false), request)).toBe("answer 1");
    expect(github.seen).toHaveLength(1);
  });

  it("that one token of all may see are had by all who have that token", async () => {
    const github = await counted();
    origins.set("api.github.com", github.origin);
    const request = { url: "https://api.github.com/repos/owner/a/releases", githubApi: true };
    const one = (id: string, token: string) => bodyOf(asker(id, { githubToken: tokenOf(token) }), request);
    expect([await one("a", "all"), await one("b", "all"), await one("c", "other")]).toEqual([
      "answer 1",
      "answer 1",
      "answer 2",
    ]);
  });
});
