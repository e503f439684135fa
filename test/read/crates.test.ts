import { describe, expect, test } from "vitest";
import { crates } from "../../src/read/kinds/crates.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const item = (version: string, more: object) => ({
  id: version,
  title: `Engine_core ${version}`,
  url: `https://crates.io/crates/Engine_core/${encodeURIComponent(version)}`,
  version,
  ...more,
});

describe("crates", () => {
  test("reads versions, newest first, without those that were yanked", async () => {
    expect(await reading(crates, fixture("crates.txt"))).toEqual({
      items: [
        item("1.1.0+build-7", { at: Date.UTC(2026, 6, 8, 18), pre: false }),
        item("1.0.0", { pre: false }),
        item("1.0.0-rc.1", { pre: true }),
      ],
    });
  });

  test("asks for the file that Cargo's index keeps, with the name in any case", () => {
    const asked = (name: string) => crates.request(source(crates, {}, name), { githubToken: false }).url;
    expect(["a", "ab", "Abc", "serde", "Engine_core"].map(asked)).toEqual([
      "https://index.crates.io/1/a",
      "https://index.crates.io/2/ab",
      "https://index.crates.io/3/a/abc",
      "https://index.crates.io/se/rd/serde",
      "https://index.crates.io/en/gi/engine_core",
    ]);
  });

  test.each([
    ["https://crates.io/crates/serde", { address: "serde" }],
    ["https://crates.io/crates/serde/versions", { address: "serde" }],
    ["https://crates.io/crates/serde/1.0.0", { address: "serde", instead: true }],
    ["https://lib.rs/crates/serde", { address: "serde" }],
    ["https://crates.io/categories", undefined],
    ["https://docs.rs/serde", undefined],
  ])("knows %s", (address, recognised) => {
    expect(crates.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("takes names that Cargo takes for one as one", () => {
    expect(crates.sameName?.("Engine_core")).toBe(crates.sameName?.("engine-core"));
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(crates, '{"name":"x"}')).toBe("not well-formed line of Cargo's index");
    expect(await failure(crates, "no JSON")).toBe("not well-formed JSON");
    expect(await failure(crates, response("<!doctype html><title>Not here</title>"))).toContain("HTML");
    expect(crates.address.safeParse("../x").error?.issues[0]?.message).toBe("needs the name of a crate, e.g. serde");
  });
});
