import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { inflatesTo } from "../../src/read/formats/pdf.ts";
import { pdf } from "../../src/read/pdf.ts";
import { failure, fixture, reading, response } from "./given.ts";

const paragraph = (text: string) => ({ path: [], kind: "paragraph", text });

describe("pdf", () => {
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

  test("refuses what is packed to fill the memory", async () => {
    const packed = deflateSync(Buffer.alloc(120_000_000), { level: 9 });
    const body = Buffer.concat([Buffer.from("%PDF-1.7\n1 0 obj <<>>\nstream\n"), packed, Buffer.from("\nendstream")]);
    expect(await failure(pdf, response(body))).toBe("larger than 100 MB");
    expect(await failure(pdf, "%PDF-1.7\n<< /Filter [ /FlateDecode /FlateDecode ] >>")).toBe("larger than 100 MB");
  });

  test("counts what streams inflate to, also one that is cut off", () => {
    const packed = deflateSync(Buffer.alloc(1_000));
    const of = (data: Uint8Array) => inflatesTo(Buffer.concat([Buffer.from("stream\r\n"), data]), 10_000);
    expect(of(packed)).toBe(1_000);
    expect(of(packed.subarray(0, -4))).toBe(1_000);
    expect(of(Buffer.from("no zlib at all"))).toBe(0);
    expect(inflatesTo(Buffer.from("stream"), 10)).toBe(0);
  });
});
