import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ruleLists, withoutRule } from "../../bench/switches.ts";
import { pageOf } from "../../src/read/html/html.ts";

const text = `<p>${"The pump moves water from the lower tank to the upper one. ".repeat(10)}</p>`;
const html = `<body><main><h1>Pump</h1>${text}<p><a href="#top">Back to top</a></p></main></body>`;

const rules = Object.values(ruleLists).flat();

describe("named rules", () => {
  it("have distinct ids, and a reason in words", () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { reason } of rules) expect(reason).toMatch(/^\S+ .*\S$/);
  });

  it("say which of them applied", () => {
    expect(withoutRule(undefined, () => pageOf(html)).applied).toContain("control-link");
  });

  it("can be switched off", () => {
    const texts = (without?: string) => withoutRule(without, () => pageOf(html)).result.blocks.map((b) => b.text);
    expect(texts()).not.toContain("Back to top");
    expect(texts("control-link")).toContain("Back to top");
  });

  it("are those of the ledger", () => {
    const ledger: Record<string, object> = JSON.parse(readFileSync("bench/rules.json", "utf8"));
    for (const [list, all] of Object.entries(ruleLists))
      expect(Object.keys(ledger[list] ?? {}).sort()).toEqual(all.map(({ id }) => id).sort());
  });
});
