import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { statusCommand } from "../../../src/faces/cli/status.ts";
import { printScan } from "../../../src/faces/cli/summary.ts";
import { settingsFrom } from "../../../src/faces/environment.ts";
import { firing, config as sample } from "../../recheck/samples.ts";
import { calm } from "../../support/calm.ts";
import type { Ended } from "../../support/child.ts";
import { recheckHere } from "../../support/command.ts";
import { freePort } from "../../support/free-port.ts";
import { linesOut } from "../../support/lines-out.ts";
import { startProgram } from "../../support/program.ts";

/** Runs one command as a shell would, with nothing of this process's environment but the path. */
function recheck(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return recheckHere(args, { RECHECK_DATA: join(folder, "data"), ...env });
}

const folder = mkdtempSync(join(tmpdir(), "recheck-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

function config(name: string, sources: string, triggers: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, name);
  mkdirSync(join(home, "triggers"), { recursive: true });
  writeFileSync(join(home, "sources.yaml"), sources);
  for (const [id, text] of Object.entries(triggers)) writeFileSync(join(home, "triggers", `${id}.yaml`), text);
  return home;
}

const paragraphs = Array.from(
  { length: 9 },
  (_, index) => `<p>Sentence number ${index} of a page that says nothing of note.</p>`,
).join("");
const pages = new Map<string, string>();
const requests: string[] = [];
const web = createServer((request, response) => {
  requests.push(`${request.url} ${request.headers["if-none-match"] ?? ""}`.trim());
  const body = pages.get(request.url ?? "");
  if (body !== undefined && request.headers["if-none-match"] === `"${body.length}"`) {
    response.writeHead(304).end();
    return;
  }
  if (body !== undefined) response.setHeader("etag", `"${body.length}"`);
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html; charset=utf-8" }).end(body);
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const address = web.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
});
afterAll(() => void web.close());

/** What a person sees of commands, one after the other. `npx vitest run test/faces/cli/cli.test.ts -u` writes it again. */
type Capture = () => Promise<readonly (readonly string[])[]> | readonly (readonly string[])[];

const report = "report: { title: R, audited: 2026-05-16 }\n";
const files = (home: string, texts: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return home;
};

const captures: Readonly<Record<string, Capture>> = {
  "Every problem has its place and the nearest right word": () => [
    [
      "validate",
      config("broken", `${report}sources:\n  a:\n    page: https://example.org/\n    cite: [1]\n`, {
        t: "name: T\nratings: []\non:\n  - change: b\n",
      }),
    ],
  ],
  "A valid config that is hardly meant is a warning": () => {
    const sources = `${report}ratings: { a: High }\nsources:\n  a:\n    page: https://wiki.internal/\n`;
    const home = config("odd", sources, { t: "name: T\nratings: [a]\non:\n  - unreviewed: 6m\n" });
    return [
      ["validate", home],
      ["validate", home, "--json"],
    ];
  },
  "A report's file that is not there has its place and the nearest name": () => {
    const home = config("lost", "report:\n  title: R\n  audited: 2026-05-16\n  text: docs/raport.md\n");
    return [["validate", files(home, { "docs/report.md": "# R\n" })]];
  },
  "A report's file that is there is no warning": () => {
    const home = config("there", "report:\n  title: R\n  audited: 2026-05-16\n  text: docs/report.md\n");
    return [["validate", files(home, { "docs/report.md": "# R\n" })]];
  },
  "A file that is too large is shown where it begins": () => [
    ["validate", config("large", report + "# so on\n".repeat(130_000))],
  ],
  "A folder of YAML that is not read is named where its name is misspelt": () => {
    const texts = { "trigger/t.yaml": "name: T\n", "scenarois/notes.md": "name: T\n", "tools/t.yaml": "name: T\n" };
    return [["validate", files(config("trigers", report), texts)]];
  },
  "An audit that has not been is refused": () => {
    const home = config("ahead", "report: { title: R, audited: 2999-01-01 }\n");
    return [
      ["validate", home],
      ["scan", "--config", home],
    ];
  },
  "If there is no config, the places that were searched are named": () => [["validate", join(folder, "nowhere")]],
  "A wrong command, option or argument is one line, with the command that prints the help": () => [
    ["sacn"],
    ["explain"],
    ["audit", "report.md", "--summery", "x"],
    ["audit", "report.md", "--color", "some"],
    ["scan", "--alll"],
  ],
  "Without a command, the commands to begin with are printed": () => [[]],
  "The help has all commands in groups": () => [["help"]],
  "A name that is not there is one line, with the nearest one": () => [
    ["scan", "--source", "nope"],
    ["scan", "--trigger", "nope"],
    ["scan", "--source", "torchtp"],
    ["explain", "torchtp"],
    ["explain", "tpu7x/gke-only"],
    ["status", "--rating", "tpu/maturit"],
    ["status", "--fail-on", "stale"],
    ["scan", "--repo", "not a repository"],
  ],
  "The file of a config in place of its folder is a mistake": () => [
    ["validate", join(config("filed", report), "sources.yaml")],
  ],
  "A folder in place of the file of a config is a mistake": () => {
    mkdirSync(join(folder, "mounted", "sources.yaml"), { recursive: true });
    return [["status", "--config", join(folder, "mounted")]];
  },
  "Triggers that are there and cannot be read are a mistake": () => {
    const file = config("triggers-file", report);
    rmSync(join(file, "triggers"), { recursive: true });
    writeFileSync(join(file, "triggers"), "");
    const nothing = config("triggers-link", report);
    symlinkSync(join(nothing, "gone.yaml"), join(nothing, "triggers", "t.yaml"));
    const inside = config("triggers-folder", report);
    mkdirSync(join(inside, "triggers", "t.yaml"));
    return [file, nothing, inside].map((home) => ["validate", home]);
  },
  "A link within the folder of a config is followed": () => {
    const home = files(config("linked", report), { "mounted/s": report });
    rmSync(join(home, "sources.yaml"));
    symlinkSync(join("mounted", "s"), join(home, "sources.yaml"));
    return [["validate", home]];
  },
  "A link out of the folder of a config is not followed": () => {
    const home = config("led-out", report);
    rmSync(join(home, "sources.yaml"));
    symlinkSync("/proc/self/environ", join(home, "sources.yaml"));
    return [["validate", home]];
  },
  "A file where the folder of the store should be is one sentence": () => {
    const home = files(config("unusable", report), { ".recheck": "" });
    return [["scan", "--config", home]];
  },
  "A store that was damaged is one sentence": async () => {
    const home = config("damaged", report);
    const file = join(home, ".recheck", "recheck.sqlite");
    await (await openStore(file)).close();
    writeFileSync(file, readFileSync(file).fill(0x5a, 200));
    return [
      ["scan", "--config", home],
      ["status", "--config", home],
    ];
  },
};

test.each(Object.entries(captures))("%s", async (name, capture) => {
  const shown: string[] = [];
  for (const args of await capture()) {
    const home = args.includes("--config") ? (args.at(-1) ?? "") : folder;
    const { code, out, err } = await recheckHere(args, { RECHECK_DATA: join(home, ".recheck") });
    const said = `${out}${err.replaceAll(/^/gm, "! ").replace(/! $/, "")}`;
    shown.push(`$ recheck ${args.join(" ")}\n${said}exit ${code}\n`);
  }
  const text = shown.join("\n").replaceAll(folder, "HERE").replaceAll(/ +$/gm, "");
  await expect(text).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.txt`);
});

describe("a command", () => {
  test("accepts the shipped files", async () => {
    const { code, out } = await recheck(["validate"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^valid: \d+ sources, \d+ claims, 20 ratings, 5 triggers(; \d+ places? to check)?\n$/m);
  });

  test("finds the config in .github/recheck and in folders above, within the checkout", async () => {
    const checkout = config("above/checkout/.github/recheck", "report: { title: R, audited: 2026-05-16 }\n");
    const deep = join(checkout, "..", "..", "docs", "deep");
    mkdirSync(deep, { recursive: true });
    const validate = () => recheckHere(["validate"], { RECHECK_DATA: join(folder, "data") }, deep);
    expect((await validate()).err).toMatch(/^no sources\.yaml in \.;/);
    mkdirSync(join(checkout, "..", "..", ".git"));
    expect(await validate()).toMatchObject({ code: 0, out: expect.stringMatching(/^valid: /) });
  });

  test("-q prints findings only, -v adds requests, and --color always colours a pipe", async () => {
    const report = join(folder, "loud.md");
    writeFileSync(report, "[gone](http://gone.example/page) and [more](http://more.example/page)\n");
    // The page's server takes the part of a proxy: it has no such page.
    const env = { HTTP_PROXY: origin, RECHECK_ARCHIVE: "none" };
    const audit = (...options: string[]) => recheck(["audit", report, ...options], env);
    const plain = await audit();
    expect(plain.out).toMatch(/\n2 citations, 0 read, .*: 2 findings\n$/);
    expect(plain.err).toBe("");
    const quiet = await audit("-q");
    expect(quiet.out).toMatch(/^Gone\n[\s\S]*more was not found[\s\S]*\n {4}→ .*\n$/);
    // What a command reports of its process's requests, it reports until that ends.
    const args = ["audit", report, "--verbose"];
    const verbose = await startProgram(args, { RECHECK_DATA: join(folder, "data"), ...env }).ended;
    expect(verbose.out).toBe(plain.out);
    expect(verbose.err).toContain("GET http://gone.example/page: 404\n");
    expect(verbose.err).toContain("loud.md:1  http://gone.example/page: 404, not found\n");
    expect((await audit("--color", "always")).out).toContain("\u001b[31mGone\u001b[39m");
    expect((await audit("--color", "never", "--no-progress")).out).toBe(plain.out);
  });

  test("a secret that is wrong is never repeated", async () => {
    const { code, err, out } = await recheck(["scan"], { APP_ID: "12345", PRIVATE_KEY: "" });
    expect(code).toBe(1);
    expect(err).toContain("APP_ID and PRIVATE_KEY need each other");
    expect(err + out).not.toContain("12345");
    const proxied = await recheck(["scan"], { HTTPS_PROXY: "http://somebody:hunter2@:bad" });
    expect(proxied).toEqual({ code: 1, out: "", err: "HTTPS_PROXY is not the address of an HTTP proxy\n" });
  });
});

describe("scan", () => {
  test("asks once for an address that two sources read, with the validators of both", async () => {
    const html = `<html><head><title>P</title></head><body><main><h1>P</h1>${paragraphs}<p id="cost">It costs 5.</p></main></body></html>`;
    pages.set("/shared", html);
    const both = ["whole: { page: URL }", 'cost: { page: URL, select: "#cost" }'].map((one) =>
      one.replace("URL", `"${origin}/shared"`),
    );
    const home = config("shared", `report: { title: R, audited: 2026-05-16 }\nsources:\n  ${both.join("\n  ")}\n`);
    const env = { RECHECK_DATA: join(folder, "shared-data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
    const checks = async () => {
      const { out } = await recheck(["scan", "--all", "--json", "--config", home], env);
      return JSON.parse(out).scan.checks.map(
        ({ source, outcome }: { source: string; outcome: string }) => `${source} ${outcome}`,
      );
    };
    expect((await checks()).toSorted()).toEqual(["cost first", "whole first"]);
    expect((await checks()).toSorted()).toEqual(["cost unchanged", "whole unchanged"]);
    expect(requests.filter((one) => one.startsWith("/shared"))).toEqual(["/shared", `/shared "${html.length}"`]);
  });

  test("refuses a summary that could not be written before it checks, and its columns are even", async () => {
    const two = ["a", "a-longer-name"].map((id) => `  ${id}: { page: "${origin}/${id}" }`).join("\n");
    const home = config("even", `report: { title: R, audited: 2026-05-16 }\nsources:\n${two}\n`);
    const env = { RECHECK_DATA: join(folder, "even-data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
    const summary = join(folder, "nowhere", "summary.md");
    const refused = await recheck(["scan", "--summary", summary, "--config", home], env);
    expect(refused).toMatchObject({
      code: 1,
      out: "",
      err: `--summary: ${summary} cannot be written: there is no such folder\n`,
    });
    const never = await recheck(["status", "--config", home], env);
    expect([never.code, never.err]).toEqual([5, expect.stringMatching(/ yet: run recheck scan first\n$/)]);
    const { out } = await recheck(["scan", "--config", home], env);
    expect(out).toContain("  ○ a              404, not found, first time\n");
    expect(out).toContain("  ○ a-longer-name  404, not found, first time\n");
  });

  test("without a repository goes on with the memory that one has taken over, as status and explain do", async () => {
    pages.set("/taken", `<html><head><title>P</title></head><body><main><h1>P</h1>${paragraphs}</main></body></html>`);
    const home = config(
      "taken",
      `report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: "${origin}/taken" }\n`,
    );
    const env = { RECHECK_DATA: join(folder, "taken-data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
    const outcome = async (...more: string[]) =>
      JSON.parse((await recheck(["scan", "--all", "--json", "--config", home, ...more], env)).out).scan.checks[0]
        .outcome;
    expect(await outcome()).toBe("first");
    expect(await outcome("--repo", "example/report", "--dry-run")).toBe("unchanged");
    expect(await outcome()).toBe("unchanged");
  });

  test("--dry-run writes nothing: no new store, and no check into one that is there", async () => {
    pages.set("/dry", `<html><head><title>P</title></head><body><main><h1>P</h1>${paragraphs}</main></body></html>`);
    const home = config("dry", `report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: "${origin}/dry" }\n`);
    const env = { RECHECK_DATA: join(folder, "dry-data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
    const scan = (...more: string[]) => recheck(["scan", "--all", "--json", "--config", home, ...more], env);
    const outcomeOf = async (...more: string[]) => JSON.parse((await scan(...more)).out).scan.checks[0].outcome;
    expect([await outcomeOf("--dry-run"), existsSync(env.RECHECK_DATA)]).toEqual(["first", false]);
    expect(await outcomeOf()).toBe("first");
    const digest = () =>
      createHash("sha256")
        .update(readFileSync(join(env.RECHECK_DATA, "recheck.sqlite")))
        .digest("hex");
    const before = digest();
    expect(await outcomeOf("--dry-run")).toBe("unchanged");
    const ends = ["-wal", "-shm"].filter((end) => existsSync(join(env.RECHECK_DATA, `recheck.sqlite${end}`)));
    expect([digest(), ends]).toEqual([before, []]);
  });

  test("takes the repository from the git remote, unless the store is that of another one", async () => {
    pages.set("/remote", `<html><head><title>P</title></head><body><main><h1>P</h1>${paragraphs}</main></body></html>`);
    const home = config(
      "remote",
      `report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: "${origin}/remote" }\n`,
    );
    mkdirSync(join(home, ".git"));
    writeFileSync(join(home, ".git", "config"), '[remote "origin"]\n\turl = https://github.com/kites/report.git\n');
    const scanIn = (name: string, ...more: string[]) =>
      recheck(["scan", "--config", home, ...more], {
        RECHECK_DATA: join(folder, name),
        RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
      });
    const says = "Using the repository kites/report, from the git remote; --repo names another one.\n";
    expect((await scanIn("remote-data")).err).toBe(says);
    expect((await scanIn("remote-data")).err).toBe(says);
    expect((await scanIn("remote-other", "--repo", "kites/other")).err).toBe("");
    expect((await scanIn("remote-other")).err).toBe("");
  });

  test("pings a watchman if it ends well, and ends the same if the ping fails", async () => {
    pages.set("/beaten", `<html><head><title>P</title></head><body><main><h1>P</h1>${paragraphs}</main></body></html>`);
    const home = config(
      "beat",
      `report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: "${origin}/beaten" }\n`,
    );
    const env = {
      RECHECK_DATA: join(folder, "beat-data"),
      RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
      RECHECK_HEARTBEAT: `${origin}/ping/secret-word`,
    };
    const pings = () => requests.filter((one) => one.startsWith("/ping/")).length;
    expect((await recheck(["scan", "--dry-run", "--config", home], env)).code).toBe(0);
    expect(pings()).toBe(0);
    // Nothing is served there.
    const { code, err } = await recheck(["scan", "--all", "--config", home], env);
    expect([code, err]).toEqual([0, "the heartbeat to RECHECK_HEARTBEAT failed: it answered 404\n"]);
    const nowhere = `http://127.0.0.1:${await freePort()}/secret-word`;
    const unheard = await recheck(["scan", "--all", "--config", home], { ...env, RECHECK_HEARTBEAT: nowhere });
    expect(unheard.err).toBe("the heartbeat to RECHECK_HEARTBEAT failed: no connection: refused\n");
    pages.set("/ping/secret-word", "OK");
    expect(await recheck(["scan", "--all", "--config", home], env)).toMatchObject({ code: 0, err: "" });
    pages.delete("/beaten");
    expect((await recheck(["scan", "--all", "--config", home], env)).code).toBe(6);
    expect(pings()).toBe(2);
    const wrong = await recheck(["scan", "--config", home], { ...env, RECHECK_HEARTBEAT: "mailto:me@example.org" });
    expect([wrong.code, wrong.err]).toEqual([1, "RECHECK_HEARTBEAT must be an http or https address\n"]);
  });

  test("without a network: exit 3, one message, no row about a source changed", async () => {
    const hosts = ["a", "b", "c", "d"].map((host) => `  ${host}: { page: "https://${host}.example.org/" }`).join("\n");
    const home = config("offline", `report: { title: R, audited: 2026-05-16 }\nsources:\n${hosts}\n`);
    const data = join(folder, "offline-data");
    // A proxy that is not there stands for a network that is not there.
    const { code, out } = await recheck(["scan", "--all", "--config", home], {
      RECHECK_DATA: data,
      HTTPS_PROXY: "http://127.0.0.1:9",
    });
    expect(code).toBe(3);
    const said = /✗ No response from most hosts: no connection: the proxy cannot be reached\. No source is blamed/g;
    expect(out.match(said)).toHaveLength(1);
    expect(out).toContain("No source is blamed.\n    Sources without a response are checked again at the next scan.\n");
    expect(out).not.toContain("Could not be checked");
    const database = await openStore(join(data, "recheck.sqlite"), { readonly: true });
    expect(await database.repositories()).toEqual([]);
    await database.close();
  });

  test("in an outage of ours still reports the events of sources that answered", async () => {
    const { out: terminal, lines } = linesOut();
    const at = Date.UTC(2026, 6, 8);
    const scan = {
      started: at,
      ended: at,
      checks: [],
      outage: true,
      hasNews: true,
      firings: [firing("tensor", "loom 2.13.0"), firing("ox", "y")],
    };
    await printScan(scan, { ...calm, at }, { config: sample }, terminal);
    expect(lines.filter((text) => text.includes("No response from most hosts"))).toHaveLength(1);
    const from = lines.indexOf("  Fired");
    expect(lines.slice(from, from + 3)).toEqual([
      "  Fired",
      expect.stringMatching(/^ {2}● for your information {2}tensor {2}\S/),
      expect.stringMatching(/^ {2}● for your information {2}ox {6}\S/),
    ]);
    expect(lines.join("\n")).not.toContain("Could not be checked");
  });

  test("checks, records and prints its results; status shows the same without a request", async () => {
    pages.set(
      "/specs",
      `<html lang="en"><body><main><h1>Specs</h1><p>Up to 128 GB.</p>${paragraphs}</main></body></html>`,
    );
    const home = config(
      "small",
      `report: { title: A small report, audited: 2026-05-16 }\nratings: { memory: high }\nsources:\n  specs:\n    page: ${origin}/specs\n    claims: { top: { says: Up to 128 GB, value: 128 GB, ratings: [memory] }, lost: { says: Fast, quote: is the fastest of them all, ratings: [memory] } }\n`,
    );
    const env = { RECHECK_DATA: join(folder, "small-data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
    const first = await recheck(["scan", "--config", home], env);
    expect(first.code).toBe(0);
    expect(first.out).toContain("1 source checked");
    expect(first.out).toMatch(
      / {2}Would open 1 recheck \(no repository given[^\n]+\n {4}[^\n]+ does not support [^\n]+\n\n {2}Why, for any line/,
    );
    expect(first.out).toMatch(/memory {2}high ⟳/);
    const again = await recheck(["scan", "--config", home, "--json"], env);
    expect(JSON.parse(again.out)).toMatchObject({ scan: { checks: [], outage: false } });

    const status = await recheck(["status", "--config", home], env);
    expect(status.code).toBe(0);
    expect(status.out).toContain("Out of date at the first check");
    const failing = await recheck(["status", "--config", home, "--rating", "memory", "--fail-on", "to-review"], env);
    expect(failing).toMatchObject({
      code: 2,
      out: expect.stringMatching(
        /^memory {2}high {2}⟳ changed \(to review since [\d-]+\): Out of date at the first check$/m,
      ),
    });
    expect((await recheck(["status", "--config", home, "--fail-on", "outdated,blind"], env)).code).toBe(0);
    expect(JSON.parse((await recheck(["status", "--config", home, "--json"], env)).out).ratings).toHaveLength(1);

    const settings = settingsFrom(env, { config: home });
    const told = async (days: number, rating?: string) => {
      const { out: terminal, lines } = linesOut();
      const now = () => Date.now() + days * 86_400_000;
      const code = await statusCommand({ ...settings, clock: { now } }, { failOn: "to-review", rating }, terminal);
      return [code, ...lines.filter((text) => text.includes("monitoring has stopped"))];
    };
    // Checked once a day, so that two days without a check are too many.
    expect(await told(0)).toEqual([2]);
    expect(await told(1.9)).toEqual([2]);
    expect(await told(9)).toEqual([
      7,
      "  ✗ monitoring has stopped: there was no check for 9 days, and the results below are as old as that",
    ]);
    expect(await told(9, "memory")).toEqual([
      7,
      "✗ monitoring has stopped: there was no check for 9 days, and the results below are as old as that",
    ]);
    expect((await recheck(["status", "--config", home, "--fail-on", "constructor"], env)).err).toContain(
      "--fail-on: constructor is not one of outdated",
    );

    const named = await recheck(["scan", "--config", home, "--repo", "example/report"], env);
    expect(named.out).toContain("  Would open 1 recheck (no credentials: GITHUB_TOKEN, or APP_ID and PRIVATE_KEY).\n");
  });

  test("status shows the last results of the newest few, and all if they are asked for", async () => {
    const all = Array.from({ length: 11 }, (_, i) => i);
    // Parts of one page: for pages of one host there is a pause of a second between two requests.
    const parts = all.map((i) => `<div id="part-${i}"><h1>Part ${i}</h1>${paragraphs}</div>`);
    pages.set("/many", `<html lang="en"><body><main>${parts.join("")}</main></body></html>`);
    const many = all.map((i) => `  page-${i}: { page: "${origin}/many", select: "#part-${i}" }\n`);
    const home = config("many", `report: { title: Many, audited: 2026-05-16 }\nsources:\n${many.join("")}`);
    const env = { RECHECK_DATA: join(folder, "many-data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
    await recheck(["scan", "--config", home], env);
    const { out } = await recheck(["status", "--config", home], env);
    expect(out.match(/^ {2}page-/gm)).toHaveLength(8);
    expect(out).toContain("  and 3 more sources: recheck status --all\n");
    const whole = (await recheck(["status", "--config", home, "--all"], env)).out;
    expect(whole.match(/^ {2}page-/gm)).toHaveLength(11);
    expect(whole).not.toContain("more sources");
  });

  test("sends messages to people if config names them and the environment has their addresses", async () => {
    pages.set("/hook", "ok");
    const home = config(
      "notified",
      "report: { title: Told, audited: 2020-05-16 }\nlevels: [Low, High]\nratings: { price: Low }\nsources: {}\nnotify: { team: { slack: weekly }, press: { teams: weekly } }\n",
    );
    const env = {
      ...{ RECHECK_DATA: join(folder, "told-data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" },
      RECHECK_NOTIFY_TEAM: `${origin}/hook`,
    };
    const tested = await recheck(["notify", "--test", "--config", home], env);
    expect(tested).toMatchObject({
      code: 1,
      out: expect.stringContaining("✔ team  sent\n✗ press  not sent: RECHECK_NOTIFY"),
    });
    const first = await recheck(["scan", "--config", home], env);
    expect(first.out).toMatch(/✔ team {2}Since \d{4}-\d\d-\d\d: 1 rating due/);
    expect(first.out).toContain("✗ press  RECHECK_NOTIFY_PRESS is not set in the environment: nothing is sent");
    expect((await recheck(["scan", "--config", home], env)).out).not.toContain("✔ team");
    pages.delete("/hook");
    const late = await recheck(["scan", "--config", home], { ...env, RECHECK_NOTIFY_PRESS: `${origin}/hook` });
    expect(late.out).toMatch(/✗ press {2}the receiver answered 404; tried again from 20/);
    const status = await recheck(["status", "--config", home], env);
    expect(status.out).toMatch(/Messages\n {2}✗ press {2}Since .*: the receiver answered 404; tried again from/);
    expect(status.out).not.toContain("/hook");
  });

  test("an address that is not public is refused with the reason, and never connected to", async () => {
    const home = config(
      "guarded",
      `report: { title: R, audited: 2026-05-16 }\nsources:\n  local: { page: "${origin}/specs" }\n`,
    );
    const { code, out } = await recheck(["scan", "--config", home], { RECHECK_DATA: join(folder, "guarded-data") });
    expect(code).toBe(6);
    expect(out).toContain("✗ The source could not be read: the present content is unknown.");
    expect(out).not.toContain("✔");
    expect(out).toContain("set RECHECK_ALLOW_ADDRESSES: ");
    expect(out).toMatch(/○ local {2}refused to connect to .*127\.0\.0\.1/);
  });

  test("if a check fails by a defect, shows the error", async () => {
    const data = join(folder, "defect-data");
    const home = config(
      "defect",
      `report: { title: R, audited: 2026-05-16 }\nsources:\n  odd: { page: "${origin}/odd" }\n`,
    );
    const env = { RECHECK_DATA: data, RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8", RECHECK_ARCHIVE: "none" };
    pages.set("/odd", paragraphs);
    expect((await recheck(["scan", "--config", home], env)).code).toBe(0);
    const database = new DatabaseSync(join(data, "recheck.sqlite"));
    database.exec("update memory set memory = '{'");
    database.close();
    pages.set("/odd", `${paragraphs}<p>And one more sentence, which is news.</p>`);
    const { out, err } = await recheck(["scan", "--all", "--config", home], env);
    expect(out).toMatch(/○ odd {2}a defect of Recheck \(see the log\)/);
    expect(err).toMatch(/^internal error during the check of odd: [\s\S]*JSON[\s\S]*\n {4}at /);
  });

  test("beside another scan: exit 5, and the reason", async () => {
    const data = join(folder, "locked-data");
    const database = await openStore(join(data, "recheck.sqlite"));
    const home = config("locked", "report: { title: R, audited: 2026-05-16 }\nsources: {}\n");
    const { code, err } = await recheck(["scan", "--config", home], { RECHECK_DATA: data });
    expect(code).toBe(5);
    expect(err).toContain("another Recheck is running");
    await database.close();
  });
});

test("no output holds a secret of the environment, from any writer", async () => {
  const home = config(
    "secret",
    "report: { title: R, audited: 2026-05-16 }\nsources:\n  a: { page: https://example.org/ }\n",
  );
  const env = { GITHUB_TOKEN: "ghp_canary5ag7canary", RECHECK_REPO: "owner/name" };
  const { code, out, err } = await recheck(["scan", "--source", "ghp_canary5ag7canary", "--config", home], env);
  expect([code, out, err]).toEqual([1, "", 'no source named "[secret]" in sources.yaml; known: a\n']);
});

test("the examples are valid as they are, in any folder", async () => {
  const home = join(folder, "examples");
  cpSync("examples", home, { recursive: true });
  for (const name of ["awesome-list", "technology-radar", "leaderboard"]) {
    expect((await recheck(["validate", join(home, name)])).code).toBe(0);
  }
});
