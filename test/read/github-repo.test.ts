import { describe, expect, test } from "vitest";
import { githubIssue } from "../../src/read/kinds/github-issue.ts";
import { githubReleases } from "../../src/read/kinds/github-releases.ts";
import { githubRepo } from "../../src/read/kinds/github-repo.ts";
import type { Reader } from "../../src/read/reader.ts";
import { failure, fixture, reading, response } from "./given.ts";

describe("github-repo", () => {
  test("reads what a repository says of itself", async () => {
    expect(await reading(githubRepo, fixture("github-repo.json"))).toEqual({
      title: "acme/engine",
      facts: { public: "yes", archived: "no", name: "acme/engine", description: "Runs models." },
      active: 1783530120000,
    });
  });

  test.each<readonly [Reader, string, unknown, string | undefined]>([
    [githubRepo, "/repositories/5", { html_url: "https://github.com/neworg/w", full_name: "neworg/w" }, "neworg/w"],
    [githubRepo, "/repositories/5", { full_name: "neworg/w" }, "neworg/w"],
    [
      githubIssue,
      "/repositories/5/issues/3",
      { html_url: "https://github.com/neworg/w/issues/3" },
      "neworg/w/issues/3",
    ],
    [
      githubReleases,
      "/repositories/5/releases",
      [{ html_url: "https://github.com/neworg/w/releases/tag/v1" }],
      "neworg/w",
    ],
    [githubReleases, "/repositories/5/releases", [], undefined],
    [githubRepo, "/repositories/5", { html_url: "javascript:x" }, undefined],
    [githubRepo, "/repositories/5", "no JSON", undefined],
  ])("the target of its API's redirect has a page for people: %#", ({ leadsTo }, path, answer, page) => {
    const body = typeof answer === "string" ? answer : JSON.stringify(answer);
    expect(leadsTo?.({ url: `https://api.github.com${path}`, response: response(body) }, { address: "" })).toBe(
      page && `https://github.com/${page}`,
    );
  });

  test("404 reads as not public", async () => {
    expect(githubRepo.answers).toEqual([404]);
    const facts = { public: "no" };
    expect(await reading(githubRepo, response('{"message":"Not Found"}', { status: 404 }))).toEqual({
      facts,
      partial: true,
    });
  });

  test.each(["", "404 page not found\n", "default backend - 404", "{}", '{"error":"no route"}', '"Not Found"'])(
    "404 that is not GitHub's says nothing of the repository: %j",
    async (body) => {
      expect(await failure(githubRepo, response(body, { status: 404 }))).toMatch(
        /^an empty answer$|^not well-formed (JSON|answer of a forge)$/,
      );
    },
  );

  test("a repository that only a token sees is not public", async () => {
    const body = JSON.stringify({ private: true, archived: false, full_name: "acme/next", description: null });
    expect(await reading(githubRepo, response(body))).toEqual({
      title: "acme/next",
      facts: { public: "no", archived: "no", name: "acme/next" },
    });
  });

  test("a repository that everybody sees is public, even if the answer leaves out all else", async () => {
    const facts = { public: "yes", name: "acme/next" };
    expect(await reading(githubRepo, response('{"full_name":"acme/next"}'))).toEqual({ title: "acme/next", facts });
  });

  test("a page of HTML in between says nothing of the repository", async () => {
    expect(await failure(githubRepo, response("<!DOCTYPE html><p>404", { status: 404 }))).toBe(
      "HTML where JSON was expected",
    );
    expect(await failure(githubRepo, "<html><p>hi")).toBe("HTML where JSON was expected");
  });

  test("an answer of another shape is none", async () => {
    expect(await failure(githubRepo, '{"message":"Moved"}')).toBe("not well-formed GitHub repository");
    expect(await failure(githubRepo, "")).toBe("an empty answer");
  });
});
