import { generateKeyPairSync } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { settingsFrom } from "../../src/faces/environment.ts";
import { recheckHere } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { startProgram } from "../support/program.ts";

/** Secrets in every variable that holds one, and a web that says whatever it is told: nothing of them may come back. */

const canary = (name: string) => `canary${name.toLowerCase().replaceAll("_", "")}7f3a9c`;
/** Variables of the program that hold, or may hold, a secret, by the value that has a canary in it. */
const values = (port: number): Readonly<Record<string, string>> => {
  const of = (name: string) => canary(name);
  return {
    GITHUB_TOKEN: of("GITHUB_TOKEN"),
    GITHUB_COM_TOKEN: of("GITHUB_COM_TOKEN"),
    ARCHIVE_ACCESS_KEY: of("ARCHIVE_ACCESS_KEY"),
    ARCHIVE_SECRET_KEY: of("ARCHIVE_SECRET_KEY"),
    HTTP_PROXY: `http://user:${of("HTTP_PROXY")}@127.0.0.1:1`,
    HTTPS_PROXY: `http://user:${of("HTTPS_PROXY")}@127.0.0.1:1`,
    WEBHOOK_SECRET: of("WEBHOOK_SECRET"),
    RECHECK_METRICS_TOKEN: of("RECHECK_METRICS_TOKEN"),
    RECHECK_NOTIFY_DESK: `http://127.0.0.1:${port}/hooks/${of("RECHECK_NOTIFY_DESK")}`,
    RECHECK_NOTIFY_DESK_SECRET: `whsec_${Buffer.from(of("RECHECK_NOTIFY_DESK_SECRET")).toString("base64")}`,
    RECHECK_NOTIFY_TEAM: `http://127.0.0.1:${port}/slack/${of("RECHECK_NOTIFY_TEAM")}`,
    RECHECK_SMTP_URL: `smtp://user:${of("RECHECK_SMTP_URL")}@127.0.0.1:1`,
    RECHECK_HEARTBEAT: `http://127.0.0.1:${port}/beat/${of("RECHECK_HEARTBEAT")}`,
    // Of somebody else, in the same environment.
    AWS_SECRET_ACCESS_KEY: of("AWS_SECRET_ACCESS_KEY"),
    NPM_TOKEN: of("NPM_TOKEN"),
  };
};
const marks = Object.keys(values(1))
  .map(canary)
  .concat(Buffer.from(canary("RECHECK_NOTIFY_DESK_SECRET")).toString("base64"));
const found = (text: string) => marks.filter((mark) => text.includes(mark));

const folder = mkdtempSync(join(tmpdir(), "recheck-secrets-"));
let round = 0;
const posted: string[] = [];

/** Repeats all that it is told: in a page, in an entry, in what refuses. */
const web = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const { url = "", method, headers } = request;
    const told = JSON.stringify({ url, headers });
    if (method !== "GET") posted.push(body);
    if (url === "/robots.txt") return response.writeHead(404).end();
    if (url.startsWith("/feed"))
      return response
        .writeHead(200, { "content-type": "application/rss+xml" })
        .end(
          `<rss version="2.0"><channel><title>t</title>${Array.from({ length: round + 1 }, (_, i) => `<item><guid>${i}</guid><title>It is ${i}</title></item>`).join("")}</channel></rss>`,
        );
    if (url.startsWith("/api") && method === "GET" && /\/(?:issues|pulls|labels)/.test(url))
      return response.writeHead(200, { "content-type": "application/json" }).end("[]");
    if (url.startsWith("/page"))
      return response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<!doctype html><title>A page</title><main><h1>It</h1><p>The engine has ${96 + round} GB.</p><p>${told.replaceAll(/[<&]/g, "")}</p></main>`,
        );
    return response
      .writeHead(url.startsWith("/api") ? 403 : 500, { "content-type": "application/json" })
      .end(JSON.stringify({ message: `refused ${told}` }));
  });
});

const all: { name: string; out: string }[] = [];

beforeAll(async () => {
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  const { port } = web.address() as AddressInfo;
  const here = `http://127.0.0.1:${port}`;
  mkdirSync(join(folder, "triggers"));
  writeFileSync(
    join(folder, "sources.yaml"),
    [
      "report: { title: A report, audited: 2026-05-16 }",
      "ratings: { speed: fast }",
      "notify: { desk: { webhook: contrary }, team: { slack: contrary }, author: { email: contrary } }",
      "sources:",
      `  page: { page: "${here}/page", claims: { memory: { says: It has 96 GB., value: 96 GB } } }`,
      `  refused: { page: "${here}/refused" }`,
      `  feed: { feed: "${here}/feed" }`,
      "  behind-the-proxy: { page: http://proxied.example/ }",
      "  on-github: { github-releases: example/engine }",
      "",
    ].join("\n"),
  );
  writeFileSync(
    join(folder, "triggers", "it.yaml"),
    "name: It\nratings: [speed]\non:\n  - claim: page\n  - item: feed\n",
  );
  const env = {
    ...values(port),
    ...{ NO_PROXY: "127.0.0.1", RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8", RECHECK_ARCHIVE: "none" },
    ...{ RECHECK_REPO: "example/report", GITHUB_API_URL: `${here}/api`, RECHECK_SMTP_FROM: "recheck@example.org" },
  };
  const run = async (...args: string[]) => {
    const { out, err } = await recheckHere(args, env, folder);
    all.push({ name: args.join(" "), out: out + err });
  };
  await run("scan", "--json");
  round = 1;
  await run("scan", "--all");
  await run("status", "--json");
  await run("doctor");
  await run("explain", "it");
  await run("publish", "--out", "pages");
  round = 2;
  const server = startProgram(
    ["start"],
    { ...env, LOG_LEVEL: "trace", RECHECK_DATA: "server", PORT: String(await freePort()) },
    folder,
  );
  await server.says("refused");
  server.process.kill("SIGTERM");
  const { out, err } = await server.ended;
  all.push({ name: "start", out: out + err });
}, 600_000);

afterAll(() => {
  web.closeAllConnections();
  web.close();
  rmSync(folder, { recursive: true });
});

describe("secret leakage", () => {
  test("the web got secrets, and was checked", () => {
    if (process.env.SHOW) for (const one of all) console.log(one.name, one.out.slice(0, 900));
    expect(all[0]?.out).toContain('"source":');
    expect(all.length).toBe(7);
    expect(all.at(-1)?.out).toContain("Listening on");
    expect(posted.length).toBeGreaterThan(0);
  });

  test("no line of any command, or of the server's log, holds one", () => {
    expect(all.flatMap(({ name, out }) => found(out).map((mark) => `${name}: ${mark}`))).toEqual([]);
  });

  test("nothing that is stored or published holds one", () => {
    const files = globSync("**/*", { cwd: folder })
      .concat(globSync(".recheck/**/*", { cwd: folder }))
      .filter((file) => statSync(join(folder, file)).isFile());
    expect(files.some((file) => file.startsWith(".recheck"))).toBe(true);
    for (const file of files) expect(found(readFileSync(join(folder, file), "latin1")), file).toEqual([]);
  });

  test("nothing that is sent to others holds one", () => expect(posted.flatMap(found)).toEqual([]));

  test("a page gets none, so its stored copy can hold none", async () => {
    const { DatabaseSync } = await import("node:sqlite");
    const [file = ""] = globSync(".recheck/*.sqlite", { cwd: folder });
    const database = new DatabaseSync(join(folder, file), { readOnly: true });
    const bodies = database
      .prepare("select body from snapshot")
      .all()
      .map(({ body }) => brotliDecompressSync(body as Uint8Array).toString());
    database.close();
    expect(bodies.some((body) => body.includes("user-agent"))).toBe(true);
    expect(bodies.flatMap(found)).toEqual([]);
  });

  const names = [
    ...readFileSync(new URL("../../src/faces/environment.ts", import.meta.url), "utf8").matchAll(/env\.([A-Z_]+)/g),
  ].map(([, name = ""]) => name);
  test.each([...new Set([...names, "RECHECK_NOTIFY_DESK", "APP_ID", "PRIVATE_KEY"])])(
    "a wrong value of %s is not repeated",
    (name) => {
      const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1_024 });
      const wrong = [
        canary(name),
        `http://user:${canary(name)}@`,
        `ftp://user:${canary(name)}@a/b`,
        `postgres://user:${canary(name)}@a`,
      ];
      for (const value of wrong) {
        try {
          settingsFrom({ [name]: value });
          settingsFrom({
            APP_ID: "1",
            PRIVATE_KEY: String(privateKey.export({ type: "pkcs1", format: "pem" })),
            [name]: value,
          });
        } catch (error) {
          const said = `${(error as Error).message} ${(error as Error).stack} ${String((error as Error).cause)}`;
          // Ranges are no secret: the entry that is wrong is named.
          if (name !== "RECHECK_ALLOW_ADDRESSES") expect(said).not.toContain(canary(name));
        }
      }
    },
  );
});
