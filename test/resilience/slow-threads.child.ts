import { isMainThread, Worker } from "node:worker_threads";

/** Loaded before a program: the processor time of its worker threads counts three times, so that their limit is soon reached. */
type Taken = NodeJS.CpuUsage;
const times = ({ user, system }: Taken): Taken => ({ user: 3 * user, system: 3 * system });

if (isMainThread) {
  const { cpuUsage } = Worker.prototype;
  Worker.prototype.cpuUsage = async function (this: Worker) {
    return times(await cpuUsage.call(this));
  };
} else {
  const { threadCpuUsage } = process;
  process.threadCpuUsage = () => times(threadCpuUsage.call(process));
}
