import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Reading } from "../../src/model/reading.ts";
import type { Source } from "../../src/model/source.ts";
import { page } from "../../src/read/kinds/page.ts";
import { fixture, reading } from "./given.ts";

const source = (options: Record<string, unknown> = {}) =>
  ({ id: "docs", kind: "page", address: "https://docs.example.org/install", options }) as unknown as Source;

const response = (html: string | Uint8Array, type = "text/html; charset=utf-8") => ({
  url: "https://docs.example.org/install",
  status: 200,
  headers: { "content-type": type },
  body: typeof html === "string" ? new TextEncoder().encode(html) : html,
});

const html = `<html lang="en"><title>Install</title><main><h1>Install</h1>
  <p>Version 2.13.0 and version 2.12.1 are supported; 2.11.0 is not, and neither is anything older than that.</p></main>`;

describe("page", () => {
  it("reads title, language and blocks", () => {
    expect(page.read(response(html), source())).toEqual({
      title: "Install",
      language: "en",
      region: "main",
      around: [],
      blocks: [
        { path: [], kind: "heading", text: "Install" },
        expect.objectContaining({ path: ["Install"], kind: "paragraph" }),
      ],
    });
  });

  it("reads a page as it is written: its text, each under its heading, and no menu, banner, footer or script", async () => {
    const { blocks, around, ...about } = await reading(page, fixture("page.html"));
    expect(about).toEqual({ region: "main", title: "Installing the engine", language: "en-GB" });
    expect(around).toEqual(expect.arrayContaining(["Docs", "We use cookies.", "© 2026 The Engine. Imprint"]));
    expect(blocks?.map(({ path, kind, text }) => `${path.join(" › ")} [${kind}] ${text}`)).toEqual([
      " [heading] Installing the engine",
      "Installing the engine [paragraph] The engine runs on Linux and on macOS. It needs a compiler that knows C++20.",
      "Installing the engine [heading] Packages",
      "Installing the engine › Packages [paragraph] Wheels are built for two versions of Python & no more:",
      "Installing the engine › Packages [item] Python 3.13",
      "Installing the engine › Packages [item] Python 3.14, without the lock",
      "Installing the engine › Packages [code] pip install engine engine --version",
      "Installing the engine › Packages [heading] What is tested",
      "Installing the engine › Packages › What is tested [row] System | Compiler",
      "Installing the engine › Packages › What is tested [row] Ubuntu 26.04 | GCC 15",
      "Installing the engine › Packages › What is tested [row] macOS 26 | Clang 21",
    ]);
  });

  it("announces what `versions` matches", () => {
    const reading = page.read(response(html), source({ versions: "[Vv]ersion (\\d+\\.\\d+\\.\\d+)" }));
    expect(reading).toMatchObject({ items: [{ version: "2.13.0" }, { version: "2.12.1" }] });
  });

  it("takes one selector or several", () => {
    const blocks = (options: Record<string, unknown>) =>
      (page.read(response(html), source(options)) as { blocks: unknown[] }).blocks;
    expect(blocks({ select: "p" })).toHaveLength(1);
    expect(blocks({ select: ["h1", "p"] })).toHaveLength(2);
    expect(blocks({ ignore: "h1" })).toHaveLength(1);
  });

  const teasers = ["Box kites", "Stunt kites", "Power kites", "Kite trains"]
    .map(
      (name) => `<article class="kite-teaser"><a class="kite-teaser__link" href="/k"><div class="kiteTeaser-content">
        <h3>${name} fly again</h3><p>Whoever has one meets the others on the hill this week.</p></div></a></article>`,
    )
    .join("");
  const listed = (own: string) =>
    `<title>News</title><body><main><h1>News</h1>${own}<div class="teaser-list">${teasers}</div></main></body>`;
  const texts = (html: string) => (page.read(response(html), source()) as Reading).blocks?.map(({ text }) => text);

  it("reads the teasers of a page that lists others, and says less itself", () => {
    const own = "The club moves to the western hill on the first of June.";
    const entry = ["Box kites fly again", "Whoever has one meets the others on the hill this week."];
    for (const other of ["teaser", "related-news", "recommended"]) {
      const all = texts(listed(`<p>${own}</p>`).replaceAll("teaser", other));
      expect(all?.slice(0, 4)).toEqual(["News", own, ...entry]);
      expect(all).toHaveLength(10);
    }
    const article = `<article class="page-content"><h1>News</h1><p>${own}</p><section class="teasers">${teasers}</section>`;
    expect(texts(`<main>${article}</article></main>`)).toHaveLength(10);
  });

  it("also if the page has a consent tool, and no title", () => {
    const all = listed("").replace("<h1>News</h1>", "<p>Today</p>");
    expect(texts(all.replace("<main>", `<div id="onetrust-consent-sdk"></div><main>`))).toHaveLength(9);
  });

  it("but none below a text that says more, nor below an error", () => {
    const own = "The club moves to the western hill on the first of June. ".repeat(9).trim();
    expect(texts(listed(`<p>${own}</p>`))).toEqual(["News", own]);
    const missing = listed("").replace("<h1>News</h1>", "<h1>Page not found</h1>");
    expect(() => texts(missing)).toThrow(expect.objectContaining({ kind: "missing-page" }));
  });

  it("but none of a page that was read before, and had a text of its own", () => {
    const again = (region?: string) => page.read(response(listed("")), source(), { region }) as Reading;
    const { region, blocks } = again();
    expect(again(region)).toMatchObject({ region, blocks });
    expect(again("main").blocks?.map(({ text }) => text)).toEqual(["News"]);
  });

  it("reads a main part of links although there is more text in paragraphs around it", () => {
    const links = "<h3><a href='/k'>Box kites, stunt kites and power kites fly again on the hill</a></h3>".repeat(9);
    const around = "<p>Whoever has a kite meets the others on the hill this week.</p>".repeat(9);
    expect(texts(`<div>${around}</div><main>${links}</main>`)).toHaveLength(9);
  });

  it("reads each card of a page, however much one of them says", () => {
    const card = (said: string, times: number) =>
      `<div class="card"><div class="card-body"><p>${`${said} `.repeat(times)}</p></div></div>`;
    const cards = card("By train it takes an hour.", 40) + card("We fly kites at nine.", 25);
    expect(texts(`<h1>Meeting</h1>${cards}`)?.map((text) => text.slice(0, 3))).toEqual(["Mee", "By ", "We "]);
  });

  it("says whether a page ends before it is closed", () => {
    const whole = `<html><body><main><h1>Install</h1><p>The engine runs on Linux.</p></main></body></html>`;
    expect(page.read(response(whole), source())).not.toHaveProperty("unclosed");
    expect(page.read(response(html), source())).not.toHaveProperty("unclosed");
    expect(page.read(response(whole.slice(0, -22)), source())).toHaveProperty("unclosed", true);
  });

  it("reads other encodings as they say", () => {
    const latin = Uint8Array.from(html.replace("Install</h1>", "Übersicht</h1>"), (char) => char.charCodeAt(0));
    expect(page.read(response(latin, "text/html; charset=iso-8859-1"), source())).toMatchObject({
      blocks: [{ text: "Übersicht" }, {}],
    });
  });

  it.each([
    ["a PDF", response("%PDF-1.7", "application/pdf"), {}, "wrong-type"],
    ["nothing", response(""), {}, "empty"],
    ["no content", response("<html><body></body></html>"), {}, "empty"],
    ["a selector without a match", response(html), { select: ".gone" }, "no-match"],
    ["a challenge", response("<title>Just a moment...</title><p>Checking your browser</p>"), {}, "bot-wall"],
  ])("fails on %s", (_, answer, options, kind) => {
    expect(() => page.read(answer, source(options))).toThrow(expect.objectContaining({ kind }));
  });

  it("says which kind reads a PDF", () => {
    expect(() => page.read(response("%PDF-1.7", "application/pdf"), source())).toThrow("`pdf:` reads it");
  });

  it("ignoring everything is a failure, not an empty page", () => {
    expect(() => page.read(response(html), source({ ignore: "*" }))).toThrow(
      expect.objectContaining({ name: "Failure" }),
    );
  });

  it("refuses addresses and options that are none", () => {
    expect(page.address.safeParse("docs.example.org").success).toBe(false);
    expect(page.address.safeParse("file:///etc/passwd").success).toBe(false);
    const options = z.strictObject(page.options);
    expect(options.safeParse({ select: "main >> [" }).success).toBe(false);
    expect(options.safeParse({ select: ["main", ".a"], ignore: ".b", versions: "v(\\d+)" }).success).toBe(true);
  });

  it("asks for HTML at the address, and shows it there", () => {
    expect(page.request(source(), { githubToken: false })).toMatchObject({ url: "https://docs.example.org/install" });
    expect(page.page(source())).toBe("https://docs.example.org/install");
  });
});
