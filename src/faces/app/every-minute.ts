import { createTask } from "node-cron";
import type { Duration } from "../../model/model.ts";
import { aMinute } from "../../model/time.ts";

/** A timer that goes off at the beginning of each minute of the time of day. */
export interface MinuteTimer {
  start(): void;
  stop(): Promise<void>;
}

/** Timers may be early by less than this. */
const aMoment: Duration = 500;

/**
 * Goes off each minute, once however many minutes a machine slept. The schedule of node-cron tells when, and the waiting is done
 * here: its own goes over each minute that it missed, ten thousand after a week, and by the time of day; where that is put
 * back, it waits until the time has come once more.
 */
export function createMinuteTimer(onMinute: () => void): MinuteTimer {
  const schedule = createTask("* * * * *", () => {}, { name: "round" });
  let timer: NodeJS.Timeout | undefined;

  function waitForNext(): void {
    const now = Date.now();
    const left = (schedule.getNextRuns(1)[0]?.getTime() ?? now) - now;
    // Timers are early by a little: what is left then is of the minute that has come.
    timer = setTimeout(goOff, Math.min(left < aMoment ? left + aMinute : left, 2 * aMinute));
  }

  function goOff(): void {
    waitForNext();
    onMinute();
  }

  return {
    start() {
      // In the hour that comes twice in autumn the schedule would take now for an hour ago. Its own `timezone` does not help:
      // it reckons by the zone of the process all the same.
      Object.assign(process.env, { TZ: "UTC" });
      waitForNext();
    },
    async stop() {
      clearTimeout(timer);
      await schedule.destroy();
    },
  };
}
