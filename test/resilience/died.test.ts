import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { program, startProgram } from "../support/program.ts";

/** A check that the program does not live to end, through the command as people run it. */

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.splice(0)) await close();
});

const env = { RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8", RECHECK_ARCHIVE: "none" };

interface Told {
  readonly source: string;
  readonly outcome: string;
  readonly failure?: { readonly says: string };
  readonly at: string;
  readonly next: string;
}

const pauseOf = (check: Told | undefined) => (check ? Date.parse(check.next) - Date.parse(check.at) : 0);

test("a person who ends a scan is no source that did: it is checked the next time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recheck-ended-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  let asked: ((response: ServerResponse) => void) | undefined = () => {};
  const server = createServer(({ url }, response) => {
    if (url === "/robots.txt") response.writeHead(404).end();
    else if (asked) asked(response);
    else response.writeHead(200, { "content-type": "application/json" }).end('{"a":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(folder, "sources.yaml"),
    `report: { title: A report, audited: 2026-05-16 }\nsources: { slow: { json: "http://127.0.0.1:${port}/", facts: { a: a } } }\n`,
  );
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const there = new Promise<unknown>((resolve) => (asked = resolve));
    const child = startProgram(["scan"], env, folder);
    await there;
    child.process.kill(signal);
    expect(await child.ended).toEqual({ code: null, out: "", err: "" });
    expect(child.process.signalCode).toBe(signal);
  }
  // At a terminal, by its own key: what draws the line of progress there hears the signal, too.
  const there = new Promise<unknown>((resolve) => (asked = resolve));
  const { main, environment } = program();
  const terminal = spawn("script", ["-qec", `exec '${process.execPath}' '${main}' scan`, "/dev/null"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", TERM: "xterm", ...environment, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let drawn = "";
  terminal.stdout.on("data", (chunk) => (drawn += chunk));
  const closed = new Promise((resolve) => terminal.on("close", resolve));
  await there;
  terminal.stdin.write("\u0003");
  await closed;
  expect(drawn.lastIndexOf("\u001b[?25h")).toBeGreaterThan(drawn.indexOf("\u001b[?25l"));
  asked = undefined;
  const { checks } = JSON.parse((await startProgram(["scan", "--json"], env, folder).ended).out).scan;
  expect(checks).toMatchObject([{ source: "slow", outcome: "first" }]);
});

test("of several checks under way none is blamed; repeated alone, the one that ends the program is, and rests longer each time", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recheck-died-"));
  closing.push(() => rmSync(folder, { recursive: true }));
  let deadly = true;
  let isFirst = true;
  let asked = (): void => {};
  const servers = [0, 1].map((i) =>
    createServer(({ url }, response) => {
      if (url === "/robots.txt") response.writeHead(404).end();
      else if (i === 1 && deadly) asked();
      else if (i === 0 && isFirst) return;
      else response.writeHead(200, { "content-type": "application/json" }).end('{"a":1}');
    }),
  );
  const ports = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closing.push(
        () => server.closeAllConnections(),
        () => server.close(),
      );
      return (server.address() as AddressInfo).port;
    }),
  );
  const sources = ["mild", "deadly"].map(
    (id, i) => `  ${id}: { json: "http://127.0.0.1:${ports[i]}/", facts: { a: a } }`,
  );
  writeFileSync(
    join(folder, "sources.yaml"),
    `report: { title: A report, audited: 2026-05-16 }\nsources:\n${sources.join("\n")}\n`,
  );
  const command = (...args: string[]) => startProgram(args, env, folder);
  const scanned = async (...args: string[]): Promise<readonly Told[]> =>
    JSON.parse((await command("scan", "--json", ...args).ended).out).scan.checks;
  const killedDuringIt = async (...args: string[]): Promise<void> => {
    const there = new Promise<void>((resolve) => (asked = resolve));
    const child = command("scan", ...args);
    await Promise.race([there, child.ended]);
    child.process.kill("SIGKILL");
    await child.ended;
  };
  await killedDuringIt();
  isFirst = false;
  await killedDuringIt();
  const says = "the program ended while it read this source";
  expect((await command("status", "--all").ended).out).not.toContain(says);
  const checks = await scanned();
  const atOnce = checks.find(({ source }) => source === "deadly");
  expect(atOnce).toMatchObject({ outcome: "unknown", failure: { says } });
  expect(checks).toHaveLength(1);
  expect(await scanned()).toEqual([]);
  expect((await command("explain", "deadly").ended).out).toContain(says);
  expect((await command("status").ended).out).toContain(says);
  await killedDuringIt("--all");
  const again = (await scanned()).find(({ source }) => source === "deadly");
  expect(pauseOf(again)).toBeGreaterThan(pauseOf(atOnce));

  deadly = false;
  const seen = (await scanned("--all")).map(({ source, outcome }) => [source, outcome]);
  expect(seen).toContainEqual(["deadly", "first"]);
});
