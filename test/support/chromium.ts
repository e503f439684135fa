import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

// Without a locale Chromium takes `en-US@posix`, whose collation finds no text at all.
const locale = { LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8", LANGUAGE: "en_US" };

const flags = [
  "--no-sandbox",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** A real browser, without any package of the system. */
export async function openChromium(): Promise<Browser> {
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    env: { ...process.env, ...locale },
    args: flags,
  });
}

/** A browser that runs by itself, as an operator's does. */
export interface RunningChromium {
  /** Of its WebSocket. */
  readonly address: string;
  readonly process: number;
  close(): Promise<void>;
}

/** Starts the browser that TEST_CHROMIUM names, or that of the tests. */
export async function startChromium(): Promise<RunningChromium> {
  const profile = await mkdtemp(join(tmpdir(), "recheck-chromium-"));
  const program = process.env.TEST_CHROMIUM ?? (await chromium.executablePath());
  const own = ["--headless", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  const child = spawn(program, [...own, ...flags], {
    env: { ...process.env, ...locale },
    // A process group of its own, which ends as a whole.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  let said = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const [, place] = /DevTools listening on (ws:\S+)/.exec(said) ?? [];
      if (place) resolve(place);
    });
    child.on("close", () => reject(new Error(`the browser ended: ${said}`)));
  });
  return {
    address,
    process: child.pid ?? 0,
    async close() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), "SIGKILL");
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}
