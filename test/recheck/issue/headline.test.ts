import { describe, expect, test } from "vitest";
import { headline } from "../../../src/recheck/issue/title.ts";
import { byId, config, mentioned, released } from "../samples.ts";

describe("a headline as a sentence", () => {
  test("begins with a capital, unless it begins with a name", () => {
    const { sentence, text } = headline(mentioned, config);
    expect(text).toMatch(/^a Loom post /);
    expect(sentence).toBe(`A${text.slice(1)}`);
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
