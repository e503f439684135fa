import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createArchive, webLinks } from "../../../src/adapters/fetch/archive.ts";
import { Failure } from "../../../src/model/failure.ts";
import type { FoundCopy, WebArchive } from "../../../src/model/ports/index.ts";
import { expectTime } from "../../support/expect-time.ts";
import { archiveHost, type LocalArchive, localArchive, stamp, timegate } from "../../support/local-archive.ts";
import { processorTime } from "../../support/processor-time.ts";
import { closeAll, fetching, type Web, web } from "./local-web.ts";

const day = 86_400_000;
const audit = Date.UTC(2026, 4, 16);
const now = Date.UTC(2026, 10, 20);
const near = { at: audit, within: 30 * day };
const url = "https://docs.example.org/memory?v=2";
const body = `<!doctype html><html><head><title>Memory</title></head><body><main><h1>Memory</h1>
<p>Up to 512 GB, see <a href="https://docs.example.org/more">more</a>, kept at
https://${archiveHost}/web/20200101000000/https://docs.example.org/older.</p></main></body></html>`;

let local: LocalArchive;
let server: Web;
let archive: WebArchive;

beforeEach(async () => {
  local = localArchive();
  local.copies.set(url, [{ at: audit - 2 * day, body }]);
  server = await web(local.answer);
  archive = createArchive(fetching({ origin: () => server.origin }), { now: () => now }, { timegate });
});

afterEach(closeAll);

async function found(of = url): Promise<FoundCopy[]> {
  const all: FoundCopy[] = [];
  for await (const one of archive.copies(of, near)) all.push(one);
  return all;
}

/** What of the first copy that is named is said, or of why none can be had. */
async function says(): Promise<string> {
  try {
    const [first] = await found();
    if (first === undefined) return "no copy";
    return first.kind === "unusable" ? first.says : `${first.kind} ${stamp(first.copy.at)}`;
  } catch (error) {
    if (error instanceof Failure) return `${error.kind}: ${error.message}`;
    throw error;
  }
}

/** Answers every request for a copy with these headers besides its own, or in their place. */
function copiesWith(headers: Readonly<Record<string, string>>, status = 200, text = body): void {
  local.fault = ({ url: path = "" }: IncomingMessage, response: ServerResponse) => {
    if (!/^\/web\/\d{14}/.test(path)) return false;
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(text);
    return true;
  };
}

const dated = (at: number) => ({ "memento-datetime": new Date(at).toUTCString() });

test("the copy nearest to a time is had as its site sent it, by an address for people", async () => {
  local.copies.get(url)?.push({ at: audit + 20 * day, body: "later" }, { at: audit - 400 * day, body: "older" });
  const [first, ...others] = await found(`${url}#part`);
  expect(first).toMatchObject({
    kind: "copy",
    copy: { url: `${timegate}${stamp(audit - 2 * day)}/${url}`, at: audit - 2 * day },
  });
  expect(first?.kind === "copy" && Buffer.from(first.response.body).toString()).toBe(body);
  expect(first?.kind === "copy" && first.response.url).toBe(url);
  // The next one is within the limit; the third is not, and is not opened.
  expect(others).toMatchObject([{ kind: "copy", copy: { at: audit + 20 * day } }]);
  expect(local.asked).toEqual([
    "GET /robots.txt",
    `GET /web/${url}`,
    `GET /web/${stamp(audit - 2 * day)}id_/${url}`,
    `GET /web/timemap/link/${url}`,
    `GET /web/${stamp(audit + 20 * day)}id_/${url}`,
  ]);
  expect(server.seen[1]?.headers["accept-datetime"]).toBe("Sat, 16 May 2026 00:00:00 GMT");
});

test("of the next copies nobody asks who has what was wanted", async () => {
  for await (const one of archive.copies(url, near)) {
    expect(one.kind).toBe("copy");
    break;
  }
  expect(local.asked).toHaveLength(3);
});

test("an archive without an unchanged form has its banner and its links taken back", async () => {
  // Its copies stand at addresses of their own kind, which it names by their dates.
  local.fault = ({ url: path = "" }, response) => {
    if (path.endsWith("/robots.txt")) return false;
    const to = `https://${archiveHost}/copies/1`;
    const link = `<${url}>; rel="original", <${to}>; rel="memento"; datetime="Thu, 14 May 2026 00:00:00 GMT"`;
    if (path.startsWith("/copies/")) {
      const page = body
        .replace("<body>", "<body><!-- WB Insert --><p>512 GB of banner</p><!-- End WB Insert -->")
        .replace('href="https:', `href="/web/20260514000000mp_/https:`);
      response.writeHead(200, { link, "content-type": "text/html", ...dated(audit - 2 * day) }).end(page);
    } else response.writeHead(302, { link, location: to, vary: "negotiate, accept-datetime" }).end();
    return true;
  };
  const [first] = await found();
  expect(first?.kind === "copy" && Buffer.from(first.response.body).toString()).toBe(body);
});

describe("in doubt a copy is not used", () => {
  const cases: Record<string, { spoil(): void; said: string }> = {
    "there is none": { spoil: () => local.copies.clear(), said: "no copy" },
    "it was made too far from it": {
      spoil: () => local.copies.set(url, [{ at: audit - 31 * day, body }]),
      said: `far ${stamp(audit - 31 * day)}`,
    },
    "an error page of the archive's own comes with 200": {
      spoil: () => copiesWith({}, 200, "<!doctype html><title>Oops</title>The archive is being mended."),
      said: "the archive answers with a page of its own",
    },
    "so does the TimeGate, as a login": {
      spoil: () => {
        local.fault = ({ url: path = "" }, response) =>
          path !== "/robots.txt" && Boolean(response.writeHead(200).end("<!doctype html><title>Log in</title>"));
      },
      said: "the archive answers with a page of its own",
    },
    "the TimeGate leads to another host": {
      spoil: () => {
        local.fault = ({ url: path = "" }, response) =>
          path !== "/robots.txt" && Boolean(response.writeHead(302, { location: "https://login.example.net/" }).end());
      },
      said: "it leads to another host than the archive's",
    },
    "it leads to a copy of November": {
      spoil: () => {
        local.copies.get(url)?.push({ at: now - day, body });
        local.fault = ({ url: path = "" }, response) => {
          if (!path.includes(stamp(audit - 2 * day))) return false;
          response.writeHead(302, { location: `${timegate}${stamp(now - day)}id_/${url}` }).end();
          return true;
        };
      },
      said: `far ${stamp(now - day)}`,
    },
    "it leads to a copy of another page": {
      spoil: () => copiesWith({ location: `${timegate}${stamp(audit)}id_/https://docs.example.org/home` }, 302),
      said: "the copy leads to another page",
    },
    "it leads in a circle": {
      spoil: () => copiesWith({ location: `${timegate}${stamp(audit)}id_/${url}` }, 302),
      said: "the copy leads from one copy to the next",
    },
    "its date is not that of its address": {
      spoil: () => copiesWith(dated(audit + 9 * day)),
      said: "the archive gives one copy two dates",
    },
    "its date is still to come": {
      spoil: () => copiesWith(dated(now + 9 * day)),
      said: "the archive gives one copy two dates",
    },
    "its date is not one": {
      spoil: () => copiesWith({ "memento-datetime": "2026-05-14" }),
      said: "the archive answers with a page of its own",
    },
    "its page was sent later than its date": {
      spoil: () => copiesWith({ ...dated(audit - 2 * day), "x-archive-orig-date": "Mon, 02 Nov 2026 08:00:00 GMT" }),
      said: "the archive dates the copy 2026-05-14, but the page was sent later",
    },
    "it is of another page": {
      spoil: () => copiesWith({ ...dated(audit - 2 * day), link: '<https://docs.example.org/>; rel="original"' }),
      said: "the archive does not say that it is a copy of this page",
    },
    "the archive is down": {
      spoil: () => copiesWith({}, 503),
      said: "status: 503",
    },
    "it asks to slow down": {
      spoil: () => copiesWith({ "retry-after": "60" }, 429),
      said: "rate-limited: 429, asked to slow down",
    },
    "its robots.txt asks not to": {
      spoil: () => {
        local.fault = ({ url: path }, response) =>
          path === "/robots.txt" && Boolean(response.writeHead(200).end("User-agent: *\nDisallow: /web/"));
      },
      said: "robots: robots.txt asks not to read it",
    },
    "it names a copy that it does not have": {
      spoil: () => copiesWith({}, 404),
      said: "the archive does not have the copy that it names",
    },
  };
  test.each(Object.entries(cases))("%s", async (_, { spoil, said }) => {
    spoil();
    expect(await says()).toBe(said);
  });

  test("a Link header that is not one costs nothing but the links", async () => {
    copiesWith({ ...dated(audit - 2 * day), link: '<<<;;;rel="orig, <https://x' });
    expect(await says()).toBe(`copy ${stamp(audit - 2 * day)}`);
  });

  test("an empty or broken TimeMap lists nothing", async () => {
    for (const map of ["", "<html>no</html>", "<:>; rel=memento, <https://evil.example/1>; rel=memento"]) {
      local.fault = ({ url: path = "" }, response) =>
        path.includes("timemap") && Boolean(response.writeHead(200, { "content-type": "text/plain" }).end(map));
      expect((await found()).map(({ kind }) => kind)).toEqual(["copy"]);
    }
  });

  test("its address is the same page's, however it is written", async () => {
    copiesWith({ ...dated(audit - 2 * day), link: '<http://www.docs.example.org:80/memory?v=2>; rel="original"' });
    expect(await says()).toBe(`copy ${stamp(audit - 2 * day)}`);
  });
});

describe("links", () => {
  test("of a TimeMap, with their dates; a malformed one is left out", () => {
    const map = `<http://a.example/>;rel="original",
      <http://archive.example/1/http://a.example/>; rel="first memento"; datetime="Tue, 20 Jun 2000 18:02:59 GMT",
      <relative>; rel=memento; datetime="20 June 2000" ; title="a, b; <c>", broken, <http://[>; rel="x"`;
    expect(webLinks(map, "http://archive.example/map/")).toEqual([
      { href: "http://a.example/", relations: ["original"] },
      {
        href: "http://archive.example/1/http://a.example/",
        relations: ["first", "memento"],
        at: Date.UTC(2000, 5, 20, 18, 2, 59),
      },
      { href: "http://archive.example/map/relative", relations: ["memento"] },
    ]);
  });

  test("are read in time linear in their length", () => {
    const hostile = [
      "<".repeat(500_000),
      `<a>${"; ".repeat(250_000)}`,
      `<a>${';a="'.repeat(120_000)}`,
      "<a>;".repeat(120_000),
    ];
    const started = processorTime();
    for (const text of hostile) webLinks(text, "http://archive.example/");
    expectTime(processorTime() - started, 5_000);
  });
});
