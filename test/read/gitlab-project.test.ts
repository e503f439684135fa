import { describe, expect, test } from "vitest";
import { gitlabProject } from "../../src/read/kinds/gitlab-project.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("gitlab-project", () => {
  test("reads whether it is public and archived, its name and description", async () => {
    expect(await reading(gitlabProject, fixture("gitlab-project.json"))).toEqual({
      title: "toys/kite",
      facts: { public: "yes", archived: "yes", name: "toys/kite", description: "Kites for all winds." },
      active: 1709287200000,
    });
  });

  test("takes what is private, or never was, for not public, and says no more", async () => {
    expect(await reading(gitlabProject, response('{"data":{"project":null}}'))).toEqual({
      facts: { public: "no" },
      partial: true,
    });
  });

  test.each([
    ['{"data":{"project":null},"errors":[{"message":"Timeout on Query.project","path":["project"]}]}'],
    ['{"data":{"project":{"fullPath":"a/b","archived":null}},"errors":[{"message":"Internal server error"}]}'],
    ['{"data":null,"errors":[{"message":"Query is too complex"}]}'],
  ])("takes an answer with errors for nothing: %s", async (body) => {
    expect(await failure(gitlabProject, body)).toBe("not well-formed project of GitLab");
  });

  test("takes a list without errors for an answer", async () => {
    expect((await reading(gitlabProject, response('{"data":{"project":null},"errors":[]}'))).facts).toEqual({
      public: "no",
    });
  });

  test("asks the host for a project in groups", () => {
    const one = source(gitlabProject, {}, "git.example.org/toys/air/kite");
    const { url } = gitlabProject.request(one, { githubToken: false });
    expect(url).toMatch(/^https:\/\/git\.example\.org\/api\/graphql\?query=/);
    expect(new URL(url).searchParams.get("query")).toContain('project(fullPath:"toys/air/kite")');
    expect(gitlabProject.page(one)).toBe("https://git.example.org/toys/air/kite");
  });

  test.each([
    ["https://gitlab.com/toys/kite", "gitlab.com/toys/kite"],
    ["https://gitlab.com/toys/air/kite.git", "gitlab.com/toys/air/kite"],
    ["https://gitlab.example.org/toys/kite/-/tree/main", "gitlab.example.org/toys/kite"],
    ["https://salsa.debian.org/toys/kite/", "salsa.debian.org/toys/kite"],
    ["https://gitlab.com/toys/kite/-/blob/main/README.md", undefined],
    ["https://gitlab.com/toys/kite/-/tree/main/src", undefined],
    ["https://gitlab.com/toys/kite/issues/4", undefined],
    ["https://gitlab.com/toys", undefined],
    ["https://gitlab.com/explore/projects", undefined],
    ["https://example.org/toys/kite", undefined],
  ])("knows %s", (address, recognised) => {
    expect(gitlabProject.recognises?.(new URL(address))?.address).toEqual(recognised);
  });

  test.each([
    "https://gitlab.com/toys/kite/-/blob/main/README.md",
    "https://gitlab.com/toys/kite/issues/4",
    "https://gitlab.com/toys/kite/-/releases/v1",
  ])("knows which project %s lies in", (address) => {
    expect(gitlabProject.holds?.(new URL(address))).toBe("gitlab.com/toys/kite");
  });

  test("refuses another answer", async () => {
    expect(await failure(gitlabProject, '{"errors":[{"message":"Not found!"}]}')).toBe(
      "not well-formed project of GitLab",
    );
    expect(await failure(gitlabProject, "<!doctype html><title>Sign in</title>")).toContain("HTML");
  });
});
