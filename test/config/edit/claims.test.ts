import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addClaims, moveFigure } from "../../../src/config/edit/claims.ts";
import { parseConfig } from "../../../src/config/index.ts";
import type { Claim } from "../../../src/model/claim.ts";
import { readers } from "../../../src/read/index.ts";
import { anySign } from "../../support/any-sign.ts";

const claim = (id: string, source = "a", more: Partial<Claim> = {}): Claim => ({
  ...{ id, source, says: "It has 128 GB: so they say", proof: { value: "128", of: "memory" } },
  ...{ ratings: [], cites: [2], until: [] },
  ...more,
});

const report = "report: { title: R, audited: 2026-05-16 }\n";

describe("claims are written at their source", () => {
  test("below those that are there, at their depth, comments kept", () => {
    const text = `${report}sources:
  # the first
  a:
    page: https://a.example/ # why
    claims:
      one:
        says: it is so
        quote: so it is # as they say
      # to be told apart
  b:
    page: https://b.example/
`;
    expect(addClaims(text, [claim("two"), claim("one", "b")])).toEqual({
      text: `${report}sources:
  # the first
  a:
    page: https://a.example/ # why
    claims:
      one:
        says: it is so
        quote: so it is # as they say
      # to be told apart
      two:
        says: "It has 128 GB: so they say"
        value: "128"
        of: memory
        cites: [2]
  b:
    page: https://b.example/
    claims:
      one:
        says: "It has 128 GB: so they say"
        value: "128"
        of: memory
        cites: [2]
`,
      uneditable: [],
    });
  });

  test("in braces if the others are", () => {
    const { text } = addClaims(`${report}sources: { a: { page: "https://a.example/" } }\n`, [claim("two")]);
    expect(text).toContain(
      'claims: { two: { says: "It has 128 GB: so they say", value: "128", of: memory, cites: [2] } }',
    );
    const again = addClaims(text, [claim("three")]);
    expect(again.text).toContain("cites: [2] }, three: {");
  });

  test("nothing that is there is overwritten, and a claim without a place is reported", () => {
    const text = `${report}sources:\n  a:\n    page: https://a.example/\n    claims:\n      two: { says: x, quote: y }\n`;
    expect(addClaims(text, [claim("two")])).toEqual({ text, uneditable: [claim("two")] });
    expect(addClaims(text, [claim("two", "gone")]).uneditable).toHaveLength(1);
    const shared = `${report}sources:\n  a: &a\n    page: https://a.example/\n  b: *a\n`;
    expect(addClaims(shared, [claim("one")]).text).toBe(shared);
    expect(addClaims("- a list\n", [claim("one")]).uneditable).toHaveLength(1);
  });

  test("line ends stay, and a report's words are written as they are", () => {
    const text = `${report}sources:\n  a:\n    page: https://a.example/\n`;
    expect(addClaims(text.replace(/\n/g, "\r\n"), [claim("one")]).text).not.toMatch(/[^\r]\n/);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 60, unit: anySign }), (said) => {
        const says = `x${said}`;
        const { text: edited, uneditable } = addClaims(text, [claim("one", "a", { says, proof: { quote: says } })]);
        const { config } = parseConfig([{ path: "sources.yaml", text: edited }], readers);
        const written = config?.sources.get("a")?.claims.length ?? -1;
        expect(written).toBe(uneditable.length === 0 ? 1 : 0);
      }),
    );
  });
});

describe("the figure of a claim", () => {
  const price = { old: "$29", now: "$39" };
  const team = claim("team");
  const moved = (lines: string) =>
    moveFigure(`${report}sources:\n  a:\n    page: https://a.example/\n    claims:\n${lines}`, team, price);

  test.each([
    ["plain", "      team: { says: For $29 a month, value: $29, of: Team }\n"],
    ["in quotes", "      team:\n        says: \"It's $29 # a month\" # so they say\n        quote: '$29 a month'\n"],
    ["beside a longer one", "      team: { says: $299 or $29 a month, value: $29 }\n"],
  ])("is replaced as it is spelt: %s", (_, lines) => {
    expect(moved(lines)).toBe(
      `${report}sources:\n  a:\n    page: https://a.example/\n    claims:\n${lines.replace(/\$29(?!9)/g, () => "$39")}`,
    );
  });

  test.each([
    ["the proof has another one", "      team: { says: For $29 a month, value: $19 }\n"],
    ["other entries use it", "      team: { says: &price For $29, quote: *price }\n"],
    ["it is spelt with escapes", '      team: { says: For $29, value: "\\x2429" }\n'],
    ["the claim is not there", "      other: { says: For $29, value: $29 }\n"],
  ])("is not replaced if %s", (_, lines) => {
    expect(moved(lines)).toBeUndefined();
  });
});

describe("the link to a source's proof", () => {
  const moved = {
    old: "https://github.com/marsh/woods/blob/main/a.ts#L1",
    now: "https://github.com/marsh/woods/blob/main/a.ts#L3",
  };
  const team = claim("one");
  const yaml = (address: string) =>
    `${report}sources:\n  # why\n  a:\n    lines: ${address} # here\n    claims: { one: { says: It is so, fact: lines } }\n`;

  test("is replaced as the address of the source, in its quotes or without", () => {
    expect(moveFigure(yaml(moved.old), team, moved)).toBe(yaml(`"${moved.now}"`));
    expect(moveFigure(yaml(`'${moved.old}'`), team, moved)).toBe(yaml(`'${moved.now}'`));
    expect(moveFigure(yaml(moved.now), team, moved)).toBe(yaml(moved.now));
    expect(moveFigure(yaml("https://github.com/marsh/woods/blob/main/b.ts#L1"), team, moved)).toBeUndefined();
  });
});
