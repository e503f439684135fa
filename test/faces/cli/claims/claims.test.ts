import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { parseRanges } from "../../../../src/adapters/fetch/address.ts";
import { type ClaimsOptions, claimsCommand } from "../../../../src/faces/cli/claims.ts";
import { initCommand } from "../../../../src/faces/cli/init/index.ts";
import { Unreachable, WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import { loadConfig } from "../../../../src/wire/config.ts";
import type { Settings } from "../../../../src/wire/settings.ts";
import { type Answer, type LocalWeb, openWeb, page, prose } from "../add/web.ts";

/** Claims out of the sentences of a report, proved by a web on this machine. */

const report = `# Engines of today

| engine | memory | noise |
|---|---|---|
| Big Engine | High | Low |
| Small Wheels | Low | Medium |

The Big Engine has up to 128 GB of memory [1]. Small Wheels weigh 3 kg [2]. Nobody cites this: 5 kg.

## References

1. Big Engine. http://docs.example/big
2. Small Wheels. http://docs.example/small
3. Not in any sentence. http://docs.example/other
`;
const of = (name: string, text: string) => page(name, "", `<h1>${name}</h1><p>${text}</p>${prose("engines")}`);
const big = of("Big Engine", "The Big Engine has up to 128 GB of memory in all that is sold.");
const answers: Record<string, Answer> = {
  "docs.example/big": big,
  "docs.example/small": of("Small Wheels", "Small Wheels weigh 4 kg."),
  "docs.example/other": of("Other", "Other engines."),
};

let web: LocalWeb;
let folder: string;
beforeAll(async () => {
  web = await openWeb(answers);
});
afterAll(() => web.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-claims-"));
  writeFileSync(join(folder, "report.md"), report);
  web.asked.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

const file = (name: string) => readFileSync(join(folder, name), "utf8");

function settings(changed: Partial<Settings> = {}): Settings {
  return {
    config: folder,
    data: join(folder, "data"),
    clock: { now: () => Date.UTC(2026, 10, 22) },
    fetch: { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => web.origin, pause: 0 },
    ...changed,
  };
}

function terminal(lines: string[]) {
  const line = (text = "") => void lines.push(text);
  return { live: false, paint: (_: unknown, text: string) => text, line, note: line };
}

async function claims(written: string | undefined, options: ClaimsOptions = {}, changed: Partial<Settings> = {}) {
  const lines: string[] = [];
  const code = await claimsCommand(written, settings(changed), options, terminal(lines));
  return { code, out: lines.join("\n") };
}

const byHand = `# by hand
report: { title: Engines, audited: 2026-05-16 }
ratings: { big/memory: High }
names: { big: Big Engine, memory: memory }
sources:
  spec: # the maker's
    page: http://docs.example/big
    cites: [1]
`;

test("init writes the claims that the sources prove, and says how many there were", async () => {
  const lines: string[] = [];
  await initCommand(join(folder, "report.md"), settings(), {}, terminal(lines));
  const out = lines.join("\n");
  expect(out).toContain(
    "2 sentences cite a source, with 2 statements that can be checked; 1 confirmed by the sources today.",
  );
  // The claim that its source contradicts is written, too.
  expect(out).toContain("2 new claims:");
  expect(out).not.toContain("not confirmed");
  expect(out).toContain("- The Big Engine has up to 128 GB of memory.");
  expect(file("sources.yaml")).toContain(`    claims:
      big-engine-memory:
        says: The Big Engine has up to 128 GB of memory.
        value: "128 GB"
        of: Big Engine memory
        ratings: [big-engine/memory]
        cites: [1]`);
  const { sources } = await loadConfig(folder);
  // What a source says otherwise is a claim that the first check asks about.
  expect([...sources.values()].map((source) => source.claims.map(({ says }) => says))).toEqual([
    ["The Big Engine has up to 128 GB of memory."],
    [expect.any(String)],
    [],
  ]);

  // The same once more: nothing is lacking, and nothing changes.
  const before = file("sources.yaml");
  const again = await claims(join(folder, "report.md"), { write: true });
  expect(again.out).toContain("0 new claims.");
  expect(file("sources.yaml")).toBe(before);
});

test("init and claims list what no source confirms, with the nearest passage", async () => {
  const unproved = report.replace("Nobody cites", "The Big Engine requires 4 GB of memory at least [3]. Nobody cites");
  writeFileSync(
    join(folder, "report.md"),
    unproved.replace("Small Wheels weigh 3 kg [2].", "The Big Engine requires memory that is sold apart [1]."),
  );
  const lines: string[] = [];
  await initCommand(join(folder, "report.md"), settings(), {}, terminal(lines));
  const listed = [
    "2 statements not confirmed:",
    "- The Big Engine requires memory that is sold apart.",
    '  big-engine: nearest: "The Big Engine has up to 128 GB of memory in all that is sold"',
    "- The Big Engine requires 4 GB of memory at least.",
    "  not-in-any-sentence: nothing similar",
  ];
  expect(lines.map((line) => line.replace(/^ {2}/, ""))).toEqual(expect.arrayContaining(listed));
  const { out } = await claims(undefined);
  for (const line of listed) expect(out).toContain(line);
});

test("a config that people edit meanwhile stays theirs", async () => {
  writeFileSync(join(folder, "sources.yaml"), byHand);
  const edited = `${byHand}# by hand\n`;
  answers["docs.example/big"] = { ...big, meanwhile: () => writeFileSync(join(folder, "sources.yaml"), edited) };
  const written = claims(join(folder, "report.md"), { write: true });
  await expect(written).rejects.toThrow(
    new WrongUsage(`${join(folder, "sources.yaml")} was changed meanwhile; nothing was written`),
  );
  answers["docs.example/big"] = big;
  expect(file("sources.yaml")).toBe(edited);
});

test("a config by hand gets the missing claims below its own; nothing is written by default", async () => {
  writeFileSync(join(folder, "sources.yaml"), byHand);
  const shown = await claims(join(folder, "report.md"));
  expect(shown.out).toContain('+        value: "128 GB"');
  expect(file("sources.yaml")).toBe(byHand);
  expect(web.asked).toEqual(["docs.example/big"]);
  const { out, code } = await claims(join(folder, "report.md"), { write: true });
  expect(out).toContain("✔ Written into");
  expect(file("sources.yaml")).toBe(`${byHand}    claims:
      big-engine-memory:
        says: The Big Engine has up to 128 GB of memory.
        value: "128 GB"
        of: Big Engine memory
        ratings: [big/memory]
        cites: [1]
`);
  expect(code).toBe(0);
  const json = JSON.parse((await claims(join(folder, "report.md"), { json: true })).out);
  expect([json.considered, json.stated, json.proved, json.claims, json.written]).toEqual([1, 1, 1, [], false]);
});

test("words that it does not know, no report, no network", async () => {
  writeFileSync(join(folder, "sources.yaml"), byHand);
  await expect(claims(undefined)).rejects.toThrow(WrongUsage);
  await expect(claims("report.md", { minutes: "soon" })).rejects.toThrow(WrongUsage);
  const dead = { allowAddresses: parseRanges("127.0.0.0/8"), origin: () => "http://127.0.0.1:1", pause: 0 };
  const unreachable = claims(join(folder, "report.md"), { write: true }, { fetch: dead });
  await expect(unreachable).rejects.toThrow(Unreachable);
  await expect(unreachable).rejects.toThrow(
    /gave no response: no connection: refused\. Nothing was written: run it again once they respond$/,
  );
  expect(file("sources.yaml")).toBe(byHand);
});
