import { describe, expect, test } from "vitest";
import { compare } from "../../src/compare/index.ts";
import { lossesSince } from "../../src/compare/losses.ts";
import { containerTags } from "../../src/read/kinds/container-tags.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const rocm7 = {
  id: "rocm7.0_py3.12",
  title: "rocm7.0_py3.12",
  version: "rocm7.0_py3.12",
  at: Date.UTC(2026, 6, 8, 20, 0, 0, 123),
  serial: 12,
};
const rocm6 = { id: "rocm6.4_py3.11", title: "rocm6.4_py3.11", version: "rocm6.4_py3.11", at: Date.UTC(2026, 0, 9) };
const latest = { id: "latest", title: "latest", version: "latest", at: Date.UTC(2026, 6, 9), serial: 11 };

describe("container-tags", () => {
  test("reads tags by when they were pushed", async () => {
    expect(await reading(containerTags, fixture("container-tags.json"))).toEqual({ items: [latest, rocm7, rocm6] });
  });

  test("keeps tags that match the pattern", async () => {
    expect(await reading(containerTags, fixture("container-tags.json"), { tags: "^rocm" })).toEqual({
      items: [rocm7, rocm6],
    });
  });

  test("says nothing about tags on a later page, and that a whole list has none", async () => {
    const page = (next: string | null, ...names: string[]) =>
      response(JSON.stringify({ count: 900, next, results: names.map((name) => ({ name })) }));
    const of = (from: ReturnType<typeof page>) => reading(containerTags, from, { tags: "^rocm" });
    const check = { at: Date.UTC(2026, 6, 9), confirmAfter: 0, structured: true, audited: Date.UTC(2026, 4, 16) };
    const { memory } = compare(
      undefined,
      await of(page("https://hub.docker.com/?page=2", "rocm7.0", "nightly")),
      check,
    );
    const others = await of(page("https://hub.docker.com/?page=2", "nightly-2", "nightly"));
    expect(others).toEqual({});
    expect(lossesSince(memory, others, {})).toEqual([]);
    expect(compare(memory, others, check).memory.items).toEqual(memory.items);
    const whole = await of(page(null, "nightly-2", "nightly"));
    expect(whole).toEqual({ items: [] });
    expect(lossesSince(memory, whole, {})).toHaveLength(1);
  });

  test("asks for the tags pushed last, of an official image too", () => {
    const at = (address: string) => {
      const one = source(containerTags, {}, address);
      return [containerTags.request(one, { githubToken: false }).url, containerTags.page(one)];
    };
    expect(at("rocm/pytorch")).toEqual([
      "https://hub.docker.com/v2/repositories/rocm/pytorch/tags?page_size=100&ordering=last_updated",
      "https://hub.docker.com/r/rocm/pytorch/tags",
    ]);
    expect(at("python")).toEqual([
      "https://hub.docker.com/v2/repositories/library/python/tags?page_size=100&ordering=last_updated",
      "https://hub.docker.com/_/python/tags",
    ]);
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(containerTags, '{"message":"object not found"}')).toBe(
      "not well-formed list of Docker Hub tags",
    );
    expect(containerTags.address.safeParse("ghcr.io/a/b").success).toBe(false);
    expect(containerTags.address.safeParse("../x").success).toBe(false);
  });
});
