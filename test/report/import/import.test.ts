import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config/index.ts";
import { formatProblem } from "../../../src/config/problems.ts";
import { readers } from "../../../src/read/index.ts";
import { importOf } from "../../../src/report/import/index.ts";
import { draft } from "../../../src/report/index.ts";
import { reportTextOf } from "../../../src/report/parse/report-text.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { inputSize } from "../../support/runs.ts";

function imported(path: string, text: string) {
  const read = importOf(path, text);
  return read?.all.map(({ key, title, address, line }) => [key, title, address, line]);
}

const bib = String.raw`% References of the paper on kites.
Mail to ada@kites.example before you change it.
@string{pub = "Kite Press"}
@string(journal = {Annals of } # pub)

@article{hargrave1893,
  title     = {{The {Box} Kite}: {\"U}ber den {W}ind \& \emph{the} air},
  journal   = journal # " (Series B)",
  doi       = {10.1007/978-3-030\_12\_7},
  url       = "https://kites.example/box",
  year      = 1893
}
@misc{eprint,
  title = "Kites that learn", eprint = {2601.00001}, archivePrefix = {arXiv}, primaryClass = {cs.LG},
}
@inproceedings{chapter, crossref = {volume}, title = {A Chapter on \'Etoiles and fa{\c c}ades, na\"{\i}ve}}
@proceedings{volume, title = {Proceedings of Kites}, url = {\url{https://kites.example/volume_1}}}
@online{page, title = {Wind -- today}, url = {https://kites.example/a\_b\%20c~d}, urldate = {2026-05-01}}
@misc{note, title = {In a note}, howpublished = {Available at \url{https://kites.example/note}}}
@book{paper, title = {On paper}, isbn = {978-3-16-148410-0}}
@comment{ @article{ignored, title = {No} } }
`;

describe("BibTeX", () => {
  test("becomes sources: nested braces, strings, accents, crossref, addresses in every place for them", () => {
    expect(imported("refs.bib", bib)).toEqual([
      ["hargrave1893", "The Box Kite: Über den Wind & the air", "https://doi.org/10.1007/978-3-030_12_7", 6],
      ["eprint", "Kites that learn", "https://arxiv.org/abs/2601.00001", 13],
      ["chapter", "A Chapter on Étoiles and façades, naïve", "https://kites.example/volume_1", 16],
      ["volume", "Proceedings of Kites", "https://kites.example/volume_1", 17],
      ["page", "Wind – today", "https://kites.example/a_b%20c~d", 18],
      ["note", "In a note", "https://kites.example/note", 19],
      ["paper", "On paper (ISBN 978-3-16-148410-0)", undefined, 20],
    ]);
    expect(importOf("refs.bib", bib)?.faults).toEqual([]);
  });

  test("takes what it can read, and says of the rest in which line it is, and why", () => {
    const text = `@article{one, title = {One}, url = {https://kites.example/1}}
@article{two, title = {Two, url = {https://kites.example/2}
@article{three title = {Three}}
@article{, title = {None}}
@article{four, title}
@article{five}
@article{six, title = {Six}, url = {https://kites.example/6}}
@article{seven, title = {Seven}`;
    const { all, faults } = importOf("refs.bib", text) ?? {};
    expect(all?.map(({ key, address }) => [key, address])).toEqual([
      ["one", "https://kites.example/1"],
      ["", undefined],
      ["six", "https://kites.example/6"],
    ]);
    expect(faults).toEqual([
      "refs.bib:2: entry two is not closed",
      "refs.bib:3: entry three: a comma is missing after its key",
      "refs.bib:5: entry four: no value for field title",
      "refs.bib:6: entry five is empty",
      "refs.bib:8: entry seven is not closed",
    ]);
  });

  test("names a paper as search engines, catalogues and people name it", () => {
    const text = String.raw`
@article{scholar, title = {$\beta$-Kites}, journal = {arXiv preprint arXiv:2601.00002}, year = {2026}}
@article{dblp, title = {Strings}, journal = {CoRR}, volume = {abs/2601.00003}}
@article{sici, title = {Old}, doi = {10.1002/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-#}}
@misc{link, title = {Linked}, link = {https://kites.example/link}}
@misc{bdsk, title = {Saved}, bdsk-url-1 = {https://kites.example/saved}}
@misc{sim, title = {Home}, url = {https://kites.example/$\sim$ada/?a=1&amp;b=2}}
@inproceedings{own, crossref = {whole}, title = {A Chapter}, url = {https://kites.example/chapter}}
@proceedings{whole, title = {The Whole}, doi = {10.1007/whole}}
`;
    expect(imported("refs.bib", text)?.map(([key, title, address]) => [key, title, address])).toEqual([
      ["scholar", "β-Kites", "https://arxiv.org/abs/2601.00002"],
      ["dblp", "Strings", "https://arxiv.org/abs/2601.00003"],
      ["sici", "Old", "https://doi.org/10.1002/(SICI)1097-4571(199806)49:8%3C693::AID-ASI4%3E3.0.CO;2-%23"],
      ["link", "Linked", "https://kites.example/link"],
      ["bdsk", "Saved", "https://kites.example/saved"],
      ["sim", "Home", "https://kites.example/~ada/?a=1&b=2"],
      ["own", "A Chapter", "https://kites.example/chapter"],
      ["whole", "The Whole", "https://doi.org/10.1007/whole"],
    ]);
  });

  test("loses no entry behind one whose last field has its comma and which is not closed", () => {
    const text = `@article{one, title = {One}, url = {https://kites.example/1},
@article{two, title = {Two {Kites}, url = {https://kites.example/2}},

@article{three, url = {https://kites.example/3}}`;
    const { all, faults } = importOf("refs.bib", text) ?? {};
    expect(all?.map(({ key }) => key)).toEqual(["three"]);
    expect(faults).toEqual(["refs.bib:1: entry one is not closed", "refs.bib:2: entry two is not closed"]);
  });

  test("is read in time that grows with its length alone, and no further than its limits", () => {
    const size = inputSize(100_000, 20_000);
    const hostile = [
      "@article{x, title = {".repeat(size),
      `@article{x, title = ${"{".repeat(10 * size)}`,
      `@article{x, title = "${'\\"'.repeat(5 * size)}`,
      `@article{x, title = {${"\\'{".repeat(3 * size)}`,
      "@".repeat(10 * size),
      "@a{b,c=d#".repeat(size),
      "\n@a{".repeat(2 * size),
    ];
    const before = processorTime();
    for (const text of hostile) importOf("a.bib", text);
    importOf("a.ris", "TY  - JOUR\nTI  - a\n".repeat(size));
    importOf("a.json", `[${'{"type":"book",'.repeat(2 * size)}`);
    expectTime(processorTime() - before, size * 0.08);
    const many = importOf("a.bib", Array.from({ length: 3_100 }, (_, i) => `@misc{k${i}, title={T}}`).join("\n"));
    expect([many?.all.length, many?.left]).toEqual([3_000, 100]);
    const bad = importOf("a.bib", "@misc{a b}\n".repeat(80));
    expect([bad?.faults.length, bad?.faults.at(-1)]).toEqual([51, "a.bib: 30 more faults"]);
  });
});

const ris = `TY  - JOUR
ID  - hargrave
AU  - Hargrave, L.
TI  - The box kite
  and its tail
DO  - 10.1000/kites_1
UR  - https://kites.example/box
ER  -

TY  - ELEC
T1  - Two addresses
UR  - file:///home/ada/kite.pdf
UR  - http://localhost/kite
UR  - https://kites.example/one; https://kites.example/two
L1  - https://kites.example/three.pdf
ER  -
TY  - BOOK
TI  - On paper
SN  - 9783161484100
TY  - GEN
TI  - Never closed
UR  - https://kites.example/open`;

describe("RIS", () => {
  test("becomes sources, the first address that may be public of several", () => {
    expect(imported("export.ris", ris)).toEqual([
      ["hargrave", "The box kite and its tail", "https://doi.org/10.1000/kites_1", 1],
      ["", "Two addresses", "https://kites.example/one", 10],
      ["", "On paper (ISBN 9783161484100)", undefined, 17],
      ["", "Never closed", "https://kites.example/open", 20],
    ]);
  });

  test("takes no ISSN for an ISBN, and no full stop into a DOI", () => {
    const text = `TY  - JOUR
TI  - In a journal
SN  - 1234-5678
ER  -
TY  - JOUR
ST  - Noted
N1  - See https://doi.org/10.1000/noted.
ER  -
TY  - JOUR
TI  - Among other notes
N1  - Export Date: 1 May 2026; doi:10.1000/among; Cited By: 3
ER  -
`;
    expect(imported("export.ris", text)?.map(([, title, address]) => [title, address])).toEqual([
      ["In a journal", undefined],
      ["Noted", "https://doi.org/10.1000/noted"],
      ["Among other notes", "https://doi.org/10.1000/among"],
    ]);
  });

  test("a line separator within a line ends none", () => {
    const cited = (path: string, text: string) =>
      importOf(path, text)?.all.map(({ title, address }) => [title, address]);
    const ris = "TY  - JOUR\nT1  - One\u2028two\u2029three\nUR  - https://a.example.org/x\nER  -\n";
    expect(cited("a.ris", ris)).toEqual([["One two three", "https://a.example.org/x"]]);
    const bib = "@misc{a, title={One\u2028two}, url={https://a.example.org/x}}";
    expect(cited("a.bib", bib)).toEqual([["One two", "https://a.example.org/x"]]);
    const { parts } = reportTextOf("a.md", "# One\u2028two\n\n1. Three\u2028four\n");
    expect(parts.map(({ kind, text }) => `${kind}: ${text}`)).toEqual(["heading: One two", "item: Three four"]);
  });

  test("says what is out of place", () => {
    expect(importOf("export.ris", ris)?.faults).toEqual([
      "export.ris:17: the entry has no end (ER)",
      "export.ris:20: the entry has no end (ER)",
    ]);
    expect(importOf("a.ris", "no entry\nat all\nER  -\n")?.faults).toEqual([
      "a.ris:1: this is outside of any entry (TY … ER)",
      "a.ris:3: ER without an entry",
    ]);
  });
});

describe("CSL-JSON", () => {
  const csl = `[
  { "id": "ada", "type": "article-journal", "title": "On <i>kites</i>", "DOI": "10.1000/kites",
    "issued": { "date-parts": [[2026, 5, "1"]] }, "accessed": { "date-parts": [["2026"]] } },
  { "id": 7, "type": "webpage", "title": "A page", "URL": "https://kites.example/page" },
  { "id": "bad", "type": "webpage", "title": "A comma is missing" "URL": "https://kites.example/x" },
  { "type": "article", "number": "arXiv:2601.00001", "title": 3 },
  { "id": "nothing" }
]`;

  test("becomes sources, entry by entry", () => {
    expect(imported("refs.json", csl)).toEqual([
      ["ada", "On kites", "https://doi.org/10.1000/kites", 2],
      ["7", "A page", "https://kites.example/page", 4],
      ["", "Reference 3", "https://arxiv.org/abs/2601.00001", 6],
    ]);
    expect(importOf("refs.json", csl)?.faults).toEqual([
      "refs.json:5: this entry is not a CSL-JSON object with a type",
      "refs.json:7: this entry is not a CSL-JSON object with a type",
    ]);
    expect(imported("refs.json", `{"items": ${csl}}`)).toHaveLength(3);
  });

  test("names papers in notes and archives, and its titles as HTML has them", () => {
    const text = `[
      { "id": "a", "type": "article", "title": "Kites &amp; wind", "archive": "arXiv", "archive_location": "2601.00001" },
      { "id": "b", "type": "book", "title": "B", "note": "DOI: 10.1000/b" },
      { "id": "c", "type": "article-journal", "title": "C", "container-title": "arXiv:2601.00003 [cs]" },
      { "id": "d", "type": "webpage", "title": "D", "URL": "https://kites.example/d" },
      { "id": "e", "type": "book", "title": "F&#246;hn &ndash; &quot;a&quot; wind", "URL": "https://kites.example/?a=1&copy=2" }
    ]`;
    expect(imported("refs.json", text)?.map(([, title, address]) => [title, address])).toEqual([
      ["Kites & wind", "https://arxiv.org/abs/2601.00001"],
      ["B", "https://doi.org/10.1000/b"],
      ["C", "https://arxiv.org/abs/2601.00003"],
      ["D", "https://kites.example/d"],
      ['Föhn – "a" wind', "https://kites.example/?a=1&copy=2"],
    ]);
  });

  test("is distinguished from other JSON by its types", () => {
    for (const other of ['[{"name":"React","ring":"Adopt"}]', '{"a":1}', "[]", "[", '[{"type":"feature"}]'])
      expect(importOf("radar.json", other)).toBeUndefined();
    expect(importOf("report.md", bib)).toBeUndefined();
  });
});

describe("a draft from a reference manager's file", () => {
  test("is a valid config whose ids are the keys, and whose numbers are places in the file", () => {
    const drafted = draft({ path: "refs.bib", text: bib }, { at: Date.UTC(2026, 10, 22), readers });
    const { config, problems } = parseConfig(drafted?.files ?? [], readers);
    expect(problems.map(formatProblem)).toEqual([]);
    expect(
      [...(config?.sources.values() ?? [])].map(({ id, kind, address, cites }) => [id, kind, address, cites]),
    ).toEqual([
      ["hargrave1893", "doi", "10.1007/978-3-030_12_7", [1]],
      ["eprint", "arxiv", "2601.00001", [2]],
      ["chapter", "page", "https://kites.example/volume_1", [3, 4]],
      ["page", "page", "https://kites.example/a_b%20c~d", [5]],
      ["note", "page", "https://kites.example/note", [6]],
    ]);
    expect(config?.unwatchable).toMatchObject([{ title: "On paper (ISBN 978-3-16-148410-0)", cites: [7] }]);
  });
});
