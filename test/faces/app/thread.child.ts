import { parentPort, threadId, workerData } from "node:worker_threads";

/** A thread that does as it is told: answers, says who it is, fails, leaves, never ends, or takes all memory there is. */
parentPort?.on("message", async (job: { does: string; with?: unknown }) => {
  const say = (kind: string, more: object): void => parentPort?.postMessage({ kind, ...more });
  if (job.does === "answer") say("done", { answer: [workerData, job.with] });
  else if (job.does === "who") say("done", { answer: threadId });
  else if (job.does === "fail") say("failed", { why: "it is broken" });
  else if (job.does === "leave") process.exit();
  else {
    if (job.with !== undefined) say("so-far", { answer: job.with });
    const all: string[][] = [];
    for (let i = 0; ; i++) if (job.does === "eat") all.push(Array.from({ length: 10_000 }, (_, j) => `${i} ${j}`));
  }
});
