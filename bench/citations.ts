import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { makeOnce } from "../src/model/cache.ts";
import { type Ask, createRegistries } from "../src/works/registries.ts";
import { citedWorksOf } from "../src/works/split.ts";
import { verifierOf } from "../src/works/verify.ts";
import { freePort } from "../test/support/free-port.ts";

/**
 * Says of each citation in DIR/docs whether the work exists and is named right: one line of JSON a document. DIR/registry.mjs
 * plays the registries. `npm run --silent citations -- --corpus DIR --out FILE [--log FILE] [--only NAME] [--fault KIND:SHARE]`
 */
const { values } = parseArgs({
  options: {
    corpus: { type: "string" },
    out: { type: "string" },
    log: { type: "string" },
    only: { type: "string" },
    now: { type: "string", default: "2026-11-26" },
    fault: { type: "string", multiple: true, default: [] },
  },
});
const { corpus, out } = values;
if (corpus === undefined || out === undefined) throw new Error("usage: citations --corpus DIR --out FILE");

const port = await freePort();
const work = mkdtempSync(join(tmpdir(), "recheck-citations-"));
const log = values.log ?? join(work, "log.jsonl");
rmSync(log, { force: true });
const faults = values.fault.flatMap((fault) => ["--fault", fault]);
const registry = spawn(
  process.execPath,
  [join(corpus, "registry.mjs"), "--port", String(port), "--ca", join(work, "ca"), "--log", log, ...faults],
  { stdio: ["ignore", "pipe", "inherit"] },
);
try {
  await ready(port);
  const registries = createRegistries(asking(`http://127.0.0.1:${port}`));
  const lines: string[] = [];
  for (const path of globSync(join(corpus, "docs", "*")).toSorted()) {
    const name = basename(path).replace(/\.\w+$/, "");
    if (values.only !== undefined && !name.includes(values.only)) continue;
    const works = citedWorksOf(path, readFileSync(path, "utf8"));
    const judge = await verifierOf(works, registries, Date.parse(values.now));
    const citations = [];
    for (const work of works) {
      const { line, key, text } = work;
      const { finding, evidence, proposed } = await judge(work);
      citations.push({
        line,
        ...(key !== undefined && { key }),
        text,
        verdict: finding,
        evidence,
        ...(proposed !== undefined && { proposed }),
      });
    }
    lines.push(JSON.stringify({ id: name, citations }));
  }
  writeFileSync(out, `${lines.join("\n")}\n`);
  const requests = existsSync(log) ? readFileSync(log, "utf8").split("\n").filter(Boolean).length : 0;
  console.log(JSON.stringify({ documents: lines.length, requests }));
} finally {
  registry.kill();
  rmSync(work, { recursive: true, force: true });
}

function asking(base: string): Ask {
  const known = new Map<string, Promise<{ status: number; body: string }>>();
  const one = async (url: string, isAgain = false): Promise<{ status: number; body: string }> => {
    try {
      const { host, pathname, search } = new URL(url);
      const response = await fetch(`${base}/${host}${pathname}${search}`, {
        redirect: "manual",
        signal: AbortSignal.timeout(10_000),
      });
      const body = await response.text();
      return response.status === 200 || response.status === 404 || isAgain
        ? { status: response.status, body }
        : await one(url, true);
    } catch {
      return isAgain ? { status: 0, body: "" } : await one(url, true);
    }
  };
  return (url) => makeOnce(known, url, () => one(url));
}

async function ready(port: number): Promise<void> {
  for (let i = 0; i < 600; i++) {
    try {
      await (await fetch(`http://127.0.0.1:${port}/control.invalid/stats`)).text();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error("the registry did not start");
}
