import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fragmentOf } from "../../../src/claims/find/fragment.ts";
import type { Block } from "../../../src/model/reading.ts";
import { openChromium } from "../../support/chromium.ts";

interface Case {
  readonly name: string;
  /** The page from the first block on, as HTML; the target carries `id="target"`. */
  readonly html: string;
  readonly passage: Block;
}

const tall = '<div style="height: 4000px"></div>';
const p = (text: string): Block => ({ path: [], kind: "paragraph", text });
const row = (text: string): Block => ({ path: [], kind: "row", text });
const one = (name: string, text: string): Case => ({
  name,
  html: `${tall}<p id="target">${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</p>`,
  passage: p(text),
});
const long = Array.from({ length: 90 }, (_, i) => `word${i}`).join(" ");

const cases: readonly Case[] = [
  one("plain words", "The backend is an early prototype today."),
  one("commas and ampersands", "Supports A, B & C, and 50% of D?"),
  one("hyphens and dashes", "An end-to-end run – 1.2x–3.2x faster — is state-of-the-art."),
  one("a leading and a trailing hyphen", "-O3 -flto-"),
  one("curly quotes and apostrophes", "It’s “prototype” quality, isn’t it?"),
  one("accents and letters beyond Latin", "Größe: naïve café, Привет мир, ελληνικά."),
  one("a script without spaces", "これは試作品です。本番では使えません。"),
  one("a long text in a script without spaces", `これは試作品です。${"本番では使えません。".repeat(20)}以上です。`),
  one("emoji", "Ready 🚀 for launch 🧑‍🚀 soon."),
  one("figures, currency and signs", "From $1.20/hr, 5.3 TB/s (up to +26%)."),
  one("dotted names", "Call torch.compile(model) and torch_xla.sync() first."),
  one("a passage of many hundred characters", `${long}.`),
  one("a passage whose end repeats its middle", `First it is fast. ${"Then it is slow. ".repeat(30)}Then it is slow.`),
  one("a plus and a hash", "C++ and C# at 100% + 1 = #1 : text=x"),
  {
    name: "bold, links and code inside",
    html: `${tall}<p id="target">The <b>MPS</b> back<i>end</i> of <a href="/x"><code>torch.compile</code></a> is a <em>proto</em>type.</p>`,
    passage: p("The MPS backend of torch.compile is a prototype."),
  },
  {
    name: "a line break in the middle of a longer passage",
    html: `${tall}<p id="target">Compiled mode for this backend is an early prototype and will<br>most likely fail on any network of a realistic size, so use eager mode.</p>`,
    passage: p(
      "Compiled mode for this backend is an early prototype and will most likely fail on any network of a realistic size, so use eager mode.",
    ),
  },
  {
    name: "white space and indentation in the source",
    html: `${tall}<p id="target">The   backend\n      is an early\t prototype.</p>`,
    passage: p("The backend is an early prototype."),
  },
  {
    name: "two cells of a row",
    html: `<p>32 GiB of disc</p>${tall}<table><tr><th>Chip</th><th>HBM</th></tr><tr><td>v5e</td><td>16 GiB</td></tr><tr><td>v6e</td><td id="target">32 GiB</td></tr></table>`,
    passage: row("v6e | 32 GiB"),
  },
  {
    name: "two cells with a column between",
    html: `${tall}<table><tr><td>v5e</td><td>2023</td><td>16 GiB</td></tr><tr id="target"><td>v5p</td><td>2024</td><td>95 GiB</td></tr></table>`,
    passage: row("v5p | 95 GiB"),
  },
  {
    name: "a row without text in its outer cells",
    html: `${tall}<table><tr id="target"><td></td><td>v5p</td><td>–</td></tr></table>`,
    passage: row(" | v5p | –"),
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
    const fragment = fragmentOf(found.passage);
    expect(fragment).toMatch(/^#:~:text=[\w%.,$+-]+$/);
    const { scrolled, inView } = await visit(index, fragment);
    expect({ fragment, inView }).toEqual({ fragment, inView: true });
    expect(scrolled).toBeGreaterThan(0);
  });
});

describe("the fragment of a passage", () => {
  it("is written as the specification has it", () => {
    expect(fragmentOf(p("A, B & C-D are the chips."))).toBe("#:~:text=A%2C%20B%20%26%20C%2DD%20are%20the%20chips.");
  });

  it("is empty without words", () => {
    expect(fragmentOf(p(""))).toBe("");
    expect(fragmentOf(row(" | – | "))).toBe("");
  });

  it("gives a long passage by its ends", () => {
    expect(fragmentOf(p(`${long}.`))).toBe("#:~:text=word0%20word1%20word2%20word3,word86%20word87%20word88%20word89.");
  });

  it("gives a long passage of few words whole", () => {
    const dna = "ACGT".repeat(100);
    expect(fragmentOf(p(`${dna} one two`))).toBe(`#:~:text=${dna}%20one%20two`);
  });
});
