import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { openChromium } from "../../support/chromium.ts";

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
  xml: "application/atom+xml",
  json: "application/json",
};

/** A page in a browser, and all that went wrong on it. */
export interface Visit {
  readonly page: Page;
  /** Messages of the console, violations of its policy among them, dialogs, and requests that leave the folder. */
  readonly wrong: readonly string[];
}

export interface Site {
  /** Opens a page of these files, at a time. */
  open(files: ReadonlyMap<string, string>, path: string, at: number, how?: BrowserContextOptions): Promise<Visit>;
  close(): Promise<void>;
}

/** A browser, and a server on this machine that has nothing but the files of the page that is open. */
export async function openSite(): Promise<Site> {
  let served: ReadonlyMap<string, string> = new Map();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(URL.parse(request.url ?? "", "http://local")?.pathname.slice(1) ?? "");
    const file = served.get(path);
    const type = types[path.split(".").at(-1) ?? ""];
    response.writeHead(file === undefined ? 404 : 200, type === undefined ? {} : { "content-type": type });
    response.end(file);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await openChromium();
  return {
    async open(files, path, at, how = {}) {
      served = files;
      const address = `${base}/${path.split("/").map(encodeURIComponent).join("/")}`;
      return await visit(browser, address, new Set([...files.keys()].map((file) => `/${file}`)), at, how);
    },
    async close() {
      await browser.close();
      await ended(server);
    },
  };
}

async function visit(
  browser: Browser,
  address: string,
  files: ReadonlySet<string>,
  at: number,
  how: BrowserContextOptions,
): Promise<Visit> {
  const context = await browser.newContext(how);
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => void wrong.push(message.text()));
  page.on("pageerror", (error) => void wrong.push(error.message));
  page.on("dialog", async (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("request", (request) => {
    const { origin, pathname, protocol } = new URL(request.url());
    const isOurs = origin === new URL(address).origin && files.has(decodeURIComponent(pathname));
    if (!isOurs && protocol !== "data:") wrong.push(`asked for ${request.url()}`);
  });
  await page.clock.setFixedTime(at);
  await page.goto(address);
  return { page, wrong };
}

function ended(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()));
}
