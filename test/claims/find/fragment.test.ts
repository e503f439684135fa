import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fragmentOf } from "../../../src/claims/find/fragment.ts";
import type { Block } from "../../../src/model/reading.ts";
import { openChromium } from "../../support/chromium.ts";
import { processorTime } from "../../support/processor-time.ts";

interface Case {
  readonly name: string;
  /** The page from the first block on, as HTML; the target carries `id="target"`. */
  readonly html: string;
  readonly blocks: readonly Block[];
  readonly passage: string;
  readonly around?: { readonly prefix?: string; readonly suffix?: string };
}

const tall = '<div style="height: 4000px"></div>';
const p = (text: string): Block => ({ path: [], kind: "paragraph", text });
const row = (text: string, header?: string): Block => ({ path: [], kind: "row", text, header });
const one = (name: string, text: string, passage: string): Case => ({
  name,
  html: `${tall}<p id="target">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`,
  blocks: [p(text)],
  passage,
});
const long = Array.from({ length: 90 }, (_, i) => `word${i}`).join(" ");

const cases: readonly Case[] = [
  one("plain words", "The backend is an early prototype today.", "is an early prototype"),
  one("commas and ampersands", "Supports A, B & C, and 50% of D?", "A, B & C, and 50% of D"),
  one(
    "hyphens and dashes",
    "An end-to-end run – 1.2x–3.2x faster — is state-of-the-art.",
    "end-to-end run – 1.2x–3.2x faster — is",
  ),
  one("a leading and a trailing hyphen", "Use -O3 -flto- here always.", "-O3 -flto-"),
  one("curly quotes and apostrophes", "It’s “prototype” quality, isn’t it?", 'it\'s "prototype" quality'),
  one("accents and letters beyond Latin", "Größe: naïve café, Привет мир, ελληνικά.", "naïve café, Привет мир"),
  one("a script without spaces", "これは試作品です。本番では使えません。", "試作品"),
  one("emoji", "Ready 🚀 for launch 🧑‍🚀 soon.", "Ready 🚀 for launch 🧑‍🚀"),
  one("figures, currency and signs", "From $1.20/hr, 5.3 TB/s (up to +26%).", "$1.20/hr, 5.3 TB/s (up to +26%)"),
  one("dotted names", "Call torch.compile(model) and torch_xla.sync() first.", "compile(model) and torch_xla"),
  one("a passage of many hundred characters", `${long}.`, `${long}.`),
  one("another case than the page's", "EXPERIMENTAL: Do Not Use In Production.", "experimental: do not use"),
  one("a plus and a hash", "C++ and C# at 100% + 1 = #1 : text=x", "C++ and C# at 100% + 1 = #1 : text=x"),
  {
    name: "bold, links and code inside",
    html: `${tall}<p id="target">The <b>MPS</b> back<i>end</i> of <a href="/x"><code>torch.compile</code></a> is a <em>proto</em>type.</p>`,
    blocks: [p("The MPS backend of torch.compile is a prototype.")],
    passage: "MPS backend of torch.compile is a prototype",
  },
  {
    name: "a line break in the middle of a longer passage",
    html: `${tall}<p id="target">Compiled mode for this backend is an early prototype and will<br>most likely fail on any network of a realistic size, so use eager mode.</p>`,
    blocks: [
      p(
        "Compiled mode for this backend is an early prototype and will most likely fail on any network of a realistic size, so use eager mode.",
      ),
    ],
    passage:
      "Compiled mode for this backend is an early prototype and will most likely fail on any network of a realistic size, so use eager mode.",
  },
  {
    name: "white space and indentation in the source",
    html: `${tall}<p id="target">The   backend\n      is an early\t prototype.</p>`,
    blocks: [p("The backend is an early prototype.")],
    passage: "backend is an early prototype",
  },
  {
    name: "a passage that occurs three times, told by its prefix",
    html: `<p>For CUDA it is supported on all chips.</p>${tall}<p>For ROCm it is supported on all chips.</p>${tall}<p id="target">For MPS it is supported on all chips.</p>`,
    blocks: ["CUDA", "ROCm", "MPS"].map((name) => p(`For ${name} it is supported on all chips.`)),
    passage: "it is supported on all chips",
    around: { prefix: "For MPS" },
  },
  {
    name: "a repeated paragraph, told by the heading before it",
    html: `<h2>CUDA</h2><p>It is supported on all chips there are.</p>${tall}<h2>MPS</h2><p id="target">It is supported on all chips there are.</p>`,
    blocks: ["CUDA", "MPS"].flatMap((name): Block[] => [
      { path: [], kind: "heading", text: name },
      { path: [name], kind: "paragraph", text: "It is supported on all chips there are." },
    ]),
    passage: "It is supported on all chips there are.",
    around: { prefix: "MPS" },
  },
  {
    name: "a passage across paragraphs",
    html: `${tall}<p id="target">To use it you must use GKE.</p><p>You can use the <b>JAX</b> framework.</p>`,
    blocks: [p("To use it you must use GKE."), p("You can use the JAX framework.")],
    passage: "you must use GKE. You can use the JAX framework",
  },
  {
    name: "a passage across list items",
    html: `${tall}<ul><li id="target">Eager mode works</li><li>Compile mode, partly</li><li>Export does not</li></ul>`,
    blocks: ["Eager mode works", "Compile mode, partly", "Export does not"].map((text) => ({
      path: [],
      kind: "item",
      text,
    })),
    passage: "Eager mode works Compile mode, partly Export",
  },
  {
    name: "a cell of a table",
    html: `<p>32 GiB of disc</p>${tall}<table><tr><th>Chip</th><th>HBM</th></tr><tr><td>v5e</td><td>16 GiB</td></tr><tr><td>v6e</td><td id="target">32 GiB</td></tr></table>`,
    blocks: [p("32 GiB of disc"), row("v5e | 16 GiB", "Chip | HBM"), row("v6e | 32 GiB", "Chip | HBM")],
    passage: "v6e | 32 GiB",
  },
  {
    name: "two cells with a column between",
    html: `${tall}<table><tr><td>v5e</td><td>2023</td><td>16 GiB</td></tr><tr id="target"><td>v5p</td><td>2024</td><td>95 GiB</td></tr></table>`,
    blocks: [row("v5e | 2023 | 16 GiB"), row("v5p | 2024 | 95 GiB")],
    passage: "v5p | 95 GiB",
  },
  {
    name: "a short passage that also stands in the menu",
    html: `<nav><a href="/1">Experimental</a></nav>${tall}<p id="target">This mode is Experimental and slow.</p>`,
    blocks: [p("This mode is Experimental and slow.")],
    passage: "experimental",
  },
  {
    name: "a part of a word",
    html: `${tall}<p>Prototypes are kept.</p>${tall}<p id="target">A prototype fails.</p>`,
    blocks: [p("Prototypes are kept."), p("A prototype fails.")],
    passage: "prototype fails",
  },
  {
    name: "words that were altered meanwhile",
    html: `${tall}<p id="target">The chip, now sold everywhere, has 96 GiB of memory.</p>`,
    blocks: [p("The chip, now sold everywhere, has 96 GiB of memory.")],
    passage: "The chip, now sold everywhere, has 95 GiB of memory.",
  },
];

describe("a text fragment in a real browser", () => {
  let browser: Browser;
  let server: Server;
  let base = "";

  beforeAll(async () => {
    server = createServer((request, response) => {
      const found = cases[Number(request.url?.slice(1))];
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(`<!doctype html><html lang="en"><title>t</title><body>${found?.html ?? ""}${tall}</body></html>`);
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openChromium();
  });

  afterAll(async () => {
    await browser?.close();
    await new Promise((resolve) => server?.close(resolve));
  });

  /** How far the page was scrolled, and whether the target is in view. */
  async function visit(index: number, fragment: string): Promise<{ scrolled: number; inView: boolean }> {
    const page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    try {
      await page.goto(`${base}/${index}${fragment}`);
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      return await page.evaluate(`(() => {
        const box = document.getElementById("target").getBoundingClientRect();
        return { scrolled: window.scrollY, inView: box.top >= 0 && box.bottom <= window.innerHeight };
      })()`);
    } finally {
      await page.close();
    }
  }

  it("does not scroll to words that are not there, so that scrolling proves finding", async () => {
    expect(await visit(0, "#:~:text=is%20a%20late%20prototype")).toEqual({ scrolled: 0, inView: false });
    expect(await visit(0, "")).toEqual({ scrolled: 0, inView: false });
  });

  it.each(cases.map((found, index) => [found.name, index] as const))("finds %s", async (_, index) => {
    const found = cases[index];
    if (found === undefined) throw new Error("no such case");
    const fragment = fragmentOf(found.passage, found.blocks, found.around);
    expect(fragment).toMatch(/^#:~:text=[\w%.,$+-]+$/);
    const { scrolled, inView } = await visit(index, fragment);
    expect({ fragment, inView }).toEqual({ fragment, inView: true });
    expect(scrolled).toBeGreaterThan(0);
  });
});

describe("the fragment of a passage", () => {
  it("is written as the specification has it", () => {
    expect(fragmentOf("A, B & C-D are the chips", [p("So A, B & C-D are the chips.")])).toBe(
      "#:~:text=A%2C%20B%20%26%20C%2DD%20are%20the%20chips.",
    );
    expect(fragmentOf("yes", [p("CUDA, they say: yes it is")])).toBe("#:~:text=CUDA%2C%20they%20say%3A-,yes,-it%20is");
  });

  it("is empty where the passage is not there", () => {
    expect(fragmentOf("nothing of the kind", [p("Other words.")])).toBe("");
    expect(fragmentOf("anything", [])).toBe("");
    expect(fragmentOf("", [p("Words.")])).toBe("");
  });

  it("tells a long passage by its ends", () => {
    expect(fragmentOf(long, [p(`${long}.`)])).toBe(
      "#:~:text=word0%20word1%20word2%20word3,word86%20word87%20word88%20word89.",
    );
  });

  it("takes context from the lines around where its own has none", () => {
    const blocks = [p("It works."), p("A"), p("It works."), p("B"), p("It works.")];
    expect(fragmentOf("It works", blocks, { suffix: "B" })).toBe("#:~:text=A-,It%20works.,-B");
  });

  it("cuts words that are too long to be repeated whole", () => {
    const dna = "ACGT".repeat(100);
    const fragment = fragmentOf(`${dna} one two three`, [p(`${dna} one two three four`)]);
    expect(fragment.length).toBeLessThan(1000);
    const han = fragmentOf("試作", [p("試作。本番では使えません。".repeat(30)), p("試作")], { prefix: "使えません" });
    expect(han).toContain(encodeURIComponent("試作"));
  });

  it("takes bounded time for a passage that stands everywhere", () => {
    const blocks = [
      p("it is supported. ".repeat(50_000)),
      ...Array.from({ length: 5000 }, () => p("it is supported.")),
    ];
    const started = processorTime();
    expect(fragmentOf("it is supported", blocks)).not.toBe("");
    expect(processorTime() - started).toBeLessThan(5000);
  });
});
