import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { reportsOf } from "../../../src/faces/app/http.ts";
import { startServer } from "../../../src/faces/app/server.ts";
import { statusFile } from "../../../src/model/status-file.ts";
import { type Instance, startInstance } from "../../support/instance.ts";

const minute = 60_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha");
});

afterEach(async () => {
  await it.close();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A request with this very path: no client puts it in order first. */
function ask(path: string, more: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> {
  const { hostname, port } = new URL(it.webhooks);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, ...more }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        body += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    asked.on("error", reject);
    asked.end();
  });
}

test("the first page of a server says which version runs, and lists its public reports", async () => {
  await it.serve(it.config());
  const { status, body } = await ask("/");
  expect(status).toBe(200);
  expect(body).toMatch(/Recheck \d+\.\d+\.\d+\S* is running/);
  expect(body).toContain(`<a href="/reports/${it.local.repo}/">`);
});

async function tellPrivate(hidden: boolean): Promise<void> {
  const id = await it.stored(async (_, state) => state?.id);
  const repository = { id, full_name: it.local.repo, private: hidden, archived: false };
  await it.local.asPerson("PATCH", "", { private: hidden });
  const action = hidden ? "privatized" : "publicized";
  const body = JSON.stringify({ action, installation: { id: it.local.app.installation }, repository });
  const secret = it.environment.WEBHOOK_SECRET ?? "";
  const answer = await fetch(it.webhooks, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-github-event": "repository",
      "x-github-delivery": crypto.randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
  });
  expect(answer.status).toBeLessThan(300);
  await it.settled();
}

describe("the server of an App", () => {
  let home: string;
  beforeEach(async () => {
    home = `/reports/${it.local.repo}`;
    await it.serve(it.config());
  });

  test("serves what is published of a public repository, guarded, and sends nothing twice", async () => {
    const page = await ask(`${home}/`);
    expect(page.status).toBe(200);
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; /);
    expect(page.headers["content-security-policy"]).not.toContain("unsafe");
    expect(page.headers["x-content-type-options"]).toBe("nosniff");
    expect(page.headers["access-control-allow-origin"]).toBeUndefined();
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.body).toBe((await ask(`${home}/index.html?x=1`)).body);
    expect(await ask(home)).toMatchObject({ status: 308, headers: { location: `${it.local.repo.split("/")[1]}/` } });

    const status = await ask(`${home}/status.json`);
    expect(statusFile.parse(JSON.parse(status.body)).sources.map(({ id }) => id)).toEqual(["alpha"]);
    expect(status.headers["access-control-allow-origin"]).toBe("*");
    const etag = String(status.headers.etag);
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await ask(`${home}/status.json`, { headers: { "if-none-match": named } });
      expect([again.status, again.body, again.headers.etag], named).toEqual([304, "", etag]);
    }
    expect((await ask(`${home}/status.json`, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    const head = await ask(`${home}/status.json`, { method: "HEAD" });
    expect([head.status, head.body, head.headers["content-length"]]).toEqual([
      200,
      "",
      String(Buffer.byteLength(status.body)),
    ]);

    const types = { "feed.xml": "application/atom+xml", "badge.svg": "image/svg+xml", "style.css": "text/css" };
    for (const [path, type] of Object.entries(types)) {
      expect((await ask(`${home}/${path}`)).headers["content-type"], path).toBe(`${type}; charset=utf-8`);
    }
    expect((await ask(`${home}/recheck-margin.js`)).headers["access-control-allow-origin"]).toBe("*");
    expect((await ask(`${home.toUpperCase().replace("/REPORTS", "/reports")}/status.json`)).status).toBe(200);
  });

  test("shows nothing of a repository that was made private though no webhook came, within a minute", async () => {
    expect((await ask(`${home}/`)).status).toBe(200);
    it.local.loseWebhooks(true);
    await it.local.asPerson("PATCH", "", { private: true });
    it.pass(minute);
    for (const file of ["", "status.json", "feed.xml", "badge.svg"])
      expect((await ask(`${home}/${file}`)).status, file).toBe(404);
    expect(await it.stored(async (_, state) => state?.public)).toBe(false);
  });

  test("asks GitHub once a minute, and if it does not answer, counts on its last word for a quarter of an hour", async () => {
    const facts = () => it.local.requests.filter(({ path }) => path === `/repos/${it.local.repo}`);
    const from = facts().length;
    await Promise.all(Array.from({ length: 9 }, () => ask(`${home}/`)));
    expect(facts()).toHaveLength(from + 1);
    it.pass(minute);
    await ask(`${home}/`);
    expect(facts().at(-1)?.status).toBe(304);
    const match = /^GET \/repos\/[^/]+\/[^/]+$/;
    it.local.fault({ match, status: 503, when: "before", times: 99 });
    it.pass(14 * minute);
    expect((await ask(`${home}/`)).status).toBe(200);
    it.pass(minute);
    const silent = await ask(`${home}/`);
    expect([silent.status, silent.body]).toEqual([503, "GitHub cannot confirm at the moment who may see this.\n"]);
    it.local.mend();
    it.pass(minute);
    expect((await ask(`${home}/`)).status).toBe(200);
  });

  test("keeps what it drew until a run has ended, or a minute passed", async () => {
    const written = async () => JSON.parse((await ask(`${home}/status.json`)).body).written;
    const first = await written();
    it.pass(minute - 1);
    expect(await written()).toBe(first);
    it.pass(1);
    const second = await written();
    expect(second).not.toBe(first);
    it.pass(1);
    await it.run();
    expect(await written()).not.toBe(second);
  });

  test("says what is not there, and takes nothing", async () => {
    const nothing = [
      ...["/reports/example", "/reports/example/", "/reports/nobody/nothing/"],
      ...[`${home}/nothing.html`, `${home}/ratings/`, `${home}//status.json`, `${home}/__proto__`],
      ...["..", ".", "%2e%2e", "..%2f"].map((step) => `${home}/${step}/${step}/${step}/package.json`),
      ...[`${home}/ratings/../status.json`, `${home}/status.json%00`, `${home}/STATUS.JSON`, "/reports/%2e%2e/x/"],
    ];
    for (const path of nothing) {
      const answer = await ask(path);
      expect([answer.status, answer.headers["content-type"]], path).toEqual([404, "text/plain; charset=utf-8"]);
    }
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const answer = await ask(`${home}/status.json`, { method });
      expect([answer.status, answer.headers.allow, answer.body], method).toEqual([
        405,
        "GET, HEAD",
        "This can only be read.\n",
      ]);
    }
    expect(it.log()).not.toContain('"level":50');
  });

  test("shows nothing of a repository that is private, from the moment it is reported", async () => {
    expect((await ask(`${home}/`)).status).toBe(200);
    await tellPrivate(true);
    const hidden = await ask(`${home}/status.json`);
    expect(hidden).toMatchObject({ status: 404, body: "No report is published here.\n" });
    expect((await ask(home)).status).toBe(404);
    await tellPrivate(false);
    expect((await ask(`${home}/`)).status).toBe(200);
  });

  test("shows nothing of a repository that nothing is watched in", async () => {
    expect((await ask("/reports/example/second/")).status).toBe(404);
  });
});

test("a request for a name has that one looked up, and not all that are served read", async () => {
  const asked: string[] = [];
  const registry = {
    named: async (name: string) => void asked.push(name),
    repositories: () => {
      throw new Error("all were read");
    },
  };
  const instance = { registry, clock: { now: () => 0 } } as unknown as Parameters<typeof reportsOf>[0];
  const answer = reportsOf(instance, {} as never, { health: () => ({ ok: true }), onRound: () => {} });
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/reports/lab/nowhere/`, {
    signal: AbortSignal.timeout(120_000),
  });
  expect([response.status, asked]).toEqual([404, ["lab/nowhere"]]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe("the server of one repository", () => {
  /** As GitHub says of it. */
  async function serve(hidden: boolean) {
    const folder = it.folder;
    const asked: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      const url = String(input instanceof Request ? input.url : input);
      if (!url.endsWith(`/repos/${it.local.repo}`)) return answer;
      return Response.json({ ...((await answer.json()) as object), private: hidden });
    };
    const environment = { ...it.environment, RECHECK_REPO: it.local.repo };
    return await startServer(environment, pino({ level: "silent" }), {
      config: folder,
      clock: { now: it.now },
      fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
      github: { patience: false, fetch: asked },
    });
  }

  test("serves the same under /, and all else as before", async () => {
    const running = await serve(false);
    try {
      await running.service.run();
      expect((await ask("/")).body).toContain("<!doctype html>");
      expect(JSON.parse((await ask("/status.json")).body).sources).toHaveLength(1);
      expect(await ask("/nothing")).toMatchObject({ status: 404, body: "There is no such file.\n" });
      expect((await ask("/status.json", { method: "POST" })).status).toBe(405);
      expect((await ask("/ping")).body).toBe("PONG");
      expect(JSON.parse((await ask("/health")).body)).toMatchObject({ ok: true });
      expect((await ask("/api/github/webhooks", { method: "POST" })).status).toBe(400);
    } finally {
      await running.stop();
    }
  });

  test("shows nothing of a private one", async () => {
    const running = await serve(true);
    try {
      await running.service.run();
      for (const path of ["/", "/status.json", "/nothing"]) expect((await ask(path)).status, path).toBe(404);
    } finally {
      await running.stop();
    }
  });
});
