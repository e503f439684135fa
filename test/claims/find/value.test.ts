import { describe, expect, it } from "vitest";
import { findPresence } from "../../../src/claims/find/absence.ts";
import { findValue } from "../../../src/claims/find/value.ts";
import { wordsOfBlocks } from "../../../src/language/words.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { inputSize } from "../../support/runs.ts";
import { pageOf } from "./page.ts";

const find = (page: string, value: string, of?: string, hint?: string) => findValue(pageOf(page), { value, of }, hint);

const chips = (memory: string) => `# Chips
  The chips of this family share one software stack and up to 4.7x more compute.
  ## Comparison
  Chip | HBM | HBM bandwidth | Price
  v5e | 16 GiB | 819 GB/s | $1.20
  v5p | ${memory} | 2,765 GB/s | $4.20
  v6e | 32 GiB | 1,638 GB/s | $2.70
  ## Availability
  Sold since 2024.`;

const columns = (memory: string) => `# Chips
  Specification | v5e | v5p | v6e
  HBM capacity per chip | 16 GiB | ${memory} | 32 GiB
  HBM bandwidth | 819 GB/s | 2,765 GB/s | 1,638 GB/s`;

const german = (price: string) => `# Preise
  Der Versand kostet immer 4,90 €, auch bei mehreren Paketen.
  Das Gerät kostet ${price} ohne Zubehör.`;

it("takes the row that has the name, if the heading above all rows has it too", () => {
  const page = "# Q9\n  Model | Memory\n  Q7 | 15 GB\n  Q9 | 32 GB";
  expect(find(page, "16 GB", "Q9 Memory")).toMatchObject({ status: "altered", text: "Q9 | 32 GB" });
});

describe("a grouped number", () => {
  it.each(["1\u00a0299 €", "1\u202f299 €", "1 299 €", "1.299,00 €", "1.299 €", "1’299 €", "1'299 €", "1299 €"])(
    "is one figure: %s",
    (price) => {
      expect(find(german(price), "1299 €", "Gerät").status).toBe("exact");
      expect(find(german(price), "299 €", "Gerät").status).toBe("altered");
      expect(find(german(price), "299 €").status).toBe("absent");
      expect(find(german(price), "299").status).toBe("absent");
      expect(find(german("1399 €"), price, "Gerät").status).toBe("altered");
    },
  );

  it("has no unit", () => {
    for (const there of ["1\u00a0299", "1 299", "1.299", "1,299", "1’299"]) {
      expect(find(`It has ${there} members.`, "1299 members").status).toBe("exact");
      expect(find(`It has ${there} members.`, "299 members").status).toBe("absent");
    }
    expect(find("It has 12,34,567 members.", "1,234,567 members").status).toBe("exact");
  });

  it("is what the page's other numbers say", () => {
    expect(find("It costs $19.90 and weighs 1.299 kg.", "1299 kg").status).toBe("absent");
    expect(find("It costs 19,90 € and weighs 1.299 kg.", "1299 kg").status).toBe("exact");
    expect(find("It costs 19,90 € and weighs 1.299 kg.", "1299 g").status).toBe("absent");
    expect(find("It weighs 1.299 kg.", "1299 kg").status).toBe("exact");
    expect(find("It weighs 1.299 kg.", "1.299 kg").status).toBe("exact");
  });

  it("is no name with a number beside it", () => {
    expect(find("The Kite 15 256 GB is sold in blue.", "256 GB", "Kite").status).toBe("exact");
    expect(find("Table 1 299 rows", "299 rows").status).toBe("exact");
  });
});

describe("a value in a short form", () => {
  it.each([
    ["1.5M downloads", "1,500,000 downloads", "1,600,000 downloads"],
    ["1.5M", "1.500.000", "1.600.000"],
    ["100k requests", "100,000 requests", "120,000 requests"],
    ["2½ hours", "2.5 hours", "2 hours"],
    ["150 万", "1,500,000", "1,600,000"],
    ["3,2 Mio. Euro", "3.200.000 €", "3,3 Mio. €"],
  ])("%s is %s", (short, long, other) => {
    const page = (there: string) => `The count is ${there} by now.`;
    expect(find(page(short), long).status).toBe("exact");
    expect(find(page(long), short).status).toBe("exact");
    expect(find(page(short), other).status).toBe("absent");
    expect(find(page(other), short).status).toBe("absent");
  });
});

describe("a number of a table whose head has the unit", () => {
  const table = (memory: string) => `# Chips
  Chip | Memory (GB) | Price in €
  A1 | ${memory} | 1 299
  A2 | 40 | 999`;

  it("is the value with that unit", () => {
    expect(find(table("80"), "80 GB", "A1 Memory")).toMatchObject({ status: "exact", text: "A1 | 80" });
    expect(find(table("80"), "80 GB", "Memory").status).toBe("exact");
    expect(find(table("80"), "1299 €", "A1").status).toBe("exact");
    expect(find(table("80"), "80 MB", "A1 Memory").status).not.toBe("exact");
    expect(find(table("80"), "80 €", "A1").status).not.toBe("exact");
  });

  it("is altered with another number", () => {
    expect(find(table("96"), "80 GB", "A1 Memory")).toMatchObject({ status: "altered", text: "A1 | 96" });
  });

  it("or whose row has it", () => {
    const page = "# Chips\nName | A1 | A2\nMemory (GB) | 80 | 40";
    expect(find(page, "80 GB", "A1 Memory").status).toBe("exact");
    expect(find(page, "40 GB", "A1 Memory").status).toBe("altered");
  });
});

describe("a value", () => {
  it.each([
    ["in the cell of its row and column", chips("95GiB"), "95 GiB", "v5p HBM", "v5p | 95GiB"],
    ["in its row", chips("95 GiB HBM2e"), "95 GiB", "v5p", "v5p | 95 GiB HBM2e"],
    [
      "in a table that lies on its side",
      columns("95 GiB"),
      "95 GiB",
      "v5p HBM capacity",
      "HBM capacity per chip | 95 GiB",
    ],
    ["in its section", chips("95 GiB"), "2024", "Availability", "Sold since 2024"],
    [
      "in a sentence",
      chips("95 GiB"),
      "4.7×",
      "more compute",
      "The chips of this family share one software stack and up to 4.7x more compute",
    ],
    [
      "in a row whose name takes two cells",
      "# Ropes\nName | Model | Rope\nKite | Pro | 16 GB",
      "16 GB",
      "Kite Pro",
      "Kite | 16 GB",
    ],
    ["anywhere", chips("95 GiB"), "$4.20", undefined, "v5p | $4.20"],
    ["as one end of a range", "Flex is 1.2×–3.2× faster. It is.", "3.2x", "faster", "Flex is 1.2×–3.2× faster"],
    ["with a word after it", "It has 95 GiB of memory.", "95 GiB HBM", "memory", "It has 95 GiB of memory"],
    ["before words without spaces", "無料では15GBまで保存できる。", "15 GB", undefined, "無料では15GBまで保存できる"],
    ["behind an article without its vowel", "L’espace est de 16 GB.", "16 GB", "espace", "L’espace est de 16 GB"],
    ["before a counter", "最多支持16张显卡。", "16 张", undefined, "最多支持16张显卡"],
    ["before a particle", "메모리는 16GB까지 됩니다.", "16 GB", undefined, "메모리는 16GB까지 됩니다"],
    ["as a version with its letter", "The release is v2.1.0 now.", "2.1.0", "release", "The release is v2.1.0 now"],
    ["as a name", "Adds gfx950 on ROCm 7.", "gfx950", undefined, "Adds gfx950 on ROCm 7"],
    ["as a number of things", "It has an 80-core GPU.", "80 core", "GPU", "It has an 80-core GPU"],
    [
      "as several figures",
      "From 24GB to 48GB, at 1 TB/s.",
      "24 GB to 48 GB, 1 TB/s",
      undefined,
      "From 24GB to 48GB, at 1 TB/s",
    ],
  ])("is found %s", (_, page, value, of, text) => {
    expect(find(page, value, of)).toMatchObject({ status: "exact", text });
  });

  it.each([
    ["its cell", chips("96 GiB"), "95 GiB", "v5p HBM", "v5p | 96 GiB"],
    [
      "its cell, though another column has it",
      columns("16 GiB"),
      "32 GiB",
      "v5p HBM capacity",
      "HBM capacity per chip | 16 GiB",
    ],
    ["its cell, though another row has it", chips("16 GiB"), "32 GiB", "v5p HBM", "v5p | 16 GiB"],
    ["its unit", chips("95 GB"), "95 GiB", "v5p HBM", "v5p | 95 GB"],
    ["its sentence", "# A\nUp to 5x more compute.\n# B\nIt was 3x.", "4.7x", "more compute", "Up to 5x more compute"],
    [
      "a price",
      "# Pricing\nTrillium | per chip hour\nus-east1 | $2.97\neurope | $3.24",
      "$2.70",
      "Trillium us-east1",
      "us-east1 | $2.97",
    ],
    ["a number of things", "It has a 60-core GPU.", "80 core", "GPU", "It has a 60-core GPU"],
    ["a version", "Wheels: CUDA 13.2 today.", "CUDA 13.0", "wheels", "Wheels: CUDA 13.2 today"],
    ["words without spaces", "メモリは10GBまで。", "15 GB", "メモリ", "メモリは10GBまで"],
    ["a number in groups", "It costs 20 500 €.", "10 500 €", "costs", "It costs 20 500 €"],
    ["points of percent", "It rose by 6 percent.", "5 percent", "rose", "It rose by 6 percent"],
    ["a range", "It uses 40–90% of peak.", "50–100%", "peak", "It uses 40–90% of peak"],
  ])("is altered in %s", (_, page, value, of, text) => {
    expect(find(page, value, of)).toMatchObject({ status: "altered", text });
  });

  it.each([
    ["no such place", chips("95 GiB"), "95 GiB", "v7x HBM"],
    ["no figure in its place", chips("to be told"), "95 GiB", "v5p HBM"],
    ["only figures that measure something else", "# Memory\nIt costs $95 and takes 95 W.", "95 GiB", "Memory"],
    ["another figure, and no place that says whose", "It has 96 GiB.", "95 GiB", undefined],
    ["another name", "Adds gfx942.", "gfx950", undefined],
    ["nothing asked", "Adds 1 GB.", "", undefined],
  ])("is absent if there is %s", (_, page, value, of) => {
    expect(find(page, value, of)).toEqual({ status: "absent" });
  });

  it.each([
    ["Kite A has 16 GB of rope.", "Kite B has a 16 GB rope."],
    ["KITE A | 16 GB", "Kite B | 16 GB"],
    ["USB-A: 5 V, 16 GB", "USB-C: 5 V, a 16 GB disc"],
    ["Kite | A | 16 GB", "Kite | B | 16 GB"],
    ["Kite\u00a0A has 16 GB of rope.", "A kite has 16 GB."],
    ["Kite “A” has 16 GB of rope.", "We fly a kite. A rope has 16 GB."],
  ])("is that of a name which ends in the letter A: %s %s", (one, other) => {
    const of = one.startsWith("USB") ? "USB-A" : "Kite A";
    const on = (line: string) => `# Ropes\n${line.includes(" | ") ? "Name | Rope | Length\n" : ""}${line}`;
    expect(find(on(one), "16 GB", of).status).toBe("exact");
    expect(find(on(other), "16 GB", of).status).toBe("absent");
  });

  it("is found by words in capitals, one an article", () => {
    expect(find("The memory of a kite is 16 GB.", "16 GB", "MEMORY OF A KITE").status).toBe("exact");
  });

  it.each([
    "1 March 2027",
    "March 1st, 2027",
    "2027-03-01",
    "01 Mar 2027",
    "1. März 2027",
    "1er mars 2027",
    "1 de marzo de 2027",
    "1 marca 2027",
    "1 марта 2027",
    "2027年3月1日",
    "2027년 3월 1일",
    "01.03.2027",
    "1 mars 2027",
    "1. maaliskuuta 2027",
    "1 marca 2027",
    "1. března 2027",
    "1 марта 2027",
    "1 березня 2027",
    "1 Mart 2027",
    "1 martie 2027",
  ])("is a day, however it is written: %s", (written) => {
    const page = (day: string) => `Of old.\nSupport ends on ${day}, and not before.`;
    const status = (there: string, value: string) => find(page(there), value, "support ends").status;
    expect([status(written, "1 March 2027"), status("March 1, 2027", written)]).toEqual(["exact", "exact"]);
    expect([status(written, "2 March 2027"), status("March 1, 2028", written)]).toEqual(["altered", "altered"]);
    expect(status("3 sails", written)).toBe("absent");
  });

  it.each(["15/03/2027", "03/15/2027", "15-03-2027"])("is a day by figures alone, in either order: %s", (day) => {
    const status = (there: string, value: string) => find(`Support ends on ${there}.`, value, "support").status;
    expect([status(day, "2027-03-15"), status("15 March 2027", day)]).toEqual(["exact", "exact"]);
    expect([status("15/04/2027", "2027-03-15"), status("03/04/2027", day)]).toEqual(["altered", "altered"]);
    expect([status("10/12/2027", "2027-12-10"), status("10/12/2027", "2027-10-12")]).toEqual(["exact", "exact"]);
    expect([status("10/12/2027", "2027-12-11"), status("13/14/2027", day)]).toEqual(["altered", "absent"]);
    expect(status("and after 12 2027", day)).toBe("absent");
  });

  it("is another day if the figures of one that may be two changed places", () => {
    const status = (there: string, value: string) => find(`Support ends on ${there}.`, value, "support").status;
    expect([status("10/12/2027", "10/12/2027"), status("12/10/2027", "10/12/2027")]).toEqual(["exact", "altered"]);
  });

  it.each([
    ["3 years", "three years", "four years"],
    ["14 Tage", "vierzehn Tage", "dreißig Tage"],
    ["3 meses", "tres meses", "seis meses"],
    ["acht weken", "8 weken", "9 weken"],
    ["12 місяців", "дванадцять місяців", "десять місяців"],
    ["5 gün", "beş gün", "yedi gün"],
    ["35 天", "三十五天", "十五天"],
    ["14 天", "十四天", "四天"],
    ["3 天", "三天", "三十天"],
    ["15 天", "十五天", "二十五天"],
    ["2 years", "two years", "twenty-two years"],
    ["2 weeks", "two weeks", "seventy-two weeks"],
    ["5 weeks", "five weeks", "one hundred five weeks"],
    ["5 days", "five days", "one hundred and five days"],
    ["2 años", "dos años", "treinta y dos años"],
    ["3 anos", "três anos", "quarenta e três anos"],
    ["2 anni", "due anni", "cento e due anni"],
    ["10 jours", "dix jours", "soixante-dix jours"],
    ["20 天", "二十天", "十天"],
    ["2 million", "2,000,000", "2,000"],
    ["2,000,000 kites", "2 million kites", "3 million kites"],
    ["15 days", "١٥ days", "١٦ days"],
  ])("is a number, however it is written: %s", (value, same, other) => {
    const found = (there: string) => find(`The term is ${there} long.`, value, "term").status;
    expect(found(value)).toBe("exact");
    expect(found(same)).toBe("exact");
    expect(found(other)).not.toBe("exact");
  });

  it("is no number if its word counts nothing", () => {
    expect(find("The two of them share a term.", "2", "term").status).toBe("absent");
    expect(find("The term of the two", "2 years", "term").status).toBe("absent");
    expect(find("The term is 3 to days end.", "2 days", "term").status).not.toBe("exact");
  });

  it("is beside a word with a Korean particle", () => {
    expect(find("학생은 20% 할인을 받습니다.", "20%", "할인").status).toBe("exact");
  });

  it("is below the term that it explains, and not below the next one", () => {
    const terms = (...texts: string[]) =>
      wordsOfBlocks(texts.map((text) => ({ path: ["Kite"], kind: "term" as const, text })));
    const of = "Kite memory";
    expect(findValue(terms("Memory", "16 GB", "Cache", "4 GB"), { value: "16 GB", of })).toMatchObject({
      status: "exact",
      text: "Memory: 16 GB",
    });
    expect(findValue(terms("Memory", "4 GB", "Cache", "16 GB"), { value: "16 GB", of })).toMatchObject({
      status: "altered",
      text: "Memory: 4 GB",
    });
  });

  it("without `of` is followed by the words it was last found in", () => {
    const hint = "The chip holds 95 GiB of fast memory";
    const page = "Discs of 96 GiB are sold elsewhere.\nThe chip holds 128 GiB of fast memory.";
    expect(find(page, "95 GiB", undefined, hint)).toMatchObject({
      status: "altered",
      text: "The chip holds 128 GiB of fast memory",
    });
    expect(find("Discs of 96 GiB are sold.", "95 GiB", undefined, hint).status).toBe("absent");
  });

  it("takes the nearest of several figures, and the same one each time", () => {
    const page = "# Memory\nMemory starts at 36GB and ends at 120GB.";
    const found = find(page, "128 GB", "memory");
    expect(found.status).toBe("altered");
    expect(find(page, "128 GB", "memory")).toEqual(found);
  });

  it("takes bounded time on many rows", () => {
    const count = inputSize(60_000, 15_000);
    const rows = Array.from({ length: count }, (_, i) => `  v${i} | ${i} GiB | some more words`).join("\n");
    const page = pageOf(`# Chips\nChip | Memory | Notes\n${rows}`);
    const started = processorTime();
    expect(findValue(page, { value: "0.5 GiB", of: `v${count - 1} memory` })).toMatchObject({
      text: `v${count - 1} | ${count - 1} GiB`,
    });
    expect(findValue(page, { value: "0.5 GiB", of: "memory" }).status).toBe("altered");
    expectTime(processorTime() - started, inputSize(4_000, 1_000));
  });
});

describe("an absence", () => {
  const page = pageOf(`# Eager mode
    Eager mode is Experimental.
    # Memory
    Up to 96GB–512 GB of memory.
    # Matrix
    Chip | PyTorch | JAX
    v5e | yes | yes`);

  it("is broken by the words, the figure or the head of a column", () => {
    expect(findPresence(page, { absent: "experimental" })).toMatchObject({
      there: true,
      text: "Eager mode is Experimental",
    });
    expect(findPresence(page, { absent: "512GB" })).toMatchObject({ there: true, text: "Up to 96GB–512 GB of memory" });
    expect(findPresence(page, { absent: "PyTorch" })).toMatchObject({ there: true, text: "Chip | PyTorch | JAX" });
    expect(findPresence(page, { absent: "Eager Mode" }).there).toBe(true);
  });

  it("holds for other words, and in other sections", () => {
    expect(findPresence(page, { absent: "experiment" })).toEqual({ there: false, sought: true });
    expect(findPresence(page, { absent: "512 GiB" })).toEqual({ there: false, sought: true });
    expect(findPresence(page, { absent: "experimental", under: "memory" })).toEqual({ there: false, sought: true });
    expect(findPresence(page, { absent: "experimental", under: "Eager" }).there).toBe(true);
    expect(findPresence(page, { absent: "PyTorch", under: "memory" }).there).toBe(false);
  });

  it("says when there was nothing to look through", () => {
    expect(findPresence(page, { absent: "experimental", under: "Unheard of" })).toEqual({
      there: false,
      sought: false,
    });
  });
});
