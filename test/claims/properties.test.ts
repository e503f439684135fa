import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { proveClaims, type TextClaim } from "../../src/claims/prove.ts";
import type { ClaimState } from "../../src/model/claim.ts";
import { blocksOf } from "./find/page.ts";

/** Shows a source day after day, and tells how a claim stood and what was told of it. */
function days(proof: TextClaim["proof"], ...pages: string[]) {
  const claim: TextClaim = { id: "c", source: "s", says: "so", proof, ratings: [], cites: [], until: [] };
  let known = new Map<string, ClaimState>();
  return pages.map((page, day) => {
    const earlier = blocksOf(pages[day - 1] ?? "");
    const { states, changes } = proveClaims([claim], blocksOf(page), known, day, earlier);
    known = new Map(states.map((state) => [state.claim, state]));
    return { status: states[0]?.status, told: changes.length };
  });
}

const name = fc.constantFrom("Kite", "Wren", "Kite A", "Kite B");
const size = fc.constantFrom(4, 8, 16, 24);
const bound = fc.constantFrom("", "up to ", "at least ", "not ", "mindestens ", "не более ", "no longer ");
const behind = fc.constantFrom("", " or more", " only with wind", " sauf ici", "+");
const line = fc
  .tuple(name, bound, size, behind, fc.constantFrom(" has ", ": ", " | "))
  .map(([who, before, count, after, link]) => `${who}${link}${before}${count} GB${after}`);
const page = fc
  .array(line, { minLength: 1, maxLength: 4 })
  .map((lines) =>
    [
      "# Ropes",
      ...lines.filter((one) => !one.includes(" | ")),
      "Name | Rope",
      ...lines.filter((one) => one.includes(" | ")),
    ].join("\n"),
  );
const value = fc
  .tuple(size, fc.option(name))
  .map(([count, of]): TextClaim["proof"] => ({ value: `${count} GB`, ...(of !== null && { of }) }));
const quote = fc
  .tuple(name, size, fc.constantFrom(" has ", " "))
  .map(([who, count, link]): TextClaim["proof"] => ({ quote: `${who}${link}${count} GB` }));
const proof = fc.oneof(value, quote);

describe("any claim and any pages", () => {
  it("moves once with a page, and not again while that stays", () => {
    fc.assert(
      fc.property(proof, page, page, (of, was, is) => {
        const [, second, third, fourth] = days(of, was, is, is, is);
        expect([third?.status, third?.told, fourth?.told]).toEqual([second?.status, 0, 0]);
      }),
    );
  });

  it("that moved is supported again if the page is as it was", () => {
    fc.assert(
      fc.property(proof, page, page, (of, was, is) => {
        const [first, second, third] = days(of, was, is, was);
        fc.pre(first?.status === "supported" && second?.status !== "supported");
        expect(third?.status).toBe("supported");
      }),
    );
  });

  it("stays as it is if an unrelated section is added before or behind", () => {
    const other = "# Thanks\nWe thank whoever helped us.\nHelpers came by night.";
    fc.assert(
      fc.property(proof, page, fc.boolean(), (of, was, isBefore) => {
        const [first, second] = days(of, was, isBefore ? `${other}\n${was}` : `${was}\n${other}`);
        expect([second?.status, second?.told]).toEqual([first?.status, 0]);
      }),
    );
  });
});

describe("any claimed figure", () => {
  const places: readonly ((figure: string) => string)[] = [
    (figure) => `# Ropes\nThe Kite takes ${figure} of rope.`,
    (figure) => `# Ropes\nName | Rope\nKite | ${figure}\nWren | a little`,
    (figure) => `# Ropes\nKite: ${figure}`,
    (figure) => `# Seile\nDer Kite braucht ${figure} Seil.`,
    (figure) => `# 绳\nKite最多${figure}。`,
  ];
  const unit = fc.constantFrom("GB", "%", "ms", "W", "€", "boards", "requests");
  const place = fc.constantFrom(...places);

  it("is never supported by another one in its place", () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.nat(2_000_000), unit, place, (one, other, of, on) => {
        fc.pre(one !== other);
        const [first, second] = days({ value: `${one} ${of}`, of: "Kite" }, on(`${one} ${of}`), on(`${other} ${of}`));
        expect(first?.status).toBe("supported");
        expect(second?.status).not.toBe("supported");
      }),
    );
  });

  it("is the same with its thousands parted, and with another gap before its unit", () => {
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        unit,
        fc.constantFrom(" ", "\u00a0", "\u202f"),
        fc.constantFrom(",", "'", "’"),
        place,
        (count, of, gap, sign, on) => {
          const parted = count.toLocaleString("en-US").replaceAll(",", sign);
          const seen = days({ value: `${count} ${of}`, of: "Kite" }, on(`${count} ${of}`), on(`${parted}${gap}${of}`));
          expect(seen.map(({ status, told }) => [status, told])).toEqual([
            ["supported", 0],
            ["supported", 0],
          ]);
        },
      ),
    );
  });
});
