import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import stringWidth from "string-width";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recheckHere } from "../../support/command.ts";
import { program } from "../../support/program.ts";

/** Commands on terminals of several widths, which util-linux's `script` draws, and in a pipe. */

const folder = mkdtempSync(join(tmpdir(), "recheck-widths-"));
const wide = "名前と🇩🇪 of a title that is long enough to be broken on any of the terminals here, whatever it says";
let proxy = "";

/** Stands for every host. */
const web = createServer((request, response) => {
  const { hostname } = new URL(request.url ?? "", "http://none.example.org");
  if (hostname.startsWith("gone")) response.writeHead(404).end();
  else if (hostname.startsWith("feed"))
    response
      .writeHead(200, { "content-type": "application/atom+xml" })
      .end(
        `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>F</title><id>f</id><entry><id>urn:1</id><title>${wide}</title><updated>2026-06-01T00:00:00Z</updated></entry></feed>`,
      );
  else
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(
        `<html><title>P</title><body><main><h1>${wide}</h1>${"<p>It is read by all.</p>".repeat(9)}</main></body></html>`,
      );
});

const env = () => ({ RECHECK_DATA: join(folder, "data"), HTTP_PROXY: proxy, RECHECK_ARCHIVE: "none" });

beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const address = web.address();
  proxy = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  for (const home of ["good/triggers", "bad"]) mkdirSync(join(folder, home), { recursive: true });
  const sources = `report: { title: "${wide}", audited: 2026-05-16 }
axes: [platform, area]
names: { tpu: 名前 TPU, maturity: Maturity, compile: torch.compile and its friends }
ratings: { tpu/maturity: High, tpu/compile: Low, cuda/maturity: Medium }
sources:
  a-page-with-a-rather-long-name: { page: "http://page.example.org/a/path", cites: [1] }
  feed: { feed: "http://feed.example.org/feed", cites: [2] }
  gone: { page: "http://gone.example.org/" }
`;
  writeFileSync(join(folder, "good/sources.yaml"), sources);
  writeFileSync(
    join(folder, "good/triggers/tpu.yaml"),
    `name: Google TPU\nwording: ${wide}\nratings: [tpu/maturity]\non:\n  - { item: feed, means: "${wide}" }\n  - change: a-page-with-a-rather-long-name\n`,
  );
  writeFileSync(
    join(folder, "bad/sources.yaml"),
    `${sources.replace("cites: [2]", "cite: [2]")}  wrong: { page: "${wide}" }\n`,
  );
  writeFileSync(
    join(folder, "report.md"),
    `# ${wide}\n\n- [${wide}](http://gone.example.org/a)\n- [page](http://page.example.org/a/path)\n`,
  );
  const scanned = await recheckHere(["scan", "--config", join(folder, "good")], env());
  expect(scanned.code, scanned.err).toBe(0);
}, 120_000);
afterAll(() => {
  web.close();
  rmSync(folder, { recursive: true });
});

const commands = (): string[][] => [
  ["backtest", "--help"],
  ["scan", "--nothing"],
  ["validate", join(folder, "bad")],
  ["status", "--config", join(folder, "good")],
  ["explain", "feed", "--config", join(folder, "good")],
  ["audit", join(folder, "report.md")],
];

/** Draws commands one after the other on a terminal of so many columns. */
function onTerminal(columns: number, given: Readonly<Record<string, string>>): Promise<string> {
  const { commandsChild, environment } = program();
  const call = [process.execPath, commandsChild, JSON.stringify(commands())].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols ${columns} rows 50; ${call}`, "/dev/null"], {
    env: {
      PATH: process.env.PATH ?? "",
      ...environment,
      ...env(),
      ...given,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  return new Promise((resolve) => child.on("close", () => resolve(out)));
}

const colour = /\p{Cc}\[[\d;]*m/u;

describe("output of a command", () => {
  test.each([
    [40, { TERM: "xterm-256color" }],
    [80, { TERM: "xterm-256color", NO_COLOR: "1" }],
    [120, { TERM: "dumb" }],
  ])("keeps within %i columns: %j", async (columns, given: Record<string, string>) => {
    const drawn = await onTerminal(columns, given);
    for (const words of ["Examples:", "unknown option", "2 problems", "Last content", "Triggers that use it", "Gone"])
      expect(drawn).toContain(words);
    // Each step of a line of progress takes the one before it away.
    const lines = drawn.split(/\r?\n/).filter((line) => !/\p{Cc}\[\??\d*[^m\d;]/u.test(line));
    const tooWide = lines
      .map((line) => stripVTControlCharacters(line).trimEnd())
      .filter((line) => stringWidth(line) > columns && /\S \S/.test(line.trim()));
    expect(tooWide).toEqual([]);
    if ("NO_COLOR" in given) expect(drawn).not.toMatch(colour);
    else if (given.TERM === "dumb") expect(drawn).not.toContain("\u001b");
    else expect(drawn).toMatch(colour);
  });

  test("is plain in a pipe", async () => {
    const ended = await Promise.all(commands().map((args) => recheckHere(args, env())));
    for (const { out, err } of ended) {
      expect(out + err).not.toBe("");
      expect(out + err).not.toMatch(/(?!\n)\p{Cc}/u);
    }
  });
});
