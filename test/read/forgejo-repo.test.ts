import { describe, expect, test } from "vitest";
import { forgejoRepo } from "../../src/read/kinds/forgejo-repo.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("forgejo-repo", () => {
  test("reads whether it is public and archived, its name and description", async () => {
    expect(await reading(forgejoRepo, fixture("forgejo-repo.json"))).toEqual({
      title: "toys/kite",
      facts: { public: "yes", archived: "yes", name: "toys/kite", description: "Kites for all winds." },
      active: 1772359200000,
    });
  });

  test("takes 404 of the forge for not public, and that of a page on the way for nothing", async () => {
    const answer = response('{"message":"The target couldn\'t be found."}', { status: 404 });
    expect(await reading(forgejoRepo, answer)).toEqual({ facts: { public: "no" }, partial: true });
    expect(await failure(forgejoRepo, response("<!doctype html><p>No", { status: 404 }))).toContain("HTML");
  });

  test("takes every spelling of the forge's own 404", async () => {
    for (const body of [
      '{"errors":["user does not exist [uid: 0, name: toys]"],"message":"not found","url":"https://codeberg.org/api/swagger"}',
      '{"errors":null,"message":"Das Ziel konnte nicht gefunden werden.","url":"https://git.example.org/api/swagger"}',
    ])
      expect((await reading(forgejoRepo, response(body, { status: 404 }))).facts, body).toEqual({ public: "no" });
  });

  test.each(["404 page not found\n", "default backend - 404", "", "{}", '{"message":null}', "[]"])(
    "takes 404 of a proxy for nothing: %j",
    async (body) => {
      expect(await failure(forgejoRepo, response(body, { status: 404 }))).toMatch(
        /^an empty answer$|^not well-formed (JSON|answer of a forge)$/,
      );
    },
  );

  test.each([
    ["https://codeberg.org/toys/kite", "codeberg.org/toys/kite"],
    ["https://codeberg.org/toys/kite.git", "codeberg.org/toys/kite"],
    ["https://codeberg.org/toys/kite/src/branch/main", "codeberg.org/toys/kite"],
    ["https://codeberg.org/toys/kite/src/branch/main/README.md", undefined],
    ["https://codeberg.org/toys/kite/issues", undefined],
    ["https://codeberg.org/explore/repos", undefined],
    ["https://example.org/toys/kite", undefined],
  ])("knows %s", (address, recognised) => {
    expect(forgejoRepo.recognises?.(new URL(address))?.address).toEqual(recognised);
  });

  test("knows which repository a page lies in, and asks for that", () => {
    expect(forgejoRepo.holds?.(new URL("https://codeberg.org/toys/kite/issues/3"))).toBe("codeberg.org/toys/kite");
    expect(forgejoRepo.request(source(forgejoRepo, {}, "codeberg.org/toys/kite"), { githubToken: false }).url).toBe(
      "https://codeberg.org/api/v1/repos/toys/kite",
    );
  });

  test("refuses another answer", async () => {
    expect(await failure(forgejoRepo, "[]")).toBe("not well-formed Forgejo repository");
  });
});
