import { describe, expect, test } from "vitest";
import { pypi } from "../../src/read/kinds/pypi.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const item = (version: string, at: number, pre = false) => ({
  id: version,
  title: `engine ${version}`,
  url: `https://pypi.org/project/engine/${version}/`,
  at,
  version,
  pre,
});

describe("pypi", () => {
  test("reads releases with files, newest first, without those that were yanked", async () => {
    expect(await reading(pypi, fixture("pypi.json"))).toEqual({
      title: "engine",
      items: [
        item("2.5.0.dev20260710", Date.UTC(2026, 6, 10, 2), true),
        item("2.4.0", Date.UTC(2026, 6, 8, 18)),
        item("2.4.0rc1", Date.UTC(2026, 6, 1, 18), true),
        item("2.3.0", Date.UTC(2026, 4, 2, 10, 0, 1, 500)),
      ],
      blocks: [
        { path: [], kind: "heading", text: "Engine" },
        { path: ["Engine"], kind: "paragraph", text: "Runs models." },
      ],
      facts: { home: "https://acme.example/engine", author: "Acme <packages@acme.example>" },
    });
  });

  test("knows pre-releases by their spelling", async () => {
    const releases = Object.fromEntries(
      [
        "1.0a1",
        "1.0-beta.2",
        "1.0rc",
        "1.0.dev3",
        "1.0.post1",
        "1.0+abc.dev1",
        "2!1.0",
        "v1.0c1",
        "1.0.post1.dev2",
      ].map((version) => [version, [{ yanked: false }]]),
    );
    const { items } = await reading(pypi, response(JSON.stringify({ info: { name: "x" }, releases })));
    const pre = items?.filter((one) => one.pre).map((one) => one.id);
    expect(pre?.sort()).toEqual(["1.0-beta.2", "1.0.dev3", "1.0.post1.dev2", "1.0a1", "1.0rc", "v1.0c1"]);
  });

  test.each([
    ["text/plain", "a\n=\nb", ["a = b"]],
    [null, "abc\n===\n\nb", ["abc", "b"]],
    ["text/markdown; charset=UTF-8", "# a\nb", ["a", "b"]],
  ])("reads the description as %s", async (type, description, texts) => {
    const info = { name: "x", description, description_content_type: type };
    const { blocks } = await reading(pypi, response(JSON.stringify({ info, releases: {} })));
    expect(blocks?.map((block) => block.text)).toEqual(texts);
  });

  test("asks PyPI, and refuses what is no package", async () => {
    expect(pypi.request(source(pypi), { githubToken: false }).url).toBe("https://pypi.org/pypi/optimum-tpu/json");
    expect(pypi.page(source(pypi))).toBe("https://pypi.org/project/optimum-tpu/");
    expect(pypi.address.safeParse("../x").error?.issues[0]?.message).toBe(
      "needs the name of a package, e.g. optimum-tpu",
    );
    expect(await failure(pypi, '{"info":{}}')).toBe("not well-formed PyPI package");
  });
});
