import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** A real browser, without any package of the system. */
export async function openChromium(): Promise<Browser> {
  return await playwright.launch({
    executablePath: await chromium.executablePath(),
    // Without a locale Chromium takes `en-US@posix`, whose collation finds no text at all.
    env: { ...process.env, LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8", LANGUAGE: "en_US" },
    args: [
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
