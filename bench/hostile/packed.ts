import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { type Hostile, many } from "./input.ts";

/** Answers that are small on the wire, or whose frame lies: each is the whole answer with its head. */

const page = (text: string) =>
  `<!doctype html><html><head><title>A page</title></head><body><p>${text}</p></body></html>`;
const head = (...lines: string[]) =>
  Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${lines.join("\r\n")}\r\n\r\n`);
const encoded = (coding: string, body: Uint8Array) =>
  Buffer.concat([head(`content-encoding: ${coding}`, `content-length: ${body.length}`), body]);
const chunked = (chunks: string) => Buffer.concat([head("transfer-encoding: chunked"), Buffer.from(chunks)]);

/** Unpacked, per character of the size that is asked for. */
const bomb = (size: number, piece = "a ") => Buffer.from(page(many(piece, size * 800)));
const best = { level: 9 };

const rows: readonly (readonly [name: string, make: (size: number) => Uint8Array])[] = [
  ["gzip of a long text", (n) => encoded("gzip", gzipSync(bomb(n), best))],
  ["gzip of tags", (n) => encoded("gzip", gzipSync(bomb(n, "<div>"), best))],
  ["deflate of a long text", (n) => encoded("deflate", deflateSync(bomb(n), best))],
  ["bare deflate of a long text", (n) => encoded("deflate", deflateRawSync(bomb(n), best))],
  ["Brotli of a long text", (n) => encoded("br", brotliCompressSync(bomb(n), { params: { 1: 5 } }))],
  [
    "just what may come unpacked, in tags",
    (n) => encoded("gzip", gzipSync(page(many("<p>a</p>\n", Math.min(n * 380, 19_900_000))))),
  ],
  [
    "just what may come unpacked, in words",
    (n) => encoded("gzip", gzipSync(page(many("words of it. ", Math.min(n * 380, 19_900_000))))),
  ],
  ["gzip in gzip", (n) => encoded("gzip, gzip", gzipSync(gzipSync(bomb(n), best), best))],
  [
    "gzip in Brotli in gzip",
    (n) => encoded("gzip, br, gzip", gzipSync(brotliCompressSync(gzipSync(bomb(n), best), { params: { 1: 5 } }))),
  ],
  ["four codings", (n) => encoded("gzip, gzip, gzip, gzip", gzipSync(bomb(n), best))],
  ["a coding again and again", (n) => encoded(many("gzip, ", Math.min(n, 8_000)), gzipSync("a"))],
  ["gzip that breaks off", (n) => encoded("gzip", gzipSync(bomb(n), best).subarray(0, -9))],
  [
    "gzip with another check sum",
    (n) => encoded("gzip", Buffer.concat([gzipSync(bomb(n / 400), best).subarray(0, -8), Buffer.alloc(8, 1)])),
  ],
  ["gzip, then something else", (n) => encoded("gzip", Buffer.concat([gzipSync(page("a")), Buffer.alloc(n, 97)]))],
  ["members of gzip", (n) => encoded("gzip", Buffer.concat(Array.from({ length: n / 25 }, () => gzipSync("a"))))],
  ["empty members of gzip", (n) => encoded("gzip", Buffer.concat(Array.from({ length: n / 20 }, () => gzipSync(""))))],
  [
    "empty blocks of deflate",
    (n) =>
      encoded("deflate", Buffer.concat([Buffer.from([0x78, 0x9c]), Buffer.from(many("\0\0\0\xff\xff", n), "latin1")])),
  ],
  [
    "a name in the head of gzip",
    (n) => encoded("gzip", Buffer.concat([Buffer.from([31, 139, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.alloc(n, 97)])),
  ],
  ["no gzip", (n) => encoded("gzip", Buffer.alloc(n, 97))],
  ["chunks of one byte", (n) => chunked(`${many("1\r\na\r\n", n * 20)}0\r\n\r\n`)],
  ["chunks with long extensions", (n) => chunked(`${many(`1;${"a=b;".repeat(200)}\r\na\r\n`, n * 20)}0\r\n\r\n`)],
  ["an extension without end", (n) => chunked(`1;${many("a", n * 20)}`)],
  ["a size without end", (n) => chunked(many("1", n))],
  ["a size beyond all", () => chunked("fffffffffffffff\r\na")],
  ["no size", (n) => chunked(many("\r\n", n))],
  ["trailers", (n) => chunked(`1\r\na\r\n0\r\n${many("a: b\r\n", n * 20)}`)],
  ["a length beyond what comes", (n) => Buffer.concat([head("content-length: 9000000"), Buffer.alloc(n, 97)])],
  ["a length below what comes", (n) => Buffer.concat([head("content-length: 5"), Buffer.alloc(n, 97)])],
  ["headers without end", (n) => Buffer.from(`HTTP/1.1 200 OK\r\n${many("a: b\r\n", n * 20)}`)],
  ["a header without end", (n) => Buffer.from(`HTTP/1.1 200 OK\r\na: ${many("b", n * 20)}`)],
  ["a status without end", (n) => Buffer.from(`HTTP/1.1 200 ${many("OK", n * 20)}`)],
  [
    "answers before the answer",
    (n) => Buffer.from(`${many("HTTP/1.1 103 Early Hints\r\n\r\n", n)}HTTP/1.1 200 OK\r\n\r\na`),
  ],
  [
    "a type without end",
    (n) =>
      Buffer.from(
        `HTTP/1.1 200 OK\r\ncontent-type: text/html;${many(" charset", Math.min(n, 12_000))}\r\n\r\n<p>a</p>`,
      ),
  ],
  ["another protocol", (n) => Buffer.from(many("SSH-2.0-a\r\n", n))],
  [
    "UTF-16 without a mark",
    (n) =>
      Buffer.concat([
        Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-16\r\n\r\n"),
        Buffer.from(page(many("a ", n * 20)), "utf16le"),
      ]),
  ],
  [
    "a character set that does not fit",
    (n) =>
      Buffer.concat([
        Buffer.from("HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=iso-2022-jp\r\n\r\n"),
        Buffer.from(many("\x1b$B!!\x1b(B", n), "latin1"),
      ]),
  ],
];

export const packed: readonly Hostile[] = rows.map(([name, make]) => ({
  about: "the wire",
  name,
  kind: "page",
  isWhole: true,
  make,
}));
