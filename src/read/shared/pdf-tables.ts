/**
 * Tables for Chinese, Japanese and Korean fonts that a PDF names but does not contain. The library needs two tables:
 * from bytes to a glyph number in the font's collection, and from that number to the character. Adobe's tables take a
 * megabyte. Since no glyph is drawn here, ours use the character itself as the number.
 * https://github.com/adobe-type-tools/cmap-resources
 */

interface Encoding {
  readonly names: RegExp;
  /** The charset of its bytes; undefined if they are UTF-16. */
  readonly charset?: string;
  /** Ranges of its codes, in hexadecimal digits. */
  readonly codes: readonly (readonly [from: string, to: string])[];
  /** Added to each byte, since 7-bit forms omit the highest bit. */
  readonly high?: number;
}

const euc = [["a1a1", "fefe"]] as const;
const bare = [["2121", "7e7e"]] as const;
const ascii = ["20", "7e"] as const;

const encodings: readonly Encoding[] = [
  {
    names: /^(?:90ms|90msp|90pv|83pv|Add|Ext)-RKSJ-[HV]$/,
    charset: "shift_jis",
    codes: [ascii, ["a0", "df"], ["8140", "9ffc"], ["e040", "fcfc"]],
  },
  { names: /^EUC-[HV]$/, charset: "euc-jp", codes: [ascii, ["8ea0", "8edf"], ...euc] },
  { names: /^[HV]$/, charset: "euc-jp", codes: bare, high: 128 },
  { names: /^GBK?(?:p|pc|2K)?-(?:EUC-)?[HV]$/, charset: "gbk", codes: [ascii, ["8140", "fefe"]] },
  {
    names: /^(?:B5pc|ETen-B5|ETenms-B5|HKscs-B5|HKdl[ab]-B5)-[HV]$/,
    charset: "big5",
    codes: [ascii, ["8140", "fefe"]],
  },
  { names: /^KSC(?:ms|pc)?-(?:EUC|UHC)(?:-HW)?-[HV]$/, charset: "euc-kr", codes: [ascii, ["8141", "fefe"]] },
  { names: /^Uni(?:JIS|JISX0213|JIS2004|GB|CNS|KS)-(?:UCS2|UTF16)(?:-HW)?-[HV]$/, codes: [["0000", "ffff"]] },
];

/** Whether a table maps numbers to characters. */
export function isOfCharacters(name: string): boolean {
  return /^Adobe-(?:Japan1|GB1|CNS1|Korea1|KR)-UCS2$/.test(name);
}

/** A table by its name, as PostScript; undefined for any other. */
export function fontTable(name: string): string | undefined {
  if (isOfCharacters(name)) return tableOf(name, [["0000", "ffff"]], characters);
  const encoding = encodings.find(({ names }) => names.test(name));
  return encoding && tableOf(name, encoding.codes, numbersOf(encoding));
}

const characters = "1 beginbfrange <0000> <ffff> <0000> endbfrange";

function tableOf(name: string, codes: Encoding["codes"], body: string): string {
  const ranges = codes.map(([from, to]) => `<${from}> <${to}>`).join("\n");
  return [
    `/CMapName /${name} def`,
    `/WMode ${name.endsWith("V") ? 1 : 0} def`,
    `${codes.length} begincodespacerange\n${ranges}\nendcodespacerange`,
    body,
    "endcmap",
  ].join("\n");
}

function numbersOf({ charset, codes, high = 0 }: Encoding): string {
  if (charset === undefined) return "1 begincidrange <0000> <ffff> 0 endcidrange";
  const decoder = new TextDecoder(charset);
  const lines = codes.flatMap(([from, to]) =>
    codesBetween(from, to).flatMap((code) => {
      const text = decoder.decode(Uint8Array.from(code, (byte) => byte + high));
      return text.length === 1 && text !== "\ufffd"
        ? [`<${Buffer.from(code).toString("hex")}> ${text.charCodeAt(0)}`]
        : [];
    }),
  );
  return `${lines.length} begincidchar\n${lines.join("\n")}\nendcidchar`;
}

/** Each byte of a code has its own range. */
function codesBetween(from: string, to: string): number[][] {
  const [first, last] = [Buffer.from(from, "hex"), Buffer.from(to, "hex")];
  return [...first].reduce<number[][]>(
    (codes, start, i) => {
      const bytes = Array.from({ length: (last[i] ?? start) - start + 1 }, (_, k) => start + k);
      return codes.flatMap((code) => bytes.map((byte) => [...code, byte]));
    },
    [[]],
  );
}
