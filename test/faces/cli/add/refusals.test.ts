import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { NotReplaced, replaceFile } from "../../../../src/adapters/files/folder.ts";
import { openStore } from "../../../../src/adapters/store/open.ts";
import { ConfigProblems } from "../../../../src/config/problems.ts";
import { addCommand } from "../../../../src/faces/cli/add/index.ts";
import { WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import { StoreProblem } from "../../../../src/model/problem.ts";
import { recheckHere } from "../../../support/command.ts";
import { linesOut } from "../../../support/lines-out.ts";
import { atom, Home, type LocalWeb, openWeb, page, prose } from "./web.ts";

const config = `report: { title: Widgets, audited: 2026-05-16 }
sources:
  news:
    feed: https://site.example/feed.xml
    stands-for: [2]
  guide:
    page: https://site.example/guide/
    cites: [1]
unwatchable:
  - { title: A picture book, url: https://site.example/book, because: printed }
`;
const feedLink = '<link rel="alternate" type="application/rss+xml" href="https://site.example/feed.xml">';
const post = { title: "One", url: "https://site.example/blog/one/", at: "2026-06-01" };
const plainPage = page("Page", "", `<h1>Page</h1>${prose("pages")}`);

let home: Home;
const answers = {
  "site.example/feed.xml": atom("Site news", [post, { ...post, url: "https://site.example/blog/two/" }]),
  "site.example/blog/one/": page("One", feedLink, `<h1>One</h1>${prose("one")}`),
  "site.example/page": plainPage,
  "site.example/book": plainPage,
  "site.example/hostile": page(
    '&lt;img src=x&gt; &#27;[31m red &#8238; \u0007 # "quoted": {yes}',
    "",
    `<h1>Other</h1>${prose("hostility")}`,
  ),
  "site.example/changing": { ...plainPage, meanwhile: () => writeFileSync(home.file, `${config}# by hand\n`) },
  "site.example/image": { type: "image/png", body: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0]) },
  "site.example/sheet.pdf": plainPage,
  "site.example/login": {
    body: '<title>Sign in</title><h1>Sign in</h1><form><input type="password"></form><p>Please sign in to continue.</p>',
  },
  "wall.example/": { status: 403, headers: { "cf-mitigated": "challenge" }, body: "<title>Just a moment...</title>" },
  "busy.example/": { status: 429, headers: { "retry-after": "60" } },
  "closed.example/robots.txt": { type: "text/plain", body: "User-agent: *\nDisallow: /\n" },
  "closed.example/page": plainPage,
  "homeward.example/old": { status: 302, headers: { location: "/" } },
  "homeward.example/": plainPage,
};

let web: LocalWeb;
beforeAll(async () => {
  web = await openWeb(answers);
});
afterAll(() => web.close());
beforeEach(() => {
  home = new Home(web, config);
});
afterEach(() => home.remove());

describe("an address that cannot be watched is refused with a reason, and nothing is written", () => {
  test.each([
    ["not an address", "this is not an address; write it like https://example.org/docs/install", []],
    ["acme/widget", "this is not an address; write it like https://github.com/acme/widget", []],
    ["git@github.com:acme/widget.git", "write it like https://github.com/acme/widget.", []],
    ["ftp://site.example/x", "only http and https are read", []],
    ["https://me:hunter2@site.example/", "holds credentials", []],
    ["https://site.example/photo.jpg", "a picture, recording, archive or office file", []],
    ["https://site.example/image", "it is image/png: its content is not read", ["because:"]],
    ["https://site.example/nowhere", "404, not found", ["Is the address right?"]],
    ["https://homeward.example/old", "it leads to the home page", ["Is the address right?"]],
    ["https://site.example/login", "login page", ["because: login page"]],
    ["https://wall.example/", "bot wall", ["unwatchable:", "because: bot wall"]],
    ["https://busy.example/", "429, asked to slow down", ["Try again later"]],
    ["https://closed.example/page", "robots.txt asks not to read it", ["because: robots.txt asks not to read it"]],
    ["https://site.example/sheet.pdf", "HTML where a PDF was expected", ["--kind page"]],
    ["http://10.1.2.3/page", "refused to connect to 10.1.2.3", ["RECHECK_ALLOW_ADDRESSES"]],
    ["https://github.com/acme/hidden", "404, not found", ["--kind github-repo"]],
  ])("%s", async (address, says, hints) => {
    const { code, out, yaml } = await home.add(address);
    expect(out).toContain("Nothing was written");
    for (const word of [says, ...hints]) expect(out).toContain(word);
    expect(out).not.toContain("hunter2");
    expect({ code, yaml }).toEqual({ code: 1, yaml: config });
    expect(existsSync(home.settings.data)).toBe(false);
  });

  test("a repository that is hidden is watched if that is meant", async () => {
    const { code, yaml } = await home.add("https://github.com/acme/hidden", { kind: "github-repo" });
    expect(code).toBe(0);
    expect(yaml).toContain("  hidden-repo:\n    github-repo: acme/hidden\n    title: hidden repository\n");
  });
});

describe("an address that is watched already", () => {
  test.each([
    "https://site.example/guide/",
    "http://www.site.example/guide#part",
    "https://site.example/guide/index.html?utm_source=x",
  ])("%s: by whom, without a request", async (address) => {
    const { code, out, yaml, asked } = await home.add(address, { cites: ["1", "9"] });
    expect(out).toContain('this is watched already, by the source "guide" (page: https://site.example/guide/)');
    expect(out).toContain('Let "guide" say cites: [1, 9]');
    expect({ code, yaml, asked }).toEqual({ code: 1, yaml: config, asked: [] });
  });

  test("the feed that would cover a post: which source is to say so", async () => {
    const { code, out, yaml } = await home.add("https://site.example/blog/one/", { cites: ["3"] });
    expect(out).toContain('the page that changes instead of it is watched already, by the source "news"');
    expect(out).toContain('Let "news" say stands-for: [2, 3]');
    expect({ code, yaml }).toEqual({ code: 1, yaml: config });
  });

  test("the same kind of the same address, with any options", async () => {
    const { code, asked } = await home.add("https://site.example/guide", { kind: "page" });
    expect({ code, asked }).toEqual({ code: 1, asked: [] });
  });

  test("one that was just added: a repeat changes nothing", async () => {
    const first = await home.add("https://site.example/page");
    const again = await home.add("https://site.example/page");
    expect([first.code, again.code, again.yaml === first.yaml]).toEqual([0, 1, true]);
  });

  test("a source under unwatchable may be added, and is reported", async () => {
    const { code, out } = await home.add("https://site.example/book");
    expect(code).toBe(0);
    expect(out).toContain('It is listed under unwatchable, as "A picture book": take it out there');
  });
});

describe("wrong wishes", () => {
  test.each([
    [{ id: "Not An Id" }, "is not an id"],
    [{ id: "guide" }, 'there is a source "guide" already'],
    [{ kind: "pages" }, /Nothing was written: there is no kind "pages"\.\n +Did you mean "page"\?/],
    [
      { kind: "spreadsheet" },
      /there is no kind "spreadsheet"\.\n +Kinds are github-releases, .*, page, json, report\./,
    ],
    [{ kind: "github-issue" }, "github-issue needs an address such as"],
  ])("%j", async (options, says) => {
    const { code, out, asked } = await home.add("https://site.example/page", options);
    expect(out).toMatch(says);
    expect({ code, asked }).toEqual({ code: 1, asked: [] });
  });

  test.each(["refs.bib", "cited/refs.ris", "./refs.json"])(
    "a file of references that is not there: %s",
    async (file) => {
      web.asked.length = 0;
      await expect(home.add(file)).rejects.toThrow(new WrongUsage(`there is no file ${file}`));
      expect(web.asked).toEqual([]);
    },
  );

  test("references that are none, or swallow the address", async () => {
    await expect(home.add("https://site.example/page", { cites: ["5", "x"] })).rejects.toThrow(WrongUsage);
    await expect(home.add("https://site.example/page", { standsFor: ["0"] })).rejects.toThrow("--stands-for needs");
  });

  test("a config that does not hold: nothing is asked", async () => {
    writeFileSync(home.file, config.replace("cites:", "cite:"));
    const before = web.asked.length;
    await expect(home.add("https://site.example/page")).rejects.toThrow(ConfigProblems);
    expect(web.asked.length).toBe(before);
  });
});

describe("writing", () => {
  test("--dry-run shows all and writes nothing, not even a store", async () => {
    const { code, out, yaml } = await home.add("https://site.example/page", { dryRun: true });
    expect(out).toMatch(/\+ {2}site-page:\n.*page: https:\/\/site\.example\/page/);
    expect({ code, yaml }).toEqual({ code: 0, yaml: config });
    expect(existsSync(home.settings.data)).toBe(false);
  });

  test("--json is one document", async () => {
    const done = JSON.parse((await home.add("https://site.example/page", { json: true })).out);
    expect(done).toMatchObject({ written: true, proposal: { kind: "page" }, check: { outcome: "first", firings: [] } });
    const refused = JSON.parse((await home.add("https://site.example/nowhere", { json: true })).out);
    expect(refused).toMatchObject({ refused: { says: expect.stringContaining("404") } });
  });

  test("a title with markup and control characters stays text, in YAML and on the terminal", async () => {
    const { out, yaml } = await home.add("https://site.example/hostile");
    expect(yaml).toContain('    title: "<img src=x> [31m red # \\"quoted\\": {yes}"\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("a file that was changed meanwhile is left as it is", async () => {
    const { code, out, yaml } = await home.add("https://site.example/changing");
    expect(out).toContain("was changed meanwhile");
    expect({ code, yaml }).toEqual({ code: 1, yaml: `${config}# by hand\n` });
  });

  test("mode and link of the file stay, and nothing is left beside it", async () => {
    const real = join(home.folder, "real.yaml");
    renameSync(home.file, real);
    symlinkSync(real, home.file);
    chmodSync(real, 0o640);
    expect((await home.add("https://site.example/page")).code).toBe(0);
    expect(lstatSync(home.file).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(readdirSync(home.folder).sort()).toEqual(["data", "real.yaml", "sources.yaml", "triggers"]);
  });

  test("a file that is gone, or cannot be written, is one sentence", async () => {
    await expect(replaceFile(join(home.folder, "gone.yaml"), new Uint8Array(), "x")).rejects.toThrow(NotReplaced);
    await expect(replaceFile(home.folder, new Uint8Array(), "x")).rejects.toThrow(/cannot be written: it is a folder/);
  });

  test("while another Recheck holds the store: it is written, and the first check left to that one", async () => {
    const held = await openStore(join(home.settings.data, "recheck.sqlite"));
    try {
      const { code, out, yaml } = await home.add("https://site.example/page");
      expect(code).toBe(0);
      expect(out).toContain("No first check: another Recheck is running on");
      expect(yaml).toContain("  site-page:\n");
      expect((await home.add("https://site.example/page")).code).toBe(1);
    } finally {
      await held.close();
    }
  });

  test("a store that fails after the file was written: the answer says that it is written, and why there was no check", async () => {
    const file = join(home.settings.data, "recheck.sqlite");
    await (await openStore(file)).close();
    const database = new DatabaseSync(file);
    const table = "select rootpage as page from sqlite_schema where type = 'table' and name = 'watch'";
    const { page: root } = database.prepare(table).get() as { page: number };
    database.close();
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0xa5, (root - 1) * 4_096, root * 4_096));
    const { code, out, yaml } = await home.add("https://site.example/page");
    expect(code).toBe(0);
    expect(out).toMatch(/Written\. No first check: .* is damaged: .*It follows with the next scan/);
    expect(yaml).toContain("  site-page:\n");
  });

  test("a store of a newer version: nothing is written", async () => {
    await (await openStore(join(home.settings.data, "recheck.sqlite"))).close();
    const database = new DatabaseSync(join(home.settings.data, "recheck.sqlite"));
    database.exec("pragma user_version = 9999");
    database.close();
    await expect(home.add("https://site.example/page")).rejects.toThrow(StoreProblem);
    const { out } = linesOut();
    expect(await addCommand("https://site.example/page", home.settings, { dryRun: true }, out)).toBe(0);
    expect((await home.add("https://site.example/guide")).yaml).toBe(config);
  });
});

test("from the command line: written once, and then watched already", async () => {
  const local = await openWeb({});
  const address = `${local.origin}/feed.xml`;
  await local.close();
  const port = new URL(address).port;
  const served = await openWeb({ [`127.0.0.1:${port}/feed.xml`]: atom("Local news", [post]) }, Number(port));
  const env = { RECHECK_DATA: join(home.folder, "data"), RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8" };
  const run = () => recheckHere(["add", address, "--cites", "4", "--config", home.folder], env);
  const first = await run();
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toContain(`+  local-news:\n  +    feed: ${address}\n  +    title: Local news\n  +    cites: [4]\n`);
  expect(await run()).toMatchObject({ code: 1, out: expect.stringContaining("watched already") });
  await served.close();
});
