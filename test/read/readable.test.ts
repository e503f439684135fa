import { describe, expect, it } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import type { Reading } from "../../src/model/reading.ts";
import type { Source } from "../../src/model/source.ts";
import { page } from "../../src/read/kinds/page.ts";
import { type Parts, pageHtml } from "./fixtures/pages/build.ts";
import { lookalikes } from "./fixtures/pages/lookalikes.ts";
import { walls } from "./fixtures/pages/walls.ts";

const source = { id: "x", kind: "page", address: "https://example.org/docs", options: {} } as unknown as Source;

function read(parts: Parts): Reading | Failure {
  const body = new TextEncoder().encode(pageHtml(parts));
  try {
    return page.read({ url: parts.url ?? source.address, status: 200, headers: {}, body }, source) as Reading;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

describe("answers that are not the page", () => {
  it.each(walls)("%s is unknown: %s", (_, kind, parts) => {
    expect(read(parts)).toMatchObject({ kind });
  });

  it("has at least 40 cases", () => {
    expect(new Set(walls.map(([name]) => name)).size).toBeGreaterThanOrEqual(40);
  });
});

describe("pages that only look like such answers", () => {
  it.each(lookalikes)("%s is read", (_, parts) => {
    const reading = read(parts);
    expect(reading).not.toBeInstanceOf(Failure);
    expect((reading as Reading).blocks?.length).toBeGreaterThan(0);
  });

  it("has at least 40 cases", () => {
    expect(new Set(lookalikes.map(([name]) => name)).size).toBeGreaterThanOrEqual(40);
  });
});

describe("a message of the program that writes the page", () => {
  const page = (message: string): Parts => ({
    title: "Prices",
    body: `<h1>Prices</h1>${message}<p>A kite costs $12.</p>`,
  });
  const warning =
    "<br />\n<b>Warning</b>:  include(x.php): Failed to open stream in <b>/var/www/a.php</b> on line <b>3</b><br />\n";

  it("is no text of it", () => {
    expect(read(page(warning))).toEqual(read(page("")));
    expect(read(page(`${warning}${warning.replace("Warning", "Deprecated")}`))).toEqual(read(page("")));
  });

  it("is text if somebody explains it", () => {
    const explained = page("<p><b>Warning</b>: a kite bites.</p>");
    expect(read(explained)).toMatchObject({ blocks: [{}, { text: "Warning: a kite bites." }, {}] });
  });
});
