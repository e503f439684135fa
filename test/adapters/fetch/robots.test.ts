import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createRobots, mayRead, parseRobots } from "../../../src/adapters/fetch/robots.ts";
import { anySign } from "../../support/any-sign.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { closeAll, failure, fetching, HandClock, hostMemory, page, response, web } from "./local-web.ts";

afterEach(closeAll);

describe("robots.txt", () => {
  const rules = (text: string) => parseRobots(text, "Recheck").paths;

  it.each([
    ["", "/x", true],
    ["User-agent: *\nDisallow: /", "/x", false],
    ["User-agent: *\nDisallow: /", "/robots.txt", true],
    ["User-agent: *\nDisallow:", "/x", true],
    ["user-AGENT:*\ndisALLOW: /a", "/abc", false],
    ["User-agent: *\nDisallow: /a", "/b", true],
    ["User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", true],
    ["User-agent: *\nAllow: /a\nDisallow: /a", "/a", true],
    ["User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", false],
    ["User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", true],
    ["User-agent: *\nDisallow: /x$", "/x", false],
    ["User-agent: *\nDisallow: /x$", "/xy", true],
    ["User-agent: *\nDisallow: *?*id=", "/p?a=1&id=2", false],
    ["User-agent: recheck\nAllow: /\n\nUser-agent: *\nDisallow: /", "/x", true],
    ["User-agent: Recheck/2.0\nDisallow: /\n", "/x", false],
    ["User-agent: Recheckers\nDisallow: /\n", "/x", true],
    ["User-agent: a\nUser-agent: recheck\nDisallow: /x", "/x", false],
    ["User-agent: recheck\nDisallow: /x\nUser-agent: b\nDisallow: /y", "/y", true],
    ["User-agent: recheck\nDisallow: /x\n\nUser-agent: recheck\nDisallow: /y", "/y", false],
    // Other records end no group: these two agents share their rules.
    ["User-agent: recheck\nCrawl-delay: 1\n\nUser-agent: *\nDisallow: /", "/x", false],
    ["Disallow: /", "/x", true],
    ["\uFEFFUser-agent: *\r\nDisallow: /x # why\r\n", "/x", false],
    ["User-agent: *\nDisallow: /%7Ejoe", "/~joe/", false],
    ["User-agent: *\nDisallow: /\u00fcber", "/%c3%bcber", false],
    ["User-agent: *\nDisallow: /a%2Fb", "/a/b", true],
    ["User-agent: *\nDisallow: /*aab*b$", "/aaaab/b", false],
    ["User-agent: *\nDisallow: /*aab*b$", "/aaaab", true],
    ["User-agent: *\nUser-agent: *\nDisallow: /x", "/x", false],
    ["Sitemap: x\nUser-agent: *\nSitemap: y\nDisallow: /x", "/x", false],
  ])("%j and %s: %s", (text, path, allowed) => {
    expect(mayRead(rules(text), path)).toBe(allowed);
  });

  it("never throws, for any content", () => {
    const line = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom("User-agent: *", "Disallow: ", "Allow: "), fc.string({ unit: anySign }))
        .map((a) => a.join("")),
    );
    fc.assert(
      fc.property(fc.array(line), fc.string({ unit: anySign }), (lines, path) => {
        expect(typeof mayRead(rules(lines.join("\n")), path)).toBe("boolean");
      }),
    );
  });

  it("finds what a regular expression would", () => {
    const pattern = fc.string({ unit: fc.constantFrom("a", "a", "b", "*"), maxLength: 9 });
    const rule = fc.record({ allow: fc.boolean(), pattern, whole: fc.boolean() });
    const path = fc.string({ unit: fc.constantFrom("a", "a", "b"), maxLength: 20 });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), path, (written, rest) => {
        const lines = written.map(
          (one) => `${one.allow ? "Allow" : "Disallow"}: /${one.pattern}${one.whole ? "$" : ""}`,
        );
        const met = written
          .filter((one) => new RegExp(`^/${one.pattern.replaceAll("*", ".*")}${one.whole ? "$" : ""}`).test(`/${rest}`))
          .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allow) - Number(a.allow));
        expect(mayRead(rules(["User-agent: *", ...lines].join("\n")), `/${rest}`)).toBe(met[0]?.allow ?? true);
      }),
    );
  });

  it("is read in linear time", () => {
    const text = `User-agent: *\n${`Disallow: /${"*a".repeat(900)}b\n`.repeat(250)}`;
    const started = processorTime();
    expect(mayRead(rules(text), `/${"a".repeat(8_000)}`)).toBe(true);
    expectTime(processorTime() - started, 2_000);
  });

  it.each<[string, (i: number) => string, string]>([
    ["long parts", (i) => `/*${"a".repeat(300)}b${i}${"a".repeat(1_660)}`, "a".repeat(30_000)],
    ["short parts", (i) => `/*aaaaaaaaab${i}`, "a".repeat(30_000)],
    ["many parts", (i) => `/${"*aaab".repeat(300)}c${i}`, "aaab".repeat(7_500)],
    ["no parts", (i) => `/aaaaaa${i}`, "a".repeat(30_000)],
  ])("is asked in little time for any content and any redirect: %s", (_, pattern, path) => {
    const lines = ["User-agent: *"];
    for (let size = 0; size < 500_000; size += (lines.at(-1) ?? "").length + 1)
      lines.push(`Disallow: ${pattern(lines.length)}`);
    const paths = rules(lines.join("\n"));
    expect(mayRead(paths, "/")).toBe(true);
    const started = processorTime();
    mayRead(paths, `/${path}`);
    expectTime(processorTime() - started, 250);
  });

  it("leaves a path unread if it takes too long to find out whether it may be read, and no other one", () => {
    const lines = Array.from({ length: 2_000 }, (_, i) => `Disallow: /*aaaaaaaab${i}`);
    const paths = rules(["User-agent: *", ...lines].join("\n"));
    expect(mayRead(paths, `/${"a".repeat(1_900)}`)).toBe(true);
    expect(mayRead(paths, `/${"a".repeat(30_000)}`)).toBe(false);
  });

  it("closes a site whose rules are too many to be kept, or too long, and is followed in full up to there", () => {
    const many = (count: number, rule: (i: number) => string) =>
      rules(["User-agent: *", ...Array.from({ length: count }, (_, i) => rule(i))].join("\n"));
    const last = many(30_000, (i) => (i === 29_999 ? "Disallow: /last" : `Allow: /${i}`));
    expect([mayRead(last, "/x"), mayRead(last, "/last")]).toEqual([true, false]);
    const [toomany, toolong] = [
      many(30_001, (i) => `Allow: /${i}`),
      many(600, (i) => `Allow: /${i}${"\u00fc".repeat(300)}`),
    ];
    expect([mayRead(toomany, "/1"), mayRead(toolong, "/1")]).toEqual([false, false]);
  });

  it("keeps each rule once, however often its group is named", () => {
    const text = `${"User-agent: *\n".repeat(17_000)}${"Disallow: /x\n".repeat(17_000)}`;
    expect(rules(text).length).toBeLessThan(10);
  });
});

describe("asking robots.txt", () => {
  const site = (status: number, text: string, headers: Record<string, string> = {}) =>
    web((request, answer) => {
      if (request.url === "/robots.txt") answer.writeHead(status, headers).end(text);
      else page(answer);
    });
  const asking = { robots: true };

  it("comes first, once a day, and only for those who want it", async () => {
    const clock = new HandClock();
    const local = await site(200, "User-agent: Recheck\nDisallow: /private");
    const fetch = fetching({ clock });
    expect((await failure(fetch, `${local.origin}/private/x`, asking)).kind).toBe("robots");
    await response(fetch, `${local.origin}/open`, asking);
    expect(local.seen.map(({ url }) => url)).toEqual(["/robots.txt", "/open"]);
    await response(fetch, `${local.origin}/private/x`);
    clock.time += 86_400_001;
    await response(fetch, `${local.origin}/open`, asking);
    expect(local.seen.filter(({ url }) => url === "/robots.txt")).toHaveLength(2);
  });

  it.each([404, 403, 401, 410])("%i means yes", async (status) => {
    const local = await site(status, "x");
    expect((await response(fetching(), `${local.origin}/page`, asking)).response.status).toBe(200);
  });

  it("an empty one means yes", async () => {
    const local = await site(200, "");
    expect((await response(fetching(), `${local.origin}/page`, asking)).response.status).toBe(200);
  });

  it.each([
    [500, "status"],
    [503, "status"],
    [429, "rate-limited"],
  ])("%i means not now", async (status, kind) => {
    const local = await site(status, "x");
    const fetch = fetching();
    const { message, ...failed } = await failure(fetch, `${local.origin}/page`, asking);
    expect(failed.kind).toBe(kind);
    expect(message).toMatch(/^robots\.txt: /);
    expect((await failure(fetch, `${local.origin}/page`, asking)).kind).toBe(kind);
    // The host that asked to be left alone is not asked again.
    expect(local.seen.map(({ url }) => url)).toEqual(Array(status === 429 ? 1 : 2).fill("/robots.txt"));
  });

  it("follows redirects, and asks again where the page leads", async () => {
    const local = await web((request, answer) => {
      const there = request.headers.host?.startsWith("there");
      if (request.url === "/robots.txt" && there) page(answer, "User-agent: *\nDisallow: /closed");
      else if (request.url === "/robots.txt") answer.writeHead(301, { location: "/r.txt" }).end();
      else if (request.url === "/r.txt") page(answer, "User-agent: *\nDisallow: /x");
      else if (there) page(answer);
      else answer.writeHead(302, { location: `http://there.example:${local.port}${request.url}` }).end();
    });
    const fetch = fetching();
    expect((await failure(fetch, `http://here.example:${local.port}/x`, asking)).kind).toBe("robots");
    expect((await failure(fetch, `http://here.example:${local.port}/closed`, asking)).kind).toBe("robots");
    expect((await response(fetch, `http://here.example:${local.port}/open`, asking)).response.status).toBe(200);
  });

  it("takes a circle of redirects for none", async () => {
    const local = await site(302, "", { location: "/robots.txt" });
    expect((await response(fetching(), `${local.origin}/page`, asking)).response.status).toBe(200);
  });

  it("reads 500 KB of an endless one", async () => {
    const local = await web((request, answer) => {
      if (request.url !== "/robots.txt") return page(answer);
      answer.writeHead(200).write("User-agent: *\nDisallow: /closed\n");
      const more = () => {
        while (answer.writable && answer.write("# nothing to see\n".repeat(1_000)));
      };
      answer.on("drain", more);
      more();
    });
    const fetch = fetching();
    expect((await failure(fetch, `${local.origin}/closed`, asking)).kind).toBe("robots");
    expect((await response(fetch, `${local.origin}/open`, asking)).response.status).toBe(200);
  });
});

describe("robots.txt from one run to the next", () => {
  const day = 86_400_000;
  const rules = "User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n";

  /** A site that gives its rules by validators, and what it was asked. */
  async function site(state: { status?: number } = {}) {
    /** When each page was asked for. */
    const times: number[] = [];
    const local = await web((request, answer) => {
      if (request.url !== "/robots.txt") {
        times.push(performance.now());
        return page(answer);
      }
      if (state.status !== undefined) return answer.writeHead(state.status).end();
      if (request.headers["if-none-match"] === '"r"') return answer.writeHead(304).end();
      return page(answer, rules, { etag: '"r"' });
    });
    const asked = () => local.seen.map(({ url, headers }) => `${url} ${headers["if-none-match"] ?? ""}`.trim());
    return { local, asked, times };
  }

  it("is read once a day, and then by its validators", async () => {
    const [clock, hosts] = [new HandClock(), await hostMemory()];
    const { local, asked } = await site();
    const run = async (path: string) => {
      const fetch = fetching({ clock, hosts });
      const check = await fetch.get({ url: local.origin + path }, { robots: true }).catch(({ kind }) => kind);
      await fetch.close();
      return typeof check === "string" ? check : check.kind;
    };
    expect([await run("/a"), await run("/private/b")]).toEqual(["response", "robots"]);
    expect(asked()).toEqual(["/robots.txt", "/a"]);
    clock.time += day;
    expect([await run("/private/b"), await run("/c")]).toEqual(["robots", "response"]);
    expect(asked().slice(2)).toEqual(['/robots.txt "r"', "/c"]);
  });

  it("holds while it cannot be had, for a month", async () => {
    const [clock, hosts] = [new HandClock(), await hostMemory()];
    const state: { status?: number } = {};
    const { local } = await site(state);
    const run = (path: string) => fetching({ clock, hosts }).get({ url: local.origin + path }, { robots: true });
    await run("/a");
    state.status = 500;
    clock.time += 20 * day;
    await expect(run("/private/b")).rejects.toMatchObject({ kind: "robots" });
    expect(await run("/c")).toMatchObject({ kind: "response" });
    clock.time += 20 * day;
    await expect(run("/c")).rejects.toMatchObject({ kind: "status", facts: { robots: "yes", status: 500 } });
  });

  it("is asked for again if it was kept in another form", async () => {
    const [clock, hosts] = [new HandClock(), await hostMemory()];
    const { local, asked } = await site();
    const former = JSON.stringify({ paths: [{ allow: false, length: 1, parts: ["/"], whole: false }], delay: 0 });
    const { origin } = local;
    await hosts.saveRobots({
      product: "Recheck",
      origin,
      rules: former,
      read: clock.now(),
      validators: { etag: '"r"' },
    });
    expect(await response(fetching({ clock, hosts }), `${origin}/a`, { robots: true })).toMatchObject({});
    expect(asked()).toEqual(["/robots.txt", "/a"]);
    await response(fetching({ clock, hosts }), `${origin}/a`, { robots: true });
    expect(asked()).toEqual(["/robots.txt", "/a", "/a"]);
  });

  it("is stored if it is short, and a long one replaces the stored one", async () => {
    const [clock, hosts] = [new HandClock(), await hostMemory()];
    const long = `User-agent: *\n${Array.from({ length: 5_000 }, (_, i) => `Disallow: /private/${i}\n`).join("")}`;
    let text = rules;
    const asked: unknown[] = [];
    const ask = async () => {
      const read = async (_: URL, { etag }: { readonly etag?: string | undefined }) => {
        asked.push(etag);
        return { kind: "text", text, validators: { etag: '"r"' } } as const;
      };
      const robots = createRobots({ clock, product: "Recheck", memory: hosts, read });
      await robots.ask(new URL("https://site.example/a"));
      await expect(robots.ask(new URL("https://site.example/private/1"))).rejects.toMatchObject({ kind: "robots" });
    };
    await ask();
    text = long;
    await ask();
    expect(asked).toEqual([undefined]);
    clock.time += day;
    await ask();
    await ask();
    expect(asked).toEqual([undefined, '"r"', undefined]);
    expect((await hosts.robots("Recheck", "https://site.example"))?.rules.length).toBeLessThan(100);
  });

  it("is known of as many sites as there is room for: who was asked longest ago is asked again", async () => {
    const asked: string[] = [];
    const text = `User-agent: *\n${Array.from({ length: 500 }, (_, i) => `Disallow: /${i}${"x".repeat(1_900)}\n`).join("")}`;
    const robots = createRobots({
      clock: new HandClock(),
      product: "Recheck",
      memory: undefined,
      async read({ hostname }) {
        asked.push(hostname);
        return { kind: "text", text, validators: {} };
      },
    });
    const ask = (site: number) => robots.ask(new URL(`https://h${site}.example/x`));
    for (let site = 0; site < 40; site++) {
      await ask(site);
      await ask(0);
    }
    expect(asked).toHaveLength(40);
    await ask(39);
    await ask(0);
    expect(asked).toHaveLength(40);
    await ask(1);
    expect(asked.slice(40)).toEqual(["h1.example"]);
  });

  it("leads the page at once, and its pause holds between pages", async () => {
    const { local, times } = await site();
    const fetch = fetching({ pause: 50 });
    for (const path of ["/a", "/b"]) await fetch.get({ url: local.origin + path }, { robots: true });
    expect(local.seen.map(({ url }) => url)).toEqual(["/robots.txt", "/a", "/b"]);
    expect((times[1] ?? 0) - (times[0] ?? Infinity)).toBeGreaterThan(195);
  });
});
