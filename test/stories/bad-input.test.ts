import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, LookupFunction } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { scanCommand } from "../../src/faces/cli/scan.ts";
import { exits } from "../../src/faces/cli/terminal.ts";
import { settingsFrom } from "../../src/faces/environment.ts";
import type { Check } from "../../src/model/check.ts";
import type { Store } from "../../src/model/ports/index.ts";
import type { Instant } from "../../src/model/time.ts";
import type { Settings } from "../../src/wire/settings.ts";
import { openStored } from "../../src/wire/stores.ts";
import { linesOut } from "../support/lines-out.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
type Kind = "feed" | "json" | "page";

/** What a source sends one day, and why it then counts as not seen. */
interface Case {
  readonly kind: Kind;
  readonly says: string;
  readonly sends: Answer;
}

const type: Readonly<Record<Kind, string>> = {
  feed: "application/rss+xml",
  json: "application/json",
  page: "text/html; charset=utf-8",
};

/** What it sends on good days; `day` is how much it has to tell. */
function good(kind: Kind, day: number): string {
  const days = Array.from({ length: day + 1 }, (_, index) => index);
  const date = (index: number) => new Date(Date.UTC(2026, 4, 17 + index)).toISOString();
  if (kind === "json") return JSON.stringify({ entries: days.map((at) => ({ id: `entry ${at}`, date: date(at) })) });
  if (kind === "feed") return rss(days.map((at) => `<guid>entry-${at}</guid><pubDate>${date(at)}</pubDate>`));
  const paragraphs = days.map(
    (at) => `<p>On day ${at} the makers of this page found ${at + 3} more things to say.</p>`,
  );
  return `<html lang="en"><body><main><h1>Notes</h1>${filler}${paragraphs.join("")}</main></body></html>`;
}

const filler = Array.from(
  { length: 12 },
  (_, index) => `<p>Paragraph ${index} of a page that says at some length nothing of any note at all.</p>`,
).join("");

function rss(items: readonly string[]): string {
  const entries = items.map((item, index) => `<item><title>Entry ${index}</title>${item}</item>`).join("");
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${entries}</channel></rss>`;
}

/** With a tag of its own, which must not be sent back: nothing was read under it. */
const send =
  (status: number, body: string | Buffer = "no", headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { etag: '"bad"', "content-type": "text/html; charset=utf-8", ...headers }).end(body);

const flood = Array.from({ length: 21_000 }, (_, index) => index);
const endless: Answer = (response) => {
  const chunk = Buffer.alloc(256 * 1024, "<p>more</p>");
  const more = () => {
    while (response.writable && response.write(chunk));
  };
  response.writeHead(200, { "content-type": type.page }).on("drain", more);
  more();
};
const never: Answer = () => {};

const cases: Readonly<Record<string, Case>> = {
  forbidden: { kind: "feed", says: "403", sends: send(403) },
  limited: { kind: "page", says: "429, asked to slow down", sends: send(429, "", { "retry-after": "60" }) },
  failing: { kind: "page", says: "500", sends: send(500) },
  gateway: { kind: "json", says: "502", sends: send(502) },
  busy: { kind: "feed", says: "503, asked to slow down", sends: send(503, "", { "retry-after": "60" }) },
  missing: { kind: "page", says: "404, not found", sends: send(404) },
  wall: { kind: "page", says: "bot wall", sends: send(403, "", { "cf-mitigated": "challenge" }) },
  silent: { kind: "page", says: "timed out after 5 s", sends: never },
  reset: { kind: "feed", says: "the connection broke off", sends: (response) => response.destroy() },
  closed: { kind: "json", says: "no connection", sends: never },
  tls: { kind: "feed", says: "TLS failed", sends: never },
  dns: { kind: "page", says: "the host name did not resolve", sends: never },
  empty: { kind: "page", says: "an empty answer", sends: send(200, "") },
  blank: { kind: "json", says: "an empty answer", sends: send(200, " \n ") },
  truncated: {
    kind: "page",
    says: "the answer broke off",
    sends: (response) => {
      response.writeHead(200, { "content-type": type.page, "content-length": "9999" }).write("<html><p>Half");
      setTimeout(() => response.destroy(), 20);
    },
  },
  "cut-feed": { kind: "feed", says: "the answer broke off", sends: send(200, good("feed", 9).slice(0, 300)) },
  "half-loaded": {
    kind: "page",
    says: "only part of the page arrived",
    sends: send(200, "<main><h1>Notes</h1></main>"),
  },
  "html-feed": { kind: "feed", says: "HTML where a feed was expected", sends: send(200, `<!doctype html>${filler}`) },
  "html-json": { kind: "json", says: "HTML where JSON was expected", sends: send(200, `<!doctype html>${filler}`) },
  "bad-xml": { kind: "feed", says: "not well-formed RSS or Atom", sends: send(200, "<a><b></a>") },
  "bad-json": { kind: "json", says: "not well-formed JSON", sends: send(200, '{"entries": [') },
  "flood-feed": {
    kind: "feed",
    says: "more than 20000 entries",
    sends: send(200, rss(flood.map((index) => `<guid>${index}</guid>`))),
  },
  "flood-json": {
    kind: "json",
    says: "more than 20000 entries",
    sends: send(200, JSON.stringify({ entries: flood.map((id) => ({ id: `entry ${id}` })) })),
  },
  selector: { kind: "page", says: "nothing matches main", sends: send(200, `<html><body>${filler}</body></html>`) },
  path: { kind: "json", says: "nothing matches entries", sends: send(200, '{"items": []}') },
  charset: { kind: "page", says: "unreadable character encoding", sends: send(200, Buffer.alloc(5_000, 0x9d)) },
  endless: { kind: "page", says: "larger than 10 MB", sends: endless },
  bomb: {
    kind: "page",
    says: "larger than 20 MB",
    sends: send(200, gzipSync(Buffer.alloc(21_000_000)), { "content-encoding": "gzip" }),
  },
  loop: {
    kind: "page",
    says: "more than 10 redirects",
    sends: (response, { url }) => response.writeHead(302, { location: `${url}x` }).end(),
  },
  inward: {
    kind: "feed",
    says: "refused to connect to 10.0.0.1: not a public address",
    sends: send(302, "", { location: "http://10.0.0.1/" }),
  },
};

const ids = Object.keys(cases);
const folder = mkdtempSync(join(tmpdir(), "recheck-bad-input-"));
const start = Date.UTC(2026, 5, 1, 6);
const hour = 3_600_000;
const day = 24 * hour;

/** What all sources have to tell, and whether they are having their bad day. */
const world = { day: 0, bad: false, now: start };
/** What each source was last asked with. */
const askedWith = new Map<string, string | undefined>();

const server = createServer((request, response) => {
  const id = request.headers.host?.split(".")[0] ?? "";
  const { kind, sends } = cases[id] ?? {};
  if (request.url === "/robots.txt" || kind === undefined) return response.writeHead(404).end();
  askedWith.set(id, request.headers["if-none-match"]);
  if (world.bad) return sends?.(response, request);
  response.writeHead(200, { "content-type": type[kind], etag: `"${world.day}"` }).end(good(kind, world.day));
});

let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
  const options: Readonly<Record<Kind, string>> = {
    feed: "",
    json: ", items: entries, item: { id: id, title: id, date: date }",
    page: ", select: main",
  };
  const sources = ids.map((id) => {
    const { kind = "feed" } = cases[id] ?? {};
    return `  ${id}: { ${kind}: "https://${id}.example.org/"${options[kind]} }`;
  });
  const on = ids.map((id) => `  - ${cases[id]?.kind === "page" ? "change" : "item"}: ${id}`);
  mkdirSync(join(folder, "triggers"));
  writeFileSync(
    join(folder, "sources.yaml"),
    `report: { title: A report, audited: 2026-05-16 }\nratings: { speed: fast }\nsources:\n${sources.join("\n")}\n`,
  );
  writeFileSync(join(folder, "triggers", "all.yaml"), `name: All\nratings: [speed]\non:\n${on.join("\n")}\n`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

/** Where the connection goes: on the bad day to where nobody listens, or through TLS to one who does not speak it. */
function origin({ hostname }: URL): string | undefined {
  if (!world.bad || !hostname.endsWith(".example.org")) return hostname.endsWith(".example.org") ? here() : undefined;
  if (hostname.startsWith("dns.")) return undefined;
  if (hostname.startsWith("closed.")) return "http://127.0.0.1:1";
  return hostname.startsWith("tls.") ? `https://127.0.0.1:${port}` : here();
}
const here = () => `http://127.0.0.1:${port}`;
const nowhere: LookupFunction = (name, _, done) =>
  done(Object.assign(new Error(`no ${name}`), { code: "ENOTFOUND" }), []);

function settings(): Settings {
  const env = { RECHECK_DATA: join(folder, "data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
  const common = settingsFrom(env, { config: folder });
  // Longer than a busy machine takes for the other answers of the bad day: one source alone waits for it in vain.
  const fetch = { ...common.fetch, origin, lookup: nowhere, pause: 0, timeout: 5_000 };
  return { ...common, clock: { now: () => world.now }, fetch };
}

/** The whole command; its checks by source. */
async function scanAt(at: Instant): Promise<ReadonlyMap<string, Check>> {
  world.now = at;
  const { out, lines } = linesOut(() => {});
  const code = await scanCommand(settings(), { json: true }, out);
  const checks: Check[] = JSON.parse(lines.join("\n")).scan.checks;
  // Where every source sends what cannot be read, nothing was seen.
  const isBlind = checks.length > 0 && checks.every(({ outcome }) => outcome === "unknown");
  expect([exits.done, isBlind ? exits.unseen : exits.done]).toContain(code);
  return new Map(checks.map((check) => [check.source, check]));
}

async function stored<T>(read: (store: Store) => Promise<T>): Promise<T> {
  const { store, close } = await openStored(settings());
  return read(store).finally(close);
}

/** All that a check may leave behind but its own trouble. */
function kept(id: string) {
  return stored(async (store) => {
    const watch = (await store.watches()).find(({ source }) => source === id);
    const { validators, hash, firstSeen, lastSeen, lastChange, pending, gone } = watch ?? {};
    const firings = (await store.firings()).filter(({ evidence }) => evidence.some(({ source }) => source === id));
    return {
      watch: { validators, hash, firstSeen, lastSeen, lastChange, pending, gone },
      memory: await store.memory(id),
      snapshots: await store.snapshots(id, 9),
      events: await store.events(id),
      firings,
    };
  });
}

describe("a source that sends what cannot be read", () => {
  const before = new Map<string, Awaited<ReturnType<typeof kept>>>();
  let checks: ReadonlyMap<string, Check>;
  const after = new Map<string, Awaited<ReturnType<typeof kept>>>();
  let next: ReadonlyMap<string, Check>;
  const asked = new Map<string, string | undefined>();
  const firings = new Map<string, number>();

  beforeAll(async () => {
    const first = await scanAt(start);
    expect([...first.values()].map(({ outcome }) => outcome)).toEqual(ids.map(() => "first"));
    for (const id of ids) before.set(id, await kept(id));
    Object.assign(world, { bad: true, day: 1 });
    checks = await scanAt(start + 2 * day);
    for (const id of ids) after.set(id, await kept(id));
    world.bad = false;
    next = await scanAt(start + 4 * day);
    for (const [id, tag] of askedWith) asked.set(id, tag);
    await scanAt(start + 4 * day + 6 * hour);
    for (const id of ids) firings.set(id, (await kept(id)).firings.length);
  }, 300_000);

  test.each(ids)("%s: is unknown, with the reason", (id) => {
    expect(checks.get(id)).toMatchObject({
      outcome: "unknown",
      failure: { says: expect.stringContaining(cases[id]?.says ?? ""), count: 1 },
      firings: [],
    });
  });

  test.each(ids)("%s: leaves validators, snapshot, memory and firings as they were", (id) => {
    expect(before.get(id)?.watch.validators).toEqual({ etag: '"0"' });
    expect(before.get(id)?.snapshots).toHaveLength(1);
    expect(after.get(id)).toEqual(before.get(id));
  });

  test.each(ids)("%s: is asked again as if nothing had been, and then reports its news once", (id) => {
    expect(asked.get(id)).toBe('"0"');
    const page = cases[id]?.kind === "page";
    expect(next.get(id)?.outcome).toBe(page ? "unchanged" : "changed");
    expect(next.get(id)?.sightings).toHaveLength(page ? 1 : 0);
    // An entry newer than the audit fires at the first check; a page begins with its baseline.
    expect(firings.get(id)).toBe(page ? 1 : 2);
  });
});
