import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { Connection } from "../../../src/adapters/browser/connection.ts";
import { createBrowser } from "../../../src/adapters/browser/page.ts";
import { pictureIn } from "../../../src/model/published.ts";
import { type RunningChromium, startChromium } from "../../support/chromium.ts";
import { closeAll, failure, response, text } from "../fetch/local-web.ts";
import { app, type Files, localSite } from "./local-site.ts";

let chromium: RunningChromium;

beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium.close());
afterEach(closeAll);

const opened = (path = "/", waitFor?: string) => ({ url: `https://app.example${path}`, browser: { waitFor } });

async function htmlOf(files: Files, request = opened()) {
  const { fetch, asked } = await localSite(chromium.address, files);
  const got = await response(fetch, request, { robots: true });
  return { html: text(got.response.body), asked, got };
}

it("gives the text that a script has made, and sends each request itself", async () => {
  const script = `const { title } = await (await fetch("/data.json")).json(); root.innerHTML = "<h1>" + title + "</h1>";`;
  const { html, asked, got } = await htmlOf({
    "app.example/": app('await import("/main.js");', '<link rel="stylesheet" href="/a.css">'),
    "app.example/main.js": script,
    "app.example/data.json": '{ "title": "Three & four" }',
  });
  expect(html).toContain('<div id="root"><h1>Three &#38; four</h1></div>');
  expect(html).toContain('<html lang="en">');
  expect(html).not.toContain("script");
  expect(asked).toEqual(["GET app.example/", "GET app.example/main.js", "GET app.example/data.json"]);
  expect(got).toMatchObject({ validators: { etag: got.hash }, response: { status: 200, url: "https://app.example/" } });
});

it("writes out open shadow roots with what their slots hold, and frames of the same origin", async () => {
  const part = `customElements.define("a-part", class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<p>before <slot></slot> after</p>"; }
  });`;
  const frames = '<iframe src="/inner.html"></iframe><iframe src="https://other.example/"></iframe>';
  const { html, asked } = await htmlOf({
    "app.example/": app(`${part} root.innerHTML = '<a-part><b>within</b></a-part>${frames}';`),
    "app.example/inner.html": "<p>in the frame</p>",
    "other.example/": "<p>of another site</p>",
  });
  expect(html).toContain("<a-part><p>before <b>within</b> after</p></a-part>");
  expect(html).toContain("<p>in the frame</p>");
  expect(html).not.toContain("another site");
  expect(asked).not.toContain("GET other.example/");
});

it("waits for a selector or a text, and says if it does not come", async () => {
  const files = {
    "app.example/": app('setTimeout(() => { root.innerHTML = "<p class=late>It came <b>late</b></p>"; }, 1_500);'),
  };
  for (const waitFor of [".late", "It came"]) {
    const { html } = await htmlOf(files, opened("/", waitFor));
    expect(html).toContain("It came");
  }
  const { fetch } = await localSite(chromium.address, files, { restless: 300 });
  const { kind, message } = await failure(fetch, opened("/", "#never"));
  expect({ kind, message }).toEqual({ kind: "no-match", message: "nothing matches #never" });
});

it("waits for an answer that the browser is late to hand on to the page", async () => {
  const { send } = Connection.prototype;
  let checks = 0;
  const late = vi.spyOn(Connection.prototype, "send").mockImplementation(async function (this: Connection, ...command) {
    if (command[0] === "Fetch.fulfillRequest" && String(command[1]?.body) === btoa("{}"))
      await expect.poll(() => checks).toBeGreaterThan(6);
    if (command[0] === "Runtime.evaluate") checks++;
    return await send.apply(this, command);
  });
  try {
    const files = {
      "app.example/": app('await fetch("/data.json"); root.textContent = "came";'),
      "app.example/data.json": "{}",
    };
    expect((await htmlOf(files)).html).toContain("came");
  } finally {
    late.mockRestore();
  }
});

it("is not modified while its text is the same, and takes no picture then", async () => {
  const script = (said: string) => app(`root.textContent = ${JSON.stringify(said)};`);
  const files = { "app.example/": script("One.") };
  const { fetch } = await localSite(chromium.address, files);
  const { validators, response: first } = await response(fetch, opened());
  expect(pictureIn(first.body)).toBeDefined();
  files["app.example/"] = files["app.example/"].replace("<body>", '<body><script src="/app.b2.js"></script>');
  expect(await fetch.get(opened(), { validators })).toEqual({ kind: "not-modified" });
  files["app.example/"] = script("Two.");
  const second = await fetch.get(opened(), { validators });
  expect(second.kind === "response" && pictureIn(second.response.body)).toBeDefined();
  const page = { response: first, isNew: () => false };
  expect(await createBrowser(chromium.address).open(page, fetch)).toEqual({ html: expect.any(String) });
});

it("asks for an address once, however often the page does", async () => {
  const { asked } = await htmlOf({
    "app.example/": app('for (let i = 0; i < 20; i++) await fetch("/data.json"); root.textContent = "done";'),
    "app.example/data.json": "{}",
  });
  expect(asked).toEqual(["GET app.example/", "GET app.example/data.json"]);
});

it("follows redirects as a fetch does, and resolves addresses from where they lead", async () => {
  const { html, asked, got } = await htmlOf(
    {
      "app.example/old": { status: 301, headers: { location: "/new/" } },
      "app.example/new/": app('import("https://cdn.example/main.js");'),
      "cdn.example/main.js": { status: 302, headers: { location: "/v2/main.js" } },
      "cdn.example/v2/main.js": 'import { title } from "./title.js"; root.textContent = title;',
      "cdn.example/v2/title.js": 'export const title = "from the second version";',
    },
    opened("/old"),
  );
  expect(html).toContain("from the second version");
  expect(got).toMatchObject({ moved: "https://app.example/new/", response: { url: "https://app.example/new/" } });
  expect(asked.slice(2)).toEqual([
    "GET cdn.example/main.js",
    "GET cdn.example/v2/main.js",
    "GET cdn.example/v2/title.js",
  ]);
});

it("asks robots.txt for each part, as for the page", async () => {
  const { html, asked } = await htmlOf({
    "app.example/robots.txt": "User-agent: Recheck\nDisallow: /private/",
    "app.example/": app('root.textContent = await fetch("/private/data").then(() => "came", () => "refused");'),
    "app.example/private/data": "secret",
  });
  expect(html).toContain("refused");
  expect(asked).toEqual(["GET app.example/"]);
});

it("keeps nothing from one check to the next", async () => {
  const script = `const seen = [localStorage.seen, document.cookie, (await caches.keys()).join()].join("");
    localStorage.seen = "stored"; document.cookie = "a=cookie; max-age=9999"; await caches.open("cached");
    root.textContent = "seen: [" + seen + "]";`;
  const { fetch } = await localSite(chromium.address, { "app.example/": app(script) });
  for (let i = 0; i < 2; i++) {
    const { response: got } = await response(fetch, opened());
    expect(text(got.body)).toContain("seen: []");
  }
});

it("does not take half a page for a page: files that its own site fails to send are the reason", async () => {
  const { fetch } = await localSite(chromium.address, {
    "app.example/": app('root.textContent = (await fetch("/data.json")).status;'),
    "app.example/data.json": { status: 503 },
  });
  expect(await failure(fetch, opened())).toMatchObject({
    kind: "browser",
    message: "a browser could not show it: a part of the page could not be fetched (503)",
  });
});

it("shows the statuses of parts that are refused for good", async () => {
  const { html } = await htmlOf({
    "app.example/": app('root.textContent = "status " + (await fetch("/data.json")).status;'),
    "app.example/data.json": { status: 410 },
  });
  expect(html).toContain("status 410");
});

it("needs no browser for files, and for pages that their host refuses", async () => {
  const { fetch } = await localSite("ws://127.0.0.1:1/", {
    "app.example/a.json": "{}",
    "app.example/": { status: 403 },
  });
  expect(text((await response(fetch, opened("/a.json"))).response.body)).toBe("{}");
  expect(await failure(fetch, opened())).toMatchObject({ kind: "status", message: "403" });
});

it("asks for nothing if there is no browser, and says so", async () => {
  const { fetch, asked } = await localSite("", { "app.example/": "<main>A page</main>" });
  expect(await failure(fetch, opened())).toMatchObject({
    kind: "no-browser",
    message: "it needs a browser: set RECHECK_BROWSER to the address of one",
  });
  expect(asked).toEqual([]);
});
