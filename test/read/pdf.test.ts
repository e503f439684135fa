import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pdf } from "../../src/read/kinds/pdf.ts";
import { inflatesTo } from "../../src/read/shared/pdf-bombs.ts";
import { failure, fixture, reading, response } from "./given.ts";

const paragraph = (text: string) => ({ path: [], kind: "paragraph", text });

describe("pdf", () => {
  const helvetica = "<< /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>";

  test("reads paragraphs across lines, without page numbers", async () => {
    expect(await reading(pdf, fixture("pdf.pdf"))).toEqual({
      title: "Accelerator X1 datasheet",
      facts: { pages: "2" },
      blocks: [
        paragraph("Accelerator X1 datasheet"),
        paragraph("The X1 holds 96 GB of HBM3 and reads it at 4.1 TB/s. It is produced since March 2026."),
        paragraph("Frameworks: PyTorch 2.12 and JAX 0.9."),
        paragraph("Limits"),
        paragraph("Two cards may be joined (NVLink is absent)."),
      ],
    });
  });

  test.each([
    ["HTML", "<!doctype html><p>moved", "HTML where a PDF was expected"],
    ["text", "hello", "something else where a PDF was expected"],
    ["nothing", "", "an empty answer"],
    ["only a beginning", "%PDF-1.7\n1 0 obj\n<<", "not well-formed PDF"],
  ])("refuses %s", async (_, body, says) => {
    expect(await failure(pdf, body)).toBe(says);
  });

  test("says of a scan that it has no text", async () => {
    const scan = pdfOf("q 300 0 0 400 0 0 cm /Im Do Q", "<< >>");
    expect(await failure(pdf, scan)).toBe("a PDF with only pictures: its text cannot be read");
  });

  test("reads raised figures in their line, as raised ones", async () => {
    const words: readonly (readonly [string, number, number, number])[] = [
      ["It holds 16 GB", 12, 72, 700],
      ["1", 7, 148, 705],
      [" of memory and 10", 12, 152, 700],
      ["6", 7, 252, 708],
      [" files.", 12, 256, 700],
    ];
    const drawn = words.map(([text, size, x, y]) => `BT /F ${size} Tf ${x} ${y} Td (${text}) Tj ET`).join(" ");
    const { blocks } = await reading(pdf, response(pdfOf(drawn, helvetica)));
    expect(blocks).toEqual([paragraph("It holds 16 GB¹ of memory and 10⁶ files.")]);
  });

  const written = async (...pages: readonly (readonly [string, number])[][]) => {
    const drawn = pages.map((lines) => lines.map(([text, y]) => `BT /F 12 Tf 72 ${y} Td (${text}) Tj ET`).join(" "));
    const { blocks = [] } = await reading(pdf, response(pdfOf(drawn, helvetica)));
    return blocks.map(({ text }) => text);
  };

  test("a paragraph that a page ends goes on on the next page", async () => {
    const first = [["The card holds 96 GB of memory, which it", 100]] as const;
    expect(await written([...first], [["reads at 4.1 TB/s.", 700]])).toEqual([
      "The card holds 96 GB of memory, which it reads at 4.1 TB/s.",
    ]);
    expect(await written([...first], [["Limits", 700]])).toHaveLength(2);
    expect(await written([["It is produced since 2025.", 100]], [["reads at 4.1 TB/s.", 700]])).toHaveLength(2);
  });

  test("reads the head of all pages once, and no numbers of pages", async () => {
    const page = (number: number, text: string): [string, number][] => [
      ["Handbook, edition 3", 800],
      [text, 700],
      [`Seite ${number} von 3`, 40],
    ];
    const texts = ["The card holds 96 GB of memory, which it", "reads at 4.1 TB/s.", "Limits"];
    expect(await written(...texts.map((text, index) => page(index + 1, text)))).toEqual([
      "Handbook, edition 3",
      "The card holds 96 GB of memory, which it reads at 4.1 TB/s.",
      "Limits",
    ]);
  });

  test("keeps figures in lines of their own, and the last rows of pages", async () => {
    const page = (memory: string): [string, number][] => [
      ["96", 700],
      [`Memory of ${memory} GB`, 600],
      ["Bandwidth", 500],
      [`Up to ${memory} cards`, 40],
    ];
    expect(await written([["Figures", 800], ...page("64")], page("128"))).toEqual([
      ...["Figures", "96", "Memory of 64 GB", "Bandwidth", "Up to 64 cards"],
      ...["Memory of 128 GB", "Bandwidth", "Up to 128 cards"],
    ]);
  });

  test.each([
    ["90ms-RKSJ-H", "Japan1", "8d c5 8f ac 94 c5 20 33 2e 32", "最小版 3.2"],
    ["EUC-H", "Japan1", "ba c7 be ae c8 c7", "最小版"],
    ["H", "Japan1", "3a 47 3e 2e 48 47", "最小版"],
    ["GBK-EUC-H", "GB1", "d7 ee b5 cd b0 e6 b1 be", "最低版本"],
    ["ETen-B5-H", "CNS1", "b3 cc a7 43 aa a9 a5 bb", "最低版本"],
    ["KSCms-UHC-H", "Korea1", "c3 d6 bc d2 20 b9 f6 c0 fc", "최소 버전"],
    ["UniJIS-UCS2-H", "Japan1", "67 00 5c 0f 72 48", "最小版"],
    ["90ms-RKSJ-V", "Japan1", "8d c5 8f ac", "最小"],
  ])("reads letters of a font that it does not hold: %s", async (encoding, ordering, bytes, text) => {
    const descendant = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Ryumin-Light /Flags 6 >> >>`;
    const fonts = `<< /F << /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /${encoding} /DescendantFonts [${descendant}] >> >>`;
    const drawn = `BT /F 12 Tf 72 700 Td <${bytes.replaceAll(" ", "")}> Tj ET`;
    const { blocks = [] } = await reading(pdf, response(pdfOf(drawn, fonts)));
    // Letters that stand below one another are lines of one letter.
    expect(
      blocks
        .map((block) => block.text)
        .join("")
        .replace(/\s/g, ""),
    ).toBe(text.replace(/\s/g, ""));
  });

  describe("PDF bomb", () => {
    const limit = 1_000_000;
    const bomb = deflateSync(Buffer.alloc(limit + 200_000), { level: 9 });
    const of = (data: Uint8Array, dictionary = "<< /Filter /FlateDecode >>", line = "\n") =>
      Buffer.concat([Buffer.from(`%PDF-1.7\n1 0 obj ${dictionary}\nstream${line}`), data, Buffer.from("\nendstream")]);

    test("is refused", async () => {
      const body = of(deflateSync(Buffer.alloc(120_000_000), { level: 9 }));
      expect(await failure(pdf, response(body))).toBe("larger than 100 MB");
    });

    test.each([
      ["as it is usual", of(bomb)],
      ["whatever its dictionary says", of(bomb, "<< /F#69lter 7 0 R >>")],
      ["with spaces before the line's end", of(bomb, undefined, " \t \r\n")],
      ["without its end", of(bomb.subarray(0, -9))],
      ["broken at its end", of(Buffer.concat([bomb.subarray(0, -9), Buffer.alloc(50, 255)]))],
      ["packed twice", of(deflateSync(bomb, { level: 9 }), "<< /Filter [/Fl %\n /Fl] >>")],
      ["packed four times", of(deflateSync(deflateSync(deflateSync(bomb))))],
      ["in hexadecimal digits", of(Buffer.from(`${bomb.toString("hex")}>`))],
      ["in base 85", of(Buffer.from(base85(bomb)))],
      ["in digits that are packed", of(deflateSync(`${bomb.toString("hex")}>`))],
    ])("is counted up to the limit: %s", async (_, body) => {
      expect(await inflatesTo(body, limit)).toBeGreaterThan(limit);
    });

    test("streams that lie in each other count as often as they are read", async () => {
      const lines = Buffer.from("stream\n".repeat(40));
      const nested = Buffer.concat([lines, deflateSync(Buffer.alloc(9_000_000))]);
      expect(await inflatesTo(nested, 100_000_000)).toBe(9_000_000);
      const stored = deflateSync(Buffer.concat([lines, Buffer.alloc(1_000)]), { level: 0 });
      expect(await inflatesTo(Buffer.concat([Buffer.from("stream\n"), stored]), 10_000)).toBeGreaterThan(1_000);
    });

    test("one page of more text than a thousand should have", async () => {
      const words = deflateSync(`BT /F 12 Tf 72 700 Td ${`(${"words of it ".repeat(4)}) Tj T* `.repeat(110_000)} ET`);
      const body = Buffer.concat([
        Buffer.from(
          "%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n",
        ),
        Buffer.from(
          "3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 900 900] /Resources << /Font << /F 4 0 R >> >> /Contents 5 0 R >> endobj\n",
        ),
        Buffer.from("4 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj\n"),
        Buffer.from(`5 0 obj << /Length ${words.length} /Filter /FlateDecode >>\nstream\n`),
        words,
        Buffer.from("\nendstream endobj\ntrailer << /Root 1 0 R >>"),
      ]);
      expect(await failure(pdf, response(body))).toBe("larger than 5 MB");
    });

    test("counts what streams inflate to, also one that is cut off", async () => {
      const packed = deflateSync(Buffer.alloc(1_000));
      const of = (data: Uint8Array) => inflatesTo(Buffer.concat([Buffer.from("stream\r\n"), data]), 10_000);
      expect(await of(packed)).toBe(1_000);
      expect(await of(packed.subarray(0, -4))).toBe(1_000);
      expect(await of(Buffer.from("no zlib at all"))).toBe(0);
      expect(await of(Buffer.from(base85(packed)))).toBe(1_000);
      expect(await inflatesTo(Buffer.from("stream"), 10)).toBe(0);
    });
  });
});

/** A PDF; `drawn`: what is on each page, `fonts` by their names. */
function pdfOf(drawn: string | readonly string[], fonts: string): string {
  const pages = [drawn].flat();
  const kids = pages.map((_, index) => `${10 + index} 0 R`).join(" ");
  return [
    `%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n2 0 obj << /Type /Pages /Kids [${kids}] /Count ${pages.length} >> endobj`,
    ...pages.flatMap((page, index) => [
      `${10 + index} 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 900 900] /Resources << /Font ${fonts} >> /Contents ${50 + index} 0 R >> endobj`,
      `${50 + index} 0 obj << /Length ${page.length} >>\nstream\n${page}\nendstream endobj`,
    ]),
    "trailer << /Root 1 0 R >>",
  ].join("\n");
}

/** As `ASCII85Decode` takes it. */
function base85(bytes: Buffer): string {
  const whole = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  let text = "";
  for (let at = 0; at < whole.length; at += 4) {
    const value = whole.readUInt32BE(at);
    text += Array.from({ length: 5 }, (_, i) =>
      String.fromCharCode(33 + (Math.floor(value / 85 ** (4 - i)) % 85)),
    ).join("");
  }
  return `${text}~>`;
}
