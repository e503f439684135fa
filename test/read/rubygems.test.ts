import { describe, expect, test } from "vitest";
import { rubygems } from "../../src/read/kinds/rubygems.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const item = (version: string, at: number, pre = false) => ({ id: version, title: version, at, version, pre });

describe("rubygems", () => {
  test("reads each version once, newest first, and the licence of the newest that is final", async () => {
    expect(await reading(rubygems, fixture("rubygems.json"))).toEqual({
      items: [
        item("2.0.0.rc1", Date.UTC(2026, 6, 9, 10), true),
        item("1.9.0", Date.UTC(2026, 6, 8, 18)),
        item("1.8.2", Date.UTC(2026, 0, 2)),
      ],
      facts: { license: "MIT, Ruby" },
    });
    expect(await reading(rubygems, response("[]"))).toEqual({ items: [], facts: {} });
  });

  test("asks for all versions of a gem", () => {
    expect(rubygems.request(source(rubygems), { githubToken: false }).url).toBe(
      "https://rubygems.org/api/v1/versions/rails.json",
    );
  });

  test.each([
    ["https://rubygems.org/gems/rails", { address: "rails" }],
    ["https://rubygems.org/gems/rails/versions", { address: "rails" }],
    ["https://rubygems.org/gems/rails/versions/7.1.0", { address: "rails", instead: true }],
    ["https://rubygems.org/profiles/somebody", undefined],
  ])("knows %s", (address, recognised) => {
    expect(rubygems.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(rubygems, '{"name":"rails"}')).toBe("not well-formed list of versions of a gem");
    expect(await failure(rubygems, "This rubygem could not be found.")).toBe("not well-formed JSON");
    expect(rubygems.address.safeParse("../x").success).toBe(false);
  });
});
