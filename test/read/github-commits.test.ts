import { describe, expect, test } from "vitest";
import { githubCommits } from "../../src/read/kinds/github-commits.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const commit = {
  id: "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
  title: "Add Metal kernels for int4 (#81)",
  url: "https://github.com/acme/engine/commit/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
  at: Date.UTC(2026, 6, 2),
};
const said = { path: [], kind: "paragraph", text: "They are twice as fast as before." };

describe("github-commits", () => {
  test("reads the API", async () => {
    const blocks = [said, { path: [], kind: "paragraph", text: "Reviewed in #80" }];
    expect(await reading(githubCommits, fixture("github-commits.json"))).toEqual({ items: [{ ...commit, blocks }] });
  });

  test("reads Atom under the same ids and titles", async () => {
    expect(await reading(githubCommits, fixture("github-commits.atom"))).toEqual({
      items: [{ ...commit, blocks: [said] }],
    });
  });

  test("asks for a branch and a path, by either way", () => {
    const one = source(githubCommits, { path: "/metal/int 4/", branch: "release/2" }, "acme/engine");
    const asked = (githubToken: boolean) => githubCommits.request(one, { githubToken }).url;
    expect(asked(true)).toBe(
      "https://api.github.com/repos/acme/engine/commits?path=metal%2Fint+4&sha=release%2F2&per_page=30",
    );
    expect(asked(false)).toBe("https://github.com/acme/engine/commits/release/2/metal/int%204.atom");
    expect(githubCommits.page(one)).toBe("https://github.com/acme/engine/commits/release/2/metal/int%204");
    expect(githubCommits.page(source(githubCommits))).toBe("https://github.com/pytorch/ao/commits/HEAD");
  });

  test("a history without commits, and one of nothing but a hash", async () => {
    expect(await reading(githubCommits, response("[]"))).toEqual({ items: [] });
    const bare = JSON.stringify([{ sha: "abcdef0123456789", commit: { message: " " } }]);
    expect(await reading(githubCommits, response(bare))).toEqual({
      items: [{ id: "abcdef0123456789", title: "abcdef0123" }],
    });
  });

  test("refuses what is no history", async () => {
    expect(await failure(githubCommits, '{"message":"Git Repository is empty."}')).toBe(
      "not well-formed list of GitHub commits",
    );
    expect(await failure(githubCommits, '[{"sha":"../..","commit":{"message":""}}]')).toBe(
      "not well-formed list of GitHub commits",
    );
  });
});
