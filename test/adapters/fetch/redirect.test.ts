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

  it("to an unchanged page still say its address", async () => {
    const local = await web(({ url }, answer) => {
      if (url === "/end") answer.writeHead(304).end();
      else answer.writeHead(301, { location: "/end" }).end();
    });
    const got = await fetching().get({ url: `${local.origin}/old` }, { validators: { etag: '"one"' } });
    expect(got).toEqual({ kind: "not-modified", moved: `${local.origin}/end` });
  });

  it("that repeat a secret of ours lead to an address that is reported without it", async () => {
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

  it("are followed ten times and no more", async () => {
    const local = await chain();
    const ten = "/301/302".repeat(5);
    expect((await response(fetching(), `${local.origin}${ten}/end`)).moved).toBeUndefined();
    expect((await failure(fetching(), `${local.origin}${ten}/301/end`)).message).toBe("more than 10 redirects");
  });

  it("in a circle end", async () => {
    const local = await web((request, answer) =>
      answer.writeHead(301, { location: request.url === "/a" ? "/b" : "/a" }).end(),
    );
    expect((await failure(fetching(), `${local.origin}/a`)).kind).toBe("redirects");
    const self = await web((_, answer) => answer.writeHead(302, { location: "" }).end());
    expect((await failure(fetching(), `${self.origin}/`)).message).toBe("it redirects to itself");
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

  it("to something that is no address are a status", async () => {
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

/** A site whose addresses answer with these pages, and `/301…` and `/302…` with a redirect to what follows. */
const pages = (by: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
  web(({ url = "" }, answer) => {
    const [, status, location] = /^\/(30\d)(\/.*)$/.exec(url) ?? [];
    if (status !== undefined) answer.writeHead(Number(status), { location }).end();
    else if (by[url] === undefined) page(answer, url);
    else page(answer, by[url], { "content-type": "text/html", ...headers });
  });

const stub = (content: string, more = "") =>
  `<!doctype html><html><head><title>Redirect</title>${more}<meta http-equiv="refresh" content="${content}"></head><body><a href="/new">/new</a></body></html>`;

describe("a page that only sends its visitors on", () => {
  it.each([
    ["at once", stub("0; url=/new")],
    ["in other spellings", "<META HTTP-EQUIV=Refresh CONTENT=\"0;URL='/new'\">"],
    ["without its name", stub("0 /new")],
    ["after some seconds", stub("5; url=/new")],
    ["from a base of its own", stub("0; url=new", '<base href="/">')],
    ["in its header", stub("0; url=/never")],
  ])("%s is a redirect for good", async (name, html) => {
    const local = await pages({ "/old/": html }, name === "in its header" ? { refresh: "0; url=/new" } : {});
    const got = await response(fetching(), `${local.origin}/old/`);
    expect(text(got.response.body)).toBe("/new");
    expect([got.response.url, got.moved]).toEqual([`${local.origin}/new`, `${local.origin}/new`]);
  });

  it("is one redirect among others, and only as lasting as they are", async () => {
    const local = await pages({ "/old": stub("0; url=/301/new"), "/older": stub("0; url=/302/new") });
    expect((await response(fetching(), `${local.origin}/301/old`)).moved).toBe(`${local.origin}/new`);
    expect((await response(fetching(), `${local.origin}/302/old`)).moved).toBeUndefined();
    expect((await response(fetching(), `${local.origin}/older`)).moved).toBeUndefined();
  });

  it("is the entrance of the pages below it, and has not moved", async () => {
    const local = await pages({ "/docs/": stub("0; url=latest/"), "/docs/index.html": stub("0; url=v2/") });
    for (const [path, to] of [
      ["/docs/", "/docs/latest/"],
      ["/docs/index.html", "/docs/v2/"],
    ]) {
      const got = await response(fetching(), local.origin + path);
      expect([got.response.url, got.moved]).toEqual([local.origin + to, undefined]);
    }
  });

  it("goes through the same guard and the same limits, also in a circle", async () => {
    const local = await pages({
      "/inner": stub("0; url=http://10.0.0.1/"),
      "/a": stub("0; url=/b"),
      "/b": stub("0; url=/a"),
      "/ten": stub(`0; url=${"/301".repeat(9)}/new`),
      "/eleven": stub(`0; url=${"/301".repeat(10)}/new`),
    });
    expect((await failure(fetching(), `${local.origin}/inner`)).kind).toBe("refused-address");
    expect((await failure(fetching(), `${local.origin}/a`)).kind).toBe("redirects");
    expect((await failure(fetching(), `${local.origin}/eleven`)).kind).toBe("redirects");
    expect(text((await response(fetching(), `${local.origin}/ten`)).response.body)).toBe("/new");
  });

  it.each([
    ["after a minute", stub("60; url=/new")],
    ["to load itself again", stub("5")],
    ["to load itself again with a mark", stub("5; url=/old?verified=1")],
    ["only if nothing runs its scripts", `<noscript><meta http-equiv="refresh" content="0; url=/new"></noscript>`],
    ["in a remark", `<!-- ${stub("0; url=/new")} -->`],
    ["in its text", `<body><textarea>${stub("0; url=/new")}</textarea>`],
    ["to no page of the web", stub("0; url=app://open/new")],
    ["to what is no address", stub("0; url=http://[")],
  ])("is itself if it does so %s", async (_, html) => {
    const local = await pages({ "/old": html });
    expect(text((await response(fetching(), `${local.origin}/old`)).response.body)).toBe(html);
  });

  it("is itself if it is no page, or if redirects are answers", async () => {
    const html = stub("0; url=/new");
    const local = await pages({ "/old": html }, { "content-type": "text/plain" });
    expect(text((await response(fetching(), `${local.origin}/old`)).response.body)).toBe(html);
    const other = await pages({ "/old": html });
    const got = await response(fetching(), `${other.origin}/old`, { answers: [301, 302] });
    expect(text(got.response.body)).toBe(html);
  });
});

describe("a redirect that wants its cookie back", () => {
  const wanting = (cookie: string, back = "seen=1") =>
    web(({ url, headers }, answer) => {
      if (headers.cookie === back) page(answer, `${url} ${headers.cookie}`);
      else if (url === "/doc") answer.writeHead(302, { location: "/doc?set=1", "set-cookie": cookie }).end();
      else answer.writeHead(302, { location: "/doc" }).end();
    });

  it("gets it, for this one check", async () => {
    const local = await wanting("seen=1; Path=/; HttpOnly; Expires=Wed, 21 Oct 2099 07:28:00 GMT");
    const fetch = fetching();
    const got = await response(fetch, `${local.origin}/doc`);
    expect(text(got.response.body)).toBe("/doc?set=1 seen=1");
    expect(got.response.headers).not.toHaveProperty("set-cookie");
    await response(fetch, `${local.origin}/doc`);
    expect(local.seen.map(({ headers }) => headers.cookie)).toEqual([undefined, "seen=1", undefined, "seen=1"]);
  });

  it("may lead to itself, and has not moved then", async () => {
    const local = await web(({ headers, url }, answer) => {
      if (headers.cookie === "a=1; b=2") page(answer, url);
      else answer.writeHead(301, { location: "/doc", "set-cookie": ["a=1; Path=/", "b=2"] }).end();
    });
    const got = await response(fetching(), `${local.origin}/doc`);
    expect([got.response.url, got.moved]).toEqual([`${local.origin}/doc`, undefined]);
    const never = await web((_, answer) => answer.writeHead(302, { location: "/doc", "set-cookie": "a=1" }).end());
    expect((await failure(fetching(), `${never.origin}/doc`)).kind).toBe("redirects");
    expect(never.seen).toHaveLength(2);
  });

  it("is the only one that does: no other host sees it, and none that was taken back is sent", async () => {
    const local = await web(({ url, headers }, answer) => {
      const other = `http://other.example:${local.port}`;
      if (url === "/doc") answer.writeHead(302, { location: `${other}/x`, "set-cookie": ["a=1", "b=2"] }).end();
      else if (url === "/x") answer.writeHead(302, { location: `http://one.example:${local.port}/y` }).end();
      else if (url === "/y") answer.writeHead(302, { location: "/z", "set-cookie": "a=; Max-Age=0" }).end();
      else page(answer, headers.cookie);
    });
    expect(text((await response(fetching(), `http://one.example:${local.port}/doc`)).response.body)).toBe("b=2");
    expect(local.seen.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined, "a=1; b=2", "b=2"]);
  });

  it("with more than a browser would keep, or what no header may hold, is not served", async () => {
    const many = Array.from({ length: 400 }, (_, i) => `c${i}=${"x".repeat(30)}`);
    const local = await web(({ url, headers }, answer) => {
      if (url === "/doc") answer.writeHead(302, { location: "/end", "set-cookie": ["bad=\u00e4", ...many] }).end();
      else page(answer, headers.cookie);
    });
    const got = await response(fetching(), `${local.origin}/doc`);
    expect(got.response.body.length).toBeLessThan(4_096);
    expect(text(got.response.body)).toMatch(/^c0=x/);
  });
});

describe("a redirect to the home page", () => {
  it.each([
    ["/302/", "/302/"],
    ["/301/index.html", "/301/index.html"],
    ["/302/302/", "/302/302/"],
  ])("is no answer of a page within the site: %s", async (path) => {
    const local = await chain();
    expect(await failure(fetching(), local.origin + path)).toMatchObject({
      kind: "home-page",
      message: "it leads to the home page",
    });
  });

  it.each([
    ["/docs/", "/301/docs/"],
    ["/?p=7", "/301/?p=7"],
    ["/en/", "/301/en/"],
  ])("is not one to %s", async (_, path) => {
    const local = await chain();
    expect(text((await response(fetching(), local.origin + path)).response.body)).toBe(
      path.slice(4).replace(/#.*/, ""),
    );
  });

  it.each(["/index.html", "/home", "/en/", "/de-AT", "/"])("is one of the home page itself: %s", async (path) => {
    const local = await web(({ url }, answer) => {
      if (url === path && path !== "/") answer.writeHead(301, { location: "/" }).end();
      else page(answer, "home");
    });
    expect(text((await response(fetching(), local.origin + path)).response.body)).toBe("home");
  });

  it("of another host is a move; of one language of the site it is none", async () => {
    const local = await web(({ url, headers }, answer) => {
      if (url === "/en/docs/old") answer.writeHead(302, { location: "/en/" }).end();
      else if (headers.host?.startsWith("old")) {
        answer.writeHead(301, { location: `http://new.example:${local.port}/` }).end();
      } else page(answer, url);
    });
    const got = await response(fetching(), `http://old.example:${local.port}/docs/`);
    expect(got.moved).toBe(`http://new.example:${local.port}/`);
    expect((await failure(fetching(), `${local.origin}/en/docs/old`)).kind).toBe("home-page");
    expect((await failure(fetching(), `http://www.new.example:${local.port}/en/docs/old`)).kind).toBe("home-page");
  });

  it("is found by the page's own redirect too, and if nothing changed there", async () => {
    const local = await pages({ "/old/page": stub("0; url=/") });
    expect((await failure(fetching(), `${local.origin}/old/page`)).kind).toBe("home-page");
    const same = await web(({ url }, answer) => {
      if (url === "/") answer.writeHead(304).end();
      else answer.writeHead(302, { location: "/" }).end();
    });
    const options = { validators: { etag: '"a"' } };
    expect((await failure(fetching(), `${same.origin}/old/page`, options)).kind).toBe("home-page");
  });
});
