import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "undici";

/** `npm run bench`: ratios to a floor in the same run, on the same machine, against the same local hosts. */
const hosts = fork(new URL("hosts.ts", import.meta.url));
const [{ port }] = (await once(hosts, "message")) as [{ port: number }];

function measure(what: string, count: number): { perSecond: number; peakMegabytes: number } {
  const args = [new URL("measure.ts", import.meta.url).pathname, what, String(port), String(count)];
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${what} failed: ${stderr}`);
  return JSON.parse(stdout);
}

/** Both sides in turn, three times; the median of the ratios. */
async function ratio(name: string, floor: number, count: number): Promise<boolean> {
  const rounds = [];
  for (let round = 0; round < 3; round++) {
    await edition(0);
    const bare = measure(`bare-${name}`, count).perSecond;
    await edition(0);
    const ours = measure(`recheck-${name}`, count).perSecond;
    rounds.push({ bare, ours, ratio: ours / bare });
  }
  const middle = rounds.sort((a, b) => a.ratio - b.ratio)[1] ?? { bare: 0, ours: 0, ratio: 0 };
  const spread = `${rounds[0]?.ratio.toFixed(2)} to ${rounds[2]?.ratio.toFixed(2)}`;
  say(
    `${name} looks`,
    `${middle.ours.toFixed(0)}/s`,
    `${middle.bare.toFixed(0)}/s bare`,
    `ratio ${middle.ratio.toFixed(2)} (${spread})`,
    floor,
    middle.ratio >= floor,
  );
  return middle.ratio >= floor;
}

async function edition(number: number): Promise<void> {
  const { body } = await request(`http://127.0.0.1:${port}/edition/${number}`);
  await body.dump();
}

function say(name: string, ours: string, bare: string, result: string, wanted: number, ok: boolean): void {
  process.stdout.write(
    `${name.padEnd(18)} ${ours.padEnd(10)} ${bare.padEnd(14)} ${result}  wanted ${wanted}: ${ok ? "ok" : "MISSED"}\n`,
  );
}

const kept = [await ratio("unchanged", 0.3, 1_600), await ratio("changed", 0.5, 64)];
const bare = measure("bare-memory", 0).peakMegabytes;
const full = measure("recheck-memory", 10_000).peakMegabytes;
const above = full - bare;
say(
  "memory, 10,000",
  `${full.toFixed(0)} MB`,
  `${bare.toFixed(0)} MB bare`,
  `${above.toFixed(0)} MB above`,
  250,
  above <= 250,
);
hosts.disconnect();
process.exitCode = kept.every(Boolean) && above <= 250 ? 0 : 1;
