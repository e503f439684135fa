import { setFlagsFromString } from "node:v8";

/**
 * Lets this process's heap grow to twice what is in use before it is swept. On a machine with much memory V8 waits for four
 * times that, which takes a server of very many looks no less of the processor: `docs/speed.md` says how much memory.
 */
export function sweepHeapSooner(): void {
  setFlagsFromString("--heap-growing-percent=100");
}
