import { mkdirSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { type AuditedScan, type FirstScanOptions, scanAndAudit } from "../../src/audit/first-scan.ts";
import { placeText } from "../../src/model/words.ts";
import { firstFindings } from "../../src/recheck/first-check.ts";
import { status } from "../../src/status/status.ts";
import type { World } from "../../src/watch/check.ts";
import { scan } from "../../src/watch/scan.ts";
import { wire } from "../../src/wire/program.ts";
import type { Settings } from "../../src/wire/settings.ts";
import { type Answer, json, type LocalWeb, openWeb, page, prose } from "../faces/cli/add/web.ts";
import { configOf } from "../support/config-of.ts";
import { startProgram } from "../support/program.ts";
import { works } from "../support/works.ts";

/** What only an audit finds is said once, whatever comes between the first scan and its audit. */

const start = Date.UTC(2026, 10, 20);
const aDay = 86_400_000;

const moved = (to: string): Answer => ({ status: 301, headers: { location: `https://${to}` } });
const answers: Record<string, Answer> = {
  "oxbow.example/school": moved("oxbow.example/lessons"),
  "oxbow.example/lessons": page("Lessons", "", `<h1>Lessons</h1>${prose("lessons", 14)}`),
  "tidewell.example/tour": moved("tidewell.example/round"),
  "tidewell.example/round": page("Round", "", `<h1>Round</h1>${prose("rounds", 14)}`),
};

const readme = `# State of Gauges

- [The school](chapters/school.md)
- [The tour](chapters/tour.md)
`;
const chapters = {
  "chapters/school.md": "# School\n\nThe [school of Oxbow](https://oxbow.example/school) explains it.\n",
  "chapters/tour.md": "# Tour\n\nThe [tour of Tidewell](https://tidewell.example/tour) explains the rest.\n",
};

/** A work without an address. */
const listed =
  "## References\n\n1. Plover, J. (2015). Ropes that no hand has ever twisted. *Journal of Kites*, 4(2), 11-19.\n";

const config = `report: { title: State of Gauges, audited: 2026-06-01, text: README.md }
sources:
  school: { page: https://oxbow.example/school, cites: [1] }
  tour: { page: https://tidewell.example/tour, cites: [2] }
`;

let web: LocalWeb;
let folder: string;
let now = start;
const settings = (): Settings => ({
  config: folder,
  data: join(folder, "data"),
  clock: { now: () => now },
  auth: { token: "t" },
  fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0 },
});

function write(path: string, text: string): void {
  writeFileSync(join(folder, path), text);
}

beforeEach(async () => {
  now = start;
  web = await openWeb(answers);
  folder = mkdtempSync(join(tmpdir(), "recheck-first-audit-"));
  write("sources.yaml", config);
  write("README.md", `${readme}\n${Object.values(chapters).join("\n")}`);
});
afterEach(async () => {
  await web.close();
  rmSync(folder, { recursive: true });
});

/** One run of the program. `change`: what is different about its world. */
async function run(
  options: Partial<FirstScanOptions> = {},
  change: (world: World) => World = (world) => world,
): Promise<AuditedScan> {
  const program = await wire(settings());
  try {
    return await scanAndAudit(change(program.world), { report: program.report, ...options });
  } finally {
    await program.close();
  }
}

async function stored(): Promise<string[]> {
  const program = await wire(settings());
  try {
    return (await program.world.store.firings()).flatMap(({ evidence }) => evidence.map(({ source }) => source)).sort();
  } finally {
    await program.close();
  }
}

const fired = ({ firings }: AuditedScan) =>
  firings.flatMap(({ evidence }) => evidence.map(({ source }) => source)).sort();
const both = ["school", "tour"];

async function expectNothingMore(): Promise<void> {
  for (const days of [2, 4, 6]) {
    now = start + days * aDay;
    expect(await run()).toMatchObject({ firings: [] });
    expect(await stored()).toEqual(both);
  }
}

test("a first scan that ends before its audit leaves it to the next one", async () => {
  const program = await wire(settings());
  expect((await scan(program.world)).firings).toEqual([]);
  await program.close();
  expect(fired(await run())).toEqual(both);
  await expectNothingMore();
});

test("a move that the audit lists does not wait for confirmation as well", async () => {
  const waiting = async () => {
    const { world, close } = await wire(settings());
    const { waiting: all } = await status(world.config, world.store, now);
    await close();
    return all.map(({ source }) => source);
  };
  const program = await wire(settings());
  await scan(program.world);
  await program.close();
  expect(await waiting()).toEqual(both);
  await run();
  expect(await waiting()).toEqual([]);
});

test.each(["before", "after"] as const)(
  "a program that ends just %s its audit is stored says it once",
  async (when) => {
    const died = new Error("the program was killed");
    const dying = (world: World): World => {
      const { store } = world;
      return {
        ...world,
        store: {
          ...store,
          async commit(work, durable) {
            let isAudit = false;
            const done = await store.commit(async (tx) => {
              const noteAudit: typeof tx.noteAudit = async (...note) => {
                isAudit = true;
                await tx.noteAudit(...note);
              };
              const result = await work({ ...tx, noteAudit });
              if (isAudit && when === "before") throw died;
              return result;
            }, durable);
            if (isAudit) throw died;
            return done;
          },
        },
      };
    };
    await expect(run({}, dying)).rejects.toThrow(died);
    expect(await stored()).toEqual(when === "before" ? [] : both);
    expect(fired(await run())).toEqual(when === "before" ? both : []);
    await expectNothingMore();
  },
);

test("a process that is killed between its checks and its audit says it once, in the next one", async () => {
  const plain = (text: string) => text.replaceAll("https://", "http://");
  write("sources.yaml", plain(config));
  write("README.md", `${plain(Object.values(chapters).join("\n"))}\n${listed}`);
  let begun = () => {};
  const isAuditing = new Promise<void>((resolve) => {
    begun = resolve;
  });
  // Registries are asked by the audit alone, through a tunnel that the proxy does not open.
  const proxy = createServer((request, response) => {
    const { host, pathname } = new URL(request.url ?? "");
    const { status = 200, headers = {}, body = "" } = answers[host + pathname] ?? { status: 404 };
    const { location } = headers;
    response
      .writeHead(status, { "content-type": "text/html", ...(location && { location: plain(location) }) })
      .end(body);
  }).on("connect", (_, socket) => {
    socket.on("error", () => {});
    if (isHeld) begun();
    else socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
  });
  let isHeld = true;
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  try {
    const at = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const env = { HTTP_PROXY: at, HTTPS_PROXY: at, RECHECK_ARCHIVE: "none" };
    const scanning = () => startProgram(["scan"], env, folder);
    const torn = scanning();
    await isAuditing;
    torn.process.kill("SIGKILL");
    expect(await torn.ended).toMatchObject({ code: null });
    isHeld = false;
    const says = async () => {
      const { out } = await scanning().ended;
      expect(out).toContain("no source was due");
      return [...out.matchAll(/● README\.md:\d+ (\S+) .*moved/g)].map(([, name]) => name);
    };
    expect(await says()).toEqual(["http://oxbow.example/school", "http://tidewell.example/tour"]);
    expect(await says()).toEqual([]);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test("a report that cannot be read is said, audited once it can, and then not read again", async () => {
  unlinkSync(join(folder, "README.md"));
  const says = "2 sources are still to be audited: README.md could not be read: there is no such file";
  expect(await run()).toMatchObject({ firings: [], unaudited: says });
  // A server does not try again every minute.
  now += 60_000;
  expect(await run({ prompt: true })).toMatchObject({ firings: [], unaudited: says });
  now += 60_000;
  expect((await run({ prompt: true })).unaudited).toBeUndefined();
  write("README.md", `${readme}\n${Object.values(chapters).join("\n")}`);
  now += aDay / 24;
  const done = await run({ prompt: true });
  expect(fired(done)).toEqual(both);
  expect(done.unaudited).toBeUndefined();
  // Nothing is left to audit, so the report is not read any more.
  await run({ prompt: true, report: () => Promise.reject(new Error("the report was read")) });
  await expectNothingMore();
});

test("an audit whose time is over continues in the next scan", async () => {
  let isScanned = false;
  let asked = 0;
  const onCheck: FirstScanOptions["onCheck"] = (_, done, all) => {
    isScanned = done === all;
  };
  // Once before the audit, and once before each citation.
  const stopped = () => isScanned && ++asked > 2;
  const first = await run({ onCheck, stopped });
  expect(fired(first)).toHaveLength(1);
  expect(first.unaudited).toBe("1 source is still to be audited: the time, or an hourly allowance, was used up");
  const second = await run();
  expect([...fired(first), ...fired(second)].sort()).toEqual(both);
  expect(second.unaudited).toBeUndefined();
  await expectNothingMore();
});

test.each([
  ["with", config],
  ["without", config.replace(", text: README.md", "")],
])("%s a report no page is kept in memory for an audit, or fetched again", async (_, sources) => {
  write("sources.yaml", sources);
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  const bodies: WeakRef<Uint8Array>[] = [];
  const noted = ({ fetch, ...world }: World): World => ({
    ...world,
    fetch: {
      ...fetch,
      async get(...request) {
        const fetched = await fetch.get(...request);
        if (fetched.kind === "response") bodies.push(new WeakRef(fetched.response.body));
        return fetched;
      },
    },
  });
  const kept: number[] = [];
  const onCheck = () => {
    collect();
    kept.push(bodies.filter((body) => body.deref()).length);
  };
  await run({ onCheck }, noted);
  expect(bodies).toHaveLength(2);
  expect(kept.at(-1)).toBeLessThan(2);
});

test("all chapters of a report are audited", async () => {
  mkdirSync(join(folder, "chapters"));
  write("README.md", readme);
  write("SUMMARY.md", `# Summary\n\n- [State of Gauges](README.md)\n${readme.split("\n\n")[1]}`);
  for (const [path, text] of Object.entries(chapters)) write(path, text);
  const done = await run();
  expect(fired(done)).toEqual(both);
  const { findings } = firstFindings(done.firings, configOf(config), () => undefined);
  expect(findings.map(({ place }) => place && placeText(place))).toEqual([
    "chapters/school.md:3",
    "chapters/tour.md:3",
  ]);
  await expectNothingMore();
});

test("a source that could not be read at first is audited when it is seen", async () => {
  const school = answers["oxbow.example/school"] as Answer;
  answers["oxbow.example/school"] = { status: 503 };
  try {
    expect(fired(await run())).toEqual(["tour"]);
  } finally {
    answers["oxbow.example/school"] = school;
  }
  now += aDay;
  expect(fired(await run())).toEqual(["school"]);
  await expectNothingMore();
});

test("a work without an address is asked about once a registry answers", async () => {
  write("README.md", `${readme}\n${Object.values(chapters).join("\n")}\n${listed}`);
  const done = await run();
  expect(fired(done)).toEqual(both);
  expect(done.unaudited).toBe("1 source is still to be audited: a registry did not answer");
  now += aDay;
  const registries = await openWeb(
    new Proxy(answers, {
      get(all, address: string) {
        if (address.startsWith("api.crossref.org/journals"))
          return json({ message: { items: [{ title: "Journal of Kites" }] } });
        if (address.startsWith("api.crossref.org/")) return json({ message: { items: works } });
        return address.startsWith("api.openalex.org/") ? json({ results: [] }) : all[address];
      },
    }),
  );
  await web.close();
  web = registries;
  const next = await run();
  expect(fired(next)).toEqual(["README.md: Ropes that no hand has ever twisted"]);
  expect(next.unaudited).toBeUndefined();
  now += aDay;
  expect(await run()).toMatchObject({ firings: [] });
});
