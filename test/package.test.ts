import { execFile, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";

/** What is published, as somebody has it who has nothing else: packed, and installed into an empty folder. */
const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "recheck-package-"));
const installed = join(folder, "node_modules", "recheck-bot");
const example = join(installed, "examples", "technology-radar");
const cache = join(folder, "cache");
let tarball = "";

/** The Node that runs the package. `.ci/run` names the oldest one that the package allows, and the one that users have. */
const node = process.env.TEST_NODE ?? process.execPath;

beforeAll(async () => {
  await npm(["pack", "--silent", "--pack-destination", folder], root);
  tarball = join(folder, readdirSync(folder).find((file) => file.endsWith(".tgz")) ?? "");
  // Offline: it may need nothing beside itself.
  await npm(["install", "--silent", "--offline", "--no-save", "--prefix", folder, tarball], folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function npm(args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)("npm", [...args], { cwd, env: { ...process.env, npm_config_update_notifier: "false" } });
}

/** Runs a command of the package, without a variable of the tests. */
function recheck(...args: readonly string[]) {
  const main = join(folder, "node_modules", ".bin", "recheck");
  const env = { PATH: process.env.PATH ?? "", RECHECK_DATA: join(folder, "data"), XDG_CACHE_HOME: cache };
  const { status, stdout, stderr } = spawnSync(node, [main, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  return { status, out: stdout, err: stderr };
}

function bytesIn(path: string): number {
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

describe("the package", () => {
  test("is small, alone, and holds no native module", () => {
    expect(statSync(tarball).size).toBeLessThan(5e6);
    expect(bytesIn(join(folder, "node_modules"))).toBeLessThan(30e6);
    expect(readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual(["recheck-bot"]);
    const files = readdirSync(installed, { recursive: true }).map(String);
    expect(files.filter((name) => name.endsWith(".node"))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", join("dist", "licences.txt")]));
  });

  test("lists its commands, and the options of each", () => {
    const { status, out } = recheck("--help");
    expect(status).toBe(0);
    const commands = [...out.matchAll(/^ {2}([a-z]+)(?: \S+)* {2,}\S/gm)].map(([, name = ""]) => name);
    expect(commands).toEqual(
      expect.arrayContaining([
        "audit",
        "init",
        "scan",
        "status",
        "explain",
        "publish",
        "add",
        "validate",
        "register",
        "start",
      ]),
    );
    for (const command of commands) expect([command, recheck(command, "--help").status]).toEqual([command, 0]);
  });

  test("reads a config, checks, and publishes, without the repository", () => {
    expect(recheck("validate", example)).toMatchObject({ status: 0, out: expect.stringMatching(/^valid: /), err: "" });
    const unseen = recheck("scan", "--source", "nowhere", "--config", example);
    expect(unseen).toMatchObject({ status: 1, err: expect.stringContaining("nowhere") });
    expect(recheck("status", "--config", example)).toMatchObject({ status: 0, err: "" });
    expect(recheck("publish", "--config", example, "--out", join(folder, "site"))).toMatchObject({ status: 0 });
    expect(existsSync(join(folder, "site", "status.json"))).toBe(true);
  });

  test("checks a page, shows its state, and audits a report that cites it", async () => {
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(
        "<!doctype html><title>A</title><main><p>The limit is 40 requests a minute for each account.</p></main>",
      );
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const cwd = join(folder, "cited");
    mkdirSync(cwd);
    const address = "http://limits.example/a";
    writeFileSync(
      join(cwd, "sources.yaml"),
      `report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: "${address}" }\n`,
    );
    writeFileSync(
      join(cwd, "report.md"),
      `The limit is 40 requests a minute ([limits](${address}), by [@owl](https://kites.example/owl)).\n`,
    );
    // The server is a proxy to everything.
    const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const env = { PATH: process.env.PATH ?? "", XDG_CACHE_HOME: cache, HTTP_PROXY: proxy };
    const run = async (...args: string[]) =>
      (await promisify(execFile)(node, [join(installed, "bin", "recheck.cjs"), ...args], { cwd, env })).stdout;
    expect(await run("scan")).toContain("1 source checked");
    expect(await run("status")).toContain("a  10 words");
    const audit = JSON.parse(await run("audit", "report.md", "--format", "json"));
    expect(audit).toMatchObject({ citations: 1, read: 1, figures: 1, findings: [] });
    server.close();
  });

  test("starts the server, which says which settings are missing", () => {
    const { status, err } = recheck("start");
    expect([status, err]).toEqual([1, "set GITHUB_TOKEN, or APP_ID and PRIVATE_KEY (see recheck register)\n"]);
  });

  test("keeps Node's compiled code by version, and nothing that an earlier one left a month ago", () => {
    const all = join(cache, "recheck", "node");
    rmSync(all, { recursive: true, force: true });
    for (const name of ["0.0.1", "0.0.2"]) mkdirSync(join(all, name, "v22"), { recursive: true });
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    utimesSync(join(all, "0.0.1"), longAgo, longAgo);
    for (const _ of ["once", "again"]) expect(recheck("--help").status).toBe(0);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(readdirSync(all).sort()).toEqual(["0.0.2", version].sort());
    expect(readdirSync(join(all, version))).toHaveLength(1);
  });

  /** As in a container with a root that is only read: Node refuses any other write. */
  test("writes into its folder of data and nowhere else, checking once and as a server", async () => {
    const [data, port] = [join(folder, "own-data"), await freePort()];
    mkdirSync(data);
    writeFileSync(
      join(folder, "sources.yaml"),
      'report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: "http://127.0.0.1:2/" }\n',
    );
    // Node 22 has another flag, and Node 24 no rights to the network.
    const isKnown = (flag: string) => spawnSync(node, [flag, "--version"]).status === 0;
    const [permission = ""] = ["--permission", "--experimental-permission"].filter(isKnown);
    const network = ["--allow-net"].filter(isKnown);
    const rights = [permission, ...network, "--allow-fs-read=*", `--allow-fs-write=${data}`, "--allow-worker"];
    const alone = { PATH: process.env.PATH ?? "", RECHECK_DATA: data, RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
    const github = { GITHUB_TOKEN: "a-token", RECHECK_REPO: "owner/name", GITHUB_API_URL: "http://127.0.0.1:2" };
    const run = (command: string, env: NodeJS.ProcessEnv) =>
      spawn(node, [...rights, join(installed, "bin", "recheck.cjs"), command], { cwd: folder, env });
    // The one source refuses.
    expect(await once(run("scan", alone), "close")).toEqual([6, null]);
    const server = run("start", { ...alone, ...github, PORT: String(port), HOST: "127.0.0.1" });
    const ended = once(server, "close");
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/livez`).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(200);
    server.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(data)).toEqual(expect.arrayContaining(["recheck.lock", "recheck.sqlite"]));
    await once(run("scan", { ...alone, RECHECK_DATA: join(folder, "elsewhere") }), "close");
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });

  /** Of the library that asks, the package has a few parts alone. */
  test("asks sources and GitHub through a proxy", async () => {
    const asked = new Set<string>();
    const proxy = createServer().on("connect", ({ url = "" }, socket) => {
      asked.add(url);
      // The scan is killed while it may be talking.
      socket.on("error", () => {});
      socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    const own = join(folder, "proxied");
    mkdirSync(own);
    writeFileSync(
      join(own, "sources.yaml"),
      'report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: "https://a.example/" }\n',
    );
    const env = {
      PATH: process.env.PATH ?? "",
      XDG_CACHE_HOME: cache,
      HTTPS_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      GITHUB_TOKEN: "a-token",
      RECHECK_REPO: "owner/name",
    };
    const scan = spawn(node, [join(installed, "bin", "recheck.cjs"), "scan"], { cwd: own, env });
    await expect.poll(() => [...asked].sort()).toEqual(["a.example:443", "api.github.com:443"]);
    scan.kill("SIGKILL");
    await once(scan, "close");
    proxy.close();
  });

  test("says in one sentence which Node it wants", () => {
    const old = 'Object.defineProperty(process.versions, "node", { value: "20.19.4" }); require(process.argv[1]);';
    const { status, stdout, stderr } = spawnSync(node, ["-e", old, join(installed, "bin", "recheck.cjs")], {
      encoding: "utf8",
    });
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const [, wanted] = /^>=(\S+)$/.exec(engines.node) ?? [];
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(`Recheck needs Node ${wanted} or newer; this is 20.19.4: https://nodejs.org/en/download\n`);
  });
});
