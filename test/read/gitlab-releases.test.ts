import { describe, expect, test } from "vitest";
import { parseVersion } from "../../src/model/version.ts";
import { gitlabReleases } from "../../src/read/kinds/gitlab-releases.ts";
import { releaseOf } from "../../src/watch/events.ts";
import { configOf } from "../support/config-of.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("gitlab-releases", () => {
  test("reads releases by their tags, without those that are still to come", async () => {
    expect(await reading(gitlabReleases, fixture("gitlab-releases.json"))).toEqual({
      items: [
        {
          id: "v2.1.0",
          title: "Kite 2.1",
          url: "https://git.example.org/toys/kite/-/releases/v2.1.0",
          at: Date.UTC(2026, 6, 8, 16),
          version: "v2.1.0",
          blocks: [
            { path: [], kind: "heading", text: "Tail" },
            { path: ["Tail"], kind: "item", text: "It is longer" },
          ],
        },
        {
          id: "KITE_2_0-rc1",
          title: "KITE_2_0-rc1",
          at: Date.UTC(2026, 4, 1),
          version: "KITE_2_0-rc1",
        },
      ],
    });
  });

  test.each([
    ["v18.1.0-ee", "v{version}-ee", false],
    ["v18.1.0-rc42-ee", "v{version}-ee", true],
    ["debian/1.2.3-1", "debian/{version}-1", false],
    ["v3.2.0-release", "v{version}", false],
    ["v3.2.0-rc1", "v{version}", true],
    ["v3.2.0-beta", "v{version}", true],
  ])("leaves it to the spelling whether %s is a pre-release", async (tag, shape, pre) => {
    const { items = [] } = await reading(gitlabReleases, response(JSON.stringify([{ tag_name: tag }])));
    const config = configOf(`
report: { title: Kites, audited: 2026-05-16 }
products: { kite: { name: Kite, tags: ["${shape}"] } }
sources: { it: { gitlab-releases: "gitlab.com/toys/kite", announces: kite } }
`);
    const [product, it] = [config.products.get("kite"), config.sources.get("it")];
    const item = items[0];
    if (!product || !it || !item) throw new Error("nothing was read");
    expect(item.pre).toBeUndefined();
    expect(parseVersion(tag, product)?.pre).toBe(pre);
    expect(releaseOf(item, it, config)?.key).not.toMatch(/ pre-release$/);
  });

  test("asks the host for a project in groups", () => {
    const one = source(gitlabReleases, {}, "git.example.org/toys/air/kite");
    expect(gitlabReleases.request(one, { githubToken: false }).url).toBe(
      "https://git.example.org/api/v4/projects/toys%2Fair%2Fkite/releases?per_page=30",
    );
    expect(gitlabReleases.page(one)).toBe("https://git.example.org/toys/air/kite/-/releases");
    expect(gitlabReleases.versionsOf?.(one.address)).toBe("kite");
  });

  test.each([
    ["https://gitlab.com/inkscape/inkscape/-/releases", { address: "gitlab.com/inkscape/inkscape" }],
    ["https://git.example.org/toys/air/kite/-/tags", { address: "git.example.org/toys/air/kite" }],
    ["https://gitlab.com/a/b/-/releases/v1.0", { address: "gitlab.com/a/b", instead: true }],
    ["https://gitlab.com/a/b/-/tags?format=atom", undefined],
    ["https://gitlab.com/a/b/-/blob/main/x.md", undefined],
    ["https://gitlab.com/a/b", undefined],
  ])("knows %s", (address, recognised) => {
    expect(gitlabReleases.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(gitlabReleases, '{"message":"404 Project Not Found"}')).toBe(
      "not well-formed list of GitLab releases",
    );
    for (const address of [
      "a/b",
      "localhost/a/b",
      "me:secret@gitlab.com/a/b",
      "gitlab.com/a",
      "gitlab.com/../b",
      "10.0.0.1/a/b",
    ]) {
      expect(gitlabReleases.address.safeParse(address).success, address).toBe(false);
    }
  });
});
