import { describe, expect, test } from "vitest";
import { headline } from "../../../src/recheck/issue/title.ts";
import { byId, claimAltered, config, released } from "../samples.ts";

describe("a headline as a sentence", () => {
  test("begins our own words with a capital", () => {
    const { sentence, text } = headline(claimAltered, config);
    expect(text).toMatch(/^claim altered in /);
    expect(sentence).toBe(`C${text.slice(1)}`);
  });

  test("leaves a product that is written small as it is", () => {
    const [product] = config.products.values();
    if (!product) throw new Error("the samples name no product");
    const small = { ...config, products: byId([{ ...product, name: "loomOS" }]) };
    expect(headline(released, small)).toMatchObject({
      sentence: "loomOS 2.13.0 released",
      text: "loomOS 2.13.0 released",
    });
  });
});
