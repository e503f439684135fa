import { Parser } from "htmlparser2";

type Attributes = Readonly<Record<string, string>>;

/** The parts of a page that may give the address of its text. */
interface Shell {
  readonly at: URL;
  /** The attributes of its elements. */
  readonly elements: readonly Attributes[];
  /** Its scripts. */
  readonly code: string;
}

/** Finds the address of a text that is not in the markup. Addresses that the page names itself come first. */
const conventions: readonly ((shell: Shell) => string | undefined)[] = [
  // Markdown: https://www.rfc-editor.org/rfc/rfc7763
  ({ elements }) => elements.find((link) => isMarkdownOfPage(link))?.href,
  // Nuxt: https://nuxt.com/docs/api/utils/prerender-routes, in the page as nuxt/dist/core/runtime/nitro writes it
  ({ elements }) => elements.find((script) => /\bjson\b/i.test(script.type ?? "") && script["data-src"])?.["data-src"],
  // Nuxt and Gatsby, like any page that declares what its script will fetch: https://html.spec.whatwg.org/#link-type-
  // preload
  ({ elements }) =>
    elements.find(({ rel, as, href = "" }) => rel === "preload" && as === "fetch" && isData.test(href))?.href,
  // Descriptions of interfaces: https://redocly.com/docs/redoc/deployment/html, https://rapidocweb.com/api.html
  ({ elements }) => elements.find((element) => element["spec-url"])?.["spec-url"],
  gatsbyData,
  svelteKitData,
  docsifyText,
];

const isData = /\/(?:page-data|_payload)\.json(?:\?|$)/;

function isMarkdownOfPage({ rel = "", type = "", href = "" }: Attributes): boolean {
  return /\balternate\b/i.test(rel) && /^\s*text\/(?:x-)?markdown\b/i.test(type) && !isOfSite(href);
}

/** Whether an address is that of a text about the whole site, although pages name it as their own: https://llmstxt.org */
export function isOfSite(address: string): boolean {
  return /(?:^|\/)llms[\w-]*\.txt$/i.test(address);
}

/** https://www.gatsbyjs.com/docs/gatsby-internals-terminology/#page-data: its script names the path below the site's root. */
function gatsbyData({ at, code }: Shell): string | undefined {
  const path = /\bpagePath="([^"\\]{1,500})"/.exec(code)?.[1]?.replace(/^\/|\/$/g, "");
  const here = at.pathname.replace(/\/(?:index\.html)?$/, "");
  if (path === undefined || !here.endsWith(path)) return undefined;
  const root = here.slice(0, here.length - path.length).replace(/\/$/, "");
  return `${root}/page-data/${path || "index"}/page-data.json`;
}

/** https://svelte.dev/docs/kit/glossary#Routing, with paths as in https://github.com/sveltejs/kit: runtime/pathname.js */
function svelteKitData({ at, code }: Shell): string | undefined {
  if (!/\b__sveltekit_/.test(code)) return undefined;
  const isFile = at.pathname.endsWith(".html");
  return `${at.pathname.replace(/\/$/, "")}${isFile ? "" : "/"}__data.json${at.search}`;
}

/** https://docsify.js.org/#/more-pages: `#/guide` is `guide.md`, and a folder its `README.md`. */
function docsifyText({ at, code }: Shell): string | undefined {
  if (!/\$docsify\b/.test(code)) return undefined;
  const route = /^#\/([^?]*)/.exec(at.hash)?.[1] ?? "";
  return /(?:^|\/)$/.test(route) ? `${route}README.md` : `${route.replace(/\.md$/, "")}.md`;
}

/** Elements of a page that are searched, and characters of its scripts and of an address, at most. */
const most = { elements: 20_000, code: 300_000, address: 2_000 };

/** The address of a page's text, by hints in it. `at`: the page's address, with the fragment that people open. */
export function textAddress(html: string, at: URL): string | undefined {
  const elements: Attributes[] = [];
  let code = "";
  let inScript = false;
  let base: string | undefined;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (elements.length < most.elements) elements.push(attributes);
      if (name === "base") base ??= attributes.href;
      inScript = name === "script";
    },
    ontext(text) {
      if (inScript && code.length < most.code) code += text;
    },
    onclosetag() {
      inScript = false;
    },
  });
  parser.end(html);
  const from = (base && URL.parse(base, at)) || at;
  for (const convention of conventions) {
    const address = convention({ at, elements, code });
    const url = address && address.length <= most.address ? URL.parse(address, from) : null;
    if (!url) continue;
    url.hash = "";
    if (url.origin === at.origin && url.href !== at.href) return url.href;
  }
  return undefined;
}
