import { describe, expect, test } from "vitest";
import type { Source } from "../../src/model/model.ts";
import type { WebArchive } from "../../src/model/ports/index.ts";
import { readers } from "../../src/read/index.ts";
import { isPublic } from "../../src/watch/audit-copy.ts";
import type { World } from "../../src/watch/check.ts";
import { pastAtFirstLook } from "../../src/watch/past.ts";
import { configOf } from "../support/config-of.ts";

const audit = Date.UTC(2026, 4, 16);
const november = Date.UTC(2026, 10, 20);
const archive: WebArchive = { name: "archive.example", copies: async function* () {} };

function past(more: { source?: string; top?: string; at?: number; asked?: WebArchive | undefined } = {}) {
  const claims = "claims: { most: { says: It has 512 GB., value: 512 GB } }";
  const { source = `page: https://docs.example.org/memory, ${claims}`, top = "baseline: archive" } = more;
  const config = configOf(
    `report: { title: A report, audited: 2026-05-16 }\n${top}\nsources: { memory: { ${source} } }\n`,
  );
  const memory = config.sources.get("memory") as Source;
  const world = { config, archive: "asked" in more ? more.asked : archive } as World;
  return pastAtFirstLook(memory, readers.get(memory.kind) ?? expect.fail(), more.at ?? november, world);
}

describe("the past of a first look", () => {
  test("is asked for where claims or passages of a page or text are compared", () => {
    expect(past()).toEqual({ tries: 0, next: november });
    expect(past({ source: "text: https://example.org/a.md, claims: { a: { says: B, quote: c } }" })?.next).toBe(
      november,
    );
  });

  test.each([
    ["config does not say so", { top: "baseline: first-look" }],
    ["the operator has no archive", { asked: undefined }],
    ["nothing of the page is compared", { source: "page: https://docs.example.org/memory" }],
    ["a list dates its entries itself", { source: "feed: https://docs.example.org/feed" }],
  ])("is not where %s", (_, more) => {
    expect(past(more)).toBeUndefined();
  });

  test("is not, and that is said, where it would tell nothing or is nobody else's business", () => {
    expect(past({ at: audit + 40 * 3_600_000 })).toEqual({ tries: 0, says: "the audit was just before it" });
    const source = "page: https://wiki.corp.internal/memory, claims: { a: { says: B, quote: c } }";
    expect(past({ source })).toEqual({ tries: 0, says: "its address is not one of the public web" });
  });
});

test("names and numbers of a network of one's own are told to no archive", () => {
  const told = ["https://example.org/a?b=c", "http://münchen.de:8080/", "https://docs.example.co.uk/"];
  const untold = [
    ...[
      "http://wiki/",
      "http://10.0.0.7/",
      "http://[fd00::1]/",
      "http://127.1/",
      "https://nas.local/",
      "https://a.lan/",
    ],
    ...["https://host.home.arpa/", "https://me:secret@example.org/", "ftp://example.org/", "owner/name"],
  ];
  expect([...told, ...untold].filter(isPublic)).toEqual(told);
});
