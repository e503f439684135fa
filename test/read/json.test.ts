import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { json } from "../../src/read/kinds/json.ts";
import { jsonPath } from "../../src/read/shared/json-path.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { inputSize, runs } from "../support/runs.ts";
import { failure, fixture, reading, response } from "./given.ts";

const read = (options: Record<string, unknown>) => reading(json, fixture("json.json"), options);
const of = (value: unknown, options: Record<string, unknown>) =>
  reading(json, response(JSON.stringify(value)), options);

describe("json", () => {
  test("reads the members of an object as items", async () => {
    expect(
      await read({ items: "releases", item: { id: "$key", title: "name", version: "latest", date: "date" } }),
    ).toEqual({
      items: [
        {
          id: "r24",
          title: "r24",
          version: "2.4.0",
          at: Date.UTC(2026, 6, 8),
          blocks: [value("date: 2026-07-08"), value("latest: 2.4.0"), value("name: r24")],
        },
        {
          id: "r23",
          title: "r23",
          version: "2.3.0",
          at: Date.UTC(2026, 4, 2),
          blocks: [value("date: 2026-05-02"), value("latest: 2.3.0"), value("name: r23")],
        },
      ],
    });
  });

  test("reads a list, all that a star finds, and plain values", async () => {
    const ids = async (items: string, more = {}) => (await read({ items, ...more })).items?.map(({ id }) => id);
    expect(await ids("platforms", { item: { id: "os" } })).toEqual(["linux", "macos"]);
    expect(await ids("releases.*.latest")).toEqual(["2.4.0", "2.3.0"]);
    expect(await ids("platforms[0].cuda")).toEqual(["12.8", "13.0"]);
    expect(await ids("$.platforms[*].cuda[*]", { item: { version: "$" } })).toEqual(["12.8", "13.0"]);
    expect(await ids("platforms[1].cuda")).toEqual([]);
  });

  test("reads dates as text, seconds and milliseconds", async () => {
    const list = [
      { v: "1", d: "2026-07-08T10:00:00" },
      { v: "2", d: 1783504800 },
      { v: "3", d: 1783504800000 },
      { v: "4", d: "soon" },
    ];
    const { items } = await of(list, { items: "$", item: { version: "v", date: "d" } });
    const at = Date.UTC(2026, 6, 8, 10);
    expect(items?.map((one) => one.at)).toEqual([at, at, at, undefined]);
  });

  test("reads facts", async () => {
    const facts = {
      latest: "latest_stable",
      eol: "eol",
      systems: "platforms.*.os",
      first: "platforms[0]",
      none: 'x["a.b"]',
    };
    expect(
      await of(
        { latest_stable: "2.4", eol: false, platforms: [{ os: "a" }, { os: "b" }], x: { "a.b": null } },
        { facts },
      ),
    ).toEqual({
      facts: { latest: "2.4", eol: "no", systems: "a, b", first: "{ os: a }", none: "" },
    });
  });

  test("announces what a pattern finds", async () => {
    const { items } = await read({ versions: '"latest": "([\\d.]+)"' });
    expect(items).toEqual([
      { id: "2.4.0", title: "2.4.0", version: "2.4.0" },
      { id: "2.3.0", title: "2.3.0", version: "2.3.0" },
    ]);
  });

  test("reads the whole as one block for each value, in an order of its own", async () => {
    expect((await read({})).blocks?.map((block) => block.text)).toEqual([
      "eol: no",
      "latest_stable: 2.4.0",
      "platforms[]: cuda: 12.8, 13.0; os: linux",
      "platforms[].os: macos",
      "releases.r23.date: 2026-05-02",
      "releases.r23.latest: 2.3.0",
      "releases.r23.name: r23",
      "releases.r24.date: 2026-07-08",
      "releases.r24.latest: 2.4.0",
      "releases.r24.name: r24",
    ]);
  });

  test("an entry of a list is one text with its name; moments and long values are texts of their own", async () => {
    const long = "It flies. ".repeat(25).trim();
    const kites = [
      { price: { eur: 2, usd: 3 }, id: 7, Name: "Comet", seen: "2026-03-04T05:06:07Z", tags: ["red", "box"] },
      { id: 8, price: { eur: 5 }, about: long, sizes: [{ title: "L", cm: 90 }] },
      { cm: 60, id: 1772600767 },
      { id: 9, made: "2026-03-04T00:00:00Z", stamp: 1772600767.25 },
    ];
    expect((await of({ kites }, {})).blocks?.map(({ text }) => text)).toEqual([
      "kites[Comet]: Name: Comet; id: 7; price.eur: 2; price.usd: 3; tags: red, box",
      "kites[Comet].seen: 2026-03-04T05:06:07Z",
      "kites[8]: id: 8; price.eur: 5",
      `kites[8].about: ${long}`,
      "kites[8].sizes[L]: cm: 90; title: L",
      "kites[1772600767].cm: 60",
      "kites[1772600767].id: 1772600767",
      "kites[9]: id: 9; made: 2026-03-04T00:00:00Z",
      "kites[9].stamp: 1772600767.25",
    ]);
  });

  test.each([
    [
      "with names in the first row",
      [
        ["name", "price"],
        ["Comet", 2],
        ["Delta", 3],
      ],
      ["[Comet]: name: Comet; price: 2", "[Delta]: name: Delta; price: 3"],
    ],
    [
      "without names",
      [
        ["Comet", 2],
        ["Delta", 3],
      ],
      ["[]: Comet, 2", "[]: Delta, 3"],
    ],
    ["with an empty row", [["Comet", 2], []], ["[]: Comet, 2"]],
    ["whose rows are of several lengths", [["name", "price"], ["Comet"]], ["[]: name, price", "[]: Comet"]],
    ["of lists", [[["Comet", 2]], [["Delta", 3]]], ["[][]: Comet, 2", "[][]: Delta, 3"]],
  ])("a row of a table is one text: %s", async (_, table, texts) => {
    expect((await of({ table }, {})).blocks?.map(({ text }) => text)).toEqual(texts.map((text) => `table${text}`));
  });

  test("names without a value are a list", async () => {
    const { blocks } = await of([{ name: "CUDA", ops: { sort: null, add: {} } }, { top: { a: "" } }], {});
    expect(blocks?.map(({ text }) => text)).toEqual(["[CUDA]: name: CUDA; ops: add, sort", "[].top: a"]);
  });

  test("the order of names is no change", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (value) => {
        const turned = Object.fromEntries(Object.entries(value).reverse());
        expect(await of(turned, {})).toEqual(await of(value, {}));
      }),
      { numRuns: runs(50) },
    );
  });

  const texts = async (body: string, type = "application/json") =>
    (await reading(json, response(body, { headers: { "content-type": type } }))).blocks?.map(({ text }) => text);

  test.each([
    ["lines", '{"a":1}\n{"a":2}\r\n\n', ["[].a: 1", "[].a: 2"]],
    [
      "comments and commas behind the last",
      '// ours\n{\n  "a": "x // y", /* one */\n  "b": [1, 2,],\n}\n',
      ["a: x // y", "b[]: 1", "b[]: 2"],
    ],
    ["a line against foreign scripts", `)]}'\n{"a":1}`, ["a: 1"]],
    ["the same with a comma", `)]}',\n[1]`, ["[]: 1"]],
  ])("reads %s", async (_, body, said) => {
    expect(await texts(body)).toEqual(said);
  });

  test("reads a single line as a list, if it is sent as lines", async () => {
    expect(await texts('{"a":1}\n', "application/x-ndjson")).toEqual(["[].a: 1"]);
    expect(await texts('{"a":1}\n')).toEqual(["a: 1"]);
    const { items } = await reading(json, response('{"v":"1"}\n{"v":"2"}\n'), { items: "$", item: { version: "v" } });
    expect(items?.map(({ id }) => id)).toEqual(["1", "2"]);
  });

  test("keeps the digits of large numbers", async () => {
    const body = '{"id":12345678901234567890,"of":[9007199254740993,-9007199254740993],"n":1.5,"e":1e30,"f":-1e999}';
    expect(await texts(body)).toEqual([
      "e: 1e+30",
      "f: -1e999",
      "id: 12345678901234567890",
      "n: 1.5",
      "of[]: 9007199254740993",
      "of[]: -9007199254740993",
    ]);
  });

  test.each([
    ["half a line", '{"a":1}\n{"a":', {}, "not well-formed JSON"],
    ["a comment that does not end", '{"a":1} /* ', {}, "not well-formed JSON"],
    ["lines of prose", "1\ntwo\n", {}, "not well-formed JSON"],
    ["HTML", "<!DOCTYPE html><p>hi", {}, "HTML where JSON was expected"],
    ["half of it", '{"a":', {}, "not well-formed JSON"],
    ["depth", `${"[".repeat(5_000)}${"]".repeat(5_000)}`, {}, "not well-formed JSON (it nests too deeply)"],
    ["no list there", '{"a":1}', { items: "b.c" }, "nothing matches b.c"],
    ["a value for a list", '{"a":1}', { items: "a" }, "nothing matches a"],
    ["no such fact", '{"a":1}', { facts: { x: "a.b" } }, "nothing matches a.b"],
    ["names of every object", '{"a":1}', { facts: { x: "constructor" } }, "nothing matches constructor"],
    ["50,000 items", JSON.stringify(Array(50_000).fill(1)), { items: "$" }, "more than 20000 entries"],
    ["200,000 values", JSON.stringify(Array(200_000).fill(1)), {}, "more than 100000 entries"],
  ])("refuses %s", async (_, body, options, says) => {
    expect(await failure(json, body, options)).toBe(says);
  });

  const document = {
    releases: [
      { v: "1", lts: true, "a-b": 1 },
      { v: "2", lts: false, 'a"b': 2 },
      { v: "3", lts: true, "☺": 3 },
    ],
    "a.b": { "c d": 4, "0": 5 },
  };
  test.each([
    ["releases.*.v", ["1", "2", "3"]],
    ["releases[1]['a\"b']", ["2"]],
    ['releases[1]["a\\"b"]', ["2"]],
    ['$.releases[2]["\\u263a"]', ["3"]],
    ["releases[0].a-b", ["1"]],
    ["$.releases[0].a-b", ["1"]],
    ['["a.b"].c d', ["4"]],
    ['["a.b"].0', ["5"]],
    ["$.releases[-1].v", ["3"]],
    ["$.releases[?@.lts == true].v", ["1", "3"]],
    ["$.releases[1:].v", ["2", "3"]],
    ["$..v", ["1", "2", "3"]],
    ["$..[?@.v == '2' || !@.lts].v", ["2"]],
  ])("finds by the path %s %j", async (path, values) => {
    expect(jsonPath.safeParse(path).success).toBe(true);
    expect((await of(document, { facts: { x: path } })).facts).toEqual({ x: values.join(", ") });
  });

  test.each(["a..b", "a[", ".a", "a[x]", "", "a.", "[0]b", " $", "$.1", '$["\\x"]', "$[01]", "$a[?1]", "$[?@.a]]"])(
    "refuses the path %j",
    (path) => {
      expect(jsonPath.safeParse(path).error?.issues[0]?.message).toMatch(/^needs a path|^Too small/);
    },
  );

  test.each([
    "$..a..b",
    "$..['a','b']",
    "$[?match(@.a, 'a*')]",
    "$[?count(@.*) > 1]",
    "$[?@..a]",
    "$[?@[?@.a]]",
    "$[?$.*.*]",
  ])("refuses the path %j, whose time grows faster than the document", (path) => {
    expect(jsonPath.safeParse(path).error?.issues[0]?.message).toMatch(/^takes too long/);
  });

  test("finds in a time that is bounded, however often a path says the same", async () => {
    const deep = JSON.parse(`${"[".repeat(90)}1${"]".repeat(90)}`);
    const path = `$${"[0,0]".repeat(inputSize(60, 25))}["none"]`;
    const before = processorTime();
    await expect(of(deep, { facts: { x: path } })).rejects.toThrow();
    expectTime(processorTime() - before, 5_000);
  });
});

function value(text: string) {
  return { path: [], kind: "value", text };
}
