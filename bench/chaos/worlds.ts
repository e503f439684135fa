import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type LocalGitHub, startGitHub } from "../../test/github/server.ts";
import { freePort } from "../../test/support/free-port.ts";
import { campaign } from "./clock.ts";
import type { Names } from "./inside.ts";
import type { Said } from "./people.ts";
import { openPost, type Post } from "./post.ts";
import { type Built, type Ended, launch, type Program, settle } from "./program.ts";
import { openReport, type Report, sharedList } from "./reports.ts";
import type { Web } from "./web.ts";

/** A world in which rounds are played: reports, a web, a GitHub, and the program with its store. */

const minute = 60_000;

export interface Place {
  /** `owner/name` at GitHub, its present and its earlier one. */
  repo: string;
  readonly names: string[];
  /** Its number there. */
  readonly id: number;
  readonly report: Report;
}

export interface World {
  readonly kind: "server" | "command";
  readonly web: Web;
  readonly github: LocalGitHub;
  readonly post: Post;
  readonly places: readonly Place[];
  readonly folder: string;
  /** The store's file. */
  readonly store: string;
  /** How far the clock of the program's machine is beside the campaign's. */
  skew: number;
  /** The server, if one runs. */
  server: Program | undefined;
  /** The server or the scan that was started last. */
  readonly current: Program | undefined;
  /** Told of each that is started from now on. */
  readonly onLaunch: Set<(program: Program) => void>;
  /** Work in the background. */
  readonly also: Promise<void>[];
  /** Wrongs that were found on the way. */
  readonly wrongs: string[];
  /** Times that were stored then may be of days to come. */
  wasClockWrong: boolean;
  /** Whether the store has a disk of its own. */
  readonly isMounted: boolean;
  /** All that people said and did. */
  readonly said: Said[];
  /** Issues that a stranger copied from the program's, and commands there: nothing may be written to them. */
  readonly strangers: { readonly place: Place; readonly issue: number; readonly comment?: number }[];
  /** Issues in which a person has acted, by the numbers of repository and issue. */
  readonly touched: Set<string>;
  /** Processes that ended, oldest first. */
  readonly ended: Ended[];
  readonly secret: string;
  /** Starts the server, or one scan. */
  begin(more?: readonly string[]): Program;
  /** Another process on the same state; with `env`, on a state of its own. */
  beside(args: readonly string[], env?: Readonly<Record<string, string>>): Program;
  /** Has the program wait until something is done. */
  work(act: Promise<void>): void;
  isBusy(): boolean;
  close(): Promise<void>;
}

export interface Means {
  readonly web: Web;
  readonly built: Built;
  /** A folder for all that the world needs. */
  readonly scratch: string;
  /** The certificates of the web. */
  readonly authority?: string;
}

const secret = "a-secret-of-webhooks";

export async function openWorld(kind: World["kind"], { web, built, scratch, authority }: Means): Promise<World> {
  web.forget();
  const folder = mkdtempSync(join(scratch, `${kind}-`));
  const shared = sharedList();
  const names = kind === "server" ? ["north/one", "south/two"] : ["south/three"];
  const port = await freePort();
  let server: Program | undefined;
  const webhooks = `http://127.0.0.1:${port}/api/github/webhooks`;
  const post = await openPost(() => (server && !server.isOver ? webhooks : undefined));
  const github = await startGitHub({
    repo: names[0],
    others: names.slice(1),
    owners: kind === "server" ? ["south"] : [],
    ...(kind === "server" && { webhook: { url: post.url, secret } }),
  });
  const places: Place[] = [];
  for (const repo of names) {
    const { id } = await github.asPerson<{ id: number }>("GET", "", undefined, "author", repo);
    places.push({ repo, names: [repo], id, report: openReport(repo.split("/")[1] ?? "", web, shared) });
  }
  const data = join(folder, "data");
  const env = {
    RECHECK_DATA: data,
    RECHECK_ALLOW_ADDRESSES: "127.0.0.0/24",
    RECHECK_ARCHIVE: "none",
    GITHUB_API_URL: github.url,
    TZ: "Europe/Berlin",
    ...(authority !== undefined && { NODE_EXTRA_CA_CERTS: authority }),
    ...(kind === "command"
      ? { RECHECK_REPO: names[0] ?? "", GITHUB_TOKEN: github.token }
      : {
          APP_ID: String(github.app.id),
          PRIVATE_KEY: github.app.privateKey,
          WEBHOOK_SECRET: secret,
          PORT: String(port),
          HOST: "127.0.0.1",
          LOG_LEVEL: "info",
        }),
  };
  const ended: Ended[] = [];
  let current: Program | undefined;
  let acts = 0;
  const isMounted = mount(data);

  function beside(args: readonly string[], given = env): Program {
    const program = launch(built, { args, env: given, cwd: folder, names: web.names(), skew: world.skew });
    void program.ended.then((one) => ended.push(one));
    return program;
  }

  const world: World = {
    kind,
    web,
    github,
    post,
    places,
    folder,
    store: join(data, "recheck.sqlite"),
    skew: 0,
    get server() {
      return server;
    },
    set server(program) {
      server = program;
    },
    ended,
    get current() {
      return current;
    },
    onLaunch: new Set(),
    also: [],
    wrongs: [],
    wasClockWrong: false,
    isMounted,
    said: [],
    strangers: [],
    touched: new Set(),
    secret,
    begin(more = []) {
      const program = beside([kind === "server" ? "start" : "scan", ...more]);
      if (kind === "server") server = program;
      current = program;
      for (const work of [...world.onLaunch]) work(program);
      return program;
    },
    beside,
    isBusy: () => github.busy > 0 || post.busy > 0 || acts > 0,
    work(act) {
      acts++;
      void act.finally(() => acts--);
    },
    async close() {
      opened.delete(world);
      server?.kill("SIGKILL");
      await server?.ended;
      await github.close();
      await post.close();
      if (isMounted) execFileSync("umount", ["-l", data]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  opened.add(world);
  await prepare(world);
  return world;
}

/** Those that are not closed. */
const opened = new Set<World>();

/** Cleans up if the campaign is interrupted. */
export function abandon(): void {
  for (const { current, isMounted, store } of opened) {
    current?.kill("SIGKILL");
    if (isMounted) execFileSync("umount", ["-l", dirname(store)]);
  }
}

/** Gives a folder a small disk of its own, if this machine allows it. */
function mount(folder: string): boolean {
  mkdirSync(folder, { mode: 0o700 });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m,mode=700", "tmpfs", folder], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}

/** The reports' config is there before the program is. */
async function prepare({ kind, places, folder, github }: World): Promise<void> {
  for (const { repo, report } of places) {
    if (kind === "command")
      await github.asPerson("POST", "/labels", { name: "recheck", color: "0e8a16" }, "author", repo);
    for (const [path, text] of Object.entries(report.files)) {
      if (kind === "command") {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      } else {
        const content = Buffer.from(text).toString("base64");
        await github.asPerson("PUT", `/contents/${path}`, { message: path, content }, "author", repo);
      }
    }
  }
}

/** A server runs and answers. False if it ended at once. */
export async function ensureServer(world: World): Promise<boolean> {
  const server = world.server && !world.server.isOver ? world.server : world.begin();
  if (server.said().includes("Listening on")) return true;
  while (!server.said().includes("Listening on") && !server.isOver) await new Promise((done) => setTimeout(done, 5));
  if (!server.isOver) await server.ask({ do: "flush" });
  return !server.isOver;
}

/** Lets this time pass, as on a machine that sleeps, then does what is due. `most`: the time limit for that, in ms. */
export async function pass(world: World, ms: number, most = 3 * minute): Promise<void> {
  if (world.kind === "command") {
    campaign.pass(ms);
    const program = world.begin();
    await settle(program, world.isBusy, 2 * 60 * minute);
    if (!program.isOver) program.kill("SIGKILL");
    await program.ended;
    await Promise.all(world.also.splice(0));
    return;
  }
  // The server starts due work at the beginning of a minute.
  const wait = ms + minute - ((campaign.now() + world.skew + ms) % minute) + 20;
  campaign.pass(wait);
  const { server } = world;
  if (!server || server.isOver) return;
  await server.ask({ do: "sleep", ms: wait });
  await settle(server, world.isBusy, Math.min(most, minute - 1_000));
}

export async function tellNames(world: World, names: Names = world.web.names()): Promise<void> {
  if (world.server && !world.server.isOver) await world.server.ask({ do: "names", names });
}
