import fc from "fast-check";
import { expect, test } from "vitest";
import { embeddedText, withoutText, withText } from "../../src/read/html/embedded.ts";
import { textAddress } from "../../src/read/html/text-address.ts";

const at = (path = "/docs/gauges", hash = "") => new URL(`https://app.example${path}${hash}`);
const shell = (inside: string) => `<!doctype html><head>${inside}</head><body><div id="root"></div></body>`;
const addressIn = (inside: string, from = at()) => textAddress(shell(inside), from);

test.each([
  ["a link to the page as Markdown", '<link rel="alternate" type="text/markdown" href="gauges.md">', "/docs/gauges.md"],
  [
    "a script of Nuxt",
    '<script type="application/json" id="__NUXT_DATA__" data-src="/docs/gauges/_payload.json?a1">[{"state":1},{}]</script>',
    "/docs/gauges/_payload.json?a1",
  ],
  [
    "a link to the data of Nuxt",
    '<link rel="preload" as="fetch" crossorigin="anonymous" href="/docs/gauges/_payload.json?a1">',
    "/docs/gauges/_payload.json?a1",
  ],
  [
    "a link to the data of Gatsby",
    '<link as="fetch" rel="preload" href="/page-data/app-data.json"><link as="fetch" rel="preload" href="/page-data/docs/gauges/page-data.json">',
    "/page-data/docs/gauges/page-data.json",
  ],
  [
    "the description of an interface",
    '<redoc spec-url="openapi.json"></redoc><redoc spec-url="second.json"></redoc>',
    "/docs/openapi.json",
  ],
  [
    "a base of its links",
    '<base href="/v2/"><link rel="alternate" type="text/markdown" href="gauges.md">',
    "/v2/gauges.md",
  ],
])("%s names the address of a text", (_, inside, path) => {
  expect(addressIn(inside)).toBe(`https://app.example${path}`);
});

test.each([
  ["/client/", "/client/", "/page-data/client/page-data.json"],
  ["/client/", "/client", "/page-data/client/page-data.json"],
  ["/", "/", "/page-data/index/page-data.json"],
  ["/docs/a/", "/team/docs/a/", "/team/page-data/docs/a/page-data.json"],
  ["/", "/team/", "/team/page-data/index/page-data.json"],
  ["/app/*", "/app/settings/", undefined],
])("Gatsby has the data of %s, opened at %s, beside its pages", (path, opened, address) => {
  const script = `<script id="gatsby-script-loader">/*<![CDATA[*/window.pagePath="${path}";/*]]>*/</script>`;
  expect(addressIn(script, at(opened))).toBe(address && `https://app.example${address}`);
});

test.each([
  ["/", "/__data.json"],
  ["/gauges", "/gauges/__data.json"],
  ["/gauges/?page=2", "/gauges/__data.json?page=2"],
  ["/gauges.html", "/gauges.html__data.json"],
])("SvelteKit has the data of %s below it", (opened, address) => {
  expect(addressIn("<script>{ __sveltekit_1q9kjh8 = { base: '' }; }</script>", at(opened))).toBe(
    `https://app.example${address}`,
  );
});

test.each([
  ["", "/docs/README.md"],
  ["#/", "/docs/README.md"],
  ["#/guide", "/docs/guide.md"],
  ["#/guide?id=limits", "/docs/guide.md"],
  ["#/de/", "/docs/de/README.md"],
])("Docsify has the text of %j beside its page", (hash, address) => {
  expect(addressIn("<script>window.$docsify = {};</script>", at("/docs/", hash))).toBe(`https://app.example${address}`);
});

test.each([
  ["the text of a whole site", '<link rel="alternate" type="text/markdown" href="/llms.txt">'],
  ["all texts of a site", '<link rel="alternate" type="text/markdown" href="/docs/llms-full.txt">'],
  ["another host", '<link rel="alternate" type="text/markdown" href="https://other.example/gauges.md">'],
  ["another scheme", '<link rel="alternate" type="text/markdown" href="javascript:alert(1)">'],
  ["the page itself", '<link rel="alternate" type="text/markdown" href="#text">'],
  ["data that are not those of the page", '<link rel="preload" as="fetch" href="/api/settings.json">'],
  ["the page in another language", '<link rel="alternate" hreflang="de" href="/de/gauges">'],
  ["a long address", `<link rel="alternate" type="text/markdown" href="/${"a".repeat(3_000)}.md">`],
  ["a word about a framework", '<p>window.pagePath="/" and $docsify and __sveltekit_</p>'],
])("%s is not the text of a page", (_, inside) => {
  expect(addressIn(inside)).toBeUndefined();
});

test("any text can be put into its page, which stays the same apart from it", () => {
  const address = "https://app.example/docs/text.md?a=1&b=2";
  fc.assert(
    fc.property(fc.string(), (text) => {
      const whole = withText(shell("<p>One.</p>"), address, `</body>"><script>${text}`);
      expect(withoutText(whole)).toEqual({ html: shell("<p>One.</p>"), address });
    }),
  );
});

test.each([
  ["nested deep", `{"a":${"[".repeat(200_000)}`],
  ["numbered without end", `[{"a":1,"b":1}${',{"a":2,"b":2}'.repeat(100_000)}]`],
  ["rows without end", "{}\n".repeat(500_000)],
])("a text that is %s is none", (_, text) => {
  expect(embeddedText(withText(shell(""), at().href, text))).toEqual([]);
});
