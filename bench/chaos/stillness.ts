import { createHook } from "node:async_hooks";
import { randomBytes } from "node:crypto";

/** Knows whether anything runs in this process besides this check. Of promises, only the work that they wait for counts. */

let ran = 0;
let isChecking = false;
const checks = new Set<number>();
const connections = new Set<number>();
let heard = 0;

export function watch(): void {
  createHook({
    trackPromises: false,
    init(id, type) {
      if (isChecking) checks.add(id);
      else if (/^(?:TCP|TLS|HTTP)/.test(type)) connections.add(id);
    },
    before(id) {
      if (checks.has(id)) return;
      ran++;
      if (connections.has(id)) heard++;
    },
    destroy(id) {
      checks.delete(id);
      connections.delete(id);
    },
  }).enable();
}

/** How often a connection of this process had something to tell. */
export const heardOfOthers = (): number => heard;

function checking(begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    isChecking = true;
    begin(resolve);
    isChecking = false;
  });
}

/** A turn of the event loop, after all earlier work of the system's threads if there is only one. */
async function turnOf(): Promise<void> {
  await checking(setImmediate);
  await checking((done) => randomBytes(1, () => done()));
  await checking(setImmediate);
}

/** Resolves after a turn in which nothing else went on. */
export async function stillness(): Promise<void> {
  for (let before = -1; before !== ran; ) {
    before = ran;
    await turnOf();
  }
}
