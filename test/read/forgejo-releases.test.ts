import { describe, expect, test } from "vitest";
import { forgejoReleases } from "../../src/read/kinds/forgejo-releases.ts";
import { failure, fixture, reading, source } from "./given.ts";

describe("forgejo-releases", () => {
  test("reads releases by their tags, without drafts", async () => {
    expect(await reading(forgejoReleases, fixture("forgejo-releases.json"))).toEqual({
      items: [
        {
          id: "v2.1.0",
          title: "Kite 2.1",
          url: "https://codeberg.org/toys/kite/releases/tag/v2.1.0",
          at: Date.UTC(2026, 6, 8, 14),
          version: "v2.1.0",
          pre: false,
          blocks: [{ path: [], kind: "paragraph", text: "A longer tail." }],
        },
        {
          id: "v2.1.0-rc0",
          title: "v2.1.0-rc0",
          url: "https://codeberg.org/toys/kite/releases/tag/v2.1.0-rc0",
          at: Date.UTC(2026, 6, 1),
          version: "v2.1.0-rc0",
          pre: true,
        },
      ],
    });
  });

  test("asks the host", () => {
    expect(forgejoReleases.request(source(forgejoReleases), { githubToken: true })).toEqual({
      url: "https://codeberg.org/api/v1/repos/forgejo/forgejo/releases?limit=30",
      accept: "application/json",
    });
  });

  test.each([
    ["https://codeberg.org/forgejo/forgejo/releases", { address: "codeberg.org/forgejo/forgejo" }],
    ["https://codeberg.org/a/b/tags", { address: "codeberg.org/a/b" }],
    ["https://codeberg.org/a/b/releases/tag/v1.0", { address: "codeberg.org/a/b", instead: true }],
    ["https://codeberg.org/a/b/issues/1", undefined],
    ["https://git.example.org/a/b/releases", undefined],
  ])("knows %s", (address, recognised) => {
    expect(forgejoReleases.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(forgejoReleases, '{"message":"not found"}')).toBe("not well-formed list of Forgejo releases");
    expect(forgejoReleases.address.safeParse("codeberg.org/a/b/c").success).toBe(false);
    expect(forgejoReleases.address.safeParse("https://codeberg.org/a/b").success).toBe(false);
  });
});
