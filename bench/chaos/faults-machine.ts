import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { campaign } from "./clock.ts";
import type { Dice } from "./dice.ts";
import type { Fault } from "./faults.ts";
import { limitFiles, type Program, settle } from "./program.ts";
import { ensureServer, type World } from "./worlds.ts";

/** Faults of the program's own machine. */

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Does something to the program that runs, and to each that is started meanwhile. */
function toProgram(world: World, work: (program: Program) => void): () => void {
  if (world.server && !world.server.isOver) work(world.server);
  world.onLaunch.add(work);
  return () => void world.onLaunch.delete(work);
}

/** The process gets a signal when it asks for something. */
const signals = (name: NodeJS.Signals): Fault[] => [
  {
    name: `machine: ${name} at a request to a source`,
    begin: (world, dice) => atRequest(world, dice, () => world.current?.kill(name)),
  },
  {
    name: `machine: ${name} at a request to GitHub`,
    begin(world, dice) {
      atGitHub(world, name, dice.one([/./, /^(?:POST|PATCH|PUT) \/repos\//]), 1 + dice.below(12));
      return () => world.github.mend();
    },
  },
  {
    // It is made, but the program does not learn of it: only a check before the next attempt prevents a second one.
    name: `machine: ${name} as an issue is made`,
    weight: 3,
    begin(world, dice) {
      atGitHub(world, name, /^POST \/repos\/.*\/issues$/, 1 + dice.below(2));
      return () => world.github.mend();
    },
  },
];

/** The process gets a signal when the so manyth request of a kind was carried out, before it is answered. */
function atGitHub(world: World, name: NodeJS.Signals, match: RegExp, which: number): void {
  let left = which;
  world.github.fault({
    match,
    when: "after",
    times: left,
    change: (given) => {
      if (--left === 0) world.current?.kill(name);
      return given;
    },
  });
}

/** Does something at one of the next requests for a source. */
function atRequest({ web }: World, dice: Dice, strike: () => void): () => void {
  let left = 1 + dice.below(8);
  web.onAsked = () => {
    if (--left === 0) strike();
  };
  return () => {
    web.onAsked = undefined;
  };
}

/** The disk of the store is its own: then it can be full, or only be read. */
const isMounted = (world: World): boolean => world.isMounted;

function fill(folder: string): () => void {
  const ballast = join(folder, "ballast");
  for (let size = 1_048_576; size >= 4_096; size /= 2) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
    } catch {
      // So much does not fit any more.
    }
  }
  return () => rmSync(ballast, { force: true });
}

/** The clock is put, and put right in the end. */
function clock(name: string, by: (dice: Dice) => number): Fault {
  return {
    name: `machine: ${name}`,
    async begin(world, dice) {
      const ms = by(dice);
      const put = async (by: number) => {
        world.skew += by;
        if (world.server && !world.server.isOver) await world.server.ask({ do: "set", ms: by });
      };
      world.wasClockWrong = true;
      await put(ms);
      return () => put(-ms);
    },
  };
}

/** Runs a command beside the program that has the state. */
function besides(name: string, args: readonly string[], isFit: (code: number | null) => boolean): Fault {
  return {
    name: `machine: ${name}`,
    async begin(world) {
      const run = async () => {
        // A server has its config elsewhere.
        const other = world.beside(args[0] === "scan" && world.kind === "server" ? ["start"] : args);
        await settle(other, world.isBusy, hour);
        other.kill("SIGKILL");
        const { code, err } = await other.ended;
        if (!isFit(code)) world.wrongs.push(`${args[0]} beside a server ended with ${code}: ${err.slice(0, 300)}`);
      };
      if (world.kind === "server") {
        await ensureServer(world);
        return run;
      }
      let isBegun = false;
      const work = () => {
        if (isBegun) return;
        isBegun = true;
        world.also.push(run());
      };
      world.onLaunch.add(work);
      return () => void world.onLaunch.delete(work);
    },
  };
}

export const machineFaults: readonly Fault[] = [
  {
    name: "machine: SIGKILL at a statement",
    begin(world, dice) {
      const stop = toProgram(world, (program) => void program.ask({ do: "disk", dieAt: 1 + dice.below(500) }));
      return () => {
        stop();
        void world.server?.ask({ do: "disk" });
      };
    },
  },
  ...signals("SIGKILL"),
  ...signals("SIGTERM"),
  {
    name: "machine: stands still in the middle",
    begin: (world, dice) =>
      atRequest(world, dice, () => {
        const ms = dice.one([minute, hour, 9 * hour]);
        campaign.pass(ms);
        void world.current?.ask({ do: "sleep", ms });
      }),
  },
  {
    name: "machine: slow disk",
    begin(world) {
      const stop = toProgram(world, (program) => void program.ask({ do: "disk", slow: 12 }));
      return () => {
        stop();
        void world.server?.ask({ do: "disk" });
      };
    },
  },
  {
    name: "machine: files may not grow",
    begin(world, dice) {
      const bytes = dice.one([0, 4_096, 65_536]);
      if (!limitFiles(process.pid, undefined)) return undefined;
      const stop = toProgram(world, ({ pid }) => void limitFiles(pid, bytes));
      return () => {
        stop();
        if (world.server && !world.server.isOver) limitFiles(world.server.pid, undefined);
      };
    },
  },
  {
    name: "machine: disk full",
    begin(world) {
      return isMounted(world) && existsSync(dirname(world.store)) ? fill(dirname(world.store)) : undefined;
    },
  },
  {
    name: "machine: state that can only be read",
    async begin(world) {
      const folder = dirname(world.store);
      const isRoot = process.getuid?.() === 0;
      if (isRoot && !isMounted(world)) return undefined;
      if (world.server && !world.server.isOver) {
        world.server.kill("SIGTERM");
        await settle(world.server, world.isBusy, hour);
        // It may still wait for GitHub: no round waits with it.
        world.server.kill("SIGKILL");
        await world.server.ended;
      }
      const become = (mode: "ro" | "rw") => {
        if (isRoot) return void execFileSync("mount", ["-o", `remount,${mode}`, folder]);
        for (const name of readdirSync(folder)) chmodSync(join(folder, name), mode === "ro" ? 0o400 : 0o600);
        chmodSync(folder, mode === "ro" ? 0o500 : 0o700);
      };
      become("ro");
      return () => become("rw");
    },
  },
  clock("clock put forward", (dice) => dice.one([10 * minute, 3 * hour, 2 * day, 20 * day])),
  clock("clock put back", (dice) => -dice.one([10 * minute, 3 * hour, 2 * day, 20 * day])),
  besides("a second scan", ["scan"], (code) => code !== 70),
  besides("status meanwhile", ["status"], (code) => code !== 70),
  besides("a backup meanwhile", ["backup", "copy.sqlite"], (code) => code !== 70),
  besides("doctor meanwhile", ["doctor"], (code) => code !== 70),
];
