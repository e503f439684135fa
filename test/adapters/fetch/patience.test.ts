import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Patience } from "../../../src/adapters/fetch/exchange.ts";
import { closeAll, failure, fetching, web } from "./local-web.ts";

afterEach(closeAll);

/** This whole program, and all that it hears, stands still. */
const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

describe("time in which this program was stopped", () => {
  it("is not a host's: bytes that came meanwhile are an answer", async () => {
    const local = await web((_, answer) => {
      standStill(900);
      answer.end("here");
    });
    const fetched = await fetching({ timeout: 300 }).get({ url: local.origin }, {});
    expect(fetched).toMatchObject({ kind: "response", response: { status: 200 } });
  });

  it("leaves a host that gives no response what it is", async () => {
    const local = await web(() => standStill(900));
    expect((await failure(fetching({ timeout: 300 }), local.origin)).kind).toBe("timeout");
  });
});

describe("patience", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("ends after the time in which the program ran", () => {
    const over = vi.fn();
    const patience = new Patience(20_000, over);
    vi.advanceTimersByTime(19_999);
    expect([over.mock.calls.length, patience.left, patience.isBlind]).toEqual([0, 1, false]);
    vi.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledOnce();
  });

  it.each([
    ["the machine slept", 3_600_000],
    ["the clock was set forward", 60_000],
  ])("goes on if %s, and knows that the cause of a broken connection is unknown", (_, ms) => {
    const over = vi.fn();
    const patience = new Patience(1_000, over);
    vi.setSystemTime(Date.now() + ms);
    vi.advanceTimersByTime(999);
    expect([over.mock.calls.length, patience.isBlind]).toEqual([0, true]);
    vi.advanceTimersByTime(2_000);
    expect(over).toHaveBeenCalledOnce();
  });
});
