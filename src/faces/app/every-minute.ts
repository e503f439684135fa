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
 * Fires each minute, and once after the machine slept. node-cron only computes the times: its own timer fires for each
 * missed minute (ten thousand after a week), and waits for hours after the clock was set back.
 */
export function createMinuteTimer(onMinute: () => void): MinuteTimer {
  const schedule = createTask("* * * * *", () => {}, { name: "round" });
  let timer: NodeJS.Timeout | undefined;

  function waitForNext(): void {
    const now = Date.now();
    const left = (schedule.getNextRuns(1)[0]?.getTime() ?? now) - now;
    // Timers fire slightly early, so the next minute counts as reached.
    timer = setTimeout(goOff, Math.min(left < aMoment ? left + aMinute : left, 2 * aMinute));
  }

  function goOff(): void {
    waitForNext();
    onMinute();
  }

  return {
    start() {
      // In the repeated hour in autumn, the schedule would confuse now with an hour ago. Its own `timezone` does not
      // help: it still uses the process's zone.
      Object.assign(process.env, { TZ: "UTC" });
      waitForNext();
    },
    async stop() {
      clearTimeout(timer);
      await schedule.destroy();
    },
  };
}
