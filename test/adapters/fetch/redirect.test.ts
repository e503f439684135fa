import { afterEach, describe, expect, it } from "vitest";
import { keepSecret } from "../../../src/adapters/secrets.ts";
import { closeAll, failure, fetching, page, response, text, web } from "./local-web.ts";

afterEach(closeAll);

/** Answers `/301/302/end` with a 301 to `/302/end`, and so on. */
const chain = () =>
  web((request, answer) => {
    const [, status = "", rest = ""] = /^\/(\d{3})(\/.*)$/.exec(request.url ?? "") ?? [];
    if (status === "") page(answer, request.url);
    else answer.writeHead(Number(status), { location: rest }).end();
  });

describe("redirects", () => {
  it.each([
    ["/301/end", true],
    ["/308/end", true],
    ["/301/308/end", true],
    ["/302/end", false],
    ["/301/302/end", false],
    ["/307/301/end", false],
    ["/303/end", false],
  ])("%s is followed; moved for good: %s", async (path, moved) => {
    const local = await chain();
    const got = await response(fetching(), local.origin + path);
    expect(text(got.response.body)).toBe("/end");
    expect(got.response.url).toBe(`${local.origin}/end`);
    expect(got.moved).toBe(moved ? `${local.origin}/end` : undefined);
  });

  it("to an address where nothing changed still say where that is", async () => {
    const local = await web(({ url }, answer) => {
      if (url === "/end") answer.writeHead(304).end();
      else answer.writeHead(301, { location: "/end" }).end();
    });
    const got = await fetching().get({ url: `${local.origin}/old` }, { validators: { etag: '"one"' } });
    expect(got).toEqual({ kind: "not-modified", moved: `${local.origin}/end` });
  });

  it("that repeat a secret of ours lead to an address that is told without it", async () => {
    const secret = "ghs_canary5ag7redirect";
    keepSecret(secret, true);
    const local = await web(({ url, headers }, answer) => {
      if (url === "/old") answer.writeHead(301, { location: `/end?with=${secret}` }).end();
      else if ("if-none-match" in headers) answer.writeHead(304).end();
      else page(answer, url);
    });
    const url = `${local.origin}/end?with=[secret]`;
    const got = await response(fetching(), `${local.origin}/old`);
    expect([text(got.response.body), got.response.url, got.moved]).toEqual(["/end?with=[secret]", url, url]);
    const again = await fetching().get({ url: `${local.origin}/old` }, { validators: { etag: '"one"' } });
    expect(again).toEqual({ kind: "not-modified", moved: url });
  });

  it("are followed five times and no more", async () => {
    const local = await chain();
    expect((await response(fetching(), `${local.origin}/301/302/301/302/301/end`)).moved).toBeUndefined();
    expect((await failure(fetching(), `${local.origin}/301/302/301/302/301/302/end`)).kind).toBe("redirects");
    expect((await failure(fetching({ maxRedirects: 0 }), `${local.origin}/301/end`)).kind).toBe("redirects");
  });

  it("in a circle end", async () => {
    const local = await web((request, answer) =>
      answer.writeHead(301, { location: request.url === "/a" ? "/b" : "/a" }).end(),
    );
    expect((await failure(fetching(), `${local.origin}/a`)).kind).toBe("redirects");
    const self = await web((_, answer) => answer.writeHead(302, { location: "" }).end());
    expect((await failure(fetching(), `${self.origin}/`)).kind).toBe("redirects");
    expect(self.seen).toHaveLength(1);
  });

  it("lead to other hosts, and are understood outside ASCII", async () => {
    const local = await web((request, answer) => {
      const location = `http://other.example:${local.port}/\u00fcber`;
      if (request.headers.host?.startsWith("other")) page(answer, request.url);
      else answer.writeHead(302, { location: Buffer.from(location, "utf8").toString("latin1") }).end();
    });
    const got = await response(fetching(), `http://one.example:${local.port}/`);
    expect(text(got.response.body)).toBe("/%C3%BCber");
    expect(got.response.url).toBe(`http://other.example:${local.port}/%C3%BCber`);
  });

  it("to what is no address are a status", async () => {
    const local = await web((_, answer) => answer.writeHead(301, { location: "http://[" }).end());
    expect((await failure(fetching(), local.origin)).facts).toEqual({ status: 301 });
  });

  it("share one allowance of time", async () => {
    const local = await web((request, answer) => {
      const hop = Number(request.url?.slice(1) || 0);
      setTimeout(() => answer.writeHead(302, { location: `/${hop + 1}` }).end(), 150);
    });
    const failed = await failure(fetching({ timeout: 400 }), local.origin);
    expect(failed.kind).toBe("timeout");
    expect(failed.facts).toEqual({ after: 400 });
    expect(local.seen.length).toBeLessThan(5);
  });

  it("carry the condition to where they lead", async () => {
    const local = await web((request, answer) => {
      if (request.url === "/old") answer.writeHead(301, { location: "/new" }).end();
      else answer.writeHead(request.headers["if-none-match"] === '"a"' ? 304 : 200).end();
    });
    const got = await fetching().get({ url: `${local.origin}/old` }, { validators: { etag: '"a"' } });
    expect(got.kind).toBe("not-modified");
  });

  it("carry a date to the page whose date it is, and to no other one", async () => {
    const dates: Record<string, string> = {
      "/1": "Sat, 16 May 2026 00:00:00 GMT",
      "/2": "Sat, 09 May 2026 00:00:00 GMT",
    };
    let newest = "/1";
    const local = await web(({ url = "", headers }, answer) => {
      const date = dates[url];
      if (date === undefined) return answer.writeHead(302, { location: newest }).end();
      const since = Date.parse(headers["if-modified-since"] ?? "");
      if (Date.parse(date) <= since) return answer.writeHead(304).end();
      return page(answer, url, { "last-modified": date });
    });
    const [fetch, address] = [fetching(), `${local.origin}/newest`];
    const { validators } = await response(fetch, address);
    expect((await fetch.get({ url: address }, { validators })).kind).toBe("not-modified");
    newest = "/2";
    const second = await response(fetch, address, { validators });
    expect(text(second.response.body)).toBe("/2");
    // Nor is a date of the address itself that of a page which it leads to since.
    expect((await fetch.get({ url: `${local.origin}/1` }, { validators: { lastModified: dates["/1"] } })).kind).toBe(
      "not-modified",
    );
    expect((await fetch.get({ url: address }, { validators: { lastModified: dates["/1"] } })).kind).toBe("response");
  });
});
