import { describe, expect, test } from "vitest";
import { osv } from "../../src/read/kinds/osv.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("osv", () => {
  test("reads an advisory's text, the fixed version, and that it was withdrawn", async () => {
    expect(await reading(osv, fixture("osv.json"))).toEqual({
      title: "A kite may come loose",
      blocks: [
        { path: [], kind: "heading", text: "Impact" },
        { path: ["Impact"], kind: "paragraph", text: "The line tears at 95 N." },
      ],
      facts: {
        withdrawn: "2026-07-08T18:00:00Z",
        affected: "@acme/kite before 2.1.1, @acme/kite from 3.0.0 before 3.0.2, kite",
        fixed: "@acme/kite 2.1.1, @acme/kite 3.0.2",
        severity: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H",
        aliases: "ACME-7, CVE-2026-10000",
      },
    });
  });

  test("has no facts before they come", async () => {
    expect(await reading(osv, response('{"id":"GO-2026-1","affected":[{}]}'))).toEqual({ blocks: [], facts: {} });
  });

  test("says which versions are affected, and the severity of each package", async () => {
    const told = async (...events: readonly Readonly<Record<string, string>>[]) => {
      const severity = [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N" }];
      const affected = [{ package: { name: "kite" }, severity, ranges: [{ type: "ECOSYSTEM", events }] }];
      return (await reading(osv, response(JSON.stringify({ id: "PYSEC-2026-1", affected })))).facts;
    };
    const severity = "kite CVSS:3.1/AV:N";
    expect(await told({ introduced: "0" })).toEqual({ affected: "kite all versions", severity });
    expect(await told({ introduced: "0" }, { last_affected: "1.4" })).toEqual({ affected: "kite up to 1.4", severity });
    expect(await told({ introduced: "1.2" }, { fixed: "1.5" }, { introduced: "2.0" })).toEqual({
      affected: "kite from 1.2 before 1.5, kite from 2.0",
      fixed: "kite 1.5",
      severity,
    });
    const affected = async (...events: readonly Readonly<Record<string, string>>[]) =>
      (await told(...events))?.affected;
    expect(await affected({ fixed: "1.5" }, { introduced: "1.2" })).toBe("kite from 1.2 before 1.5");
    expect(await affected({ introduced: "0" }, { limit: "3.0" })).toBe("kite before 3.0");
    expect(await affected({ introduced: "0" }, { limit: "*" })).toBe("kite all versions");
    const mixed: Readonly<Record<string, string>>[] = [
      { introduced: "1.2" },
      { introduced: "2.0" },
      { fixed: "1.5" },
      { fixed: "2.3" },
    ];
    expect(await affected(...mixed)).toBe("kite");
    expect(await affected(...mixed.toReversed())).toBe("kite");
  });

  test("asks OSV", () => {
    expect(osv.request(source(osv), { githubToken: true }).url).toBe(
      "https://api.osv.dev/v1/vulns/GHSA-jfh8-c2jp-5v3q",
    );
  });

  test.each([
    ["https://osv.dev/vulnerability/PYSEC-2021-1", "PYSEC-2021-1"],
    ["https://github.com/advisories/GHSA-jfh8-c2jp-5v3q", undefined],
    ["https://rustsec.org/advisories/RUSTSEC-2020-0071.html", "RUSTSEC-2020-0071"],
    ["https://pkg.go.dev/vuln/GO-2022-0969", "GO-2022-0969"],
    ["https://github.com/advisories", undefined],
    ["https://github.com/a/b/security/advisories", undefined],
    ["https://osv.dev/list", undefined],
  ])("knows %s", (address, id) => {
    expect(osv.recognises?.(new URL(address))).toEqual(id && { address: id });
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(osv, '{"code":5,"message":"Bug not found."}')).toBe("not well-formed advisory of OSV");
    expect(osv.address.safeParse("../x").success).toBe(false);
  });
});
