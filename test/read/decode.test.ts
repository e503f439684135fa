import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { decode, isHtml } from "../../src/read/shared/body.ts";
import { response } from "./given.ts";

const bytes = (...all: (number | string)[]) =>
  new Uint8Array(all.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : [part])));
const decoded = (body: Uint8Array | string, type?: string) =>
  decode(response(body, { headers: type === undefined ? {} : { "content-type": type } }));

describe("decode", () => {
  test.each([
    ["a byte order mark above all", bytes(0xef, 0xbb, 0xbf, "\xc3\xa9"), "text/plain; charset=latin1", "é"],
    ["UTF-16 by its mark", bytes(0xff, 0xfe, "a\0\xe9\0"), undefined, "aé"],
    ["UTF-16, big end first", bytes(0xfe, 0xff, "\0a\0\xe9"), undefined, "aé"],
    ["the content type", bytes("\xe9"), 'text/plain; charset="ISO-8859-1"', "é"],
    [
      "the content type above the document",
      bytes('<meta charset="utf-8">\xe9'),
      "text/html;charset=latin1",
      '<meta charset="utf-8">é',
    ],
    [
      "the XML declaration",
      bytes('<?xml version="1.0" encoding="windows-1251"?>\xe4'),
      "text/xml",
      '<?xml version="1.0" encoding="windows-1251"?>д',
    ],
    ["<meta>", bytes("<meta charset=gbk>\xc4\xe3"), "text/html", "<meta charset=gbk>你"],
    [
      "<meta http-equiv>",
      bytes('<meta http-equiv="x" content="text/html; charset=shift_jis">\x82\xa0'),
      undefined,
      '<meta http-equiv="x" content="text/html; charset=shift_jis">あ',
    ],
    [
      "no UTF-16 that can be read as ASCII",
      bytes('<meta charset="utf-16">\xc3\xa9'),
      undefined,
      '<meta charset="utf-16">é',
    ],
    ["UTF-8 where nothing is declared", bytes("\xc3\xa9"), "text/plain", "é"],
    ["windows-1252 where that does not fit", bytes("caf\xe9 \x80"), undefined, "café €"],
    ["what it is where the charset is unknown", bytes("\xc3\xa9"), "text/plain; charset=klingon", "é"],
    ["text without its NULs", "a\0b and much more", undefined, "ab and much more"],
  ])("takes %s", (_, body, type, text) => {
    expect(decoded(body, type)).toBe(text);
  });

  test.each([
    [
      "the wrong charset",
      bytes("\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0, \xfd\xf2\xee \xf2\xe5\xea\xf1\xf2"),
      "text/html; charset=utf-8",
    ],
    ["a picture", bytes("\x89PNG\r\n\x1a\n", ...Array.from({ length: 200 }, (_, i) => (i * 37) % 256)), undefined],
    ["UTF-16 without a mark", bytes("a\0b\0c\0d\0e\0f\0g\0h\0i\0j\0"), "text/plain; charset=utf-8"],
  ])("refuses %s", (_, body, type) => {
    expect(() => decoded(body, type)).toThrow(new Failure("charset"));
  });

  test.each([
    ["another charset", "text/html; charset=iso-8859-1"],
    ["UTF-16", "text/plain; charset=utf-16"],
    ["a charset of two bytes a letter", "text/html; charset=gbk"],
    ["one with escapes", "text/html; charset=iso-2022-jp"],
    ["none", "text/html"],
  ])("UTF-8 is UTF-8 where %s is declared", (_, type) => {
    expect(decoded("Ein Café in München — “ja”", type)).toBe("Ein Café in München — “ja”");
  });

  test.each([
    ["declared", "text/plain; charset=utf-8"],
    ["not declared", "text/plain"],
  ])("a text that is not UTF-8 is windows-1252 where UTF-8 is %s", (_, type) => {
    const text = "A long enough text about a caf\xe9 in Paris";
    expect(decoded(bytes(text), type)).toBe(text);
  });

  test("a letter that was cut in UTF-8 is lost, and no other", () => {
    const body = bytes("Das Caf\xc3\xa9 in M\xc3\xbcnchen \xe2\x80\xa6 und in Z\xc3");
    for (const type of ["text/plain; charset=utf-8", "text/plain"]) {
      expect(decoded(body, type)).toBe("Das Café in München … und in Z\ufffd");
    }
  });

  test("text in a charset with escapes or with two bytes a letter is read as declared", () => {
    const japanese = bytes(0x1b, "$B$", 0x22, 0x1b, "(B");
    expect(decoded(japanese, "text/html; charset=iso-2022-jp")).toBe("あ");
    expect(decoded(bytes("a\0b\0"), "text/plain; charset=utf-16le")).toBe("ab");
  });

  test.each(["", "  \r\n\t"])("nothing is empty: %j", (body) => {
    expect(() => decoded(body)).toThrow(new Failure("empty"));
  });

  test.each([
    ["<!doctype html>", true],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">', true],
    ["<!-- saved -->\n<HTML>", true],
    ["<html lang=en>", true],
    ["<rss>", false],
    ["# <html>", false],
    ["<htmlish>", false],
  ])("is %s HTML: %s", (text, is) => {
    expect(isHtml(text)).toBe(is);
  });
});
