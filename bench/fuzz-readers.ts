import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Command } from "commander";
import type { Hostile } from "./hostile/input.ts";
import { inputsOf, mostGenerated } from "./hostile/inputs.ts";
import type { Asked, Measured } from "./hostile/program.ts";

/**
 * `npm run fuzz:readers [-- --inputs N --seconds N --seed S --size BYTES --only WORDS]`: answers and reports that are
 * made to be slow or large, each beside an honest page. Answers are served on this machine and checked by the program
 * itself. Reports of all formats go through all steps before the program would request their pages. Inputs made by hand
 * come first, for all kinds, then generated ones until the time is over. Exits with 1 if an input fails twice in a row:
 * it stops the event loop for more than 100 ms of processor time, takes more than its worker may have, delays the
 * honest page, or shows a defect. An input that is not compressed also fails if it takes 2 s, or grows faster than its
 * size. For the second try, limits of time grow as an honest page of the same size takes longer than usual, and a turn of
 * the event loop may also hold two copies of the largest body: one joins its pieces, one sends it to its thread.
 */
const { inputs, seconds, seed, size, only } = new Command()
  .option("--inputs <number>", "at most so many", Number, Infinity)
  .option("--seconds <number>", "time for all inputs together", Number, 60)
  .option("--seed <number>", "of the generated inputs", Number, 1)
  .option("--size <characters>", "of each input", Number, 50_000)
  .option("--only <words>", "in the kind or name of an input", "")
  .parse()
  .opts<{ inputs: number; seconds: number; seed: number; size: number; only: string }>();

const mostTurn = 100;
/** Bytes of a body after decompression, at most. */
const largestBody = 20_000_000;
/**
 * Milliseconds of processor time of all threads, and megabytes: the limits of a worker, with some margin for stopping
 * it.
 */
const most = { milliseconds: 5_000 + 1_500, megabytes: 256 + 128 };
/**
 * In milliseconds, for inputs without compression. A report is parsed nine times, each within the limits of its own
 * task.
 */
const mostUnpacked = 2_000;
const mostOfReport = 6_000;
/** An honest page, if nothing else runs. */
const usualHonest = 333;
/** Milliseconds, in which a check ends whatever it checks. */
const mostHonest = 20_000;
/** An input is given up at this; without an end it would be waited for for ever. */
const patience = 240_000;

interface Result {
  readonly input: Hostile;
  readonly measured: Measured;
  readonly wrong?: string;
}

const honest = `<!doctype html><title>A page</title><main><h1>A page</h1>${"<p>What it says is so, and was so before.</p>".repeat(40)}</main>`;

/** A program with a web of its own, in which one input is served at a time. */
class Program {
  private child: ChildProcess | undefined;
  private body: string | Uint8Array = "";
  private input: Hostile | undefined;
  private readonly web: Server;

  constructor() {
    this.web = createServer({ keepAlive: false }, ({ url, headers, socket }, response) => {
      if (headers.host === "honest.example")
        response.writeHead(200, { "content-type": "text/html" }).end(url === "/robots.txt" ? "" : honest);
      else if (url === "/robots.txt") response.writeHead(404).end();
      else if (this.input?.isWhole) socket.end(this.body);
      else
        response
          .writeHead(200, this.input?.type === undefined ? {} : { "content-type": this.input.type })
          .end(this.body);
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((done) => this.web.listen(0, "127.0.0.1", done));
  }

  /** Undefined if the program crashed or did not end. */
  async measure(input: Hostile, index: number): Promise<Measured | undefined> {
    [this.input, this.body] = [input, input.make(size)];
    this.child ??= fork(new URL("hostile/program.ts", import.meta.url), {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const { child } = this;
    const end = new AbortController();
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    const told = once(child, "message", { signal: end.signal }).then(([measured]: Measured[]) => measured);
    const died = once(child, "exit", { signal: end.signal }).then(() => {
      this.child = undefined;
      return undefined;
    });
    const origin = `http://127.0.0.1:${(this.web.address() as AddressInfo).port}`;
    child.send({ seed, index, size, origin } satisfies Asked);
    const measured = await Promise.race([told, died]);
    clearTimeout(timer);
    end.abort();
    await Promise.allSettled([told, died]);
    return measured;
  }

  close(): void {
    this.child?.kill();
    this.web.closeAllConnections();
    this.web.close();
  }
}

const dead: Measured = {
  turn: Infinity,
  check: Infinity,
  again: 0,
  memory: Infinity,
  honest: Infinity,
  said: "died, or did not end",
};

/**
 * On a busy machine the same work takes more processor time. So an input beyond the limits is tried once more, and an honest
 * page beside it says how busy the machine is.
 */
async function tried(program: Program, input: Hostile, index: number): Promise<Result> {
  const first = await measuredOnce(program, input, index, { busy: 1, copies: 0 });
  if (first.wrong === undefined) return first;
  return await measuredOnce(program, input, index, { busy: await busyness(program), copies: 2 * timeOfCopy() });
}

/** What slows the machine down now. */
interface Slowness {
  /** How many times as long as usual honest work takes. */
  readonly busy: number;
  /** Milliseconds that the program may take longer, as it copies the body. */
  readonly copies: number;
}

/** Milliseconds of processor time. New memory costs most of it, on some machines twenty times as much as on others. */
function timeOfCopy(): number {
  const body = Buffer.alloc(largestBody, 1);
  const before = process.threadCpuUsage();
  Buffer.concat([body]);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** How many times as long as usual honest work takes; at least 1. The first of three may compile what it runs. */
async function busyness(program: Program): Promise<number> {
  const index = all.findIndex(({ about }) => about === "page: honest");
  const input = all[index];
  if (!input) throw new Error("no honest page is among the inputs");
  const times: number[] = [];
  for (let i = 0; i < 3; i++) times.push((await program.measure(input, index))?.again ?? 0);
  return Math.max(1, Math.min(...times) / usualHonest);
}

async function measuredOnce(program: Program, input: Hostile, index: number, slowness: Slowness): Promise<Result> {
  const measured = (await program.measure(input, index)) ?? dead;
  const wrong = wrongWith(measured, input, slowness);
  return { input, measured, ...(wrong !== undefined && { wrong }) };
}

function wrongWith(measured: Measured, { kind, isWhole }: Hostile, { busy, copies }: Slowness): string | undefined {
  const { wrong, turn, again, quarter = Infinity, memory, honest } = measured;
  if (measured === dead) return dead.said;
  if (wrong !== undefined) return wrong;
  if (turn > mostTurn * busy + copies) return `the event loop stood still for ${turn.toFixed(0)} ms`;
  if (taken(measured) > most.milliseconds + copies || memory > most.megabytes) return "more than a worker may have";
  if (honest > mostHonest * busy) return `an honest page waited for ${honest.toFixed(0)} ms`;
  if (kind === "pdf" || isWhole) return undefined;
  const limit = (kind === "report" ? mostOfReport : mostUnpacked) * busy;
  if (measured.isGivenUp || taken(measured) > limit) return "slow or large";
  return again > 500 && again > 8 * quarter ? "grows faster than its size" : undefined;
}

function taken({ check, again }: Measured): number {
  return Math.max(check, again);
}

const all = inputsOf(seed);
const byHand = all.length - mostGenerated;
/** Mixes the kinds, so that all are tried even if time runs out. */
const mixed = [...all.entries()].map(([i]) => (i < byHand ? (i * 389) % byHand : i));
const chosen = mixed
  .flatMap((i) => (all[i] ? [[i, all[i]] as const] : []))
  .filter(([, { kind, about, name }]) => `${kind}, ${about}: ${name}`.includes(only))
  .slice(0, inputs);
const results: Result[] = [];
const begun = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: 2 }, async () => {
    const program = new Program();
    await program.open();
    while (next < chosen.length && performance.now() - begun < seconds * 1_000) {
      const [index, input] = chosen[next++] ?? [];
      if (index !== undefined && input) results.push(await tried(program, input, index));
    }
    program.close();
  }),
);

const say = (line: string) => process.stdout.write(`${line}\n`);
const line = ({ input: { kind, about, name }, measured, wrong = "" }: Result) =>
  `${taken(measured).toFixed(0).padStart(7)} ms ${measured.memory.toFixed(0).padStart(5)} MB ${measured.turn.toFixed(0).padStart(5)} ms  ${kind}, ${about}: ${name} (${measured.said}) ${wrong}`;
const worst = (by: (measured: Measured) => number) =>
  results.toSorted((a, b) => by(b.measured) - by(a.measured)).slice(0, 10);
const sorted = results.map(({ measured }) => taken(measured)).sort((a, b) => a - b);
const wrong = results.filter((result) => result.wrong !== undefined);
const kinds = new Set(results.map(({ input }) => input.kind));
say(
  `${results.length} inputs of ${kinds.size} kinds, ${Math.min(results.length, byHand)} made by hand, seed ${seed}; median ${sorted[sorted.length >> 1]?.toFixed(0)} ms`,
);
const givenUp = results.filter(({ measured }) => measured.isGivenUp).length;
say(
  `${givenUp} were given up within the limits of a worker; ${sorted.filter((time) => time < 100).length} took less than 100 ms of processor time`,
);
say("By processor time, memory, and for how long the event loop stood still:");
for (const by of [taken, ({ memory }: Measured) => memory, ({ turn }: Measured) => turn]) {
  for (const result of worst(by)) say(line(result));
  say("");
}
say(wrong.length === 0 ? "None beyond the bounds." : `${wrong.length} beyond the bounds:`);
for (const result of wrong) say(line(result));
process.exitCode = wrong.length === 0 ? 0 : 1;
