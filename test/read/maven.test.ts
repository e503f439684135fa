import { describe, expect, test } from "vitest";
import { maven } from "../../src/read/kinds/maven.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("maven", () => {
  test("reads versions, the latest first, and knows pre-releases by their qualifiers", async () => {
    const item = (version: string, pre: boolean) => ({ id: version, title: `kite-core ${version}`, version, pre });
    expect(await reading(maven, fixture("maven.xml"))).toEqual({
      items: [item("2.0.0-M1", true), item("1.2-rc.1", true), item("1.1.0.Final", false), item("1.0", false)],
    });
  });

  test.each([
    ["1.0-alpha-1", true],
    ["1.0-beta2", true],
    ["1.0.RC2", true],
    ["1.0-SNAPSHOT", true],
    ["1.0milestone1", true],
    ["1.0rc2", true],
    ["1.0a1", true],
    ["1.0android", false],
    ["1.0-jre", false],
    ["31.1-android", false],
    ["4.0.0-b13", true],
    ["1.0.RELEASE", false],
    ["2.0-matrix", false],
  ])("%s: pre-release %s", async (version, pre) => {
    const xml = `<metadata><versioning><versions><version>${version}</version></versions></versioning></metadata>`;
    expect((await reading(maven, response(xml))).items).toEqual([expect.objectContaining({ title: version, pre })]);
  });

  test("asks Maven Central, with the group as folders", () => {
    expect(maven.request(source(maven), { githubToken: false }).url).toBe(
      "https://repo1.maven.org/maven2/org/slf4j/slf4j-api/maven-metadata.xml",
    );
  });

  test.each([
    ["https://central.sonatype.com/artifact/org.slf4j/slf4j-api", { address: "org.slf4j:slf4j-api" }],
    ["https://central.sonatype.com/artifact/org.slf4j/slf4j-api/versions", { address: "org.slf4j:slf4j-api" }],
    ["https://mvnrepository.com/artifact/org.slf4j/slf4j-api/2.0.9", { address: "org.slf4j:slf4j-api", instead: true }],
    ["https://mvnrepository.com/repos/central", undefined],
  ])("knows %s", (address, recognised) => {
    expect(maven.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(maven, "<project></project>")).toBe("not well-formed XML (metadata)");
    for (const address of ["slf4j-api", "../x:y", "a:b:c"])
      expect(maven.address.safeParse(address).success).toBe(false);
  });
});
