import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { page } from "../../src/read/kinds/page.ts";
import { inputSize } from "../support/runs.ts";
import { response, source } from "./given.ts";

/** Pages that show their text by a script, and ship it with the page. */

const sentences = Array.from(
  { length: 12 },
  (_, n) => `Reservoir number ${n} holds ${200 + n} litres of water when it is full.`,
);

const shell = (inside: string) =>
  `<!doctype html><html lang="en"><head><title>Reservoirs</title></head><body><div id="root"></div>${inside}<script src="/app.3f2a.js"></script></body></html>`;
const json = (value: unknown, attributes = 'id="__NEXT_DATA__" type="application/json"') =>
  shell(`<script ${attributes}>${JSON.stringify(value)}</script>`);

const read = (html: string) => page.read(response(html), source(page));
const textsOf = async (html: string) => (await read(html)).blocks?.map(({ text }) => text);
const failureOf = async (html: string) => {
  try {
    await read(html);
  } catch (error) {
    if (error instanceof Failure) return error.kind;
    throw error;
  }
};

const paragraphs = `<h2>Reservoirs</h2>${sentences.map((one) => `<p>${one}</p>`).join("")}`;

/** Ways of shipping the sentences. `build`: a name that each build has of its own. */
const ways: Readonly<Record<string, (texts: readonly string[], build: string) => string>> = {
  "sentences in a data block": (texts, build) =>
    json({
      props: { pageProps: { sections: texts.map((text) => ({ text, className: "flex items-center p-4 text-sm" })) } },
      buildId: build,
    }),
  "HTML in a data block": (texts, build) =>
    json({ props: { html: `<h2>Reservoirs</h2>${texts.map((one) => `<p>${one}</p>`).join("")}` }, buildId: build }),
  "Markdown in a data block": (texts, build) =>
    json({ page: { body: `# Reservoirs\n\n${texts.join("\n\n")}` }, build }),
  "JSON within JSON": (texts, build) =>
    json({ status: 200, body: JSON.stringify({ texts, build }) }, 'type="application/json" data-sveltekit-fetched'),
  "data that is given to a name": (texts, build) =>
    shell(
      `<script>window.__INITIAL_STATE__ = ${JSON.stringify({ texts, build })};(function(){var s;(s=document.currentScript)})();</script>`,
    ),
  "data that is given to a function": (texts, build) =>
    shell(`<script>(self.data=self.data||[]).push(${JSON.stringify([1, { texts }, build])})</script>`),
  "data that is parsed from a string": (texts, build) =>
    shell(`<script>var state = JSON.parse(${JSON.stringify(JSON.stringify({ texts, build }))})</script>`),
  "a literal of a script": (texts, build) =>
    shell(
      `<script>{ const element = document.body; import("./${build}.js").then(async (kit) => { kit.start(app, element, {nodes: [0, 2], 'data': [null,{type:"data",loaded:!0,texts:${JSON.stringify(texts)},at:-0.5,kept:void 0}], form: null}); }); }</script>`,
    ),
  "a literal whose values are numbered": (texts, build) =>
    shell(
      `<script>T.router=($R=>$R[0]={routes:$R[1]=[$R[2]={id:"${build}",texts:$R[3]=${JSON.stringify(texts)},same:$R[2]}],ssr:!0})($R["app"]);</script>`,
    ),
  "rows of a stream that comes in pieces": (texts, build) => {
    const rows = `1:"$Sreact.fragment"\n2:"/chunks/${build}.js"\n3:I[65103,["$2"],"default"]\n4:T${texts[0]?.length.toString(16)},${texts[0]}5:["$","$L3",null,${JSON.stringify({ texts: texts.slice(1) })}]\n6:null\n`;
    const pieces = [rows.slice(0, 500), rows.slice(500)];
    return shell(
      `<script>(self.f=self.f||[]).push([0])</script>${pieces.map((piece) => `<script>self.f.push(${JSON.stringify([1, piece])})</script>`).join("")}`,
    );
  },
  "data in an attribute": (texts, build) =>
    shell(
      `<app-island uid="${build}" props="${JSON.stringify({ texts: [1, texts.map((text) => [0, text])] }).replaceAll('"', "&quot;")}"></app-island>`,
    ),
  "Markdown for a script": (texts) =>
    shell(`<script type="text/markdown"># Reservoirs\n\n${texts.join("\n\n")}</script>`),
  "Markdown in a field": (texts) =>
    shell(`<section data-markdown><textarea data-template># Reservoirs\n\n${texts.join("\n\n")}</textarea></section>`),
  "structured data of an article": (texts) =>
    json(
      { "@context": "https://schema.org", "@type": "Article", headline: "Reservoirs", articleBody: texts.join("\n\n") },
      'type="application/ld+json"',
    ),
  "text for browsers without scripts": (texts) =>
    shell(`<noscript><h2>Reservoirs</h2>${texts.map((one) => `<p>${one}</p>`).join("")}</noscript>`),
};

describe.each(Object.entries(ways))("%s", (_, ship) => {
  const changed = sentences.with(4, "Reservoir number 4 holds 999 litres of water when it is full.");

  test("is the text of a page that has none of its own", async () => {
    expect(await textsOf(ship(sentences, "a1"))).toEqual(expect.arrayContaining(sentences));
  });

  test("reads the same after another build, and another after a change", async () => {
    const before = await textsOf(ship(sentences, "a1"));
    expect(await textsOf(ship(sentences, "b2"))).toEqual(before);
    expect(await textsOf(ship(changed, "a1"))).toEqual(
      before?.map((text) => (text === sentences[4] ? changed[4] : text)),
    );
    const fingerprint = (texts: readonly string[]) => page.fingerprint?.(response(ship(texts, "a1")), source(page));
    expect(fingerprint(changed) ?? "other").not.toBe(fingerprint(sentences));
  });

  test("is no text of a page that has its own", async () => {
    const own = ship(sentences, "a1").replace(
      '<div id="root"></div>',
      `<main>${paragraphs.replaceAll("water", "oil")}</main>`,
    );
    expect((await textsOf(own))?.join("\n")).not.toContain("water");
  });
});

test.each([
  [
    "escapes of a script",
    String.raw`'It\'s \x3Cb> and \u003Ci>, "so to say", 100 % \\ of it.'`,
    `It's <b> and <i>, "so to say", 100 % \\ of it.`,
  ],
  ["escapes of JSON", JSON.stringify('He wrote "C:\\\\" and it\'s there.'), 'He wrote "C:\\\\" and it\'s there.'],
])("%s are the letters they are for", async (_, literal, text) => {
  expect(
    await textsOf(shell(`<script>state = {note: ${literal}, all: ${JSON.stringify(sentences)}}</script>`)),
  ).toContain(text);
});

test("a row of a stream has as many bytes as it says", async () => {
  const text = `${sentences.join(" ")} Größe 🪁.`;
  const stream = `1:T${Buffer.byteLength(text).toString(16)},${text}2:{"texts":["A row that comes behind the text."]}\n`;
  expect(await textsOf(shell(`<script>f.push(${JSON.stringify([1, stream])})</script>`))).toEqual([
    text,
    "A row that comes behind the text.",
  ]);
});

test("an element of a stream is markup, and the values of a component in it are data", async () => {
  const element = (name: string, ...children: unknown[]) => ["$", name, null, { children, className: "flex p-4" }];
  const article = element(
    "article",
    element("h2", "Reservoirs"),
    element("p", "Each of them is full, ", ["$", "$L5", null, { href: "/why", children: "and nobody knows why" }], "."),
    element("p", "It is < 3 & > 2 of ", element("b", "them"), "$L7", element("script", "never shown to a reader")),
    ["$", "$L6", null, { texts: sentences, notFound: element("p", "There is no such page here.") }],
  );
  const html = shell(`<script>f.push(${JSON.stringify([1, `0:${JSON.stringify({ r: article })}\n`])})</script>`);
  const { blocks } = await read(html);
  const path = ["Reservoirs"];
  expect(blocks?.filter(({ text }) => !sentences.includes(text))).toEqual([
    { kind: "heading", text: "Reservoirs", path: [] },
    { kind: "paragraph", text: "Each of them is full, and nobody knows why.", path },
    { kind: "paragraph", text: "It is < 3 & > 2 of them", path },
  ]);
  expect(blocks).toHaveLength(sentences.length + 3);
});

test("names are headings, and prices are beside them", async () => {
  const plans = [
    { name: "Small", price: 29, description: "For one reservoir and all the people who look after it." },
    { name: "Large", price: 390, description: "For all the reservoirs of a valley and the people there." },
  ];
  const { blocks } = await read(json({ plans, about: sentences }));
  expect(blocks?.slice(0, 3)).toEqual([
    { kind: "heading", text: "Small", path: [] },
    { kind: "paragraph", text: "price: 29", path: ["Small"] },
    { kind: "paragraph", text: plans[0]?.description, path: ["Small"] },
  ]);
});

test.each([
  [
    "data about the visitor",
    json({ session: { note: sentences }, currentUser: { texts: sentences }, appConfig: sentences }),
  ],
  [
    "the program of a stream",
    shell(
      `<script>f.push(${JSON.stringify([1, Array.from({ length: 40 }, (_, n) => `${n}:I[${n},["$2","some words of a program"],"default"]\n`).join("")])})</script>`,
    ),
  ],
  [
    "an element of a stream that shows no text",
    shell(
      `<script>f.push(${JSON.stringify([1, ["meta", "svg"].map((name) => `1:${JSON.stringify(sentences.map((text) => ["$", name, null, { name: "about", content: text }]))}\n`).join("")])})</script>`,
    ),
  ],
  [
    "a setting, a log or a message",
    json({ bannerSettings: sentences, _debug_lines: sentences, localized: { all: sentences } }),
  ],
  [
    "a message of an application",
    shell(
      `<script>f.push(${JSON.stringify([1, `1:${JSON.stringify({ notFound: sentences, forbidden: sentences })}\n`])})</script>`,
    ),
  ],
  ["settings in an attribute", shell(`<div data-config='${JSON.stringify(sentences)}' class="[&>p]:mt-2"></div>`)],
  ["figures of the request", json({ stats: { about: sentences } })],
  ["a line about the site", json({ "@type": "WebPage", description: sentences[0] }, 'type="application/ld+json"')],
  [
    "data about the site",
    json({ "@type": "Organization", name: "R", description: sentences.join(" ") }, 'type="application/ld+json"'),
  ],
  ["what an application says on each page", json({ props: { _nextI18Next: { store: sentences } } })],
  [
    "settings",
    json({ classes: sentences.map(() => "flex items-center p-4"), urls: ["/a b c d e", "https://a.example/b c d"] }),
  ],
  ["a script", shell(`<script>function f(){return {a:1,b:'${sentences.join(" ")}'}}</script>`)],
  [
    "a request for scripts",
    shell(`<noscript>${"You need to enable JavaScript to run this app. ".repeat(3)}</noscript>`),
  ],
  ["data that is cut off", shell(`<script type="application/json">{"texts": ["${sentences.join(" ")}"</script>`)],
])("%s is no text of a page", async (_, html) => {
  expect(await failureOf(html)).toBe("shell");
});

test.each([
  ["scripts without an end", "<script>".repeat(100_000)],
  ["data that nests deep", `<script type="application/json">${"[".repeat(200_000)}</script>`],
  ["data without an end", `<script>${"={".repeat(200_000)}</script>`],
  ["quotes without an end", `<script>${'={"'.repeat(100_000)}</script>`],
  [
    "lists in lists without an end",
    `<script>x=${"[1,".repeat(60)}${"1,".repeat(inputSize(1_500_000, 300_000))}</script>`,
  ],
  ["rows without an end", `<script>f.push([1,"${"1:Tffffffff,".repeat(50_000)}"])</script>`],
  ["lines without text", `<script>f.push([1,"${"1:\\n".repeat(200_000)}"])</script>`],
  ["attributes without an end", `<p a="${"[[".repeat(50_000)}"></p>`],
  ["JSON in JSON in JSON", json(Array.from({ length: 12 }).reduce<string>((inner) => JSON.stringify([inner]), "text"))],
])("%s is no text of a page", async (_, html) => {
  expect(await failureOf(shell(html))).toBe("shell");
});
