import { describe, expect, it } from "vitest";
import { chromeRules } from "../../src/read/html/chrome.ts";
import { pageOf } from "../../src/read/html/html.ts";

const text = `<p>${"The pump moves water from the lower tank to the upper one. ".repeat(10)}</p>`;
const html = `<body><main><h1>Pump</h1>${text}<p><a href="#top">Back to top</a></p></main></body>`;

describe("the rules for boilerplate", () => {
  it("have distinct ids, and a sentence as their reason", () => {
    expect(new Set(chromeRules.map(({ id }) => id)).size).toBe(chromeRules.length);
    for (const { reason } of chromeRules) expect(reason).toMatch(/^[A-Z].*\.$/);
  });

  it("say which of them applied", () => {
    const applied = new Set<string>();
    pageOf(html, { trial: { applied: (rule) => applied.add(rule) } });
    expect(applied).toContain("control-link");
  });

  it("can be switched off", () => {
    const texts = (without?: string) => pageOf(html, without ? { trial: { without } } : {}).blocks.map((b) => b.text);
    expect(texts()).not.toContain("Back to top");
    expect(texts("control-link")).toContain("Back to top");
  });
});
