import { describe, expect, test } from "vitest";
import { packagist } from "../../src/read/kinds/packagist.ts";
import { failure, fixture, response, source } from "./given.ts";

const kite = source(packagist, {}, "acme/kite");
const item = (version: string, at: number, pre = false) => ({
  id: version,
  title: `acme/kite ${version}`,
  url: `https://packagist.org/packages/acme/kite#${version}`,
  at,
  version,
  pre,
});
const facts = async (...versions: object[]) =>
  (await packagist.read(response(JSON.stringify({ packages: { "acme/kite": versions } })), kite)).facts;

describe("packagist", () => {
  test("reads versions that each list only their own additions", async () => {
    expect(await packagist.read(fixture("packagist.json"), kite)).toEqual({
      items: [
        item("v3.0.0-RC1", Date.UTC(2026, 6, 9, 8), true),
        item("v2.1.0", Date.UTC(2026, 6, 8, 18)),
        item("v2.0.0", Date.UTC(2026, 6, 8, 18)),
      ],
      facts: { license: "MIT", abandoned: "acme/glider" },
    });
  });

  test("is abandoned by a word or for another package", async () => {
    expect(await facts({ version: "1.0", abandoned: true })).toEqual({ abandoned: "yes" });
    expect(await facts({ version: "1.0", abandoned: false, license: "__unset" })).toEqual({});
    expect(await facts()).toEqual({});
  });

  test("takes a patch of a version for no pre-release, as Composer does", async () => {
    const versions = ["2.4.7-p1", "2.4.7-patch2", "2.4.7-beta1", "2.4.7"].map((version) => ({ version }));
    const read = await packagist.read(response(JSON.stringify({ packages: { "acme/kite": versions } })), kite);
    expect(read.items?.map(({ pre }) => pre)).toEqual([false, false, true, false]);
  });

  test("asks for tagged versions, by the name in lower case", () => {
    expect(packagist.request(source(packagist, {}, "Acme/Kite"), { githubToken: false }).url).toBe(
      "https://repo.packagist.org/p2/acme/kite.json",
    );
  });

  test.each([
    ["https://packagist.org/packages/symfony/console", { address: "symfony/console" }],
    ["https://packagist.org/packages/symfony/console#v6.0.0", { address: "symfony/console" }],
    ["https://packagist.org/explore/popular", undefined],
  ])("knows %s", (address, recognised) => {
    expect(packagist.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(packagist, '{"packages":{}}')).toBe("not well-formed package of Packagist");
    expect(packagist.address.safeParse("console").success).toBe(false);
    expect(packagist.address.safeParse("../console").success).toBe(false);
  });
});
