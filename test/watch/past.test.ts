import { describe, expect, test } from "vitest";
import { openStore } from "../../src/adapters/store/open.ts";
import type { FoundCopy, WebArchive, Workers } from "../../src/model/ports/index.ts";
import type { Source } from "../../src/model/source.ts";
import { readers } from "../../src/read/index.ts";
import { isPublic } from "../../src/watch/audit-copy.ts";
import type { World } from "../../src/watch/check.ts";
import { pastAtFirstCheck } from "../../src/watch/past.ts";
import { scan } from "../../src/watch/scan.ts";
import { tasksBy } from "../../src/watch/tasks.ts";
import { readersIn } from "../../src/watch/workers.ts";
import { configOf } from "../support/config-of.ts";
import { document } from "../support/story.ts";

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
  return pastAtFirstCheck(memory, readers.get(memory.kind) ?? expect.fail(), more.at ?? november, world);
}

describe("the past of a first check", () => {
  test("is asked for if claims or passages of a page or text are compared", () => {
    expect(past()).toEqual({ tries: 0, next: november });
    expect(past({ source: "text: https://example.org/a.md, claims: { a: { says: B, quote: c } }" })?.next).toBe(
      november,
    );
  });

  test.each([
    ["config does not say so", { top: "baseline: first-check" }],
    ["the operator has no archive", { asked: undefined }],
    ["nothing of the page is compared", { source: "page: https://docs.example.org/memory" }],
    ["a list dates its entries itself", { source: "feed: https://docs.example.org/feed" }],
  ])("is not where %s", (_, more) => {
    expect(past(more)).toBeUndefined();
  });

  test("is not, and that is said, if it would show nothing or is nobody else's business", () => {
    expect(past({ at: audit + 40 * 3_600_000 })).toEqual({ tries: 0, says: "the audit was just before it" });
    const source = "page: https://wiki.corp.internal/memory, claims: { a: { says: B, quote: c } }";
    expect(past({ source })).toEqual({ tries: 0, says: "its address is not one of the public web" });
  });
});

test("names and numbers of a network of one's own are given to no archive", () => {
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

test("a page and its copy are read, compared and proved apart from the program", async () => {
  const address = "https://docs.example.org/memory";
  const page = (memory: string) =>
    Buffer.from(
      document(`<h1>Memory</h1><p>The card holds ${memory} of memory, and has done so since it was made.</p>`),
    );
  const copy = { at: audit, url: `https://archive.example/${address}` };
  const response = (body: Uint8Array) => ({ url: address, status: 200, headers: {}, body });
  const tasks = tasksBy(readers) as Readonly<Record<string, (input: unknown, asker: unknown) => unknown>>;
  const done: string[] = [];
  const workers: Workers = {
    async run(task, input, asker) {
      done.push(task);
      return await tasks[task]?.(structuredClone(input), asker);
    },
  };
  const database = await openStore(":memory:");
  const asked: string[] = [];
  const world: World = {
    config: configOf(
      `report: { title: A report, audited: 2026-05-16 }\nbaseline: archive\nsources: { memory: { page: "${address}", claims: { most: { says: It has 512 GB., value: 512 GB } } } }\n`,
      { memory: "name: Read it again\nwording: Read it again.\non: [{ claim: memory }]\n" },
    ),
    clock: { now: () => november },
    store: database.repository("test"),
    readers: readersIn(workers, readers),
    access: { githubToken: false },
    fetch: {
      get: async () => ({ kind: "response", response: response(page("256 GB")), validators: {}, hash: "a" }),
      githubAllowance: () => undefined,
      close: async () => {},
    },
    archive: {
      name: "archive.example",
      async *copies() {
        yield { kind: "copy", copy, response: response(page("512 GB")) } as FoundCopy;
      },
    },
    workers,
  };
  const { firings, checks } = await scan(world, { onPast: (source) => asked.push(source) });
  await database.close();
  expect(asked).toEqual(["memory"]);
  expect(checks).toMatchObject([{ outcome: "first" }]);
  // Then the change is looked up in copies of its own days.
  expect(done.slice(0, 3)).toEqual(["check", "copy", "past"]);
  expect(firings[0]).toMatchObject({ trigger: "memory", evidence: [{ change: { kind: "claim", to: "altered" } }] });
});
