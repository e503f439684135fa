import { describe, expect, test } from "vitest";
import { foldText } from "../../src/language/fold.ts";
import { decimalSignOf, numberAt, scaleAt } from "../../src/language/numbers.ts";

const read = (text: string) => {
  const folded = foldText(text).text;
  const found = numberAt(folded, folded.search(/[\d½¼¾⅓]/));
  if (found === undefined) throw new Error(`no number in ${text}`);
  return { ...found, rest: folded.slice(found.end) };
};

describe("a number", () => {
  test.each([
    ["1299", 1299],
    ["1\u00a0299", 1299],
    ["1\u202f299", 1299],
    ["1\u2009299", 1299],
    ["kostet 1 299", 1299],
    ["12 345 678", 12_345_678],
    ["1'299", 1299],
    ["1’299’000", 1_299_000],
    ["1.299,00", 1299],
    ["1.299.000", 1_299_000],
    ["1,299.50", 1299.5],
    ["1 299,50", 1299.5],
    ["1’299.50", 1299.5],
    ["12,34,567", 1_234_567],
    ["1,23,45,678.50", 12_345_678.5],
    ["0,125", 0.125],
    ["0.125", 0.125],
    ["19,90", 19.9],
    ["१२,३४,५६७", 1_234_567],
    ["١٬٢٩٩٫٥", 1299.5],
    ["１，２９９．５", 1299.5],
    ["½", 0.5],
    ["2½", 2.5],
    ["2 ¾", 2.75],
    ["2 1/2", 2.5],
  ])("%s is one", (text, value) => {
    expect(read(text)).toMatchObject({ value, rest: "" });
    expect(read(text).other).toBe(undefined);
  });

  test.each([
    ["1.299", 1.299, 1299],
    ["1,299", 1299, 1.299],
    ["128.000", 128, 128_000],
  ])("%s may be either of two", (text, value, other) => {
    expect(read(text)).toMatchObject({ value, other: { value: other, because: "comma" }, rest: "" });
  });

  test.each([
    ["128 256 512 1024", 128],
    ["8,16,32", 8],
    ["1 2999", 1],
    ["2024 500", 2024],
    ["01 234", 1],
    ["Table 1 299 rows", 1],
    ["see table 1 299 rows", 1],
    ["a Kite 15 256 GB", 15],
    ["1 1/25/2026", 1],
    ["24/7 365 days", 24],
    ["HTTP 200 404 500", 200],
    ["a kite-2 500 GB", 2],
  ])("%s begins with another one", (text, value) => {
    expect(read(text).value).toBe(value);
  });

  test("behind a time of day or a fraction begins no group", () => {
    expect(numberAt("24/7 365 days", 3)).toMatchObject({ value: 7 });
    expect(numberAt("12:30 100 people", 3)).toMatchObject({ value: 30 });
    expect(numberAt("10 000-20 000", 7)).toMatchObject({ value: 20_000 });
  });

  test("behind a name and a short number may be its last group", () => {
    expect(numberAt("Kite 15 256 GB", 8)).toMatchObject({ value: 256, other: { value: 15_256, because: "space" } });
  });

  test.each(["2.14.0", "01.03.2027", "192.168.0.1"])("%s is no number", (text) => {
    expect(read(text)).toMatchObject({ digits: text, value: Number.NaN });
  });

  test.each([
    ["1.5M", 1e6],
    ["100k", 1e3],
    ["100K", 1e3],
    ["5 bn", 1e9],
    ["2 Mio. Euro", 1e6],
    ["3,2 Mrd. €", 1e9],
    ["4 млн руб.", 1e6],
    ["5万", 1e4],
    ["3 億円", 1e8],
    ["12 lakh", 1e5],
    ["5 million", 1e6],
  ])("%s is multiplied", (text, factor) => {
    expect(scaleAt(foldText(text).text, read(text))?.factor).toBe(factor);
  });

  test.each(["7B", "4K", "5G", "3D", "100 k", "5 M", "3万5千", "12 Monate", "10 MW"])("%s is not", (text) => {
    expect(scaleAt(foldText(text).text, read(text))).toBe(undefined);
  });
});

test("a text has the decimal sign that its numbers show, else that of its language", () => {
  expect(decimalSignOf([",", ","], "en")).toBe(",");
  expect(decimalSignOf([".", ","], "de")).toBe(undefined);
  expect(decimalSignOf([], "de")).toBe(",");
  expect(decimalSignOf([], "en")).toBe(".");
  expect(decimalSignOf([], "es")).toBe(undefined);
  expect(decimalSignOf([], undefined)).toBe(undefined);
});
