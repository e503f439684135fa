import { deflateSync } from "node:zlib";
import { counted, type Hostile, many } from "./input.ts";

/** PDFs: their compressed streams, their nesting, and the drawings of a page. */

/** The objects of a document beside those that every one has: its catalog is 1, its pages 2, its page 3, its font 4. */
interface Parts {
  /** Entries of the page's dictionary. */
  readonly page?: string;
  readonly pages?: string;
  readonly font?: string;
  readonly catalog?: string;
  /** From 5 on. */
  readonly objects?: readonly (string | Uint8Array)[];
  /** Behind the last object, instead of a table of all. */
  readonly end?: string;
}

function pdf({
  page = "/Contents 5 0 R",
  pages = "/Kids [3 0 R] /Count 1",
  font = "",
  catalog = "",
  objects = [],
  end,
}: Parts): Uint8Array {
  const all = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages ${pages} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 4 0 R >> /XObject << /X 6 0 R /Y 7 0 R >> >> ${page} >>`,
    `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${font} >>`,
    ...objects,
  ];
  const pieces: Uint8Array[] = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  let length = 9;
  const add = (piece: Uint8Array) => {
    pieces.push(piece);
    length += piece.length;
  };
  all.forEach((one, i) => {
    places.push(length);
    add(Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(one), Buffer.from("\nendobj\n")]));
  });
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${places.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")}`;
  add(Buffer.from(end ?? `${table}trailer << /Size ${all.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF`));
  return Buffer.concat(pieces);
}

const stream = (data: string | Uint8Array, more = "", word = "stream\n") => {
  const bytes = Buffer.from(data);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${more} >>\n${word}`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
};
const flate = "/Filter /FlateDecode";
const packed = (text: string | Uint8Array, more = flate, word?: string) =>
  stream(deflateSync(text, { level: 9 }), more, word);
const shown = (text: string) => `BT /F 12 Tf 72 700 Td ${text} ET`;
const line = "(so it goes on) Tj T* ";
/** The decompressed content, by the requested size. */
const much = (size: number) => size * 400;
const hex = (bytes: Uint8Array) => `${Buffer.from(bytes).toString("hex")}>`;
/** Codes of LZW: each twelve bits long, the table cleared time and again. Spec: ISO 32000-2, 7.4.4 */
function lzw(size: number): Uint8Array {
  const bits: string[] = [];
  let width = 9;
  let next = 258;
  bits.push((256).toString(2).padStart(width, "0"), (97).toString(2).padStart(width, "0"));
  for (let i = 0; i < size; i++) {
    const code = next++;
    if (code >= 4_090) {
      bits.push((256).toString(2).padStart(width, "0"));
      [width, next] = [9, 258];
      bits.push((97).toString(2).padStart(width, "0"));
      continue;
    }
    bits.push(code.toString(2).padStart(width, "0"));
    if (next + 1 >= 2 ** width && width < 12) width++;
  }
  const all = bits.join("");
  return Uint8Array.from({ length: Math.floor(all.length / 8) }, (_, i) =>
    Number.parseInt(all.slice(8 * i, 8 * i + 8), 2),
  );
}
/** Base 85, for `ASCII85Decode`. */
function ascii85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    let value = Buffer.from(bytes).readUInt32BE(at);
    let five = "";
    for (let i = 0; i < 5; i++) [five, value] = [String.fromCharCode(33 + (value % 85)) + five, Math.floor(value / 85)];
    text += five;
  }
  return `${text}~>`;
}

const rows: readonly (readonly [name: string, make: (size: number) => Uint8Array])[] = [
  ["a page of packed nothing", (n) => pdf({ objects: [packed(Buffer.alloc(much(n)))] })],
  ["a page of packed spaces", (n) => pdf({ objects: [packed(many(" ", much(n)))] })],
  ["a page of packed words", (n) => pdf({ objects: [packed(shown(many(line, much(n) / 20)))] })],
  ["a page of packed empty words", (n) => pdf({ objects: [packed(shown(many("() Tj ", much(n) / 20)))] })],
  ["a page of marks that draw nothing", (n) => pdf({ objects: [packed(many("q Q ", much(n) / 20))] })],
  ["a page of marks that open", (n) => pdf({ objects: [packed(many("q ", much(n) / 20))] })],
  ["a page that changes its font", (n) => pdf({ objects: [packed(shown(many("/F 12 Tf ", much(n) / 20)))] })],
  ["a page of numbers", (n) => pdf({ objects: [packed(many("1 ", much(n) / 20))] })],
  ["one long word", (n) => pdf({ objects: [packed(shown(`(${many("a", much(n) / 20)}) Tj`))] })],
  ["one long row of words", (n) => pdf({ objects: [packed(shown(`[${many("(a) -900 ", much(n) / 20)}] TJ`))] })],
  [
    "words at 100,000 places",
    (n) => pdf({ objects: [packed(shown(counted((i) => `1 0 0 1 ${i % 500} ${(i * 7) % 800} Tm (a) Tj `, n * 10)))] }),
  ],
  ["a word that never ends", (n) => pdf({ objects: [packed(`BT (${many("(", n)}`)] })],
  ["lists in lists", (n) => pdf({ objects: [packed(shown(many("[", n)))] })],
  ["dictionaries in dictionaries", (n) => pdf({ objects: [packed(many("<</a", n))] })],
  ["pictures within the page", (n) => pdf({ objects: [packed(many("BI /W 1 /H 1 /BPC 8 /CS /G ID a EI ", n))] })],
  ["a picture that never ends", (n) => pdf({ objects: [packed(`BI /W 9 /H 9 ID ${many("E", n)}`)] })],
  ["comments", (n) => pdf({ objects: [packed(many("%a\n", n))] })],
  [
    "a thousand pages of the same packed words",
    (n) => pdf({ pages: `/Kids [${many("3 0 R ", 6_000)}] /Count 1000`, objects: [packed(shown(many(line, n * 4)))] }),
  ],
  [
    "a page of the same packed words again and again",
    (n) => pdf({ page: `/Contents [${many("5 0 R ", n)}]`, objects: [packed(shown(many(line, n)))] }),
  ],
  [
    "forms that show each other twice",
    () =>
      pdf({
        objects: [
          stream("/X Do /X Do"),
          ...Array.from({ length: 30 }, (_, i) =>
            stream(
              "/X Do /X Do",
              `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X ${i + 7} 0 R >> >>`,
            ),
          ),
          stream(""),
        ],
      }),
  ],
  [
    "a form that shows itself",
    () =>
      pdf({
        objects: [
          stream("/X Do"),
          stream(
            "/X Do /X Do",
            "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 6 0 R >> >>",
          ),
        ],
      }),
  ],
  [
    "a form that is shown again and again",
    (n) =>
      pdf({
        objects: [
          packed(many("/X Do ", n)),
          stream(
            shown(many(line, 2_000)),
            "/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /Font << /F 4 0 R >> >>",
          ),
        ],
      }),
  ],
  [
    "packed twice",
    (n) =>
      pdf({
        objects: [
          stream(
            deflateSync(deflateSync(Buffer.alloc(much(n)), { level: 9 }), { level: 9 }),
            "/Filter [/FlateDecode /FlateDecode]",
          ),
        ],
      }),
  ],
  [
    "packed twice, with a comment between",
    (n) =>
      pdf({
        objects: [
          stream(
            deflateSync(deflateSync(Buffer.alloc(much(n)), { level: 9 }), { level: 9 }),
            "/Filter [/FlateDecode %a\n /FlateDecode]",
          ),
        ],
      }),
  ],
  [
    "packed twice, by another object",
    (n) =>
      pdf({
        objects: [
          stream(deflateSync(deflateSync(Buffer.alloc(much(n)), { level: 9 }), { level: 9 }), "/Filter 6 0 R"),
          "[/FlateDecode /FlateDecode]",
        ],
      }),
  ],
  [
    "packed twice, oddly spelt",
    (n) =>
      pdf({
        objects: [
          stream(
            deflateSync(deflateSync(Buffer.alloc(much(n)), { level: 9 }), { level: 9 }),
            "/Filter [/Fl#61teDecode /#46lateDecode]",
          ),
        ],
      }),
  ],
  ["packed, oddly spelt", (n) => pdf({ objects: [packed(Buffer.alloc(much(n)), "/F#69lter /Fl#61teDecode")] })],
  ["packed behind another end of line", (n) => pdf({ objects: [packed(Buffer.alloc(much(n)), flate, "stream \r\n")] })],
  [
    "packed, then broken",
    (n) =>
      pdf({
        objects: [
          stream(
            Buffer.concat([deflateSync(Buffer.alloc(much(n)), { level: 9 }).subarray(0, -20), Buffer.alloc(40, 255)]),
            flate,
          ),
        ],
      }),
  ],
  [
    "packed as hexadecimal digits",
    (n) =>
      pdf({
        objects: [
          stream(hex(deflateSync(Buffer.alloc(much(n)), { level: 9 })), "/Filter [/ASCIIHexDecode /FlateDecode]"),
        ],
      }),
  ],
  [
    "packed as base 85",
    (n) => pdf({ objects: [stream(ascii85(deflateSync(Buffer.alloc(much(n)), { level: 9 })), "/Filter [/A85 /Fl]")] }),
  ],
  ["runs of one letter", (n) => pdf({ objects: [stream(many("\x81a", n), "/Filter /RunLengthDecode")] })],
  ["runs of runs", (n) => pdf({ objects: [packed(many("\x81a", n * 8), "/Filter [/FlateDecode /RunLengthDecode]")] })],
  ["LZW", (n) => pdf({ objects: [stream(lzw(n), "/Filter /LZWDecode")] })],
  [
    "packed, with columns beyond all",
    (n) => pdf({ objects: [packed(Buffer.alloc(n), `${flate} /DecodeParms << /Predictor 12 /Columns 2000000000 >>`)] }),
  ],
  [
    "streams that lie in each other",
    (n) =>
      pdf({
        objects: [
          packed(shown(line)),
          Buffer.concat(
            Array.from({ length: Math.min(n / 40, 4_000) }, (_, i) =>
              Buffer.from(`${i + 6} 0 obj << /Length 99999999 ${flate} >>\nstream\n`),
            ),
          ),
          packed(Buffer.alloc(much(n))),
        ],
        end: "",
      }),
  ],
  [
    "objects packed together",
    (n) =>
      pdf({
        objects: [
          packed(shown(line)),
          packed(
            counted((i) => `${i + 10} ${i} `, n * 20),
            `${flate} /Type /ObjStm /N ${n} /First ${n}`,
          ),
        ],
        end: "",
      }),
  ],
  [
    "a table of objects, packed",
    (n) =>
      pdf({
        objects: [
          packed(shown(line)),
          packed(Buffer.alloc(much(n)), `${flate} /Type /XRef /W [1 4 2] /Size ${much(n) / 7} /Root 1 0 R`),
        ],
        end: `startxref\n${9 + 0}\n%%EOF`,
      }),
  ],
  [
    "no table of objects",
    (n) => pdf({ objects: [packed(shown(line)), ...Array.from({ length: n / 20 }, () => "1")], end: "" }),
  ],
  [
    "a table of 10^9 objects",
    () =>
      pdf({
        objects: [stream(shown(line))],
        end: "xref\n0 1000000000\n0000000000 65535 f \ntrailer << /Size 1000000000 /Root 1 0 R >>\nstartxref\n9\n%%EOF",
      }),
  ],
  [
    "tables before tables",
    (n) =>
      pdf({
        objects: [stream(shown(line))],
        end: `${counted((i) => `xref\n0 0\ntrailer << /Prev ${i} /Root 1 0 R >>\n`, n)}startxref\n700\n%%EOF`,
      }),
  ],
  [
    "pages in pages",
    (n) =>
      pdf({
        pages: "/Kids [6 0 R] /Count 900",
        objects: [
          stream(shown(line)),
          ...Array.from(
            { length: Math.min(n / 40, 3_000) },
            (_, i) => `<< /Type /Pages /Kids [${i + 7} 0 R] /Count 900 >>`,
          ),
        ],
      }),
  ],
  ["pages that are their own", () => pdf({ pages: "/Kids [2 0 R 2 0 R] /Count 900", objects: [stream(shown(line))] })],
  ["10^9 pages", () => pdf({ pages: "/Kids [3 0 R] /Count 1000000000", objects: [stream(shown(line))] })],
  [
    "letters that mean much",
    (n) =>
      pdf({
        font: "/ToUnicode 6 0 R",
        objects: [
          packed(shown(`(${many("a", n * 2)}) Tj`)),
          packed(`begincmap\n1 beginbfchar\n<61> <${"0041".repeat(250)}>\nendbfchar\nendcmap`),
        ],
      }),
  ],
  [
    "letters that mean too much",
    (n) =>
      pdf({
        font: "/ToUnicode 6 0 R",
        objects: [
          packed(shown("(a) Tj")),
          packed(
            `begincmap\n${counted((i) => `1 beginbfrange\n<00> <ffffffff> <${(i % 65_536).toString(16).padStart(4, "0")}>\nendbfrange\n`, n)}endcmap`,
          ),
        ],
      }),
  ],
  [
    "widths without end",
    (n) =>
      pdf({ font: `/FirstChar 0 /LastChar 2000000000 /Widths [${many("1 ", n)}]`, objects: [stream(shown(line))] }),
  ],
  [
    "letters drawn by forms",
    (n) =>
      pdf({
        font: "",
        objects: [
          packed(many("BT /G 9 Tf (a) Tj ET ", n)),
          `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 5 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] >>`,
        ],
        page: "/Contents 5 0 R /Resources << /Font << /G 6 0 R >> >>",
      }),
  ],
  [
    "a title without end",
    (n) =>
      pdf({ objects: [stream(shown(line))], end: `trailer << /Root 1 0 R /Info << /Title (${many("a", n)}) >> >>` }),
  ],
  ["a dictionary without end", (n) => pdf({ catalog: counted((i) => `/a${i} 1 `, n), objects: [stream(shown(line))] })],
  ["a catalog of lists in lists", (n) => pdf({ catalog: `/a ${many("[", n)}`, objects: [stream(shown(line))] })],
  ["a reference to itself", () => pdf({ page: "/Contents 5 0 R", objects: ["5 0 R"] })],
  [
    "lengths that lead to each other",
    () => pdf({ objects: ["<< /Length 6 0 R >>\nstream\na\nendstream", "<< /Length 5 0 R >>\nstream\na\nendstream"] }),
  ],
  [
    "locked, with many turns",
    () =>
      pdf({
        objects: [stream(shown(line))],
        end: `trailer << /Root 1 0 R /ID [<00> <00>] /Encrypt << /Filter /Standard /V 5 /R 6 /Length 256 /P -1 /O (${"a".repeat(48)}) /U (${"a".repeat(48)}) /OE (${"a".repeat(32)}) /UE (${"a".repeat(32)}) >> >>`,
      }),
  ],
  ["only heads", (n) => Buffer.from(many("%PDF-1.7\n", n))],
  ["only beginnings of objects", (n) => Buffer.from(`%PDF-1.7\n${counted((i) => `${i} 0 obj\n`, n)}`)],
  [
    "only beginnings of streams",
    (n) => Buffer.from(`%PDF-1.7\n${many(`1 0 obj << ${flate} >>\nstream\nx\x9c`, n)}`, "latin1"),
  ],
  ["only ends", (n) => Buffer.from(`%PDF-1.7\n${many("startxref\n9\n%%EOF\n", n)}`)],
  ["only trailers", (n) => Buffer.from(`%PDF-1.7\n${many("trailer << /Root 1 0 R >>\n", n)}`)],
  ["only zeros", (n) => Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(n)])],
];

export const pdfs: readonly Hostile[] = rows.map(([name, make]) => ({ about: "PDF", name, kind: "pdf", make }));
