import { beforeEach, describe, expect, test } from "vitest";
import { GitHubProblem } from "../../src/model/ports/index.ts";
import { type Creation, createOnce } from "../../src/recheck/create-once.ts";

/** One thing on a GitHub that may fail before or after it is made. */
let now: number;
let made: string[];
let attempted: number | undefined;
let counted: number[];
let fault: { readonly problem: GitHubProblem; readonly when: "before" | "after" } | undefined;
let isBlind: boolean;

beforeEach(() => {
  now = 1_000_000_000;
  made = [];
  attempted = undefined;
  counted = [];
  fault = undefined;
  isBlind = false;
});

const torn = new GitHubProblem("lost", "no answer");
const refused = new GitHubProblem("forbidden", "no permission");

async function run(more: Partial<Creation<string>> = {}, cap = 10) {
  const budget = {
    store: {
      creations: async (since: number) => counted.filter((at) => at >= since).length,
      countCreation: async (at: number) => void counted.push(at),
    },
    clock: { now: () => now },
    cap,
  };
  const creation: Creation<string> = {
    attempted,
    find: async () => {
      if (isBlind) throw torn;
      return made[0];
    },
    note: async (at) => {
      attempted = at;
    },
    create: async (sending) => {
      await sending();
      const now = fault;
      fault = undefined;
      if (now?.when === "before") throw now.problem;
      made.push("it");
      if (now) throw now.problem;
      return "it";
    },
    ...more,
  };
  return await createOnce(creation, budget).catch((error: GitHubProblem) => error.kind);
}

describe("a creation", () => {
  test("is noted before it is sent, and counted once", async () => {
    const noted: (number | undefined)[] = [];
    const create: Creation<string>["create"] = async (sending) => {
      await sending();
      expect(noted).toEqual([now]);
      return "it";
    };
    expect(await run({ note: async (at) => void noted.push(at), create })).toEqual({ kind: "created", made: "it" });
    expect([noted, counted]).toEqual([[now], [now]]);
  });

  test("is noted once its turn has come: one that only waited for it when the process ended is sent by the next run", async () => {
    expect(await run({ create: () => Promise.reject(torn) })).toBe("lost");
    expect([attempted, counted]).toEqual([undefined, []]);
    const began = now;
    const create: Creation<string>["create"] = async (sending) => {
      now += 60_000;
      await sending();
      return "it";
    };
    expect(await run({ create })).toEqual({ kind: "created", made: "it" });
    expect([attempted, counted]).toEqual([began + 60_000, [began + 60_000]]);
  });

  test("that is sent once more without what was refused of it is counted once", async () => {
    const create: Creation<string>["create"] = async (sending) => {
      await sending();
      await sending();
      return "it";
    };
    expect(await run({ create })).toEqual({ kind: "created", made: "it" });
    expect(counted).toEqual([now]);
  });

  test("whose answer is lost is found at once", async () => {
    fault = { problem: torn, when: "after" };
    expect(await run()).toEqual({ kind: "created", made: "it" });
    expect(made).toEqual(["it"]);
  });

  test("whose answer is lost, and that cannot be looked for, is found by the next run", async () => {
    fault = { problem: torn, when: "after" };
    isBlind = true;
    expect(await run()).toBe("lost");
    isBlind = false;
    expect(await run()).toEqual({ kind: "found", made: "it" });
    expect(made).toEqual(["it"]);
  });

  test("that did not arrive waits for ten minutes, in which it still may", async () => {
    fault = { problem: torn, when: "before" };
    expect(await run()).toBe("lost");
    now += 599_999;
    expect(await run()).toMatchObject({ kind: "waits", because: expect.stringContaining("still carry out") });
    now += 1;
    expect(await run()).toEqual({ kind: "created", made: "it" });
    expect(made).toEqual(["it"]);
  });

  test("that a clock noted which was ahead does not wait for that time", async () => {
    attempted = now + 86_400_000;
    expect(await run()).toEqual({ kind: "created", made: "it" });
  });

  test("that another machine noted, whose clock is a little ahead, may still be carried out, too", async () => {
    attempted = now + 60_000;
    expect(await run()).toMatchObject({ kind: "waits", because: expect.stringContaining("still carry out") });
    now += 60_000 + 600_000;
    expect(await run()).toEqual({ kind: "created", made: "it" });
  });

  test("that GitHub refused was not attempted", async () => {
    fault = { problem: refused, when: "before" };
    expect(await run()).toBe("forbidden");
    expect(attempted).toBeUndefined();
    expect(await run()).toEqual({ kind: "created", made: "it" });
  });

  test("waits for its own reason, and for the cap: then nothing is prepared, noted or sent", async () => {
    const prepare = async () => expect.unreachable();
    expect(await run({ prepare, wait: async () => ({ because: "of this" }) })).toEqual({
      kind: "waits",
      because: "of this",
    });
    counted = [now - 3_600_000, now - 1];
    expect(await run({ prepare }, 2)).toMatchObject({ kind: "waits", because: expect.stringContaining("at most 2") });
    expect([attempted, made]).toEqual([undefined, []]);
    now += 1;
    expect(await run({}, 2)).toEqual({ kind: "created", made: "it" });
  });

  test("that was made before is found, even at the cap", async () => {
    attempted = now;
    made = ["it"];
    expect(await run({}, 0)).toEqual({ kind: "found", made: "it" });
    expect(counted).toEqual([]);
  });
});
