import { expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import type { WebArchive } from "../../src/model/ports/index.ts";
import { pastOfUnproved } from "../../src/onboard/first-check.ts";
import { readers } from "../../src/read/index.ts";
import { configOf } from "../support/config-of.ts";
import { page } from "../support/story.ts";

const audit = Date.UTC(2026, 4, 16);
const names = ["memory", "speed", "price"];
const of = (name: string) => `https://docs.example.org/${name}`;
const config = configOf(
  `report: { title: A report, audited: 2026-05-16 }\nbaseline: archive\nsources: { ${names.map((name) => `${name}: { page: "${of(name)}" }`).join(", ")} }\n`,
);
const body = Buffer.from(page("<h2>Memory</h2><p>Up to 128 GB.</p>"));

/** A copy of each page, but for what a fault does in its place. */
function archive(fault: (name: string) => Promise<void>): WebArchive {
  return {
    name: "archive.example",
    async *copies(url) {
      await fault(url.slice(of("").length));
      const copy = { url: `https://archive.example/${url}`, at: audit };
      const headers = { "content-type": "text/html" };
      yield { kind: "copy", copy, response: { url, status: 200, headers, body } };
    },
  };
}

async function past(fault: (name: string) => Promise<void>, more: { within?: number; stopped?: () => boolean } = {}) {
  const clock = { now: () => Date.UTC(2026, 10, 20) };
  const source = config.sources.get("memory") ?? expect.fail();
  const response = { url: of("memory"), status: 200, headers: { "content-type": "text/html" }, body };
  const reading = await readers.get("page")?.read(response, source);
  const now = new Map(names.map((name) => [name, reading ?? expect.fail()]));
  const web = { readers, clock, archive: archive(fault) };
  const found = await pastOfUnproved(names, config, now, web, { within: 60_000, ...more });
  return [...found.keys()];
}

test("pages at the audit are had one after the other", async () => {
  expect(await past(async () => {})).toEqual(names);
});

test("an archive that never answers is let be once the time is over, with what it gave until then", async () => {
  const never = new Promise<void>(() => {});
  expect(await past((name) => (name === "memory" ? never : Promise.resolve()), { within: 20 })).toEqual([]);
  let given = 0;
  const stopped = () => given > 1;
  const one = async () => void given++;
  expect(await past(one, { stopped })).toEqual(["memory", "speed"]);
});

test("an archive that is silent is asked for no other page; one page that fails keeps no other back", async () => {
  const failing = (kind: "timeout" | "status") => async (name: string) => {
    if (name === "speed") throw new Failure(kind, kind === "status" ? { status: 503 } : {});
  };
  expect(await past(failing("timeout"))).toEqual(["memory"]);
  expect(await past(failing("status"))).toEqual(["memory", "price"]);
});
