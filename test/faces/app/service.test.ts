import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import { createService } from "../../../src/faces/app/service.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test("a machine that slept for hours is no line in the log for each minute of them", async () => {
  vi.useFakeTimers();
  const says = vi.spyOn(console, "warn").mockImplementation(() => {});
  let rounds = 0;
  const round = async () => void rounds++;
  const clock = { now: () => Date.now() };
  const service = createService({ clock, log: pino({ level: "silent" }), stopping: new AbortController(), round });
  await service.start();
  vi.setSystemTime(Date.now() + 8 * 3_600_000);
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  await service.stop();
  expect(rounds).toBeGreaterThan(1);
  expect(says).not.toHaveBeenCalled();
});

test("a machine that slept for a week does not go over each minute of it", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-03-02T08:00:30Z") });
  const seen: string[] = [];
  const round = async () => void seen.push(new Date().toISOString().slice(0, 19));
  const clock = { now: () => Date.now() };
  const service = createService({ clock, log: pino({ level: "silent" }), stopping: new AbortController(), round });
  await service.start();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.setSystemTime(Date.now() + 7 * 24 * 3_600_000);
  const before = processorTime();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expectTime(processorTime() - before, 200);
  await service.stop();
  expect(seen).toEqual(["2026-03-02T08:00:30", "2026-03-02T08:01:00", "2026-03-09T08:02:00", "2026-03-09T08:03:00"]);
});

test("a round that takes longer than a minute is no line on the console, which is for the log alone", async () => {
  vi.useFakeTimers();
  const says = vi.spyOn(console, "warn").mockImplementation(() => {});
  const told: string[] = [];
  const log = pino({ level: "debug" }, { write: (line: string) => void told.push(line) });
  const held: (() => void)[] = [];
  const round = () => new Promise<void>((end) => held.push(end));
  const clock = { now: () => Date.now() };
  const service = createService({ clock, log, stopping: new AbortController(), round });
  await service.start();
  await vi.advanceTimersByTimeAsync(5 * 60_000);
  expect(held).toHaveLength(1);
  expect(says).not.toHaveBeenCalled();
  expect(told.map((line) => JSON.parse(line).level)).toContain(20);
  held[0]?.();
  await service.stop();
});

test("a clock that is put back by hours keeps nothing waiting until it has come once more", async () => {
  vi.useFakeTimers();
  let rounds = 0;
  const round = async () => void rounds++;
  const clock = { now: () => Date.now() };
  const service = createService({ clock, log: pino({ level: "silent" }), stopping: new AbortController(), round });
  await service.start();
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  vi.setSystemTime(Date.now() - 8 * 3_600_000);
  const before = rounds;
  await vi.advanceTimersByTimeAsync(10 * 60_000);
  await service.stop();
  expect(rounds - before).toBeGreaterThanOrEqual(8);
});

test("news that come during a round are not passed by: another follows, one for all of them", async () => {
  const held: (() => void)[] = [];
  const round = () => new Promise<void>((end) => held.push(end));
  const clock = { now: () => Date.now() };
  const service = createService({ clock, log: pino({ level: "silent" }), stopping: new AbortController(), round });
  service.runForNews();
  for (let news = 0; news < 3; news++) service.runForNews();
  expect(held).toHaveLength(1);
  held[0]?.();
  await expect.poll(() => held).toHaveLength(2);
  held[1]?.();
  await service.settled();
  expect(held).toHaveLength(2);
});

test("the hour that comes twice in autumn has a round each minute, both times", async () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  vi.useFakeTimers({ now: Date.parse("2026-10-25T00:00:30Z") });
  expect(new Date().getTimezoneOffset()).toBe(-120);
  let rounds = 0;
  const round = async () => void rounds++;
  const clock = { now: () => Date.now() };
  const service = createService({ clock, log: pino({ level: "silent" }), stopping: new AbortController(), round });
  await service.start();
  for (const hour of ["summer", "winter"]) {
    const before = rounds;
    for (let minute = 0; minute < 60; minute++) await vi.advanceTimersByTimeAsync(60_000);
    expect(rounds - before, hour).toBeGreaterThanOrEqual(59);
  }
  await service.stop();
});
