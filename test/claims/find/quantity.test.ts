import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsQuantity, quantities, sameQuantity } from "../../../src/language/quantity.ts";

const one = (text: string) => {
  const found = quantities(text);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} quantities in ${text}`);
  return found[0];
};

describe("quantities", () => {
  it.each([
    ["95 GiB", "95 GiB HBM"],
    ["95 GiB", "95GiB"],
    ["95 GiB", "95\u00a0GiB"],
    ["95-GiB", "95 gib"],
    ["1,200 GB/s", "1200 GB/s"],
    ["1,200 GB/s", "1.2 TB/s"],
    ["1200 GBps", "1,200 GB per second"],
    ["90 tok/s", "90 tokens per second"],
    ["Rs 500", "500 Rs"],
    ["5.3 TB/s", "up to 5.30TB/s"],
    ["2.5TB/s", "over 2.5 TB/s"],
    ["$1.20", "US$1.2 per chip-hour".slice(2)],
    ["$2.5B", "$2.5 billion"],
    ["$1,200", "1200 USD"],
    ["$5–$10", "$5-10"],
    ["$5k", "5000 dollars"],
    ["4.7x", "4.7×"],
    ["4.7x", "4.7 times"],
    ["50–100%", "50 to 100 %"],
    ["50%–100%", "50-100%"],
    ["1.2x–3.2x", "1.2× to 3.2×"],
    ["197 TFLOPs", "197 TFLOPS"],
    ["90 min", "1.5 hours"],
    ["512GB¹", "512 GB"],
    ["４８ ＧＢ", "48 GB"],
    ["600 GB/s.", "600GB/sec"],
    ["-5 °C", "−5°C"],
    ["0,5 %", "0.5%"],
    ["12,75 GB", "12.75 GB"],
    ["$20/month", "$20 a month"],
    ["$20/mo", "$20 per user/month"],
    ["$20/yr", "$20 annually"],
    ["$20/month", "$20"],
    ["1'024 GB", "1024 GB"],
    ["12’345’678 GB", "12,345,678 GB"],
    ["20 €", "€20"],
    ["19,90 €", "€19.90"],
    ["5 £/month", "£5 per month"],
    ["0,125 mm", "0.125 mm"],
    ["5 %", "5 Prozent"],
    ["5 %", "5 pour cent"],
    ["5 %", "5 por ciento"],
    ["5 %", "5 per cent"],
    ["5 %", "5% points to it"],
    ["1299 €", "1\u00a0299 €"],
    ["1299 €", "1 299 €"],
    ["1299 €", "1.299 €"],
    ["1299 €", "1.299,00 €"],
    ["1299 €", "€ 1’299"],
    ["1299 CHF", "CHF 1'299.-"],
    ["1299 kr", "kr 1 299"],
    ["₹12,34,567", "1234567 rupees"],
    ["12\u202f500 km", "12500 km"],
    ["1 299–1 499 €", "1299 to 1499 €"],
    ["900–1.299 €", "900 bis 1299 €"],
    ["10 à 20 GB", "10 to 20 GB"],
    ["1.5M tokens/s", "1,500,000 tokens/s"],
    ["3,2 Mio. €", "3200000 €"],
    ["5万円", "¥50,000"],
    ["2½ hours", "150 min"],
    ["100k", "100 thousand"],
    ["$2.5 billion", "2,5 Mrd. dollars"],
    ["16 ГБ", "16 GB"],
    ["3 Jahre", "36 months"],
  ])("%s is %s", (a, b) => {
    expect(sameQuantity(one(a), one(b))).toBe(true);
  });

  it.each([
    ["95 GiB", "96 GiB"],
    ["95 GB", "95 GiB"],
    ["95 GB", "95 Gb"],
    ["95 GB", "95 GB/s"],
    ["10 MW", "10 mW"],
    ["4.7x", "4.7%"],
    ["$1.20", "€1.20"],
    ["$1.20", "$1.21"],
    ["-5 °C", "5 °C"],
    ["50–100%", "50–90%"],
    ["1.2 TB/s", "1.2 GB/s"],
    ["0,5 %", "5 %"],
    ["0,125 mm", "0,126 mm"],
    ["0,5 %", "12,5 %"],
    ["$20/month", "$20/week"],
    ["$20/month", "$20 per user per year"],
    ["299 €", "1 299 €"],
    ["299 €", "1\u00a0299 €"],
    ["299 €", "1.299 €"],
    ["900–1.299 €", "1.299 €"],
    ["1.399 €", "1.299 €"],
    ["1,5 Mio. €", "1,5 Mrd. €"],
    ["2½ hours", "2 hours"],
  ])("%s is not %s", (a, b) => {
    expect(sameQuantity(one(a), one(b))).toBe(false);
  });

  it("takes no sign before one sum for that of another", () => {
    expect(quantities("since 2024 €5, in 2024 € 6 and 20 $30").map((q) => q.text)).toEqual(["€5", "€ 6", "$30"]);
  });

  it("takes no comma of a list for a decimal one", () => {
    expect(quantities("8,16,32 GB, 1,024 GB and 4,8,16 TB").map((q) => q.text)).toEqual(["32 GB", "1,024 GB", "16 TB"]);
  });

  it("gives the place of each, as it is written", () => {
    const text = "From “32\u200b GiB” to 1,638 GB/s at $0.90/hr — 5–26% more.";
    expect(quantities(text).map((q) => q.text)).toEqual(["32\u200b GiB", "1,638 GB/s", "$0.90", "5–26%"]);
    for (const q of quantities(text)) expect(text.slice(q.start, q.end)).toBe(q.text);
  });

  it.each([
    "gfx950",
    "v5e and TPU7x",
    "H100",
    "PyTorch 2.12",
    "1920x1080",
    "2.14.0rc1",
    "3D",
    "7B",
    "RFC #9684",
    "M3 s",
    "5% points",
    "5 percent-points",
  ])("sees none in %s", (text) => {
    expect(quantities(text)).toEqual([]);
  });

  it("holds a figure that is one end of a range", () => {
    expect(holdsQuantity(one("1.2x–3.2x"), one("3.2x"))).toBe(true);
    expect(holdsQuantity(one("1.2x–3.2x"), one("2x"))).toBe(false);
    expect(holdsQuantity(one("3.2x"), one("1.2x–3.2x"))).toBe(false);
  });

  it("is the same in any spelling of number and gap", () => {
    const units = ["GiB", "GB", "GB/s", "TB/s", "%", "x", "W", "MHz", "ms"];
    fc.assert(
      fc.property(
        fc.nat(9_999_999),
        fc.constantFrom(...units),
        fc.constantFrom("", " ", "\u00a0", "\u2009"),
        (n, u, gap) => {
          const grouped = n.toLocaleString("en-US");
          expect(sameQuantity(one(`${n} ${u}`), one(`about ${grouped}${gap}${u}, they say`))).toBe(true);
          expect(sameQuantity(one(`${n} ${u}`), one(`${n + 1}${gap}${u}`))).toBe(false);
        },
      ),
    );
  });
});
