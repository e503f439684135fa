import { expect, test } from "vitest";
import { visit, type Web } from "../../src/audit/visit.ts";
import { readers } from "../../src/read/index.ts";

test("a page whose text is at another address is read together with it", async () => {
  const page = "https://app.example/docs/gauges";
  const bodies: Readonly<Record<string, [type: string, body: string]>> = {
    [page]: [
      "text/html",
      '<!doctype html><head><link rel="alternate" type="text/markdown" href="gauges.md"></head><body><div id="root"></div></body>',
    ],
    [`${page}.md`]: ["text/markdown", `# Gauges\n\n${"A gauge shows how fast the wheels turn. ".repeat(20)}`],
  };
  const fetch = {
    get: async ({ url }: { url: string }) => {
      const [type = "", body = ""] = bodies[url] ?? [];
      const response = { url, status: 200, headers: { "content-type": type }, body: new TextEncoder().encode(body) };
      return { kind: "response", response, validators: {}, hash: "" };
    },
  };
  const { reading, failure } = await visit({ kind: "page", address: page }, {
    fetch,
    access: {},
    readers,
  } as unknown as Web);
  expect(failure).toBeUndefined();
  expect(reading?.blocks?.map(({ text }) => text.slice(0, 20))).toEqual(["Gauges", "A gauge shows how fa"]);
});
