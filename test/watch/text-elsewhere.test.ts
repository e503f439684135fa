import { afterEach, expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import { visit } from "../../src/audit/visit.ts";
import { sourceLines } from "../../src/faces/cli/explain/source.ts";
import { editionOf } from "../../src/publish/edition.ts";
import { readers } from "../../src/read/index.ts";
import { scan } from "../../src/watch/scan.ts";
import { localSite } from "../adapters/browser/local-site.ts";
import { closeAll } from "../adapters/fetch/local-web.ts";
import { configOf } from "../support/config-of.ts";
import { begin, day } from "../support/story.ts";

/** Pages that have no text in their markup, and say where it is. */

afterEach(closeAll);

const sentences = Array.from(
  { length: 12 },
  (_, n) => `Reservoir number ${n} holds ${200 + n} litres of water when it is full.`,
);
const changed = sentences.with(4, "Reservoir number 4 holds 999 litres of water when it is full.");

const shell = (inside: string, build: string) =>
  `<!doctype html><html lang="en"><head><title>Reservoirs</title></head><body><div id="root"></div>${inside}<script src="/app.${build}.js"></script></body></html>`;

type Ship = (texts: readonly string[], build: string) => Readonly<Record<string, string>>;

/** The sentences as a list in which each value has a number, in an order that each build has of its own. */
function numbered(texts: readonly string[], build: string): unknown[] {
  const order = build === "a1" ? texts.map((_, n) => n) : texts.map((_, n) => texts.length - 1 - n);
  const places = texts.map((_, n) => order.indexOf(n) + 3);
  return [{ title: 1, texts: 2 }, "Reservoirs", places, ...order.map((n) => texts[n])];
}

/** The shape of each is that of the page that specifies it, in `text-address.ts`. `build`: a name that each build has of its own. */
const ways: Readonly<Record<string, Ship>> = {
  "Markdown of the page": (texts, build) => ({
    "/docs/": shell('<link rel="alternate" type="text/markdown" href="/docs/index.md">', build),
    "/docs/index.md": `# Reservoirs\n\n${texts.join("\n\n")}\n`,
  }),
  "data of Nuxt": (texts, build) => ({
    "/docs/": shell(
      `<link rel="preload" as="fetch" crossorigin="anonymous" href="/docs/_payload.json?${build}"><script type="application/json" data-nuxt-data="nuxt-app" data-ssr="true" id="__NUXT_DATA__" data-src="/docs/_payload.json?${build}">[{"state":1,"path":2},{},"/docs"]</script>`,
      build,
    ),
    [`/docs/_payload.json?${build}`]: JSON.stringify(numbered(texts, build)),
  }),
  "data of Gatsby": (texts, build) => ({
    "/docs/": shell(`<script id="gatsby-script-loader">/*<![CDATA[*/window.pagePath="/docs/";/*]]>*/</script>`, build),
    "/page-data/docs/page-data.json": JSON.stringify({
      componentChunkName: `component---${build}`,
      path: "/docs/",
      result: { data: { markdownRemark: { html: texts.map((text) => `<p>${text}</p>`).join("") } }, pageContext: {} },
      staticQueryHashes: [build],
    }),
  }),
  "data of SvelteKit": (texts, build) => ({
    "/docs/": shell(`<script>{ __sveltekit_${build} = { base: "" }; }</script>`, build),
    "/docs/__data.json": JSON.stringify({
      type: "data",
      nodes: [null, { type: "data", data: numbered(texts, build), uses: {} }],
    }),
  }),
  "Markdown of Docsify": (texts, build) => ({
    "/docs/": shell('<script>window.$docsify = { name: "Reservoirs" };</script>', build),
    "/docs/README.md": `# Reservoirs\n\n${texts.join("\n\n")}\n`,
  }),
  "the description of an interface": (texts, build) => ({
    "/docs/": shell('<redoc spec-url="/docs/openapi.json"></redoc>', build),
    "/docs/openapi.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Reservoirs", description: texts.join("\n\n") },
    }),
  }),
};

const config = configOf(
  `report: { title: Reservoirs, audited: 2026-05-31 }
ratings: { water/level: { level: low } }
sources:
  docs: { page: "https://app.example/docs/" }
`,
  { level: "name: Level\nratings: [water/level]\non: [{ change: docs }]\n" },
);

const ofHost = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([path, body]) => [`app.example${path}`, body]));

/** Scans once a day while the site serves these builds, one after the other. */
async function scans(
  builds: readonly Readonly<Record<string, string | { status: number; headers?: Record<string, string> }>>[],
) {
  const files: Record<string, string | { status: number; headers?: Record<string, string> }> = {};
  const { fetch, asked } = await localSite("", files);
  const database = await openStore(":memory:");
  const store = database.repository("reservoirs");
  let now = begin;
  const world = { config, clock: { now: () => now }, fetch, store, readers, access: { githubToken: true } };
  const fired: string[][] = [];
  const says: (string | undefined)[] = [];
  for (const build of builds) {
    for (const name of Object.keys(files)) delete files[name];
    Object.assign(files, build);
    const { checks, firings } = await scan(world);
    says.push(...checks.map(({ failure }) => failure?.says));
    fired.push(
      firings.flatMap(({ evidence }) =>
        evidence.map(({ change }) => (change.kind === "block" ? (change.after?.text ?? "") : change.kind)),
      ),
    );
    now += day;
  }
  const [story] = (await editionOf({ config, store, at: now, link: () => undefined })).sources;
  await database.close();
  return { fired, says, asked, explained: story ? sourceLines(story, now) : [] };
}

test.each(Object.entries(ways))("%s is the page's text: a change is reported once, a build never", async (_, ship) => {
  const same = ofHost(ship(sentences, "a1"));
  const other = ofHost(ship(changed, "c3"));
  const built = [same, same, ofHost(ship(sentences, "b2")), other, other, other, ofHost(ship(changed, "d4"))];
  const { fired, says, asked, explained } = await scans(built);
  expect(says).toEqual(built.map(() => undefined));
  expect(fired).toEqual([[], [], [], [], [changed[4]], [], []]);
  expect(asked).toHaveLength(2 * built.length);
  const [address = ""] = Object.keys(ship(sentences, "a1")).filter((path) => path !== "/docs/");
  expect(explained.join("\n")).toContain(` from https://app.example${address.replace(/\?.*/, "")}, on `);
});

test.each(Object.entries(ways))("%s is not asked for if the page has a text of its own", async (_, ship) => {
  const { "/docs/": page = "" } = ship(sentences, "a1");
  const { fetch, asked } = await localSite("", {
    "app.example/docs/": page.replace(
      '<div id="root"></div>',
      `<main><h1>Oil</h1>${sentences.map((text) => `<p>${text.replace("water", "oil")}</p>`).join("")}</main>`,
    ),
  });
  const { reading } = await visit(
    { kind: "page", address: "https://app.example/docs/" },
    { fetch, readers, access: { githubToken: false } },
  );
  expect(reading?.blocks?.[1]?.text).toContain("oil");
  expect(reading?.from).toBeUndefined();
  expect(asked).toEqual(["GET app.example/docs/"]);
});

const announced = {
  "app.example/docs/": shell('<link rel="alternate" type="text/markdown" href="/docs/index.md">', "a1"),
};
const text = { "app.example/docs/index.md": `# Reservoirs\n\n${sentences.join("\n\n")}\n` };

test.each([
  ["is missing", {}],
  ["is the page once more", { "app.example/docs/index.md": announced["app.example/docs/"] }],
  ["is too short", { "app.example/docs/index.md": "# Reservoirs\n" }],
  [
    "is at another host",
    {
      "app.example/docs/index.md": { status: 302, headers: { location: "https://other.example/" } },
      "other.example/": sentences.join("\n\n"),
    },
  ],
  ["is refused", { "app.example/docs/index.md": { status: 403 } }],
])("a text that %s leaves a page that shows none, until it comes", async (_, files) => {
  const { says } = await scans([
    { ...announced, ...files },
    { ...announced, ...files },
    { ...announced, ...text },
  ]);
  const shown = "a page that only shows its text in a browser";
  expect(says).toEqual([shown, shown, undefined]);
});

test("a text that robots.txt keeps from programs is not asked for", async () => {
  const robots = { "app.example/robots.txt": "User-agent: *\nDisallow: /docs/index.md\n" };
  const { says, asked } = await scans([{ ...announced, ...text, ...robots }]);
  expect(says).toEqual(["a page that only shows its text in a browser"]);
  expect(asked).toEqual(["GET app.example/docs/"]);
});

test("a text that cannot be read is asked for again, although its page stays the same", async () => {
  const deep = { ...announced, "app.example/docs/index.md": "<div>".repeat(20_000) };
  const { says } = await scans([deep, deep, { ...announced, ...text }]);
  expect(says).toEqual([...Array(2).fill("not well-formed HTML (it nests too deeply)"), undefined]);
});

test("a text that does not come for once leaves the check unknown, with its reason", async () => {
  const both = { ...announced, ...text };
  const { says, fired } = await scans([both, { ...announced, "app.example/docs/index.md": { status: 503 } }, both]);
  expect(says).toEqual([undefined, "503", undefined]);
  expect(fired.flat()).toEqual([]);
});
