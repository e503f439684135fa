import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { appStore } from "../../src/read/kinds/app-store.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { failure, fixture, reading, source } from "./given.ts";

describe("app-store", () => {
  test("reads the current version and the store's page of the app", async () => {
    expect(await reading(appStore, fixture("app-store.json"))).toEqual({
      title: "Kite Log",
      items: [
        {
          id: "3.2",
          title: "Kite Log 3.2",
          url: "https://apps.apple.com/us/app/kite-log/id123456789?uo=4",
          at: Date.UTC(2026, 6, 8, 7),
          version: "3.2",
          blocks: [{ path: [], kind: "paragraph", text: "It counts the wind." }],
        },
      ],
      facts: { seller: "Kites Ltd", price: "Free", "minimum-system": "17.0" },
    });
  });

  test("says that an app is not in that store, and refuses another answer", async () => {
    expect(await failure(appStore, '{"resultCount":0,"results":[]}')).toBe("404, not found");
    expect(await failure(appStore, '{"resultCount":1}')).toBe("not well-formed app of the App Store");
  });

  test("asks the store of one country, and shows its page", () => {
    const one = source(appStore, {}, "de/123456789");
    expect(appStore.request(one, { githubToken: false }).url).toBe(
      "https://itunes.apple.com/lookup?id=123456789&country=de",
    );
    expect(kindOf(appStore.page(one), readers)).toEqual({ kind: "app-store", address: "de/123456789" });
  });

  test.each([
    ["https://apps.apple.com/us/app/kite-log/id123456789", "us/123456789"],
    ["https://apps.apple.com/app/id123456789?mt=12", "us/123456789"],
    ["https://apps.apple.com/app/123456789", "us/123456789"],
    ["https://itunes.apple.com/DE/app/kite-log/id123456789", "de/123456789"],
    ["https://apps.apple.com/us/developer/kites/id123456789", undefined],
    ["https://play.google.com/store/apps/details?id=com.example.kite", undefined],
  ])("knows %s", (address, recognised) => {
    expect(appStore.recognises?.(new URL(address))?.address).toEqual(recognised);
  });
});
