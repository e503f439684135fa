import { expect, test } from "vitest";
import { digest } from "../../src/model/digest.ts";
import type { Response } from "../../src/model/ports/index.ts";
import type { Source } from "../../src/model/source.ts";
import { readers } from "../../src/read/index.ts";
import type { Reader } from "../../src/read/reader.ts";
import { ReadOnce } from "../../src/watch/one-response.ts";
import { configOf, page } from "../support/story.ts";

const config = configOf({
  sources: `sources:
  one: { page: "https://example.org/manual" }
  part: { page: "https://example.org/manual", select: "p" }
`,
  triggers: {},
});
const source = (id: string) => ({ ...(config.sources.get(id) ?? config.sources.get("one")), id }) as Source;

function answer(text: string): { response: Response; hash: string } {
  const body = new TextEncoder().encode(text);
  const headers = { "content-type": "text/html; charset=utf-8" };
  return { response: { url: "https://example.org/manual", status: 200, headers, body }, hash: digest(text) };
}

/** The reader of pages, and how often it read. */
function counting(): { reader: Reader; readonly times: () => number } {
  const pages = readers.get("page") as Reader;
  let times = 0;
  const read: Reader["read"] = (...given) => {
    times++;
    return pages.read(...given);
  };
  return { reader: { ...pages, read }, times: () => times };
}

test("an answer is read once for each way of reading it", async () => {
  const [once, { reader, times }] = [new ReadOnce(), counting()];
  const { response, hash } = answer(page("<p>The engine costs 10 guilders a day.</p>"));
  const read = (id: string, region?: string) =>
    once.of(reader, { response, hash }).read(response, source(id), { region });
  const first = await read("one");
  expect(first).toEqual(await reader.read(response, source("one")));
  expect(await read("same")).toBe(first);
  expect(times()).toBe(2);
  await read("part");
  await read("one", "main");
  expect(times()).toBe(4);
  const other = answer(page("<p>The engine costs 20 guilders a day.</p>"));
  expect(await once.of(reader, other).read(other.response, source("one"))).not.toEqual(first);
  const moved = { ...response, url: "https://example.org/elsewhere" };
  await once.of(reader, { response: moved, hash }).read(moved, source("one"));
  expect(times()).toBe(6);
  const older = answer(page("<p>The engine costs 5 guilders a day.</p>"));
  const snapshot = await once.of(reader, { response, hash }).read(older.response, source("one"));
  expect(snapshot).toEqual(await reader.read(older.response, source("one")));
});

test("unreadable answers are tried by each", async () => {
  const [once, { reader, times }] = [new ReadOnce(), counting()];
  const empty = answer("");
  for (const id of ["one", "same"])
    await expect(async () => await once.of(reader, empty).read(empty.response, source(id))).rejects.toThrow();
  expect(times()).toBe(2);
});

test("of too many readings, the one that was not used for longest goes", async () => {
  const [once, { reader, times }] = [new ReadOnce(), counting()];
  const large = (n: number) => answer(page(`<p>Volume ${n}. ${`It says so. `.repeat(250_000)}</p>`));
  const [first, ...others] = [0, 1, 2, 3].map(large);
  for (const one of [first, first, ...others, others.at(-1), first]) {
    if (one) await once.of(reader, one).read(one.response, source("one"));
  }
  expect(times()).toBe(5);
});
