import { createTask } from "node-cron";
import { aMinute, type Duration } from "../../model/time.ts";

/** A timer that fires at the start of each minute. */
export interface MinuteTimer {
  start(): void;
  stop(): Promise<void>;
}

/** Timers may fire early by less than this. */
const aMoment: Duration = 500;

/**
 * Fires each minute, and once after the machine slept. node-cron computes the times, but does not wait: its own timer
 * fires for each missed minute, ten thousand after a week, and waits for hours after the clock was put back.
 */
export function createMinuteTimer(onMinute: () => void): MinuteTimer {
  const schedule = createTask("* * * * *", () => {}, { name: "round" });
  let timer: NodeJS.Timeout | undefined;

  function waitForNext(): void {
    const now = Date.now();
    const left = (schedule.getNextRuns(1)[0]?.getTime() ?? now) - now;
    // Timers fire a little early: the time left then belongs to the minute that has come.
    timer = setTimeout(goOff, Math.min(left < aMoment ? left + aMinute : left, 2 * aMinute));
  }

  function goOff(): void {
    waitForNext();
    onMinute();
  }

  return {
    start() {
      // In autumn's repeated hour the schedule would take now for an hour ago. Its own `timezone` does not help: it
      // still reckons in the process's zone.
      Object.assign(process.env, { TZ: "UTC" });
      waitForNext();
    },
    async stop() {
      clearTimeout(timer);
      await schedule.destroy();
    },
  };
}
