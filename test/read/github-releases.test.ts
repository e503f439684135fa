import { describe, expect, test } from "vitest";
import { githubReleases } from "../../src/read/kinds/github-releases.ts";
import { failure, fixture, reading, source } from "./given.ts";

const blocks = [
  { path: [], kind: "heading", text: "MPS" },
  { path: ["MPS"], kind: "item", text: "Attention on Apple GPUs" },
];

describe("github-releases", () => {
  test("asks the API with a token, and Atom without", () => {
    const asked = (githubToken: boolean) => githubReleases.request(source(githubReleases), { githubToken });
    expect(asked(true)).toEqual({
      url: "https://api.github.com/repos/pytorch/pytorch/releases?per_page=30",
      accept: "application/vnd.github+json",
      githubApi: true,
    });
    expect(asked(false)).toEqual({
      url: "https://github.com/pytorch/pytorch/releases.atom",
      accept: "application/atom+xml",
    });
  });

  test("reads the API without drafts", async () => {
    expect(await reading(githubReleases, fixture("github-releases.json"))).toEqual({
      items: [
        {
          id: "v2.5.0-rc1",
          title: "Engine 2.5 RC 1",
          url: "https://github.com/acme/engine/releases/tag/v2.5.0-rc1",
          at: Date.UTC(2026, 6, 20, 10),
          version: "v2.5.0-rc1",
          pre: true,
        },
        {
          id: "v2.4.0",
          title: "v2.4.0",
          url: "https://github.com/acme/engine/releases/tag/v2.4.0",
          at: Date.UTC(2026, 6, 8, 17, 2),
          version: "v2.4.0",
          pre: false,
          blocks,
        },
      ],
    });
  });

  test("reads Atom under the same ids, and leaves open what is a pre-release", async () => {
    expect(await reading(githubReleases, fixture("github-releases.atom"))).toEqual({
      items: [
        {
          id: "nightly/2026-07-21",
          title: "nightly/2026-07-21",
          url: "https://github.com/acme/engine/releases/tag/nightly%2F2026-07-21",
          at: Date.UTC(2026, 6, 21, 3),
          version: "nightly/2026-07-21",
        },
        {
          id: "v2.4.0",
          title: "Engine 2.4",
          url: "https://github.com/acme/engine/releases/tag/v2.4.0",
          at: Date.UTC(2026, 6, 8, 17, 2),
          version: "v2.4.0",
          blocks,
        },
      ],
    });
  });

  test.each([
    ["HTML", "<!doctype html><p>Unicorn!", "HTML where a feed was expected"],
    ["a message", '{"message":"Server Error"}', "not well-formed list of GitHub releases"],
    ["half an answer", '[{"tag_name":"v1"', "not well-formed JSON"],
    ["50,000 releases", JSON.stringify(Array(50_000).fill({ tag_name: "v1" })), "more than 20000 entries"],
  ])("refuses %s", async (_, body, says) => {
    expect(await failure(githubReleases, body)).toBe(says);
  });

  test.each(["pytorch", "https://github.com/a/b", "a/b/c", "a/..", "-a/b"])("refuses the address %s", (address) => {
    expect(githubReleases.address.safeParse(address).error?.issues[0]?.message).toBe(
      "needs owner/name, e.g. pytorch/pytorch",
    );
  });
});
