import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import type { Visit } from "./visit.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const desk = { width: 1280, height: 800 };
export const phone = { width: 375, height: 800 };
export const width = "document.documentElement.scrollWidth";

/** All that is wrong with a page, light and dark, on a desk and on a phone; it stays dark, and as narrow as a phone. */
export async function faultsOf({ page, wrong }: Visit): Promise<string[]> {
  const faults: string[] = [];
  for (const size of [desk, phone]) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: "light" });
    // What a width changes is what is drawn: rules on anything else need no second check.
    faults.push(...(await violations(page, size === phone ? shown : undefined)));
    await page.emulateMedia({ colorScheme: "dark" });
    faults.push(...(await violations(page, ["color-contrast"])));
    const drawn = await page.evaluate<number>(width);
    if (drawn > size.width) faults.push(`${drawn} px wide on ${size.width}`);
  }
  return [...faults, ...wrong];
}

const shown = ["color-contrast", "target-size", "scrollable-region-focusable"];

/** What axe finds, with what is folded opened; of `rules` alone, where they are named. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  return await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(
    ({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 200) + " " + failureSummary)))`);
}
