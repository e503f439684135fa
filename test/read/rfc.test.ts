import { describe, expect, test } from "vitest";
import { rfc } from "../../src/read/kinds/rfc.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("rfc", () => {
  test("reads its status, its successors, and its abstract", async () => {
    expect(await reading(rfc, fixture("rfc.json"))).toEqual({
      title: "RFC 987: Flight of Kites",
      blocks: [
        { path: [], kind: "paragraph", text: "This document says how kites fly." },
        { path: [], kind: "paragraph", text: "It says nothing of balloons." },
      ],
      facts: { status: "internet standard", "updated-by": "RFC1137, RFC9102", errata: "yes" },
    });
  });

  test("has no facts before they come, and names the document that obsoleted it", async () => {
    const told = { doc_id: "RFC7231", title: "T", obsoleted_by: ["RFC9110"], updated_by: null, errata_url: null };
    expect((await reading(rfc, response(JSON.stringify(told)))).facts).toEqual({ "obsoleted-by": "RFC9110" });
  });

  test("ends when it becomes historic", async () => {
    const told = { doc_id: "RFC7231", title: "T", status: "HISTORIC" };
    const { facts } = await reading(rfc, response(JSON.stringify(told)));
    expect(rfc.endings).toContainEqual({ fact: "status", becomes: facts?.status });
    expect(rfc.states).toContainEqual({ fact: "status", is: facts?.status, says: "is historic", ended: true });
  });

  test("asks the editor, in any case of letters", () => {
    expect(rfc.request(source(rfc, {}, "RFC9110"), { githubToken: false }).url).toBe(
      "https://www.rfc-editor.org/rfc/rfc9110.json",
    );
  });

  test.each([
    ["https://www.rfc-editor.org/rfc/rfc9110.html#section-3", "rfc9110"],
    ["https://www.rfc-editor.org/rfc/rfc9110", "rfc9110"],
    ["https://www.rfc-editor.org/info/rfc0822", "rfc822"],
    ["https://www.rfc-editor.org/rfc/pdfrfc/rfc768.txt.pdf", undefined],
    ["https://datatracker.ietf.org/doc/html/rfc9110", "rfc9110"],
    ["https://datatracker.ietf.org/doc/rfc9110/", "rfc9110"],
    ["https://tools.ietf.org/html/rfc2616", "rfc2616"],
    ["https://www.ietf.org/rfc/rfc2616.txt", "rfc2616"],
    ["https://datatracker.ietf.org/doc/draft-ietf-kites-flight/", undefined],
    ["https://www.rfc-editor.org/", undefined],
  ])("knows %s", (address, name) => {
    expect(rfc.recognises?.(new URL(address))).toEqual(name && { address: name });
  });

  test("refuses another answer and another address", async () => {
    expect(await failure(rfc, "{}")).toBe("not well-formed RFC of the editor");
    expect(rfc.address.safeParse("9110").success).toBe(false);
    expect(rfc.address.safeParse("rfc0").success).toBe(false);
  });
});
