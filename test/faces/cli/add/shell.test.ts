import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { initCommand } from "../../../../src/faces/cli/init/index.ts";
import { Home, type LocalWeb, openWeb } from "./web.ts";

/** Pages without text in their markup, as `add` and `init` draft them. */

const sentences = Array.from(
  { length: 12 },
  (_, n) => `Reservoir number ${n} holds ${200 + n} litres of water when it is full.`,
);
const markdown = { type: "text/markdown", body: `# Reservoirs\n\n${sentences.join("\n\n")}\n` };
const shell = (inside = "", title = "Reservoirs | Oxbow") => ({
  body: `<!doctype html><html lang="en"><head><title>${title}</title>${inside}</head><body><div id="root"></div><script src="/app.js"></script></body></html>`,
});
const nuxt = `<script type="application/json" id="__NUXT_DATA__" data-src="/nuxt/_payload.json?a1">[{"state":1},{}]</script>`;
const sources = "report: { title: Water, audited: 2026-11-01 }\nsources: {}\n";

let web: LocalWeb;

beforeAll(async () => {
  web = await openWeb({
    "oxbow.example/nuxt": shell(nuxt),
    "oxbow.example/nuxt/_payload.json?a1": {
      type: "application/json",
      body: JSON.stringify([{ texts: 1 }, sentences.map((_, n) => n + 2), ...sentences]),
    },
    "oxbow.example/named": shell('<link rel="alternate" type="text/markdown" href="/texts/named.md">'),
    "oxbow.example/texts/named.md": markdown,
    "oxbow.example/of-site": shell('<link rel="alternate" type="text/markdown" href="/llms.txt">'),
    "oxbow.example/beside": shell(),
    "oxbow.example/beside.md": markdown,
    "oxbow.example/other": shell(),
    "oxbow.example/other.md": { ...markdown, body: markdown.body.replace("# Reservoirs", "# Dams") },
    "listed.example/docs/": shell("", "App"),
    "listed.example/llms.txt": {
      type: "text/plain",
      body: "# Oxbow\n\n## Docs\n\n- [Dams](/docs/dams.md): how they are built\n- [Reservoirs](https://listed.example/docs/index.html.md): how much they hold\n",
    },
    "listed.example/docs/index.html.md": markdown,
  });
});
afterAll(() => web.close());

async function added(address: string) {
  const home = new Home(web, sources);
  const { code, out, yaml } = await home.add(address);
  home.remove();
  return { code, out, yaml };
}

test("a page whose text is data at another address is added with a word on that", async () => {
  const { code, out, yaml } = await added("https://oxbow.example/nuxt");
  expect(code, out).toBe(0);
  const from = "ts text is read from https://oxbow.example/nuxt/_payload.json";
  expect(yaml).toContain(`# I${from}.\n`);
  expect(yaml).toContain("page: https://oxbow.example/nuxt\n");
  expect(out).toContain(`i${from}`);
});

test.each([
  ["https://oxbow.example/named", "https://oxbow.example/texts/named.md", "the page names it as its own text"],
  ["https://oxbow.example/beside", "https://oxbow.example/beside.md", "it holds the page's text"],
  [
    "https://listed.example/docs/",
    "https://listed.example/docs/index.html.md",
    "the site's llms.txt names it as the page's text",
  ],
])("%s is watched by its Markdown", async (address, text, why) => {
  const { code, out, yaml } = await added(address);
  expect(code, out).toBe(0);
  expect(yaml).toContain(`text: ${text}`);
  expect(out).toContain(why);
});

test.each(["https://oxbow.example/of-site", "https://oxbow.example/other"])(
  "%s has no text: that of its site, or of a page with another title, is not its own",
  async (address) => {
    const { code, out, yaml } = await added(address);
    expect(code, out).not.toBe(0);
    expect(yaml).toBe(sources);
  },
);

test("a draft says where the text of a page is read", async () => {
  const home = new Home(web, sources, {});
  const report = join(home.folder, "report.md");
  const { writeFileSync, rmSync } = await import("node:fs");
  rmSync(home.file);
  writeFileSync(
    report,
    "# Water\n\nA reservoir holds 204 litres [1].\n\n## References\n\n1. Oxbow. https://oxbow.example/nuxt\n",
  );
  const line = () => {};
  const terminal = { live: false, paint: (_: unknown, text: string) => text, line, note: line };
  await initCommand(report, home.settings, {}, terminal);
  expect(readFileSync(home.file, "utf8")).toContain(
    "https://oxbow.example/nuxt # Its text is read from https://oxbow.example/nuxt/_payload.json.\n",
  );
  home.remove();
});
