import { describe, expect, test } from "vitest";
import { arxiv } from "../../src/read/kinds/arxiv.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const whole = new TextDecoder().decode(fixture("arxiv.xml").body);
const withdrawn = async (xml: string) => (await reading(arxiv, response(xml))).facts?.withdrawn;

describe("arxiv", () => {
  test("reads versions, newest first, the abstract, and where it was published", async () => {
    expect(await reading(arxiv, fixture("arxiv.xml"))).toEqual({
      title: "On the lift of small kites & their tails",
      items: [
        {
          id: "v2",
          title: "arXiv:2601.01234 v2",
          url: "https://arxiv.org/abs/2601.01234v2",
          at: Date.UTC(2026, 6, 8, 9, 30),
        },
        {
          id: "v1",
          title: "arXiv:2601.01234 v1",
          url: "https://arxiv.org/abs/2601.01234v1",
          at: Date.UTC(2026, 0, 5, 18, 0, 1),
        },
      ],
      blocks: [{ path: [], kind: "paragraph", text: "A kite of 95 g flies in a wind of 4 m/s." }],
      facts: {
        title: "On the lift of small kites & their tails",
        authors: "A. Person",
        withdrawn: "no",
        journal: "J. Kites 3 (2026) 1-12",
        doi: "10.5555/kites.3",
        license: "http://creativecommons.org/licenses/by/4.0/",
      },
    });
  });

  test("knows a withdrawal by the newest version or by the start of the comments", async () => {
    const last = whole.replace("<size>131kb</size>", "<size>0kb</size><source_type>I</source_type>");
    const first = whole.replace("<source_type>D</source_type>", "<source_type>I</source_type>");
    const commented = whole.replace("12 pages; a", "This paper has been withdrawn by its author. A");
    expect(await Promise.all([whole, first, last, commented].map(withdrawn))).toEqual(["no", "no", "yes", "yes"]);
    const commentedBy = (words: string) => withdrawn(whole.replace("12 pages; a", `${words} A`));
    const gone = [
      "Paper withdrawn by the author.",
      "[withdrawn] See 2602.00001.",
      "12 pages. This manuscript has now been withdrawn.",
      "The paper has been temporarily withdrawn.",
      "The authors have withdrawn this paper.",
      "This version withdrawn by administrators.",
      "Withdrawn from arXiv.",
      "This paper has been withdrawn from the arXiv.",
    ];
    const there = [
      "This paper was withdrawn from a conference.",
      "Withdrawn from submission to a journal; 12 pages.",
      "An earlier paper withdrawn by others is not used.",
      "Paper withdrawn by the authors from a conference.",
      "Withdrawn submission to a conference.",
    ];
    for (const words of gone) expect(await commentedBy(words), words).toBe("yes");
    for (const words of there) expect(await commentedBy(words), words).toBe("no");
  });

  test("asks for the record with all versions", () => {
    const asked = (address: string) => arxiv.request(source(arxiv, {}, address), { githubToken: false }).url;
    expect(asked("hep-th/9901001")).toBe(
      "https://oaipmh.arxiv.org/oai?verb=GetRecord&identifier=oai:arXiv.org:hep-th/9901001&metadataPrefix=arXivRaw",
    );
  });

  test.each([
    ["https://arxiv.org/abs/1706.03762", { address: "1706.03762" }],
    ["https://www.arxiv.org/abs/1706.03762v7", { address: "1706.03762", instead: true }],
    ["https://arxiv.org/pdf/1706.03762.pdf", { address: "1706.03762" }],
    ["https://arxiv.org/pdf/1706.03762v2.pdf", { address: "1706.03762", instead: true }],
    ["https://arxiv.org/html/2401.01234v1", { address: "2401.01234", instead: true }],
    ["https://export.arxiv.org/abs/hep-th/9901001", { address: "hep-th/9901001" }],
    ["https://doi.org/10.48550/arXiv.1706.03762", { address: "1706.03762" }],
    ["https://arxiv.org/abs//1706.03762", { address: "1706.03762" }],
    ["https://ar5iv.labs.arxiv.org/html/1706.03762", { address: "1706.03762" }],
    ["https://huggingface.co/papers/1706.03762", { address: "1706.03762" }],
    ["https://arxiv.org/list/cs.LG/recent", undefined],
    ["https://doi.org/10.1000/182", undefined],
  ])("knows %s", (address, recognised) => {
    expect(arxiv.recognises?.(new URL(address))).toEqual(recognised);
  });

  test("refuses another answer and another address", async () => {
    const none = '<OAI-PMH><error code="idDoesNotExist">Nothing here</error></OAI-PMH>';
    expect(await failure(arxiv, none)).toBe("200, not found");
    expect(await failure(arxiv, "<OAI-PMH></OAI-PMH>")).toBe("not well-formed record of arXiv");
    expect(await failure(arxiv, whole.slice(0, 700))).toBe("not well-formed XML (OAI-PMH)");
    expect(await failure(arxiv, "<rss></rss>")).toBe("not well-formed XML (OAI-PMH)");
    expect(await failure(arxiv, "<!doctype html><html></html>")).toContain("HTML");
    expect(arxiv.address.safeParse("1706.3").success).toBe(false);
    expect(arxiv.address.safeParse("../../1234567").success).toBe(false);
  });
});
