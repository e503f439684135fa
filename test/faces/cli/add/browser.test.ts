import { afterAll, beforeAll, expect, test } from "vitest";
import { adoptReadKinds } from "../../../../src/onboard/first-check.ts";
import { readers } from "../../../../src/read/index.ts";
import { type RunningChromium, startChromium } from "../../../support/chromium.ts";
import { configOf } from "../../../support/config-of.ts";
import { Home, type LocalWeb, openWeb, prose } from "./web.ts";

const shell =
  '<!doctype html><html lang="en"><head><title>Limits</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>';
const app = `root.innerHTML = ${JSON.stringify(`<main><h1>Limits</h1>${prose("limits")}</main>`)};`;
const sources = "report: { title: Kites, audited: 2026-11-01 }\nsources: {}\n";

let web: LocalWeb;
let chromium: RunningChromium;

beforeAll(async () => {
  web = await openWeb({
    "spa.example/limits": { body: shell },
    "spa.example/app.js": { type: "text/javascript", body: app },
  });
  chromium = await startChromium();
});
afterAll(async () => {
  await chromium.close();
  await web.close();
});

test("a page that only shows its text in a browser is added with browser: true, and checked so", async () => {
  const home = new Home(web, sources);
  home.browser = chromium.address;
  const { code, out, yaml } = await home.add("https://spa.example/limits");
  expect(code, out).toBe(0);
  expect(yaml).toContain("page: https://spa.example/limits");
  expect(yaml).toContain("browser: true");
  expect(out).toContain("it only shows its text in a browser");
  home.remove();
});

test("without a browser it is refused, with the next step", async () => {
  const home = new Home(web, sources);
  const { code, out, yaml } = await home.add("https://spa.example/limits");
  expect(code).not.toBe(0);
  expect(yaml).toBe(sources);
  expect(out).toContain("To read it in a browser, set RECHECK_BROWSER to the address of one.");
  home.remove();
});

test("a draft takes it along, whether its source is a block or in braces", () => {
  const texts = [
    "    page: https://spa.example/limits\n    title: Limits\n",
    "    { page: https://spa.example/limits, title: Limits }\n",
  ];
  for (const entry of texts) {
    const text = `report: { title: Kites, audited: 2026-11-01 }\nsources:\n  limits:\n${entry}`;
    const came = new Map([["limits", { kind: "page", browser: true as const, reading: {} }]]);
    const drafted = { files: [{ path: "sources.yaml", text }], config: configOf(text) };
    const { config, read } = adoptReadKinds(drafted, came, readers);
    expect(config.sources.get("limits")?.options).toEqual({ browser: true });
    expect([...read.keys()]).toEqual(["limits"]);
  }
});
