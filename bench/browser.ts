/**
 * The cost of a page that is opened in a browser, beside the same text as a plain page: `npm run bench:browser --
 * --pages 20`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { parseRanges } from "../src/adapters/fetch/address.ts";
import { createFetch } from "../src/adapters/fetch/index.ts";
import type { Settings } from "../src/wire/settings.ts";
import { browserFetch } from "../src/wire/web.ts";
import { startChromium } from "../test/support/chromium.ts";

const { values } = parseArgs({ options: { pages: { type: "string", default: "20" } } });
const count = Number(values.pages);

const text = Array.from({ length: 200 }, (_, i) => `<p>Paragraph ${i} says how the gauge ${i} is read.</p>`).join("");
const files: Readonly<Record<string, string>> = {
  plain: `<!doctype html><title>Gauges</title><main>${text}</main>`,
  shell: '<!doctype html><title>Gauges</title><div id="root"></div><script type="module" src="/main.js"></script>',
  "main.js": 'root.innerHTML = (await (await fetch("/data.json")).json()).html;',
  "data.json": JSON.stringify({ html: `<main>${text}</main>` }),
};
const server = createServer((request, response) => {
  const name = request.url?.slice(1).replace(/\?.*/, "") ?? "";
  const type = name.endsWith(".js") ? "text/javascript" : name.endsWith(".json") ? "application/json" : "text/html";
  response.writeHead(name in files ? 200 : 404, { "content-type": type }).end(files[name]);
});
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const chromium = await startChromium();
const plain = createFetch({
  clock: { now: () => Date.now() },
  userAgent: "Recheck-bench/0",
  pause: 0,
  allowAddresses: parseRanges("127.0.0.0/8"),
});
const fetch = browserFetch({ browser: chromium.address } as Settings)(plain);

/** Milliseconds of processor time of each process of the browser, and megabytes of all, as far as they were seen. */
const times = new Map<number, number>();
let memory = 0;
/** Milliseconds of processor time that this measuring took. */
let spent = 0;
const sampling = setInterval(sample, 200);
sample();
const asPlain = await measure("plain", (i) => fetch.get({ url: `${origin}/plain?${i}` }, { robots: true }));
const inBrowser = await measure("in a browser", (i) =>
  fetch.get({ url: `${origin}/shell?${i}`, browser: {} }, { robots: true }),
);
clearInterval(sampling);
const opened = inBrowser.here + inBrowser.there;
const rounded = (value: number) => Number(value.toPrecision(2));
console.log(
  `in a browser, a page takes ${rounded(opened / asPlain.here)} times the processor time; 100 of them a day take ${rounded(opened / 10)} s`,
);
await plain.close();
await chromium.close();
server.close();

/** Returns the milliseconds of processor time that one page took, here and in the browser. */
async function measure(name: string, get: (i: number) => Promise<unknown>): Promise<{ here: number; there: number }> {
  await get(-1);
  sample();
  memory = 0;
  spent = 0;
  const [started, ours, theirs] = [performance.now(), process.cpuUsage(), browserTime()];
  for (let i = 0; i < count; i++) await get(i);
  const each = (milliseconds: number) => `${Math.round((milliseconds / count) * 10) / 10} ms`;
  sample();
  const { user, system } = process.cpuUsage(ours);
  const [here, there] = [(user + system) / 1_000 - spent, browserTime() - theirs];
  console.log(
    `${name}: ${each(performance.now() - started)} a page, processor ${each(here)} here and ${each(there)} in the browser, whose memory was at most ${Math.round(memory)} MB`,
  );
  return { here: here / count, there: there / count };
}

function browserTime(): number {
  return [...times.values()].reduce((sum, time) => sum + time, 0);
}

function sample(): void {
  let megabytes = 0;
  const before = process.cpuUsage();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      // Its children have its process group.
      if (Number(fields[2]) !== chromium.process) continue;
      times.set(Number(name), (Number(fields[11]) + Number(fields[12])) * 10);
      const [, kilobytes = "0"] = /^Pss: +(\d+)/m.exec(readFileSync(`/proc/${name}/smaps_rollup`, "utf8")) ?? [];
      megabytes += Number(kilobytes) / 1_000;
    } catch {
      // It has ended meanwhile.
    }
  }
  memory = Math.max(memory, megabytes);
  const { user, system } = process.cpuUsage(before);
  spent += (user + system) / 1_000;
}
