import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";

/** A PostgreSQL server on this machine for tests; its data is gone with it. */
export interface PostgresServer {
  /** Of an empty database, made for whoever asks. */
  database(): Promise<string>;
  /** Ends it as a power cut would, or in order, and begins it anew on the same port. */
  restart(how?: "fast" | "immediate"): Promise<void>;
  /** Ends it, and leaves its data for `begin`. */
  end(): Promise<void>;
  begin(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the server's programs are, or why a test cannot have one. */
const programs = foldersOfPrograms().find((folder) => existsSync(join(folder, "postgres")));
const given = process.env.TEST_DATABASE_URL;

/** Empty where there is a server to test with; else why there is none, for the name of what is skipped. */
export const noServer =
  given || programs ? "" : " (skipped: neither TEST_DATABASE_URL nor PostgreSQL's own programs are here)";
/** The same for tests that stop and start their server. */
export const noOwnServer = programs ? "" : " (skipped: PostgreSQL's own programs are not here)";

function foldersOfPrograms(): string[] {
  return [...(process.env.PATH ?? "").split(delimiter), ...globSync("/usr/lib/postgresql/*/bin")];
}

/** The server of TEST_DATABASE_URL, which may make databases there, or one of its own. */
export async function startPostgres(): Promise<PostgresServer> {
  return given && !programs ? borrowed(given) : await startOwnPostgres();
}

export async function startOwnPostgres(): Promise<PostgresServer> {
  if (!programs) throw new Error("PostgreSQL's programs are not here");
  const folder = mkdtempSync(join(tmpdir(), "recheck-postgres-"));
  const user = whoMayRun();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync("cp", ["-a", emptyData(programs, folder, user), data], { ...user, cwd: folder });
  const port = await freePort();
  const address = (name: string) => `postgres://operator@127.0.0.1:${port}/${name}`;
  let server: ChildProcess | undefined;

  async function begin(): Promise<void> {
    const options = ["-c", "fsync=off", "-c", "listen_addresses=127.0.0.1", "-c", `unix_socket_directories=${folder}`];
    server = spawn(join(programs as string, "postgres"), ["-D", data, "-p", String(port), ...options], {
      ...user,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines = server.stderr;
    if (!lines) throw new Error("the server says nothing");
    await new Promise<void>((resolve, reject) => {
      let said = "";
      lines.on("data", (chunk: Buffer) => {
        said = `${said}${chunk}`.slice(-4_000);
        if (said.includes("ready to accept connections")) resolve();
      });
      server?.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said}`)));
    });
  }

  async function end(how: "fast" | "immediate" = "immediate"): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    server.kill(how === "fast" ? "SIGINT" : "SIGQUIT");
    await gone;
  }

  await begin();
  return {
    begin,
    end,
    database: () => newDatabase(address("postgres"), address),
    async restart(how) {
      await end(how);
      await begin();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The data of a new server, which is made once on this machine: a copy takes a tenth of the time. */
function emptyData(programs: string, folder: string, user: ReturnType<typeof whoMayRun>): string {
  const made = join(tmpdir(), `recheck-postgres-${programs.replace(/\W+/g, "-")}`);
  if (existsSync(made)) return made;
  const making = join(folder, "making");
  const quiet = ["--auth=trust", "--username=operator", "--no-sync", "--encoding=UTF8", "--locale=C"];
  execFileSync(join(programs, "initdb"), ["-D", making, ...quiet], { ...user, stdio: "ignore", cwd: folder });
  try {
    renameSync(making, made);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(made)) throw error;
  }
  return made;
}

function borrowed(address: string): PostgresServer {
  const made: string[] = [];
  const named = (name: string) => Object.assign(new URL(address), { pathname: `/${name}` }).href;
  const refuse = async () => {
    throw new Error("this server is another's");
  };
  return {
    async database() {
      const one = await newDatabase(address, named);
      made.push(new URL(one).pathname.slice(1));
      return one;
    },
    restart: refuse,
    end: refuse,
    begin: refuse,
    async stop() {
      await asking(address, async (client) => {
        for (const name of made) await client.query(`drop database if exists ${name} with (force)`);
      });
    },
  };
}

let databases = 0;

async function newDatabase(from: string, address: (name: string) => string): Promise<string> {
  const name = `recheck_${process.pid}_${++databases}_${Date.now().toString(36)}`;
  await asking(from, (client) => client.query(`create database ${name}`));
  return address(name);
}

/** One connection, for what a test asks of the server itself. */
export async function asking<T>(address: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: address });
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A way to a server on which connections can break without a word, as they do where a machine between forgets them. */
export interface Way {
  /** The address by this way. */
  to(address: string): string;
  /** Nothing comes on the connections that are open now, and none of them ends. */
  silence(): void;
  /** Nothing comes on the next connection once the server takes statements on it. */
  silenceNext(): void;
  close(): Promise<void>;
}

/** The message by which the server says so: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const readyForQuery = Buffer.from("Z\0\0\0\u0005I", "latin1");

export async function startWay(address: string): Promise<Way> {
  const { port } = new URL(address);
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  let isNextSilent = false;
  const way = createServer((here) => {
    const there = connect(Number(port), "127.0.0.1");
    for (const [from, to] of [
      [here, there],
      [there, here],
    ] as const) {
      open.add(from);
      from.on("data", (bytes) => void (silent.has(from) || to.write(bytes)));
      from.on("end", () => void (silent.has(from) || to.end()));
      from.on("error", () => {});
      from.on("close", () => void open.delete(from));
    }
    if (isNextSilent)
      there.on("data", (bytes: Buffer) => void (bytes.includes(readyForQuery) && silent.add(here).add(there)));
    isNextSilent = false;
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  const at = way.address();
  if (at === null || typeof at === "string") throw new Error("no port");
  return {
    to: (one) => Object.assign(new URL(one), { port: at.port }).href,
    silence() {
      for (const one of open) silent.add(one);
    },
    silenceNext() {
      isNextSilent = true;
    },
    async close() {
      for (const one of open) one.destroy();
      await new Promise((closed) => way.close(closed));
    },
  };
}

/** The server refuses to run as root. */
function whoMayRun(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith("postgres:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (!uid || !gid) throw new Error("PostgreSQL does not run as root, and this machine has no user postgres");
  return { uid: Number(uid), gid: Number(gid) };
}
