import dns from "node:dns";
import { flushCompileCache, syncBuiltinESMExports } from "node:module";
import { isIP } from "node:net";
import { DatabaseSync, StatementSync } from "node:sqlite";
import timers from "node:timers/promises";
import { promisify } from "node:util";
import { isMainThread, Worker } from "node:worker_threads";
import { takeOverDate } from "./clock.ts";
import { stillness, watch } from "./stillness.ts";

/**
 * Loaded into the program ahead of its own first line (`node --import`): its time, names and disk are the campaign's, which
 * says over IPC how they go on. Nothing of the program is changed. No name leads to the network of this machine's world.
 */

/** The words of the campaign. */
export type Order =
  /** `ms` pass: every timer that is due until then fires at its time. Answered as `how` is. */
  | { readonly do: "pass"; readonly ms: number }
  /** The machine sleeps for so long: timers that were due meanwhile fire after it. */
  | { readonly do: "sleep"; readonly ms: number }
  /** Somebody sets the clock; timers do not notice. */
  | { readonly do: "set"; readonly ms: number }
  /** Keeps compiled code for the next one, which may be killed. */
  | { readonly do: "flush" }
  /** How the program is once it has nothing to do but to wait. */
  | { readonly do: "how" }
  | { readonly do: "names"; readonly names: Names }
  /** From now on each commit takes this long, and the process dies at this statement, by number. */
  | { readonly do: "disk"; readonly slow?: number; readonly dieAt?: number };

/** The outcomes of looking up a name, one after the other, the last for good: addresses, an error's code, or `never` an answer. */
export type Names = Readonly<Record<string, readonly (readonly string[] | string)[]>>;

/** How a program is that has nothing to do. */
export interface How {
  /** Milliseconds until its next timer. */
  readonly next?: number;
  /** So many have passed for it alone until then. */
  readonly passed: number;
}

/** How the program begins. */
export interface Beginning {
  /** The time then, in ms. */
  readonly at: number;
  readonly names: Names;
}

const realNow = performance.now.bind(performance);
const realSetTimeout = setTimeout;
const realClearTimeout = clearTimeout;

/** Time that passed faster than it does, and by how much the clock of the day is beside it. */
let ahead = 0;
let dayAt0 = 0;

const monotonic = (): number => realNow() + ahead;

/**
 * A thread has just been released: a wait for its end uses real time from then on. Starting another one costs more than a
 * round.
 */
let isLetGo = false;

class Timer {
  due: number;
  readonly wait: number;
  readonly #repeats: boolean;
  readonly #work: () => void;
  #real: NodeJS.Timeout | undefined;
  #held = true;

  constructor(work: () => void, wait: number, repeats: boolean) {
    this.wait = wait >= 1 && wait <= 2_147_483_647 ? wait : 1;
    this.#work = work;
    this.#repeats = repeats;
    this.due = monotonic() + this.wait;
    this.arm();
  }

  arm(): void {
    realClearTimeout(this.#real);
    waiting.add(this);
    this.#real = realSetTimeout(() => this.fire(), this.due - monotonic());
    if (!this.#held) this.#real.unref();
  }

  fire(): void {
    this.close();
    if (this.#repeats) {
      this.due = monotonic() + this.wait;
      this.arm();
    }
    this.#work();
  }

  close(): this {
    realClearTimeout(this.#real);
    waiting.delete(this);
    return this;
  }

  refresh(): this {
    this.due = monotonic() + this.wait;
    this.arm();
    return this;
  }

  ref(): this {
    this.#held = true;
    this.#real?.ref();
    return this;
  }

  unref(): this {
    this.#held = false;
    this.#real?.unref();
    if (isLetGo) waiting.delete(this);
    return this;
  }

  hasRef(): boolean {
    return this.#held;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const waiting = new Set<Timer>();

function timer(repeats: boolean) {
  return (work: (...args: unknown[]) => void, wait = 1, ...args: unknown[]) =>
    new Timer(() => work(...args), Number(wait), repeats);
}

/** As `node:timers/promises` has it. */
function sleep<T>(wait?: number, value?: T, { signal, ref = true }: { signal?: AbortSignal; ref?: boolean } = {}) {
  return new Promise<T | undefined>((resolve, reject) => {
    const refuse = () => reject(new DOMException("The operation was aborted", "AbortError"));
    if (signal?.aborted) return refuse();
    const one = new Timer(() => resolve(value), wait ?? 1, false);
    if (!ref) one.unref();
    signal?.addEventListener("abort", () => {
      one.close();
      refuse();
    });
  });
}

function clear(given: unknown): void {
  if (given instanceof Timer) given.close();
  else realClearTimeout(given as NodeJS.Timeout);
}

function takeOverTime({ at }: Beginning): void {
  dayAt0 = at - realNow();
  takeOverDate(() => dayAt0 + monotonic());
  performance.now = monotonic;
  const setTimer = Object.assign(timer(false), { [promisify.custom]: sleep });
  Object.assign(globalThis, {
    setTimeout: setTimer,
    setInterval: timer(true),
    clearTimeout: clear,
    clearInterval: clear,
  });
  timers.setTimeout = sleep as typeof timers.setTimeout;
  AbortSignal.timeout = (wait) => {
    const end = new AbortController();
    const late = () => end.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    new Timer(late, wait, false).unref();
    return end.signal;
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

const soonest = (until: number): Timer | undefined => {
  let found: Timer | undefined;
  for (const one of waiting) if (one.due <= until && one.due < (found?.due ?? Infinity)) found = one;
  return found;
};

async function pass(ms: number): Promise<void> {
  const end = monotonic() + ms;
  for (let one = soonest(end); one; one = soonest(end)) {
    ahead += Math.max(0, one.due - monotonic());
    one.fire();
    await turn();
  }
  ahead += Math.max(0, end - monotonic());
  for (const one of waiting) one.arm();
}

async function fallAsleep(ms: number): Promise<void> {
  ahead += ms;
  const due = [...waiting].filter((one) => one.due <= monotonic()).sort((a, b) => a.due - b.due);
  for (const one of due) {
    if (waiting.has(one)) one.fire();
    await turn();
  }
  for (const one of waiting) one.arm();
}

let names: Record<string, (readonly string[] | string)[]> = {};

function learn(given: Names): void {
  names = Object.fromEntries(Object.entries(given).map(([name, steps]) => [name, [...steps]]));
}

type Found = (error: Error | null, addresses?: unknown, family?: number) => void;

/** `dns.lookup` of a world in which only the campaign's names exist. */
function lookUp(name: string, given: unknown, back?: Found): void {
  const done = (back ?? given) as Found;
  const all = typeof given === "object" && (given as { all?: boolean } | null)?.all === true;
  const steps = isIP(name) === 0 ? (names[name] ?? []) : [[name]];
  const found = (steps.length > 1 ? steps.shift() : steps[0]) ?? "ENOTFOUND";
  if (found === "never") return;
  if (typeof found === "string") {
    const error = Object.assign(new Error(`getaddrinfo ${found} ${name}`), { code: found, syscall: "getaddrinfo" });
    setImmediate(() => done(error));
    return;
  }
  const addresses = found.map((address) => ({ address, family: 4 }));
  setImmediate(() => (all ? done(null, addresses) : done(null, found[0], 4)));
}

const disk = { slow: 0, dieAt: Infinity };
const pauses = new Int32Array(new SharedArrayBuffer(4));

/** Counts statements, so that the process can die at any of them, before it is carried out or after. */
function takeOverDisk(): void {
  const around = <T>(text: string, work: () => T): T => {
    disk.dieAt -= 1;
    if (disk.dieAt === 0) process.kill(process.pid, "SIGKILL");
    if (disk.slow > 0 && /^commit/i.test(text)) Atomics.wait(pauses, 0, 0, disk.slow);
    const done = work();
    disk.dieAt -= 1;
    if (disk.dieAt === 0) process.kill(process.pid, "SIGKILL");
    return done;
  };
  for (const name of ["run", "all", "get"] as const) {
    const own = StatementSync.prototype[name] as (...args: unknown[]) => unknown;
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...args: unknown[]) {
        return around(this.sourceSQL, () => own.apply(this, args));
      },
    });
  }
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, text) {
    return around(text, () => exec.call(this, text));
  };
}

/** Threads that do something: whoever waits for one holds it. */
const atWork = new Set<Worker>();
let onRest = (): void => {};

function watchThreads(): void {
  const { emit, ref, unref } = Worker.prototype;
  const rest = (one: Worker) => void (atWork.delete(one) && atWork.size === 0 && onRest());
  Worker.prototype.ref = function (this: Worker) {
    atWork.add(this);
    return ref.call(this);
  };
  Worker.prototype.unref = function (this: Worker) {
    rest(this);
    isLetGo = true;
    queueMicrotask(() => (isLetGo = false));
    return unref.call(this);
  };
  Worker.prototype.emit = function (this: Worker, event: string, ...args: unknown[]) {
    if (event === "exit") rest(this);
    return emit.call(this, event as never, ...(args as [never]));
  };
}

/** Whoever waits for so long only wants others to come first: it passes without a word. */
const aMoment = 2;

async function how(): Promise<How> {
  for (let passed = 0; ; ) {
    if (atWork.size > 0) await new Promise<void>((resolve) => (onRest = resolve));
    await stillness();
    if (atWork.size > 0) continue;
    const found = soonest(Infinity);
    if (!found) return { passed };
    const next = Math.max(0, found.due - monotonic());
    if (next > aMoment) return { next, passed };
    await pass(next);
    passed += next;
  }
}

async function obey(order: Order): Promise<How | undefined> {
  if (order.do === "how") return await how();
  if (order.do === "pass") {
    await pass(order.ms);
    return await how();
  }
  if (order.do === "flush") flushCompileCache();
  else if (order.do === "sleep") await fallAsleep(order.ms);
  else if (order.do === "set") dayAt0 += order.ms;
  else if (order.do === "names") learn(order.names);
  else {
    disk.slow = order.slow ?? 0;
    disk.dieAt = order.dieAt ?? Infinity;
  }
  return undefined;
}

if (isMainThread && process.channel) {
  const beginning = JSON.parse(process.env.CHAOS_BEGINS ?? "") as Beginning;
  delete process.env.CHAOS_BEGINS;
  watch();
  takeOverTime(beginning);
  learn(beginning.names);
  dns.lookup = lookUp as unknown as typeof dns.lookup;
  takeOverDisk();
  watchThreads();
  syncBuiltinESMExports();
  process.on("message", ({ id, ...order }: Order & { id: number }) => {
    void obey(order as Order).then((answer) => process.send?.({ id, answer }));
  });
  process.on("disconnect", () => process.exit());
  process.channel.unref();
}
