import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { Connection } from "../../../src/adapters/browser/connection.ts";
import type { PageLimits } from "../../../src/adapters/browser/page.ts";
import { pictureIn } from "../../../src/model/published.ts";
import { type RunningChromium, startChromium } from "../../support/chromium.ts";
import { closeAll, failure, response, tcp, text } from "../fetch/local-web.ts";
import { app, localSite } from "./local-site.ts";

let chromium: RunningChromium;

beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium.close());
afterEach(closeAll);

const request = { url: "https://app.example/", browser: {} };
const limits = { restless: 500 };

async function readOf(script: string): Promise<string> {
  const { fetch } = await localSite(chromium.address, { "app.example/": app(script) }, limits);
  return text((await response(fetch, request)).response.body);
}

async function failureOf(script: string, more: Partial<PageLimits>): Promise<string> {
  const { fetch } = await localSite(chromium.address, { "app.example/": app(script) }, { ...limits, ...more });
  return (await failure(fetch, request)).message;
}

/** How many renderers the browser runs. */
async function renderers(): Promise<number> {
  const connection = await Connection.open(chromium.address);
  const { processInfo } = await connection.send("SystemInfo.getProcessInfo");
  connection.close();
  return (processInfo as { type: string }[]).filter(({ type }) => type === "renderer").length;
}

it.each([
  ["a clock", 'root.textContent = "read"; setInterval(() => root.append(document.createElement("b")), 1);'],
  ["reloads", 'root.textContent = "read"; setInterval(() => location.reload(), 10);'],
  ["leaving", 'root.textContent = "read"; location.href = "https://other.example/";'],
  ["dialogs", 'alert(1); confirm(2); prompt(3); print(); onbeforeunload = () => "stay"; root.textContent = "read";'],
  ["the camera", 'navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => {}); root.textContent = "read";'],
  ["windows", 'for (let i = 0; i < 50; i++) open("https://other.example/"); root.textContent = "read";'],
  [
    "a list that grows as it is scrolled",
    `root.innerHTML = "read<div></div>";
    const more = new IntersectionObserver(([last]) => {
      if (last.isIntersecting) root.lastChild.before(Object.assign(document.createElement("p"), { style: "height: 2000px" }));
    });
    more.observe(root.lastChild);`,
  ],
  [
    "a file of the machine",
    `const frame = Object.assign(document.createElement("iframe"), { src: "file:///etc/passwd" });
    document.body.append(frame);
    const text = await fetch("file:///etc/passwd").then((answer) => answer.text(), () => "read");
    root.textContent = text;`,
  ],
  ["an endless answer to nothing", 'setInterval(() => fetch("/again"), 1); root.textContent = "read";'],
])("reads a page in spite of %s", async (_, script) => {
  expect(await readOf(script)).toContain("read");
});

it.each([
  [
    "scrolls without end",
    'for (let i = 0; ; i++) await fetch("/part?" + i);',
    { restless: 60_000 },
    /asks for too much$/,
  ],
  [
    "has many nodes",
    'for (let i = 0; i < 2_000; i++) root.append("a", "b");',
    { nodes: 3_000 },
    /^a browser could not show it: the page has more than 3,000 elements$/,
  ],
  [
    "has 250,000 nodes",
    'for (let i = 0; i < 250_000; i++) root.append(document.createElement("i"));',
    {},
    /200,000 elements$|does not answer$|was not ready/,
  ],
  ["has much text", 'root.textContent = "many words ".repeat(200_000);', { most: 1_000_000 }, /^larger than 1 MB$/],
  [
    "is nested deep",
    'let at = root; for (let i = 0; i < 1_000; i++) at = at.appendChild(document.createElement("b"));',
    {},
    /^nested too deep to be read$/,
  ],
  [
    "holds much memory",
    "globalThis.held = []; for (let i = 0; i < 30; i++) { held.push(new Uint8Array(1e6).fill(i)); await new Promise((next) => setTimeout(next)); }",
    { memory: 20_000_000 },
    /^reading it took more than 20 MB of memory$/,
  ],
  ["computes without end", "for (;;);", { time: 1_000 }, /was not ready after 1 s$/],
  [
    "takes all memory",
    "globalThis.held = []; for (;;) held.push(new Array(1e6).fill({}));",
    { time: 60_000, memory: 1e12 },
    /crashed$|does not answer$/,
  ],
])("says so of a page that %s", async (_, script, more, says) => {
  expect(await failureOf(script, more)).toMatch(says);
});

it.each([
  ["is endless in both directions", 'root.style.cssText = "width: 1e7px; height: 1e7px";', 1],
  [
    "is drawn again all the time",
    'setInterval(() => { root.style.background = "#" + Math.random().toString(16).slice(2, 8); }, 1);',
    1,
  ],
  [
    "is noise",
    `const canvas = document.body.appendChild(document.createElement("canvas"));
    [canvas.width, canvas.height] = [1_200, 2_400];
    const context = canvas.getContext("2d");
    const noise = context.createImageData(1_200, 2_400);
    for (let i = 0; i < noise.data.length; i++) noise.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
    context.putImageData(noise, 0, 0);`,
    0,
  ],
])("takes a small picture or none of a page that %s", async (_, script, least) => {
  const html = await readOf(`root.textContent = "read"; ${script}`);
  expect(html).toContain("read");
  const picture = pictureIn(Buffer.from(html)) ?? "";
  expect(picture.length).toBeGreaterThanOrEqual(least);
  expect(html.length - html.indexOf("</html>")).toBeLessThan(80_100);
});

it("leaves nothing running, even if the page fails", async () => {
  const before = await renderers();
  await failureOf("for (;;);", { time: 1_000 });
  await readOf('root.textContent = "read";');
  await expect.poll(renderers).toBe(before);
});

it("a page that hangs costs its own check only", async () => {
  const hangs = failureOf("for (;;);", { time: 2_500 });
  expect(await readOf('root.textContent = "read";')).toContain("read");
  expect(await hangs).toContain("was not ready");
});

it("says what is wrong with a browser that is not there, is silent, ends or lies", async () => {
  const of = async (address: string) => {
    const { fetch } = await localSite(address, { "app.example/": app("") }, limits);
    return (await failure(fetch, request)).message.replace("a browser could not show it: ", "");
  };
  expect(await of("ws://127.0.0.1:1/")).toBe("the connection to the browser failed");
  expect(await of("http://127.0.0.1:1/")).toBe("no browser answers at RECHECK_BROWSER");
  const other = await tcp((socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]"));
  expect(await of(other.origin)).toBe("no browser answers at RECHECK_BROWSER");
  expect(await of(other.origin.replace("http", "ws"))).toBe("the connection to the browser failed");
});

it("ends with a browser that dies", async () => {
  const dying = await startChromium();
  const { fetch } = await localSite(dying.address, { "app.example/": app("for (;;);") }, { time: 60_000 });
  const dies = failure(fetch, request);
  setTimeout(() => void dying.close(), 750);
  expect((await dies).message).toMatch(/the browser ended the connection$|the connection to the browser failed$/);
  await dying.close();
});

it("finds the browser by its address under http, too", async () => {
  const { fetch } = await localSite(`http://${new URL(chromium.address).host}`, {
    "app.example/": app('root.textContent = "read";'),
  });
  expect(text((await response(fetch, request)).response.body)).toContain("read");
});
