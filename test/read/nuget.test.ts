import { describe, expect, test } from "vitest";
import { nuget } from "../../src/read/kinds/nuget.ts";
import { failure, fixture, reading, source } from "./given.ts";

describe("nuget", () => {
  test("reads versions, the highest first", async () => {
    const item = (version: string, pre = false) => ({
      id: version,
      title: `Newtonsoft.Json ${version}`,
      url: `https://www.nuget.org/packages/Newtonsoft.Json/${version}`,
      version,
      pre,
    });
    expect(await reading(nuget, fixture("nuget.json"))).toEqual({
      items: [item("2.0.0"), item("2.0.0-preview.3", true), item("1.0.0.1"), item("1.0.0")],
    });
  });

  test("asks by the name in lower case", () => {
    expect(nuget.request(source(nuget), { githubToken: false }).url).toBe(
      "https://api.nuget.org/v3-flatcontainer/newtonsoft.json/index.json",
    );
  });

  test.each([
    ["https://www.nuget.org/packages/Newtonsoft.Json", { address: "Newtonsoft.Json" }],
    ["https://www.nuget.org/packages/Newtonsoft.Json/13.0.1", { address: "Newtonsoft.Json", instead: true }],
    ["https://www.nuget.org/packages", undefined],
    ["https://www.nuget.org/profiles/somebody", undefined],
  ])("knows %s", (address, recognised) => {
    expect(nuget.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(nuget, "[]")).toBe("not well-formed list of versions of NuGet");
    expect(nuget.address.safeParse("../x").success).toBe(false);
  });
});
