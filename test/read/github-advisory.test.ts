import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { githubAdvisory } from "../../src/read/kinds/github-advisory.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("github-advisory", () => {
  test("reads whether it was withdrawn, the fixed version, its severity and its CVE", async () => {
    expect(await reading(githubAdvisory, fixture("github-advisory.json"))).toEqual({
      title: "Kites may fall",
      blocks: [{ path: [], kind: "paragraph", text: "They fall without wind." }],
      facts: {
        withdrawn: "2026-07-01T10:00:00Z",
        affected: "kite before 2.0.1, kite-tail before 9",
        fixed: "kite 2.0.1",
        severity: "high",
        cve: "CVE-2026-10001",
      },
    });
    const ranged = async (vulnerable_version_range: string) => {
      const vulnerabilities = [{ package: { name: "kite" }, vulnerable_version_range }];
      const answer = response(JSON.stringify({ ghsa_id: "GHSA-aaaa-bbbb-cccc", vulnerabilities }));
      return (await reading(githubAdvisory, answer)).facts?.affected;
    };
    expect(await ranged(">= 1.0, <= 1.4")).toBe("kite from 1.0 up to 1.4");
    expect(await ranged("> 1.0, < 1.4")).toBe("kite after 1.0 before 1.4");
    expect([await ranged("= 1.0"), await ranged(">= 0")]).toEqual(["kite 1.0", "kite all versions"]);
    const bare = response('{"ghsa_id":"GHSA-aaaa-bbbb-cccc","severity":"unknown","withdrawn_at":null}');
    expect((await reading(githubAdvisory, bare)).facts).toEqual({});
  });

  test("asks GitHub's API, by whose allowance it counts", () => {
    expect(githubAdvisory.request(source(githubAdvisory), { githubToken: false })).toMatchObject({
      url: "https://api.github.com/advisories/GHSA-jfh8-c2jp-5v3q",
      githubApi: true,
    });
  });

  test.each([
    ["https://github.com/advisories/GHSA-jfh8-c2jp-5v3q", "github-advisory", "GHSA-jfh8-c2jp-5v3q"],
    ["https://github.com/toys/kite/security/advisories/GHSA-jfh8-c2jp-5v3q", "github-advisory", "GHSA-jfh8-c2jp-5v3q"],
    ["https://osv.dev/vulnerability/GHSA-jfh8-c2jp-5v3q", "osv", "GHSA-jfh8-c2jp-5v3q"],
    ["https://github.com/advisories?query=kite", "page", "https://github.com/advisories?query=kite"],
    ["https://github.com/toys/kite/security/advisories", "page", "https://github.com/toys/kite/security/advisories"],
  ])("%s is of its kind", (url, kind, address) => {
    expect(kindOf(url, readers)).toEqual({ kind, address });
  });

  test("refuses another answer", async () => {
    expect(await failure(githubAdvisory, '{"message":"Not Found"}')).toBe("not well-formed advisory of GitHub");
  });
});
