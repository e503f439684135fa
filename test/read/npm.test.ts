import { describe, expect, test } from "vitest";
import { npm } from "../../src/read/kinds/npm.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const item = (version: string, at: number, pre = false) => ({
  id: version,
  title: `@acme/engine ${version}`,
  url: `https://www.npmjs.com/package/@acme/engine/v/${version}`,
  at,
  version,
  pre,
});

describe("npm", () => {
  test("reads versions that are still there, newest first, and why the newest is deprecated", async () => {
    expect(await reading(npm, fixture("npm.json"))).toEqual({
      title: "@acme/engine",
      items: [
        item("3.0.0-beta.1", Date.UTC(2026, 6, 9, 8), true),
        item("2.1.0", Date.UTC(2026, 6, 1, 10)),
        item("1.0.0", Date.UTC(2025, 0, 2, 3, 4, 5, 678)),
      ],
      facts: { license: "MIT", deprecated: "Moved to @acme/motor." },
    });
  });

  test.each([
    ["taken back", { deprecated: "" }, undefined],
    ["of an older version", {}, undefined],
    ["without a reason", { deprecated: true }, "yes"],
  ])("a deprecation %s", async (_, latest, deprecated) => {
    const versions = { "1.0.0": { deprecated: "old" }, "1.1.0": latest };
    const body = JSON.stringify({ name: "x", "dist-tags": { latest: "1.1.0" }, versions });
    expect((await reading(npm, response(body))).facts).toEqual(deprecated === undefined ? {} : { deprecated });
  });

  const left = { _id: "kite", name: "kite", time: { created: "2017-01-13T15:31:06.210Z" } };
  const gone = { time: "2026-06-01T15:35:55.984Z", versions: ["0.0.3"] };

  test("a package with no version left is not found", async () => {
    const body = JSON.stringify({ ...left, time: { ...left.time, unpublished: gone } });
    expect(await failure(npm, body)).toBe("404, not found");
    await expect(reading(npm, response(body))).rejects.toMatchObject({ kind: "not-found" });
  });

  test("a package that was published again is there, and one without versions is no answer", async () => {
    const time = { ...left.time, unpublished: gone, "1.0.0": "2026-07-01T00:00:00.000Z" };
    const again = { ...left, time, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": {} } };
    expect((await reading(npm, response(JSON.stringify(again)))).items).toMatchObject([{ id: "1.0.0" }]);
    expect(await failure(npm, JSON.stringify(left))).toBe("not well-formed npm package");
  });

  test("asks for names and scoped names", () => {
    const asked = (name: string) => npm.request(source(npm, {}, name), { githubToken: false }).url;
    expect(asked("typescript")).toBe("https://registry.npmjs.org/typescript");
    expect(asked("@babel/core")).toBe("https://registry.npmjs.org/@babel%2fcore");
  });

  test.each([
    ["https://www.npmjs.com/package/typescript", { address: "typescript" }],
    ["https://npmjs.com/package/@babel/core?activeTab=versions", { address: "@babel/core" }],
    ["https://www.npmjs.com/package/@babel/core/v/7.0.0", { address: "@babel/core", instead: true }],
    ["https://www.npmjs.com/package/typescript/v/5.0.2", { address: "typescript", instead: true }],
    ["https://www.npmjs.com/~somebody", undefined],
    ["https://docs.npmjs.com/about-npm", undefined],
  ])("knows %s", (address, recognised) => {
    expect(npm.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(npm, '{"error":"Not found"}')).toBe("not well-formed npm package");
    expect(npm.address.safeParse("../x").success).toBe(false);
    expect(npm.address.safeParse("a/b").success).toBe(false);
  });
});
