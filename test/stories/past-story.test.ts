import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { claimsCommand } from "../../src/faces/cli/claims.ts";
import { explainCommand } from "../../src/faces/cli/explain/index.ts";
import { initCommand } from "../../src/faces/cli/init/index.ts";
import { statusCommand } from "../../src/faces/cli/status.ts";
import type { Terminal } from "../../src/faces/cli/terminal.ts";
import { sync } from "../../src/recheck/sync.ts";
import { scan } from "../../src/watch/scan.ts";
import { loadConfig } from "../../src/wire/config.ts";
import { wire } from "../../src/wire/program.ts";
import type { Settings } from "../../src/wire/settings.ts";
import { type LocalGitHub, startGitHub } from "../github/server.ts";
import { linesOut } from "../support/lines-out.ts";
import { archiveHost, type LocalArchive, localArchive, stamp, timegate } from "../support/local-archive.ts";
import { page } from "../support/story.ts";

/** A report was audited in May, and gets its Recheck in November: the first scan tells what has changed in between. */

const audit = Date.UTC(2026, 4, 16);
const installed = Date.UTC(2026, 10, 20, 9);
const hour = 3_600_000;
const site = "https://docs.example.org";

const config = `report: { title: State of engines, audited: 2026-05-16 }
levels: [Low, Medium, High]
ratings: { memory: High, offline: Medium, windows: Low, limits: Medium, speed: High, price: Low }
baseline: archive
sources:
  memory:
    title: The memory page
    page: ${site}/memory
    claims: { most: { says: An engine has up to 512 GB., value: 512 GB, of: memory, ratings: [memory] } }
  offline:
    page: ${site}/offline
    claims: { works: { says: It works offline., quote: every zoom level renders without a network, ratings: [offline] } }
  windows:
    page: ${site}/windows
    claims: { none: { says: There is no engine for Windows., absent: Windows build, ratings: [windows] } }
  limits: { page: ${site}/limits }
  speed:
    page: ${site}/speed
    claims: { fast: { says: It renders 60 frames., value: 60 frames, ratings: [speed] } }
  price:
    page: ${site}/price
    claims: { free: { says: It is free., quote: free of charge for everybody, ratings: [price] } }
  plain: { page: ${site}/plain }
`;
const trigger = `name: Limits
ratings: [limits]
on:
  - { change: limits, under: Limits }
`;

/** By path: what the page said in May, and what it says in November. `undefined`: nobody archived it. */
const pages: Readonly<Record<string, readonly [may: string | undefined, november: string]>> = {
  memory: [
    page("<h2>Memory</h2><p>An engine has up to 512 GB of memory.</p>"),
    page("<h2>Memory</h2><p>An engine has up to 96 GB of memory.</p>"),
  ],
  offline: [
    page(
      "<h2>Networks</h2><p>Once it is loaded, every zoom level renders without a network.</p><p>See also below.</p>",
    ),
    page("<h2>Networks</h2><p>Tiles are fetched from our servers whenever they are shown.</p><p>See also below.</p>"),
  ],
  windows: [
    page("<h2>Systems</h2><p>There are engines for Linux and macOS.</p>"),
    page("<h2>Systems</h2><p>There are engines for Linux and macOS, and a Windows build.</p>"),
  ],
  limits: [
    page("<h2>Limits</h2><p>At most 100 layers are drawn.</p>"),
    page("<h2>Limits</h2><p>At most 20 layers are drawn.</p>"),
  ],
  speed: [
    page("<h2>Speed</h2><p>It renders 60 frames a second.</p><p>Since March.</p>"),
    page("<h2>Speed</h2><p>It renders 60 frames a second.</p><p>Since June.</p>"),
  ],
  price: [undefined, page("<h2>Price</h2><p>It is free of charge for everybody.</p>")],
  plain: [page("<p>Nobody asks about this one.</p>"), page("<p>It is another one now.</p>")],
};

const folders = mkdtempSync(join(tmpdir(), "recheck-past-"));
/** The pages as they are now. */
const live = new Map<string, string>();
let archive: LocalArchive;
let github: LocalGitHub;
let settings: Settings;
let now = installed;
let stories = 0;

const server = createServer((request, response) => {
  if (request.headers.host === archiveHost) return archive.answer(request, response);
  const body = live.get((request.url ?? "").slice(1));
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(body);
});

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  now = installed;
  archive = localArchive();
  for (const [name, [may, november]] of Object.entries(pages)) {
    live.set(name, november);
    const copies = may === undefined ? [] : [{ at: audit - 40 * hour, body: may }];
    archive.copies.set(`${site}/${name}`, copies);
  }
  github = await startGitHub({ repo: "example/engines" });
  const folder = join(folders, String(stories++));
  mkdirSync(join(folder, "triggers"), { recursive: true });
  writeFileSync(join(folder, "sources.yaml"), config);
  writeFileSync(join(folder, "triggers", "limits.yaml"), trigger);
  settings = {
    config: folder,
    data: join(folder, "data"),
    repo: github.repo,
    auth: { token: github.token },
    githubApi: github.url,
    clock: { now: () => now },
    archive: { timegate },
    fetch: {
      allowAddresses: parseRanges("127.0.0.0/8"),
      pause: 0,
      origin: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    github: { patience: false, fetch: github.fetch },
  };
});

afterEach(async () => {
  await github.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folders, { recursive: true, force: true });
});

/** One run; what it fired, by source, and how its sources were seen. */
async function run() {
  const program = await wire(settings);
  try {
    const done = await scan(program.world);
    await sync({ ...program.outbox, github: program.github });
    const watches = new Map((await program.world.store.watches()).map((watch) => [watch.source, watch]));
    return { firings: done.firings, outage: done.outage, checks: done.checks, watches };
  } finally {
    await program.close();
  }
}

type Run = Awaited<ReturnType<typeof run>>;

/** Firings as lines: trigger, weight, what became of what. */
function told({ firings }: Run): string[] {
  return firings
    .map(({ trigger, weight, evidence }) => {
      const change = evidence[0]?.change;
      const sides =
        change?.kind === "claim"
          ? `${change.claim} ${change.to}: ${change.before ?? ""} → ${change.after ?? ""}`
          : change?.kind === "block"
            ? `${change.before?.text} → ${change.after?.text}`
            : "";
      return `${trigger} ${weight} ${sides}`;
    })
    .toSorted();
}

const sinceTheAudit = [
  "claims contrary memory/most altered: An engine has up to 512 GB of memory → An engine has up to 96 GB of memory",
  "claims contrary offline/works gone: every zoom level renders without a network → Tiles are fetched from our servers whenever they are shown.",
  "claims contrary windows/none contradicted:  → There are engines for Linux and macOS, and a Windows build",
  "limits routine At most 100 layers are drawn. → At most 20 layers are drawn.",
];

/** As a Recheck without an archive would tell it: another figure, what was to be absent, and a proof that is not there. */
const asOfNow = [
  "not-found contrary memory/most not found:  → An engine has up to 96 GB of memory",
  "not-found contrary windows/none not found:  → There are engines for Linux and macOS, and a Windows build",
  "not-found routine offline/works not found:  → ",
];

const issues = (): Promise<{ title: string; body: string }[]> =>
  github.asPerson("GET", "/issues?state=all&direction=asc");

const quiet = (lines: string[] = []): Terminal => {
  const line = (text = "") => void lines.push(text);
  return { line, note: line, paint: (_, text) => text, live: false };
};

test("the first scan reports the changes since the audit, and nothing else", async () => {
  const first = await run();
  expect(told(first)).toEqual(sinceTheAudit);
  expect((await issues()).map(({ title }) => title)).toHaveLength(2);
  const past = (name: string) => first.watches.get(name)?.past;
  expect(past("memory")).toEqual({
    tries: 1,
    copy: { url: `${timegate}${stamp(audit - 40 * hour)}/${site}/memory`, at: audit - 40 * hour },
  });
  expect(past("price")).toEqual({ tries: 1, says: `${archiveHost} has no copy of it` });
  expect(past("plain")).toBeUndefined();

  archive.asked.length = 0;
  now += 24 * hour;
  expect(told(await run())).toEqual([]);
  expect(archive.asked.filter((one) => !/memory|offline|windows|robots/.test(one))).toEqual([]);
});

test("status and explain show for each source how its changes are known", async () => {
  archive.copies.set(`${site}/speed`, [{ at: Date.UTC(2025, 0, 3), body: pages.speed?.[0] ?? "" }]);
  archive.copies.set(`${site}/limits`, [
    {
      at: audit - 40 * hour,
      body: `<!doctype html><title>Sign in</title><form>Password <input type="password"></form>`,
    },
  ]);
  await run();
  const { out, lines } = linesOut();
  await statusCommand(settings, {}, out);
  const from = lines.indexOf("  Baseline");
  expect(lines.slice(from, from + 6)).toEqual([
    "  Baseline",
    "  · the archived copy of 2026-05-14, 40 h before the audit  memory, offline, windows",
    expect.stringMatching(/^ {2}· the first check, 2026-11-20: the copy of 2026-05-14: .+ {2}limits$/),
    "  · the first check, 2026-11-20: the nearest copy was made on 2025-01-03, 498 days before the audit: too far from it  speed",
    `  · the first check, 2026-11-20: ${archiveHost} has no copy of it  price`,
    "  · the first check, 2026-11-20: no archived copy was asked for  plain",
  ]);
  lines.length = 0;
  await explainCommand("memory", settings, {}, out);
  expect(lines).toContain(
    `Baseline: the archived copy of 2026-05-14, 40 h before the audit. ${timegate}${stamp(audit - 40 * hour)}/${site}/memory`,
  );
});

test("claims that were not found are judged once config looks back, though it did not at the first check; passages are not", async () => {
  const file = join(settings.config, "sources.yaml");
  writeFileSync(file, config.replace("baseline: archive\n", ""));
  expect(told(await run())).toEqual(asOfNow);
  expect(archive.asked).toEqual([]);
  writeFileSync(file, config);
  now += 24 * hour;
  const later = await run();
  expect(told(later)).toEqual(sinceTheAudit.filter((one) => one.startsWith("claims")));
  const asked = archive.asked.filter((one) => one.startsWith(`GET /web/${site}/`));
  const names = new Set(asked.map((one) => one.slice(`GET /web/${site}/`.length)));
  expect([...names].toSorted()).toEqual(["memory", "offline", "windows"]);
  const lines: string[] = [];
  await statusCommand(settings, {}, quiet(lines));
  expect(lines).toContainEqual(
    expect.stringContaining(
      "· the first check, 2026-11-20: no archived copy was asked for; claims compared with the archived copy of 2026-05-14, 40 h before the audit  memory, offline, windows",
    ),
  );
});

describe("a copy that is not the page of May proves nothing", () => {
  const german = `<!doctype html><html lang="de"><head><title>Handbuch</title></head><body><main><h1>Handbuch</h1>${Array.from(
    { length: 8 },
    (_, i) =>
      `<h2>Kapitel ${i}</h2><p>Das Kapitel ${i} sagt recht ausführlich, wozu die Maschine gut ist und wo sie endet.</p>`,
  ).join("")}</main></body></html>`;

  test.each([
    [
      "a login",
      `<!doctype html><title>Sign in</title><form><input type="password" name="password"></form>`,
      ": login page",
    ],
    ["another language", german, " and the page cannot be compared: in de, before in en"],
    [
      "the beginning of it",
      page("<h2>Memory</h2><p>An engine has up to 512 GB of memory.</p>").slice(0, 260),
      " and the page cannot be compared: only part of the page arrived",
    ],
    [
      "an error page",
      "<!doctype html><title>404 Not Found</title><h1>404 Not Found</h1>",
      ": a page that says it does not exist",
    ],
    ["nothing", "<!doctype html><title></title>", ": an empty answer"],
    [
      "a page that needs a browser",
      '<!doctype html><title>App</title><div id="root"></div><script src="a.js"></script>',
      ": a page that only shows its text in a browser",
    ],
  ])("%s", async (_, body, says) => {
    archive.copies.set(`${site}/memory`, [{ at: audit - 40 * hour, body }]);
    const first = await run();
    expect(told(first)).toEqual([...sinceTheAudit.slice(1), asOfNow[0]]);
    const past = first.watches.get("memory")?.past;
    expect(past).toMatchObject({ tries: 1, says: `the copy of 2026-05-14${says}` });
    expect(past?.copy).toBeUndefined();
  });

  test("if the nearest one is not, the next nearest may be", async () => {
    archive.copies.set(`${site}/memory`, [
      { at: audit - 40 * hour, body: german },
      { at: audit + 60 * hour, body: pages.memory?.[0] ?? "" },
    ]);
    const first = await run();
    expect(told(first)).toEqual(sinceTheAudit);
    expect(first.watches.get("memory")?.past?.copy?.at).toBe(audit + 60 * hour);
  });
});

describe("contrary changes are shown by copies that last", () => {
  /** The lines of the first issue about archived copies. */
  const archived = async () => (await issues())[0]?.body.match(/\[archived before,.*$/gm);
  /** A browser opens a copy at the passage that it is to show. */
  const passage = (text: string) => `#:~:text=${encodeURIComponent(text)}`;
  const wereThere: Readonly<Record<string, string>> = {
    memory: passage("An engine has up to 512 GB of memory"),
    offline: passage("every zoom level renders without a network"),
  };
  const ofMay = (name: string) =>
    `[archived before, 2026-05-14](${timegate}${stamp(audit - 40 * hour)}/${site}/${name}${wereThere[name] ?? ""}), 40 h before the audit`;
  const contrary = ["memory", "offline", "windows"];
  const save = "https://archive.example.org/save/";
  const keys = { address: save, accessKey: "open", secretKey: "sesame" };

  /** The archive is asked to keep pages, and what comes of it. */
  function saving(status: number, body: string): { url?: string; authorization?: string }[] {
    const wishes: { url?: string; authorization?: string }[] = [];
    settings = { ...settings, archive: { timegate, save: keys } };
    archive.fault = ({ url, headers }, response) => {
      if (!url?.startsWith("/save/")) return false;
      wishes.push({ url, authorization: headers.authorization });
      response.writeHead(status, { "content-type": "application/json" }).end(body);
      return true;
    };
    return wishes;
  }

  test("of before at once, of since as soon as there are any; each must show what it is to show", async () => {
    await run();
    const none = `${archiveHost} has no copy yet that shows it`;
    expect(await archived()).toEqual(contrary.map((name) => `${ofMay(name)} · ${none}`));

    // A copy of an error page, and one of the page as it was, show nothing of what has come.
    archive.copies.get(`${site}/memory`)?.push({ at: now + hour, body: page("<p>An error has occurred.</p>") });
    archive.copies.get(`${site}/offline`)?.push({ at: now + hour, body: pages.offline?.[0] ?? "" });
    archive.copies.get(`${site}/windows`)?.push({ at: now + hour, body: pages.windows?.[1] ?? "" });
    now += 2 * hour;
    await run();
    const since = `[archived since, 2026-11-20](${timegate}${stamp(installed + hour)}/${site}/windows${passage("There are engines for Linux and macOS, and a Windows build")})`;
    expect(await archived()).toEqual([
      `${ofMay("memory")} · ${none}`,
      `${ofMay("offline")} · ${none}`,
      `${ofMay("windows")} · ${since}`,
    ]);

    // Asked ever more seldom, and at last no more.
    for (const day of [1, 3, 7, 14, 21]) {
      now = installed + day * 24 * hour;
      await run();
    }
    archive.asked.length = 0;
    now += 24 * hour;
    await run();
    expect(archive.asked).toEqual([]);
    expect((await archived())?.[0]).toBe(`${ofMay("memory")} · ${archiveHost} has no copy that shows it`);
  });

  test("are looked for again once a clock is right that was 20 days ahead", async () => {
    now += 20 * 24 * hour;
    await run();
    now -= 20 * 24 * hour;
    archive.asked.length = 0;
    await run();
    for (const name of contrary) expect(archive.asked.join("\n")).toContain(`${site}/${name}`);
  });

  test("of a passage that went, and nothing came for it, only a copy of the page itself shows that", async () => {
    const [may = "", none] = [pages.offline?.[0], page("<h2>Networks</h2><p>See also below.</p>")];
    live.set("offline", none);
    archive.copies.set(`${site}/offline`, [{ at: audit - 40 * hour, body: may }]);
    archive.copies
      .get(`${site}/offline`)
      ?.push({ at: installed - hour, body: page("").replaceAll("Chapter", "Section") });
    expect(told(await run())[1]).toBe(
      "claims contrary offline/works gone: every zoom level renders without a network → ",
    );
    const line = async () => (await archived())?.find((one) => one.includes("/offline"));
    expect(await line()).toBe(`${ofMay("offline")} · ${archiveHost} has no copy yet that shows it`);
    archive.copies.get(`${site}/offline`)?.push({ at: now + hour, body: none });
    now += 2 * hour;
    await run();
    expect(await line()).toContain("[archived since, 2026-11-20]");
  });

  test("if the operator wants it, the archive is asked for one, once, with keys that go nowhere else", async () => {
    const wishes = saving(200, '{"url":"…","job_id":"spn2-1"}');
    await run();
    const asked = `${archiveHost} was asked on 2026-11-20 to save a copy`;
    expect(await archived()).toEqual(contrary.map((name) => `${ofMay(name)} · ${asked}`));
    const wished = contrary.map((name) => ({ url: `/save/${site}/${name}`, authorization: "LOW open:sesame" }));
    expect(wishes.toSorted((a, b) => (a.url ?? "").localeCompare(b.url ?? ""))).toEqual(wished);

    for (let days = 1; days < 5; days++) {
      now += 24 * hour;
      await run();
    }
    expect(wishes).toHaveLength(3);
    for (const name of contrary) archive.copies.get(`${site}/${name}`)?.push({ at: now, body: pages[name]?.[1] ?? "" });
    now += 8 * 24 * hour;
    await run();
    expect((await archived())?.every((line) => line.includes("[archived since, 2026-11-24]"))).toBe(true);
  });

  test.each([
    [429, "", "429, asked to slow down"],
    [401, "", "401"],
    [302, "", "302 without an address to go to"],
    [200, '{"status":"error","status_ext":"error:blocked"}', "an error page"],
  ])("if it answers %d %s the issue says so", async (status, body, says) => {
    const wishes = saving(status, body);
    await run();
    expect((await archived())?.[0]).toBe(`${ofMay("memory")} · ${archiveHost} refused to save a copy: ${says}`);
    now += 24 * hour;
    await run();
    expect(new Set(wishes.map(({ url }) => url)).size).toBe(wishes.length);
  });

  test("a wish that was on its way when Recheck was killed is not sent again", async () => {
    const wishes = saving(200, "{}");
    const program = await wire(settings);
    const { world } = program;
    await scan({
      ...world,
      archive: world.archive && { ...world.archive, save: () => Promise.reject(new Error("killed")) },
    }).catch(() => {});
    await program.close();
    now += 2 * hour;
    await run();
    expect(wishes.filter(({ url }) => url?.endsWith("/memory"))).toEqual([]);
  });

  test("a change that was seen to happen is shown by the copies around it", async () => {
    const slow = page("<h2>Speed</h2><p>It renders 20 frames a second.</p><p>Since June.</p>");
    archive.copies.get(`${site}/speed`)?.push({ at: installed - 72 * hour, body: live.get("speed") ?? "" });
    await run();
    now += 24 * hour;
    live.set("speed", slow);
    expect(told(await run())).toEqual([]);
    archive.copies.get(`${site}/speed`)?.push({ at: now + hour, body: slow });
    now += 7 * hour;
    expect(told(await run())).toEqual([
      "claims contrary speed/fast altered: It renders 60 frames a second → It renders 20 frames a second",
    ]);
    const at = (time: number) => `${timegate}${stamp(time)}/${site}/speed`;
    expect(await archived()).toContain(
      `[archived before, 2026-11-17](${at(installed - 72 * hour)}${passage("It renders 60 frames a second")}) · [archived since, 2026-11-21](${at(installed + 25 * hour)}${passage("It renders 20 frames a second")})`,
    );
  });
});

describe("claims that a source proved at the audit, and does not prove any more", () => {
  const report = `# Engines

*Last checked: 2026-05-16.*

| engine | memory | speed |
|---|---|---|
| Big Engine | High | Low |
| Small Wheels | Low | Medium |

The Big Engine has up to 128 GB of memory [1]. It renders 60 frames a second [2].

## References

1. Memory. ${site}/memory
2. Speed. ${site}/speed
`;
  const memory = (gigabytes: number) =>
    page(`<h2>Memory</h2><p>The Big Engine has up to ${gigabytes} GB of memory.</p>`);

  const withoutClaims = (text: string) => text.replace(/^ +claims:\n(?: {6,}.*\n)+/m, "");

  /** \`init\` in a folder of its own, with a report of May; what it printed, and what is in its config. */
  async function init() {
    rmSync(settings.config, { recursive: true, force: true });
    mkdirSync(settings.config, { recursive: true });
    const file = join(settings.config, "report.md");
    writeFileSync(file, report);
    const { out: terminal, lines } = linesOut();
    await initCommand(file, settings, {}, terminal);
    const { sources } = await loadConfig(settings.config);
    return { out: lines.join("\n"), claims: [...sources.values()].flatMap((source) => source.claims) };
  }

  beforeEach(() => {
    live.set("memory", memory(192));
    live.set("speed", pages.speed?.[0] ?? "");
    archive.copies.set(`${site}/memory`, [{ at: audit - 40 * hour, body: memory(128) }]);
  });

  test("are drafted from the copy nearest it, and reported as altered at the first check", async () => {
    const { out, claims } = await init();
    expect(out).toContain("0 confirmed by the sources today, 1 more by their state at the audit.");
    expect(claims).toEqual([
      expect.objectContaining({
        says: "The Big Engine has up to 128 GB of memory.",
        proof: { value: "128 GB", of: "Big Engine memory" },
        ratings: ["memory/big-engine"],
      }),
    ]);
    expect(told(await run())).toEqual([
      "memory contrary memory/big-engine-memory altered: The Big Engine has up to 128 GB of memory → The Big Engine has up to 192 GB of memory",
    ]);
  });

  test("are not asked for of a source that proves all that is said of it", async () => {
    live.set("memory", memory(128));
    const { claims } = await init();
    expect(claims).toHaveLength(1);
    expect(archive.asked.filter((one) => one.includes("/memory"))).toEqual([]);
    expect(told(await run())).toEqual([]);
  });

  test.each<readonly [string, () => void]>([
    ["is down", () => (archive.fault = (request) => request.socket.destroy() && true)],
    ["is empty", () => archive.copies.clear()],
    [
      "has another page there",
      () =>
        archive.copies.set(`${site}/memory`, [
          { at: audit, body: page("The Big Engine has up to 128 GB of memory.").slice(0, 240) },
        ]),
    ],
    [
      "has a copy of last year",
      () => archive.copies.set(`${site}/memory`, [{ at: audit - 400 * 24 * hour, body: memory(128) }]),
    ],
  ])(
    "are claims that the source contradicts today, since nobody knows when, where the archive %s",
    async (_, spoil) => {
      spoil();
      const { out, claims } = await init();
      expect(out).toContain("0 confirmed by the sources today.");
      expect(claims).toMatchObject([{ proof: { value: "128 GB", of: "Big Engine memory" } }]);
      expect(out).toContain("1 thing in this report is out of date");
    },
  );

  describe("of a source that is watched already", () => {
    const altered =
      "memory contrary memory/big-engine-memory altered: The Big Engine has up to 128 GB of memory → The Big Engine has up to 192 GB of memory";
    const notFound =
      "not-found contrary memory/big-engine-memory not found:  → The Big Engine has up to 192 GB of memory";
    const askedFor = () => archive.asked.filter((one) => one.endsWith("/memory"));

    /** Watched without the claim for two days, then it is written into config. */
    async function claimedLater() {
      archive.fault = (request) => request.socket.destroy() && true;
      await init();
      const file = join(settings.config, "sources.yaml");
      writeFileSync(file, withoutClaims(readFileSync(file, "utf8")));
      await run();
      archive.fault = undefined;
      now += 24 * hour;
      await run();
      await claimsCommand(join(settings.config, "report.md"), settings, { write: true }, quiet());
      archive.asked.length = 0;
      now += 24 * hour;
    }

    test("are reported as altered at the next check, and nothing else is", async () => {
      await claimedLater();
      expect(told(await run())).toEqual([altered]);
      const [issue] = (await issues()).filter(({ body }) => body.includes("128 GB"));
      expect(issue?.body).toContain("changed since 2026-05-14");
      now += 24 * hour;
      const after = await run();
      expect(told(after)).toEqual([]);
      expect(after.watches.get("memory")?.claimsPast).toMatchObject({ tries: 1, copy: { at: audit - 40 * hour } });
    });

    test("are reported as not found, once, if the archive has none of them", async () => {
      await claimedLater();
      archive.copies.clear();
      expect(told(await run())).toEqual([notFound]);
      expect(askedFor()).toHaveLength(1);
      now += 24 * hour;
      expect(told(await run())).toEqual([]);
      expect(askedFor()).toHaveLength(1);
    });

    test("are reported as not found while the archive does not answer, and as altered once it does", async () => {
      await claimedLater();
      archive.fault = (request) => request.socket.destroy() && true;
      expect(told(await run())).toEqual([notFound]);
      archive.fault = undefined;
      now += 2 * hour;
      expect(told(await run())).toEqual([altered]);
    });

    test("are reported as altered once a clock is right that was 20 days ahead as the archive did not answer", async () => {
      await claimedLater();
      archive.fault = (request) => request.socket.destroy() && true;
      now += 20 * 24 * hour;
      expect(told(await run())).toEqual([notFound]);
      archive.fault = undefined;
      now -= 20 * 24 * hour;
      expect(told(await run())).toEqual([altered]);
    });

    test("are not asked for if the page proves them", async () => {
      await claimedLater();
      const file = join(settings.config, "sources.yaml");
      const text = readFileSync(file, "utf8");
      expect(text).toContain('value: "128 GB"');
      writeFileSync(file, text.replace('value: "128 GB"', 'value: "192 GB"'));
      expect(told(await run())).toEqual([]);
      expect(archive.asked).toEqual([]);
    });
  });

  test("are left out if config does not look back", async () => {
    await init();
    const file = join(settings.config, "sources.yaml");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, withoutClaims(text.replace(/^baseline:.*\n/m, "")));
    archive.asked.length = 0;
    const { out: terminal, lines } = linesOut();
    await claimsCommand(join(settings.config, "report.md"), settings, {}, terminal);
    expect(lines.join("\n")).toContain("0 confirmed by the sources today.");
    expect(archive.asked).toEqual([]);
  });
});

describe("an archive that is of no use holds up nothing", () => {
  const all = () => [...archive.copies.values()].flat();
  const saysOf = ({ watches }: Run) =>
    new Set([...watches.values()].flatMap(({ past }) => (past?.says === undefined ? [] : [past.says])));

  const cases: Record<string, { spoil(): void; says: readonly string[]; later: boolean }> = {
    "it is down": {
      spoil: () => {
        archive.fault = (request) => request.socket.destroy() && true;
      },
      says: [`${archiveHost}: robots.txt: the connection broke off`, "the archive does not answer"],
      later: true,
    },
    "it is slow": {
      spoil: () => {
        settings = { ...settings, fetch: { ...settings.fetch, timeout: 4_000 } };
        archive.fault = (request) => request.url !== "/robots.txt";
      },
      says: [`${archiveHost}: timed out after 4 s`, "the archive does not answer"],
      later: true,
    },
    "it asks to slow down": {
      spoil: () => {
        archive.fault = (request, response) =>
          request.url !== "/robots.txt" && Boolean(response.writeHead(429, { "retry-after": "1800" }).end());
      },
      says: [`${archiveHost}: 429, asked to slow down`, "the archive does not answer"],
      later: true,
    },
    "it is empty": { spoil: () => archive.copies.clear(), says: [`${archiveHost} has no copy of it`], later: false },
    "its copies are far from the audit": {
      spoil: () => {
        for (const [url, [copy]] of archive.copies)
          if (copy) archive.copies.set(url, [{ ...copy, at: Date.UTC(2025, 0, 3) }]);
      },
      says: [
        "the nearest copy was made on 2025-01-03, 498 days before the audit: too far from it",
        `${archiveHost} has no copy of it`,
      ],
      later: false,
    },
    "it leads to later copies": {
      spoil: () => {
        archive.fault = ({ url = "" }, response) => {
          const [, page] = /^\/web\/20260514\d{6}(?:id_)?\/(.+)$/.exec(url) ?? [];
          if (page === undefined) return false;
          response.writeHead(302, { location: `${timegate}${stamp(installed - 24 * hour)}id_/${page}` }).end();
          return true;
        };
      },
      says: [
        "the nearest copy was made on 2026-11-19, 187 days after the audit: too far from it",
        `${archiveHost} has no copy of it`,
      ],
      later: false,
    },
    "it answers with pages of its own": {
      spoil: () => {
        archive.fault = ({ url }, response) =>
          url !== "/robots.txt" &&
          Boolean(response.writeHead(200, { "content-type": "text/html" }).end("<title>Being mended</title>"));
      },
      says: ["the archive answers with a page of its own"],
      later: false,
    },
    "it lies about dates": {
      spoil: () => {
        for (const [url, [copy]] of archive.copies) {
          const sent = { "last-modified": "Mon, 02 Nov 2026 08:00:00 GMT" };
          if (copy) archive.copies.set(url, [{ ...copy, sent }]);
        }
      },
      says: ["the archive dates the copy 2026-05-14, but the page was sent later", `${archiveHost} has no copy of it`],
      later: false,
    },
  };

  test("a change that waits for its second check is shown to wait all the same", async () => {
    archive.fault = (request) => request.socket.destroy() && true;
    await run();
    live.set("speed", page("<h2>Speed</h2><p>It renders 20 frames a second.</p><p>Since June.</p>"));
    now += 24 * hour;
    await run();
    const { out, lines } = linesOut();
    await statusCommand(settings, {}, out);
    expect(lines.find((text) => text.includes("20 frames"))).toContain("◌ speed");
  });

  test("it gives the page of today for that of May: that differs in nothing", async () => {
    for (const [name, body] of live) if (name !== "price") archive.copies.set(`${site}/${name}`, [{ at: audit, body }]);
    const first = await run();
    expect(told(first)).toEqual(asOfNow);
    expect(first.watches.get("memory")?.past?.copy?.at).toBe(audit);
  });

  test.each(Object.keys(cases))("%s", async (name) => {
    const { spoil, says, later } = cases[name] ?? cases["it is empty"] ?? expect.fail();
    expect(all()).toHaveLength(6);
    spoil();
    const first = await run();
    expect(told(first)).toEqual(asOfNow);
    expect(first.outage).toBe(false);
    expect(first.checks.map(({ outcome }) => outcome)).toEqual(Array(7).fill("first"));
    expect([...first.watches.values()].filter(({ trouble }) => trouble)).toEqual([]);
    expect([...saysOf(first)].toSorted()).toEqual(says.toSorted());

    // Once it answers, the past is told after all.
    archive.fault = undefined;
    now += 2 * hour;
    expect(told(await run())).toEqual(later ? sinceTheAudit : []);
  });
});
