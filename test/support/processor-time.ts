/**
 * Processor time of this thread so far, in milliseconds. Bounds on what a computation takes are told by it: by a clock
 * they would say how busy the machine is.
 */
export function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
