import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ended } from "../../support/child.ts";
import { recheckHere } from "../../support/command.ts";

/** All that a terminal or the runner of a workflow might obey, in one text. */
const attack =
  "\u001b]0;owned\u0007\u001b[31;1mred\u001b[2J \u202egnp.exe\u2066 \u009b8mhidden\u0085 ##[group]g ::set-output name=a::b\r::error::pwned\u2028::add-mask::x \u{e0041}";
/** The same as the first thing on a line of its own. */
const onItsOwnLine = `\n::set-env name=PATH::/tmp${attack}`;

const folder = mkdtempSync(join(tmpdir(), "recheck-hostile-"));
const config = join(folder, "config");
const report = join(folder, "report.md");
let proxy = "";
let round = 0;

/** A proxy that answers for every host itself, as no decent server would: any byte may stand in a header. */
const web = createServer((socket) => {
  socket.on("error", () => socket.destroy());
  socket.once("data", (request) => {
    const path = /^\S+ http:\/\/[^/]+(\S+)/.exec(String(request))?.[1] ?? "";
    const { type, body, status = "200 OK", headers = "" } = answerTo(path);
    const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
    socket.end(Buffer.from(head + body));
  });
});

interface Answer {
  readonly type: string;
  readonly body: string;
  readonly status?: string;
  readonly headers?: string;
}

function answerTo(path: string): Answer {
  const prose = `<p>It is read by everybody.</p>`.repeat(9);
  const page = `<html><head><title>T ${attack}</title></head><body><main><h1>H ${attack}</h1>${prose}<h2>Memory</h2><p>The Big Engine has 96 GB of memory.</p><p>It holds ${96 + round} GB ${attack}.</p></main></body></html>`;
  const entries = ["first", ...(round > 0 ? ["second"] : [])].map(
    (id, i) =>
      `<entry><id>${id} ##[error]x ::warning::w</id><title>Release ${i + 1}.0 &#x202e;##[group] ::debug::d</title><updated>2026-0${i + 5}-01T00:00:00Z</updated></entry>`,
  );
  const answers: Readonly<Record<string, Answer>> = {
    "/page": { type: "text/html; charset=utf-8", body: page },
    "/feed": {
      type: "application/atom+xml",
      body: `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>F ##[group]</title><id>f</id>${entries.join("")}</feed>`,
    },
    "/facts": {
      type: "application/json",
      body: JSON.stringify({ [`v${attack}`]: 1, state: `${onItsOwnLine} ${round}` }),
    },
    "/type": { type: "image/##[group];\u001b[31m ::set-output name=a::b", body: "x" },
    "/decent-type": { type: "image/##[group]x", body: "x" },
    "/away": { type: "text/html", status: "301 ##[group]", headers: `Location: /page?##[group]::x\r\n`, body: "" },
    "/broken": { type: "application/json", body: `{ "a": ${attack}` },
  };
  return answers[path.split("?")[0] ?? ""] ?? { type: "text/plain", status: `404 ##[group]`, body: "no" };
}

beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const address = web.address();
  proxy = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  mkdirSync(join(config, "triggers"), { recursive: true });
  writeFileSync(
    join(config, "sources.yaml"),
    `report: { title: ${JSON.stringify(`R ${attack}`)}, audited: 2026-05-16 }
ratings: { speed: High }
sources:
  page: { page: "http://page.example.org/page", claims: { memory: { says: "It holds 96 GB", quote: "It holds 96 GB", ratings: [speed] } } }
  feed: { feed: "http://feed.example.org/feed" }
  facts: { json: "http://facts.example.org/facts", facts: { state: state } }
  type: { page: "http://type.example.org/type" }
  decent-type: { page: "http://decent-type.example.org/decent-type" }
  away: { page: "http://away.example.org/away" }
  gone: { page: "http://gone.example.org/gone?##[group]::x::" }
  broken: { json: "http://broken.example.org/broken", facts: { a: a } }
`,
  );
  writeFileSync(
    join(config, "triggers", "speed.yaml"),
    `name: ${JSON.stringify(`Speed ${attack}`)}\nratings: [speed]\non:\n  - { item: feed, means: ${JSON.stringify(`m ${attack}`)} }\n  - change: page\n  - { fact: facts, name: state }\n`,
  );
  writeFileSync(
    report,
    `# A report ${attack}\n\nIt holds 96 GB [1] "and it is written so here" [2].\n\n[1]: http://page.example.org/page\n[2]: http://type.example.org/type?##[group]::x::\n\n- [${attack}](http://gone.example.org/gone?::a::)\n- [decent](http://decent-type.example.org/decent-type)\n`,
  );
});
afterAll(() => {
  web.close();
  rmSync(folder, { recursive: true });
});

function recheckIn(cwd: string, args: readonly string[]): Promise<Ended> {
  const env = { RECHECK_DATA: join(folder, "data"), HTTP_PROXY: proxy, RECHECK_ARCHIVE: "none" };
  return recheckHere(args, env, cwd);
}

/** What of an output something might obey. */
function obeyed({ out, err }: Ended): string[] {
  const lines = `${out}\n${err}`.split(/[\n\r\u0085\u2028\u2029]/);
  return [
    ...(`${out}${err}`.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu) ?? []),
    ...lines.filter((line) => /^\s*::/.test(line) || line.includes("##[")),
  ];
}

describe("nothing that a source or a report says is obeyed", () => {
  test("terminal injection: by any command that prints", async () => {
    const told: string[] = [];
    const harmless = async (code: number, ...args: readonly string[]) => {
      const ended = await recheckIn(process.cwd(), args);
      expect({ args, code: ended.code, obeyed: obeyed(ended) }, ended.err).toEqual({ args, code, obeyed: [] });
      told.push(ended.out + ended.err);
    };
    const at = ["--config", config];
    await harmless(0, "scan", "--all", ...at);
    round = 1;
    await harmless(0, "scan", "--all", ...at);
    await Promise.all([
      harmless(0, "status", "--all", ...at),
      harmless(0, "status", "--json", ...at),
      ...["speed", "page", "feed", "facts", "type"].map((name) => harmless(0, "explain", name, ...at)),
      harmless(1, "explain", attack, ...at),
      harmless(1, `--${attack}`),
      harmless(0, "backtest", "--since", "2026-01-01", ...at),
    ]);
    await Promise.all([
      harmless(0, "audit", report),
      harmless(0, "audit", report, "--json"),
      harmless(0, "claims", report, ...at),
      harmless(1, "add", "http://decent-type.example.org/decent-type?##[group]", ...at),
      harmless(0, "init", report, "--dry-run", "--config", join(folder, "new")),
    ]);
    const all = told.join("\n");
    for (const words of ["set-output", "image/#\\u0023[group]", "\\u001b[31;1mred", "\\u202egnp.exe"])
      expect(all).toContain(words);
  });

  test("workflow-command injection: by the runner of a workflow, but for the commands of check", async () => {
    const checkout = join(folder, "checkout");
    mkdirSync(checkout);
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=r", "-c", "user.email=r@example.org", ...args], { cwd: checkout });
    writeFileSync(join(checkout, "report.md"), "# A report\n");
    git("init", "-q");
    git("add", ".");
    git("commit", "-qm", "first");
    writeFileSync(
      join(checkout, "report.md"),
      `# A report\n\nThe Big Engine has 512 GB of memory [1]. “What nobody ever said ##[group] ::error::x there” [1].\n\n[1]: http://page.example.org/page\n`,
    );
    const { out, err } = await recheckIn(checkout, ["check", "report.md", "--since", "HEAD", "--annotate"]);
    const commands = out.split("\n").filter((line) => line.startsWith("::"));
    expect(commands.length, out + err).toBeGreaterThan(0);
    expect(commands.every((line) => /^::warning file=[^:]+,line=\d+,title=[^:]+::[^\r]+$/.test(line))).toBe(true);
    expect(obeyed({ out, err, code: 0 })).toEqual(commands);
    const plain = await recheckIn(checkout, ["check", "report.md", "--since", "HEAD"]);
    expect(obeyed(plain)).toEqual([]);
  });
});
