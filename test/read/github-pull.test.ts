import { describe, expect, test } from "vitest";
import { githubPull } from "../../src/read/kinds/github-pull.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const merged = async (pull: object) =>
  (await reading(githubPull, response(JSON.stringify({ state: "closed", title: "t", ...pull })))).facts?.merged;

describe("github-pull", () => {
  test("a bot landed it: closed, and labelled so", async () => {
    expect(await reading(githubPull, fixture("github-pull.json"))).toEqual({
      title: "Attention on GPUs",
      facts: { state: "closed", title: "Attention on GPUs", merged: "yes" },
    });
  });

  test("merged, given up, or open with a label that says nothing yet", async () => {
    expect(await merged({ merged_at: "2026-07-01T00:00:00Z" })).toBe("yes");
    expect(await merged({ merged_at: null, labels: [{ name: "merged-later" }] })).toBe("no");
    expect(await merged({ state: "open", labels: ["Merged"] })).toBe("no");
  });

  test("asks the API by number, and people go to the pull request", () => {
    const one = source(githubPull, {}, "acme/engine#78");
    expect(githubPull.request(one, { githubToken: true }).url).toBe(
      "https://api.github.com/repos/acme/engine/pulls/78",
    );
    expect(githubPull.page(one)).toBe("https://github.com/acme/engine/pull/78");
  });

  test("refuses what is no pull request", async () => {
    expect(await failure(githubPull, '{"state":1}')).toBe("not well-formed GitHub pull request");
  });
});
