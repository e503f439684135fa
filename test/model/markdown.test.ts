import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  cell,
  clean,
  code,
  cut,
  fence,
  lengthOnGitHub,
  link,
  name,
  paragraph,
  plainName,
  words,
} from "../../src/model/markdown.ts";
import { hostile } from "../recheck/issue/hostile.ts";
import { living, rendered } from "../recheck/issue/markdown.ts";
import { anySign } from "../support/any-sign.ts";

describe("words of config", () => {
  test.each([
    "ask @maintainer",
    "see #12 and owner/repo#3 or GH-7",
    "at https://example.org/x?a=b#c, www.example.org or http://a.b",
    "write to someone@example.org or mailto:someone@example.org",
    "**bold** _it_ ~~gone~~ <b>html</b> <!-- hidden --> [a](b) ![i](j) [^1] $x$ &copy; a|b {c} \\",
    "one ` alone, ``two`` and ```three",
  ])("show %j as it is and do nothing", (text) => {
    const { text: shown, html, links, kinds } = rendered(words(text));
    expect(shown.replaceAll("\u200b", "")).toBe(text);
    expect(living(shown)).toEqual([]);
    expect(html).toEqual([]);
    expect(links).toEqual([]);
    expect([...kinds]).toEqual(["root", "paragraph", "text"]);
  });

  test("any text stays one paragraph, and one cell of a table", () => {
    fc.assert(
      fc.property(hostile(), (text) => {
        const { kinds, text: shown } = rendered(`- [ ] ${paragraph(text)} end`);
        expect([...kinds].filter((kind) => kind !== "inlineCode").sort()).toEqual(
          ["list", "listItem", "paragraph", "root", "text"].sort(),
        );
        expect(living(shown)).toEqual([]);
        const table = rendered(`| a | b |\n|---|---|\n| ${cell(words(text))} | last |`);
        expect(table.text).toMatch(/last$/);
        expect(living(table.text)).toEqual([]);
        expect([...table.kinds].filter((kind) => kind !== "inlineCode").sort()).toEqual(
          ["root", "table", "tableCell", "tableRow", "text"].sort(),
        );
      }),
    );
  });
});

test.each([
  ["`torch.compile` of `@you`, at last", "torch.compile\n@you", " of \n, at last"],
  ["a\\`b|c\\`d", "b|c\\", "a\\\nd"],
  ["`a` `b", "a", "\n `b"],
])("words keep their code spans: %j", (text, code, outside) => {
  const plain = rendered(words(text));
  expect({ code: plain.code, text: plain.text.replaceAll("\u200b", "").trimStart() }).toEqual({
    code,
    text: outside.trimStart(),
  });
  expect(living(plain.text)).toEqual([]);
});

test("a question keeps its code spans", () => {
  const question = rendered(paragraph("1. Does `torch_xla.sync()` of @you *still* run?"));
  expect(question.code).toBe("torch_xla.sync()");
  expect(question.text.replaceAll("\u200b", "")).toBe("1. Does \n of @you *still* run?");
  expect(living(question.text)).toEqual([]);
});

test("an address in a code span keeps its backticks in", () => {
  fc.assert(
    fc.property(hostile(), (text) => {
      const { kinds, text: outside } = rendered(`x ${code(text)} y`);
      expect([...kinds].sort()).toEqual(["inlineCode", "paragraph", "root", "text"]);
      expect(outside).toBe("x \n y");
    }),
  );
});

test("a name of a source has at most 80 letters, digits, spaces and ._+-", () => {
  fc.assert(
    fc.property(hostile(), (text) => {
      expect(name(text)).toMatch(/^`[\p{L}\p{N} ._+-]{1,79}[\p{L}\p{N} ._+…-]`$|^`[\p{L}\p{N}._+-]`$/u);
    }),
  );
  expect(plainName("<b>@you</b> #12 release `v1.2+rc-3_x`")).toBe("b you b 12 release v1.2+rc-3_x");
  expect(plainName("🦀🦀")).toBe("without a name");
  expect(lengthOnGitHub(plainName("x".repeat(100_000)))).toBe(80);
});

describe("a fence", () => {
  test("holds any text, and nothing gets out", () => {
    fc.assert(
      fc.property(fc.array(hostile()), (texts) => {
        const lines = texts.map((text) => `+ ${clean(text).replaceAll("\n", " ")}`);
        const { kinds, code: inside, text } = rendered(`${fence(lines, "diff")}\n\nafter`);
        expect(inside).toBe(lines.join("\n"));
        expect(text).toBe("after");
        expect([...kinds].sort()).toEqual(["code", "paragraph", "root", "text"]);
      }),
    );
  });

  test("is longer than the longest run of backticks, at any place", () => {
    expect(fence(["+ a", "- ``````"], "diff").split("\n")[0]).toBe("```````diff");
  });
});

test("controls, bidirectional and zero-width characters go; line ends stay", () => {
  expect(clean("a\u202eb\u2066c\u200bd\u0000e\u001b[31mf\r\ng\u2028h\ufeff\udc00i\u{e0041}")).toBe("abcde[31mf\ng\nhi");
});

test("characters are counted and cut as code points", () => {
  expect(lengthOnGitHub("a𝔸b")).toBe(3);
  expect(cut("𝔸𝔸𝔸", 3)).toBe("𝔸𝔸𝔸");
  expect(cut("𝔸𝔸𝔸𝔸", 3)).toBe("𝔸𝔸…");
  fc.assert(fc.property(fc.string({ unit: anySign }), (text) => lengthOnGitHub(text) === [...text].length));
});

describe("a link", () => {
  test.each([
    ["https://example.org/a_(b)#:~:text=one%20two", "https://example.org/a_%28b%29#:~:text=one%20two"],
    ["https://github.com/a/b/issues/3", "https://redirect.github.com/a/b/issues/3"],
    ["https://www.github.com/a/b", "https://redirect.github.com/a/b"],
    ["https://docs.github.com/rest", "https://docs.github.com/rest"],
    ["https://github.com./a/b", "https://redirect.github.com/a/b"],
    ["https://example.org/?a=1&lt;=2", "https://example.org/?a=1&lt;=2"],
  ])("%s", (address, target) => {
    expect(rendered(link("open", address)).links).toEqual([target]);
  });

  test.each([
    undefined,
    "",
    "nonsense",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://user:secret@example.org/",
  ])("not to %j", (address) => {
    expect(link("open", address)).toBe("open");
  });

  test("goes to the page alone if the passage is too long, and never ends early", () => {
    expect(link("open", `https://example.org/#:~:text=${"a".repeat(3_000)}`)).toBe("[open](https://example.org/)");
    expect(link("open", `https://example.org/${"a".repeat(3_000)}`)).toBe("open");
    fc.assert(
      fc.property(hostile(), (text) => {
        const { links, text: shown, html } = rendered(link("open", `https://example.org/${text}`));
        expect(links.length).toBeLessThanOrEqual(1);
        expect(shown).toBe("open");
        expect(html).toEqual([]);
      }),
    );
  });
});
