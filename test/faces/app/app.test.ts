import { createHmac, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { type AppServer, createLog, startServer } from "../../../src/faces/app/server.ts";
import type { Environment } from "../../../src/faces/environment.ts";
import { violations } from "../../github/openapi.ts";
import { type LocalGitHub, startGitHub } from "../../github/server.ts";
import { recheckHere } from "../../support/command.ts";
import { freePort } from "../../support/free-port.ts";
import { type Lists, startLists } from "../../support/lists.ts";
import { startProgram } from "../../support/program.ts";

const secret = "a-secret-of-webhooks";
const minute = 60_000;
/** Every source is due again, whatever its jitter. */
const later = 2 * 86_400_000;

let folder: string;
let lists: Lists;
let local: LocalGitHub;
let port: number;
let now: number;
let log: string;
let running: AppServer | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "recheck-app-"));
  lists = await startLists("alpha", "beta");
  lists.configure(folder);
  port = await freePort();
  now = Date.now();
  const webhook = { url: `http://127.0.0.1:${port}/api/github/webhooks`, secret };
  local = await startGitHub({ webhook, clock: { now: () => now } });
  log = "";
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  const wrong = local.requests.flatMap(violations);
  await lists.close();
  await local.close();
  rmSync(folder, { recursive: true });
  expect(wrong).toEqual([]);
});

const asApp = (): Environment => ({
  APP_ID: String(local.app.id),
  PRIVATE_KEY: local.app.privateKey.replaceAll("\n", "\\n"),
  WEBHOOK_SECRET: secret,
});
const withToken = (): Environment => ({ GITHUB_TOKEN: local.token });
const everything = (credentials: Environment): Record<string, string> =>
  ({
    RECHECK_DATA: join(folder, "data"),
    RECHECK_REPO: local.repo,
    RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
    GITHUB_API_URL: local.url,
    PORT: String(port),
    HOST: "127.0.0.1",
    ...credentials,
  }) as Record<string, string>;

/** The server in this process: a clock that is told the time, no pauses, and its log kept. */
async function serve(credentials: Environment): Promise<AppServer> {
  const write = (line: string): void => {
    log += line;
  };
  const keeping = createLog("trace", write);
  running = await startServer(everything(credentials), keeping, {
    config: folder,
    clock: { now: () => now },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
    github: { patience: false },
  });
  return running;
}

const at = (path: string, init?: RequestInit): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`, init);
const issues = (): Promise<{ number: number; title: string }[]> =>
  local.asPerson("GET", "/issues?state=all&direction=asc");
const health = async () => {
  const response = await at("/health");
  return { status: response.status, ...((await response.json()) as object) };
};
const listed = () =>
  local.requests.filter(({ path, query }) => /\/issues$/.test(path) && query.state === "open").length;

/** As long as a run would take to ask GitHub. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 100));

function deliver(payload: object, signature?: string): Promise<Response> {
  const body = JSON.stringify(payload);
  const signed = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = {
    "content-type": "application/json",
    "x-github-event": "issues",
    "x-github-delivery": crypto.randomUUID(),
    ...(signature === "" ? {} : { "x-hub-signature-256": signature ?? signed }),
  };
  return at("/api/github/webhooks", { method: "POST", headers, body });
}

describe.each([
  ["as an App", asApp],
  ["with a token", withToken],
])("the server, %s", (_, credentials) => {
  test("checks on schedule, opens issues, and says how it is", async () => {
    const { service } = await serve(credentials());
    await service.run();
    expect(lists.asked.toSorted()).toEqual(["alpha", "beta"]);
    expect(await issues()).toEqual([]);
    expect(await health()).toEqual({ status: 200, ok: true, lastRun: new Date(now).toISOString() });
    expect(await (await at("/ping")).text()).toBe("PONG");
    expect((await at("/elsewhere")).status).toBe(404);

    lists.add("alpha", "one");
    now += minute;
    await service.run();
    expect(lists.asked).toHaveLength(2);
    now += later;
    await service.run();
    expect(lists.asked).toHaveLength(4);
    expect((await issues()).map(({ title }) => title)).toEqual([expect.stringContaining("new entry one")]);
    now += later;
    await service.run();
    expect(await issues()).toHaveLength(1);
  });
});

describe("a webhook", () => {
  // The schedule goes by the time of day: no minute ends while nothing is to happen.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Math.floor(Date.now() / minute) * minute }));
  afterEach(() => void vi.useRealTimers());

  /** After the first run, with one issue that a person then closes. */
  async function oneIssue(): Promise<AppServer> {
    lists.add("alpha", "one");
    const server = await serve(asApp());
    await server.service.run();
    expect(await issues()).toHaveLength(1);
    return server;
  }
  const states = async () => {
    const database = await openStore(join(folder, "data", "recheck.sqlite"), { readonly: true });
    const found = await database.repository(local.repo).rechecks();
    await database.close();
    return found.map(({ state }) => state);
  };

  test("of a closed issue, signed by GitHub, is seen at once", async () => {
    await oneIssue();
    await local.asPerson("PATCH", "/issues/1", { state: "closed" });
    await expect.poll(states).toEqual(["closed"]);
    await local.asPerson("PATCH", "/issues/1", { state: "open" });
    await expect.poll(states).toEqual(["open"]);
  });

  test.each([
    ["without a signature", "", 400],
    ["with a wrong one", `sha256=${"0".repeat(64)}`, 400],
    ["signed with another secret", `sha256=${createHmac("sha256", "development").update("{}").digest("hex")}`, 400],
  ])("webhook forgery: %s is refused, and does nothing", async (_, signature, status) => {
    await oneIssue();
    const before = listed();
    const payload = { action: "closed", repository: { full_name: local.repo }, issue: { number: 1 } };
    expect((await deliver(payload, signature)).status).toBe(status);
    await quiet();
    expect(listed()).toBe(before);
    expect(log).not.toContain(secret);
    expect(log.split("\n").filter((line) => /signature|stack/.test(line))).toHaveLength(1);
  });

  test("for another repository of the same App does nothing", async () => {
    await oneIssue();
    const before = listed();
    const payload = { action: "closed", repository: { full_name: "example/other" }, issue: { number: 1 } };
    expect((await deliver(payload)).status).toBe(200);
    await quiet();
    expect(listed()).toBe(before);
    expect((await deliver({ ...payload, repository: { full_name: local.repo.toUpperCase() } })).status).toBe(200);
    await expect.poll(listed).toBe(before + 1);
  });

  test("during a rotation, webhooks of both secrets are accepted, and of no third", async () => {
    await serve({ ...asApp(), WEBHOOK_SECRET: "the-next-secret", WEBHOOK_SECRET_PREVIOUS: secret });
    const payload = { action: "closed", repository: { full_name: local.repo }, issue: { number: 1 } };
    const by = (key: string) => `sha256=${createHmac("sha256", key).update(JSON.stringify(payload)).digest("hex")}`;
    const statuses = [];
    for (const key of ["the-next-secret", secret, "a-third"]) statuses.push((await deliver(payload, by(key))).status);
    expect(statuses).toEqual([200, 200, 400]);
  });

  test("webhook forgery: cannot be signed by anybody if no secret is set", async () => {
    await serve(withToken());
    const payload = { action: "closed", repository: { full_name: local.repo }, issue: { number: 1 } };
    const signature = `sha256=${createHmac("sha256", "development").update(JSON.stringify(payload)).digest("hex")}`;
    expect((await deliver(payload, signature)).status).toBe(400);
  });
});

test("probes and readers of pages are not in the log; a webhook is, without its sender's address and program", async () => {
  await serve(asApp());
  for (const path of ["/livez", "/readyz", "/metrics", "/reports/a/b", "/", "/references.html"])
    await at(path, { headers: { "user-agent": "reader-7" } });
  await deliver({ action: "closed", repository: { full_name: local.repo }, issue: { number: 1 } });
  await expect.poll(() => log).toContain("/api/github/webhooks");
  expect(log).not.toMatch(/livez|readyz|metrics|reports|references|"url":"\/"|reader-7|remoteAddress|user-agent/);
});

describe("stopping", () => {
  test("does not wait for a GitHub that never answers, and leaves no listener for signals behind", async () => {
    const asked: (string | undefined)[] = [];
    const silent = createServer(({ url }) => asked.push(url));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const api = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const signals = ["SIGINT", "SIGTERM"] as const;
    const before = signals.map((signal) => process.listenerCount(signal));
    const { RECHECK_REPO: _, ...environment } = everything(asApp());
    const server = await startServer({ ...environment, GITHUB_API_URL: api }, pino({ level: "silent" }));
    await expect.poll(() => asked.length).toBeGreaterThan(0);
    await server.stop();
    expect(signals.map((signal) => process.listenerCount(signal))).toEqual(before);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });
});

describe("runs", () => {
  test("do not overlap: who asks meanwhile joins the one that is under way", async () => {
    const { service } = await serve(withToken());
    await service.run();
    const release = lists.hold();
    now += later;
    const runs = [service.run(), service.run(), service.run()];
    await expect.poll(() => lists.asked.length).toBe(4);
    release();
    await Promise.all(runs);
    expect(lists.asked).toHaveLength(4);
    expect(lists.asked.toSorted()).toEqual(["alpha", "alpha", "beta", "beta"]);
  });

  test("that are under way end before the server has stopped", async () => {
    const { service, stop } = await serve(withToken());
    await service.run();
    const release = lists.hold();
    now += later;
    let isOver = false;
    const run = service.run().then(() => {
      isOver = true;
    });
    await expect.poll(() => lists.asked.length).toBe(4);
    const stopped = stop();
    expect(isOver).toBe(false);
    release();
    await stopped;
    expect(isOver).toBe(true);
    await run;
    running = undefined;
    expect(log).not.toContain("a run failed");
  });

  test("leave GitHub alone until it said, and check all the same", async () => {
    lists.add("alpha", "one");
    const headers = { "retry-after": "300" };
    local.fault({ match: /^POST .*\/issues$/, status: 403, message: "secondary rate limit", headers, when: "before" });
    const { service } = await serve(withToken());
    await service.run();
    const before = local.requests.length;
    lists.add("beta", "two");
    now += 299_000;
    await service.run();
    expect(local.requests).toHaveLength(before);
    expect(await health()).toMatchObject({ status: 200, ok: true });
    expect(log).toContain(
      `GitHub asks to slow down; Recheck continues at ${new Date(now + 1_000).toISOString().slice(0, 16).replace("T", " ")} UTC`,
    );
    now += 1_000;
    await service.run();
    expect(await issues()).toHaveLength(1);
  });

  test("that are refused are said once, and carried on with", async () => {
    lists.add("alpha", "one");
    local.fault({ match: /^POST .*\/issues$/, status: 404, message: "Not Found", when: "before", times: 3 });
    const { service } = await serve(withToken());
    for (let count = 0; count < 3; count++) {
      await service.run();
      now += minute;
    }
    expect(log.match(/is not there, or not open to this token or App/g)).toHaveLength(1);
    await service.run();
    expect(await issues()).toHaveLength(1);
  });

  test("that fail, or do not come any more, are no good health", async () => {
    const { service } = await serve(withToken());
    await service.run();
    now += 16 * minute;
    expect(await health()).toMatchObject({ status: 503, ok: false });
    await service.run();
    expect(await health()).toMatchObject({ status: 200, ok: true });
  });
});

describe("no secret is ever logged", () => {
  const parts = (pem: string) => pem.split(/\\n|\n/).filter((line) => /^[\w+/=]{20,}$/.test(line));

  test("while a token is turned away", async () => {
    lists.add("alpha", "one");
    const { service } = await serve({ GITHUB_TOKEN: "ghp_thisOneWasRevoked0000000000000000000" });
    await service.run();
    expect(log).toContain("GitHub does not accept the token or the App's key (401)");
    expect(log).not.toContain("ghp_thisOneWasRevoked");
  });

  test("while an App's key is turned away", async () => {
    lists.add("alpha", "one");
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
      type: "pkcs1",
      format: "pem",
    });
    const { service } = await serve({ ...asApp(), PRIVATE_KEY: String(other) });
    await service.run();
    expect(
      (await deliver({ action: "closed", installation: { id: 7 }, repository: { full_name: local.repo } })).status,
    ).toBe(200);
    await service.run();
    expect(log).toContain("GitHub does not accept the token or the App's key (401)");
    expect(parts(String(other)).length).toBeGreaterThan(10);
    for (const part of parts(String(other))) expect(log).not.toContain(part);
    expect(log).not.toMatch(/eyJ[\w-]+\.eyJ/);
    expect(log).not.toContain(secret);
  });

  test("while installation tokens come and go", async () => {
    lists.add("alpha", "one");
    const { service } = await serve(asApp());
    await service.run();
    local.expireTokens();
    const tokens = () => new Set(local.requests.flatMap(({ authorization }) => authorization?.match(/ghs_\w+/) ?? []));
    const tokensAfterRun = async () => {
      now += later;
      await service.run();
      return tokens().size;
    };
    await expect.poll(tokensAfterRun).toBeGreaterThan(1);
    for (const token of tokens()) expect(log).not.toContain(token);
  });
});

describe("as a command", () => {
  const main = (env: Readonly<Record<string, string>>) => startProgram(["start"], env, folder);
  const without = (env: Record<string, string>, ...names: string[]) =>
    Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

  test("it refuses to start if that would be unsafe or useless: one sentence, exit 1", async () => {
    const whole = everything(asApp());
    const taken = createServer();
    const takenPort = await new Promise<number>((resolve) =>
      taken.listen(0, "127.0.0.1", () => resolve((taken.address() as AddressInfo).port)),
    );
    const refusals: [string, Record<string, string>][] = [
      ["set RECHECK_REPO to the report's repository, owner/name", without(everything(withToken()), "RECHECK_REPO")],
      ["set GITHUB_TOKEN, or APP_ID and PRIVATE_KEY (see recheck register)", without(whole, "APP_ID", "PRIVATE_KEY")],
      [
        "set WEBHOOK_SECRET: without one, anybody could sign webhooks for this server",
        { ...whole, WEBHOOK_SECRET: " " },
      ],
      ["PORT must be a number from 1 to 65535", { ...whole, PORT: "80a" }],
    ];
    for (const [says, env] of refusals)
      expect(await recheckHere(["start"], env, folder)).toEqual({ code: 1, out: "", err: `${says}\n` });
    expect(await main({ ...whole, PORT: String(takenPort), LOG_LEVEL: "error" }).ended).toEqual({
      code: 1,
      out: "",
      err: `port ${takenPort} is in use: set PORT to another one\n`,
    });
    taken.close();
    expect(local.requests).toEqual([]);
  });

  test("it refuses to start without a report of its own, and says where to put one", async () => {
    const nowhere = mkdtempSync(join(tmpdir(), "recheck-image-"));
    const { code, err } = await recheckHere(["start"], everything(withToken()), nowhere);
    rmSync(nowhere, { recursive: true });
    expect(code).toBe(1);
    expect(err).toMatch(/^no sources\.yaml in \.; put the report's sources\.yaml and triggers\/ there /);
  });

  test("on SIGTERM it ends the checks under way, keeps their results, and exits 0", async () => {
    const release = lists.hold();
    lists.add("alpha", "one");
    const child = main(everything(withToken()));
    await expect.poll(() => lists.asked.length).toBe(2);
    const unsigned = { "x-github-event": "issues", "x-github-delivery": "1", "x-hub-signature-256": "sha256=00" };
    const headers = { "content-type": "application/json", "x-request-id": "hostile ##[group]\u009b31m", ...unsigned };
    const body = '{"of":"a stranger"}';
    expect((await at("/api/github/webhooks", { method: "POST", headers, body })).status).toBe(400);
    child.process.kill("SIGTERM");
    await child.says("stopping: running checks are finished first");
    release();
    const { code, out } = await child.ended;
    expect(code).toBe(0);
    expect(out).toContain("signature does not match");
    expect(out).not.toContain("a stranger");
    expect(out).toContain("hostile #\\u0023[group]\\u009b31m");
    expect(out).not.toMatch(/##\[|[^\P{Cc}\n]/u);
    await expect(at("/ping")).rejects.toThrow();
    const database = await openStore(join(folder, "data", "recheck.sqlite"), { readonly: true });
    const store = database.repository(local.repo);
    expect((await store.watches()).map(({ checks }) => checks)).toEqual([1, 1]);
    expect((await store.firings()).map(({ trigger }) => trigger)).toEqual(["alpha"]);
    await database.close();
    expect(await issues()).toEqual([]);
  });
});

test.each([
  ["0", "PORT must be a number from 1 to 65535"],
  ["65536", "PORT must be a number from 1 to 65535"],
  ["3000.5", "PORT must be a number from 1 to 65535"],
])("PORT %j is refused", async (given, says) => {
  await expect(startServer({ ...everything(withToken()), PORT: given }, pino({ level: "silent" }))).rejects.toThrow(
    says,
  );
});

test("a private key that is none is refused without being repeated", async () => {
  const env = { ...everything(asApp()), PRIVATE_KEY: "-----BEGIN nothing" };
  await expect(startServer(env, pino({ level: "silent" }))).rejects.toThrow(
    /^PRIVATE_KEY is not an RSA private key in PEM/,
  );
});
