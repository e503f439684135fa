import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { sourceOf } from "../src/audit/visit.ts";
import { parseConfig } from "../src/config/index.ts";
import { formatProblem } from "../src/config/problems.ts";
import { jsonSchema } from "../src/config/schema.ts";
import { addCommands } from "../src/faces/cli/commands.ts";
import { exits } from "../src/faces/cli/terminal.ts";
import { freshnessLevels, readerState, stateSigns } from "../src/model/states.ts";
import { readers } from "../src/read/index.ts";
import { parseComment } from "../src/recheck/answer/command.ts";
import { help } from "../src/recheck/answer/names.ts";
import { kindOf } from "../src/report/cite/sources.ts";
import { tpuRecheck } from "./support/tpu-recheck.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const readme = read("README.md");
const pages = ["README.md", ...globSync("docs/*.md", { cwd: root }).toSorted()];
/** All that people read of the program: README.md, then docs/. */
const guide = pages.map(read).join("\n");
const contributing = read("CONTRIBUTING.md");
const scripts: Record<string, string> = JSON.parse(read("package.json")).scripts;

/** Blocks of YAML, by the file that their first line names. */
const blocks = [...guide.matchAll(/^```yaml\n# (\S+)\n([\s\S]*?)^```$/gm)].map(([, file = "", text = ""]) => ({
  file,
  text,
}));
const isConfig = ({ file }: { file: string }) => file === "sources.yaml" || file.startsWith("triggers/");

/** Rows of the table whose head begins with this cell, as cells. */
function table(head: string): string[][] {
  const lines = guide.split("\n");
  const start = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  expect(start, `a table of "${head}"`).toBeGreaterThan(0);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith("|"));
  return lines.slice(start + 2, end).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
/** The sections of a page as GitHub names them in links. */
function anchors(text: string): string[] {
  const heads = [...text.matchAll(/^#+ (.+)$/gm)].map(([, head = ""]) => head.replaceAll("`", "").toLowerCase());
  return heads.map((head) => head.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-"));
}
const coded = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);

describe("YAML in README.md and docs/", () => {
  const pullRequests = ".github/workflows/recheck-pull-requests.yml";
  const hooks = ".pre-commit-config.yaml";

  test("names its file in the first line of every block", () => {
    expect(blocks).toHaveLength([...guide.matchAll(/^```yaml$/gm)].length);
    expect(new Set(blocks.map(({ file }) => file))).toEqual(
      new Set(["sources.yaml", "triggers/mps.yaml", ".github/workflows/recheck.yml", hooks, pullRequests]),
    );
  });

  /**
   * A block of sources.yaml with `report:` is a whole file; one without is a part of it: its entries are put among
   * those of the whole one, under the same keys.
   */
  const [whole] = blocks.filter(({ file, text }) => file === "sources.yaml" && /^report:/m.test(text));
  const parts = blocks.filter(({ file, text }) => file === "sources.yaml" && text !== whole?.text);
  const triggers = blocks.filter(({ file }) => file.startsWith("triggers/"));
  const configWith = (text: string) =>
    parseConfig([{ path: "sources.yaml", text }, ...triggers.map(({ file, text }) => ({ path: file, text }))], readers);

  test("is valid as a whole", () => {
    expect(configWith(whole?.text ?? "").problems.map(formatProblem)).toEqual([]);
    expect(triggers.length).toBeGreaterThan(0);
  });

  test.each(parts)("is valid in part: $text", ({ text }) => {
    const all: Record<string, object> = parse(whole?.text ?? "");
    for (const [key, entries] of Object.entries<object>(parse(text))) all[key] = { ...all[key], ...entries };
    expect(configWith(stringify(all)).problems.map(formatProblem)).toEqual([]);
  });

  test("that is no config is the one workflow, with the action of this repository and its permissions", () => {
    const isOther = ({ file }: { file: string }) => [pullRequests, hooks].includes(file);
    const [workflow, ...others] = blocks.filter((block) => !isConfig(block) && !isOther(block));
    expect(others.map(({ file }) => file)).toEqual([workflow?.file]);
    expect(readme).toContain(workflow?.text);
    expect(workflow?.text.trim().split("\n").length).toBeLessThan(15);
    const { on, permissions, concurrency, jobs } = parse(workflow?.text ?? "");
    expect(Object.keys(on)).toEqual(["schedule", "workflow_dispatch"]);
    expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ [*\d/]+ \* \* \*$/) }]);
    expect(concurrency).toBe("recheck");
    const running = read("docs/running.md");
    const told = running.slice(running.indexOf("## As an action"), running.indexOf("## As a GitHub App"));
    const listed = [...told.matchAll(/^\| `(\w+): (write|read)` \|/gm)].map(([, name, level]) => [name, level]);
    expect(permissions).toEqual(Object.fromEntries(listed));
    const [job] = Object.values<{ steps: { uses?: string; run?: string; with?: object }[] }>(jobs);
    expect(job?.steps).toEqual([
      { uses: expect.stringMatching(/^actions\/checkout@v\d+$/) },
      { uses: "OWNER/recheck@v0" },
    ]);
    const { inputs } = parse(read("action.yml"));
    expect([...told.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)).toEqual(Object.keys(inputs));
  });

  test("that checks pull requests reads, and no more, with the commit before", () => {
    const [workflow, ...others] = blocks.filter(({ file }) => file === pullRequests).map(({ text }) => parse(text));
    expect([others, workflow.on, workflow.permissions]).toEqual([[], { pull_request: {} }, { contents: "read" }]);
    expect(workflow.jobs.report.steps).toEqual([
      { uses: expect.stringMatching(/^actions\/checkout@v\d+$/), with: { "fetch-depth": 2 } },
      { uses: "OWNER/recheck@v0" },
    ]);
  });

  /** https://github.com/actions/deploy-pages#security-considerations */
  test("that adds GitHub Pages to the workflow publishes into what is served, and may", () => {
    const [one, more] = blocks.filter(({ file }) => file.startsWith(".github/")).map(({ text }) => parse(text));
    expect(more.permissions).toEqual({ ...one.permissions, pages: "write", "id-token": "write" });
    expect(Object.keys(more.jobs)).toEqual(Object.keys(one.jobs));
    const { environment, steps } = more.jobs.recheck;
    expect(environment).toBe("github-pages");
    const [checkout, recheck, upload, deploy, ...others] = steps;
    expect([checkout.uses, recheck.uses]).toEqual(one.jobs.recheck.steps.map(({ uses }: { uses: string }) => uses));
    expect(Object.keys(parse(read("action.yml")).inputs)).toEqual(expect.arrayContaining(Object.keys(recheck.with)));
    expect(recheck.with.publish).toMatch(new RegExp(`^${upload.with.path}/\\w+$`));
    expect([upload.uses, deploy.uses].map((uses) => uses.split("@")[0])).toEqual([
      "actions/upload-pages-artifact",
      "actions/deploy-pages",
    ]);
    const published = `\${{ !cancelled() && hashFiles('${recheck.with.publish}/status.json') != '' }}`;
    expect([upload.if, deploy.if, ...others]).toEqual([published, published]);
  });
});

test("the recheck in docs/ is what the program writes, line by line", async () => {
  const { title, body, labels } = await tpuRecheck();
  const written = [`**${title}**`, labels.map(({ name }) => `\`${name}\``).join(" "), ...body.split("\n")];
  const shown = guide
    .split("\n")
    .filter((line) => line.startsWith(">"))
    .map((line) => line.slice(2))
    .filter((line) => line !== "" && line !== "…");
  expect(shown.length).toBeGreaterThan(20);
  let from = 0;
  for (const line of shown) {
    const found = written.indexOf(line, from);
    expect(found, `not written there, or not in this order: ${line}`).toBeGreaterThanOrEqual(0);
    from = found + 1;
  }
});

describe("npm scripts", () => {
  const named = (text: string) =>
    [...text.matchAll(/npm (?:run (?:--silent |-s )?([a-z:]+)|(test|start)\b)|`recheck ([a-z]+)/g)].map(
      ([, run, word, command]) => run ?? word ?? command,
    );

  test("that are named exist", () => {
    for (const file of [...pages, "CONTRIBUTING.md", "src/README.md", "demo/README.md"]) {
      expect(
        named(read(file)).filter((name) => !(name && name in scripts)),
        file,
      ).toEqual([]);
    }
  });

  test("are all named, in README.md, docs/ or in CONTRIBUTING", () => {
    const told = new Set([...named(guide), ...named(contributing)]);
    expect(Object.keys(scripts).filter((name) => !told.has(name))).toEqual([]);
  });

  test("README.md is read in three minutes", () => {
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
  });

  test("and files that are linked exist, with the section that is named", () => {
    for (const file of [...pages, "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "src/README.md"]) {
      const links = [...read(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
      const broken = links.filter(([, to = "", section]) => {
        const target = to === "" ? file : join(file, "..", to);
        if (!existsSync(join(root, target))) return true;
        return section !== undefined && !anchors(read(target)).includes(section);
      });
      expect(
        broken.map(([link]) => link),
        file,
      ).toEqual([]);
    }
  });
});

describe("tables of docs/", () => {
  test("kinds: address, options and format of each", () => {
    const rows = new Map(table("kind").map(([kind = "", ...cells]) => [kind.replaceAll("`", ""), cells]));
    expect([...rows.keys()]).toEqual([...readers.keys()]);
    for (const { kind, example, options, spec, structured } of readers.values()) {
      const [address, own, , second, format] = rows.get(kind) ?? [];
      expect(address, kind).toBe(`\`${example}\``);
      expect(coded(own).slice(0, 99), kind).toEqual(expect.arrayContaining(Object.keys(options)));
      expect(second, kind).toBe(structured ? "no" : "yes");
      expect(format, kind).toContain(`(${spec})`);
    }
  });

  test("addresses that people open: the kind of each, and what it asks", () => {
    const rows = table("address people open");
    const told = rows.map(([address = "", kind = "", asks = ""]) => {
      const watched = kindOf(coded(address)[0] ?? "", readers);
      if (!("kind" in watched)) throw new Error(`${address}: ${watched.because}`);
      const reader = readers.get(watched.kind);
      const source = sourceOf(watched);
      expect(coded(kind)[0], address).toBe(watched.kind);
      expect(kind.endsWith("in its place"), address).toBe(watched.instead === true);
      expect(reader?.request(source, { githubToken: true }).url, address).toMatch(
        new RegExp(`^${RegExp.escape(coded(asks)[0] ?? "")}(?:$|\\?)`),
      );
      return watched.kind;
    });
    const known = [...readers.values()].filter(({ recognises }) => recognises !== undefined).map(({ kind }) => kind);
    expect([...new Set(told)].sort()).toEqual(known.sort());
  });

  test("facts of each kind", () => {
    const rows = new Map(table("kind").map(([kind = "", , , gives]) => [kind.replaceAll("`", ""), gives]));
    for (const reader of readers.values()) {
      expect(coded(rows.get(reader.kind)), reader.kind).toEqual(
        expect.arrayContaining([...(reader.gives({}).facts ?? [])]),
      );
    }
  });

  const defs = jsonSchema(readers).$defs as Record<string, { anyOf: { properties: Record<string, unknown> }[] }>;
  const keysOf = (name: string) => defs[name]?.anyOf.map(({ properties }) => Object.keys(properties)) ?? [];
  const shared = (all: string[][]) => all[0]?.filter((key) => all.every((keys) => keys.includes(key))) ?? [];

  test("keys of every source", () => {
    const told = table("key").flatMap(([cell]) => coded(cell));
    expect(told.sort()).toEqual(shared(keysOf("source")).sort());
  });

  test("conditions, with their options", () => {
    const conditions = keysOf("condition");
    const common = shared(conditions);
    const told = Object.fromEntries(
      table("condition").map(([name = "", , options]) => [coded(name)[0], coded(options)]),
    );
    expect(Object.keys(told).sort()).toEqual(conditions.map(([kind]) => kind).sort());
    for (const [kind = "", ...keys] of conditions) {
      const own = keys.filter((key) => !common.includes(key));
      expect(told[kind], kind).toEqual(expect.arrayContaining(own));
    }
    for (const key of common) expect(guide, key).toMatch(new RegExp(`Every condition may also have[^.]*\`${key}`));
  });

  test("commands that people answer with: each is obeyed as it is written there, and there are no others", () => {
    const [whole] = blocks.filter(({ file, text }) => file === "sources.yaml" && /^report:/m.test(text));
    const { config } = parseConfig([{ path: "sources.yaml", text: whole?.text ?? "" }], readers);
    if (!config) throw new Error("no config");
    const rows = table("first line of a comment")
      .flat()
      .flatMap((cell) => coded(cell).filter((word) => word.startsWith("/")));
    const asking = { config, asked: ["tpu/maturity", "cuda/cost"], at: Date.UTC(2026, 10, 20) };
    const helped = coded(help(asking.asked, config, "tpu")).flatMap((word) => /^\/recheck (\w+)/.exec(word)?.[1] ?? []);
    expect(new Set(rows.map((row) => row.split(" ")[1]))).toEqual(new Set([...helped, "help"]));
    for (const body of rows) expect(parseComment({ body, bot: false }, asking), body).toHaveProperty("command");
  });

  test("permissions and events of the App: those that its manifest asks for", () => {
    const { default_permissions, default_events } = parse(read("app.yml"));
    const told = table("permission | what for | without it").flatMap(([cell]) => coded(cell));
    const highest = new Map(told.map((one) => [one.split(": ")[0], one]));
    expect([...highest.values()].sort()).toEqual(
      Object.entries(default_permissions)
        .map(([name, level]) => `${name}: ${level}`)
        .sort(),
    );
    expect(table("event").map(([cell]) => coded(cell)[0])).toEqual(default_events);
  });

  test("exit codes", () => {
    expect(table("exit code").map(([code]) => Number(code))).toEqual(Object.values(exits));
  });

  test("the states with their signs, and the reasons behind them", () => {
    expect(table("sign").map(([sign, state]) => [state, sign])).toEqual(Object.entries(stateSigns));
    expect(table("reason").map(([reason, state]) => [reason, state])).toEqual(
      freshnessLevels.map((reason) => [reason, readerState(reason)]),
    );
  });

  test("variables of the environment: each that is read, and no other", () => {
    const faces = globSync("src/faces/**/*.ts", { cwd: root }).map(read).join("\n");
    const used = new Set([...faces.matchAll(/\benv\.([A-Z][A-Z_]+)\b/g)].map(([, name = ""]) => name));
    expect(used.size).toBeGreaterThan(10);
    // One for each channel that config names.
    const others = ["NODE_EXTRA_CA_CERTS", "RECHECK_NOTIFY_…"];
    const told = table("variable").flatMap(([cell]) => coded(cell));
    expect(told.sort()).toEqual([...used, ...others].sort());
  });

  const program = new Command("recheck");
  addCommands(program, { live: false, paint: (_, text) => text, line() {}, note() {} }, () => {});
  const commands = program.commands.map((command) => [command.name(), command] as const);

  test("commands: each of the program, and no other", () => {
    const told = table("command").flatMap(([cell]) => /^`recheck (\w+)/.exec(cell ?? "")?.[1] ?? []);
    expect(told.sort()).toEqual(commands.map(([name]) => name).sort());
  });

  test.each(commands)("%s: its argument and options, as its help has them", (name, command) => {
    const row = table("command").find(([cell]) => cell?.startsWith(`\`recheck ${name}`));
    const needed = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    const [, argument] = command.usage().split("[options] ");
    expect(coded(row?.[0])).toEqual([["recheck", name, ...(argument ? [argument] : []), ...needed].join(" ")]);
    const told = coded(row?.[2]).filter((word) => word.startsWith("--"));
    expect(told.sort()).toEqual(command.options.map(({ flags }) => flags).sort());
  });
});

describe("docs/safety.md", () => {
  test("names for each attack a test that there is", () => {
    const rows = [...read("docs/safety.md").matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \| `(test\/[^`]+)`: `(.+)` \|$/gm)];
    expect(rows.length).toBeGreaterThan(20);
    for (const [, , file = "", title = ""] of rows) expect(read(file), title).toContain(title);
  });

  test.each([
    ...[
      "request forgery",
      "DNS rebinding",
      "expression injection",
      "file read through a parser",
      "XML entity expansion",
    ],
    ...["ReDoS", "decompression bomb", "PDF bomb", "YAML bomb", "Markdown injection", "HTML injection"],
    ...["terminal injection", "workflow-command injection", "marker forgery", "comment-command escalation"],
    ...["webhook forgery", "webhook replay", "secret leakage", "cross-repository access", "path traversal"],
  ])("%s is there, and tests are found by its name", (attack) => {
    const row = new RegExp(`^\\| ${attack} \\|.*\\| \`(test/[^\`]+)\`: `, "m").exec(read("docs/safety.md"));
    expect(read(row?.[1] ?? "")).toMatch(
      new RegExp(`(?:test|it|describe)(?:\\.each)?[^]{0,3000}["\`][^"\`\n]*${attack}`),
    );
  });
});

describe("src/README.md", () => {
  test("names every file and folder of src, and no other", () => {
    const told = [...read("src/README.md").matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = ""]) => name);
    const there = globSync("src/**/*.ts", { cwd: root }).map((file) => file.replace(/^src\/([^/]+\/?).*$/, "$1"));
    expect(told.sort()).toEqual([...new Set(there)].sort());
  });
});
