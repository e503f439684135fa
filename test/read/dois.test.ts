import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { doiAddress, doiIn, doiPage } from "../../src/read/shared/doi.ts";
import { kindOf } from "../../src/report/cite/sources.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";

const kite = "10.5555/s00521-021-06512-5";
const sici = "10.5555/(SICI)1097-4571(199806)49:8<693::AID-ASI4>3.0.CO;2-O";
const checked = "10.5555/(SICI)1099-1409(199905)3:4<323::AID-JPP131>3.0.CO;2-#";
const bio = "10.5555/1520-0469(1981)038<1179:TSOTIF>2.0.CO;2";

describe("a DOI", () => {
  test.each([
    // as people and reference managers write it
    ["10.5555/182", "10.5555/182"],
    ["doi:10.5555/182", "10.5555/182"],
    ["DOI: 10.5555/182.", "10.5555/182"],
    ["doi 10.5555/182", "10.5555/182"],
    ["doi:10.5555%2F182", "10.5555/182"],
    ["urn:doi:10.5555/182", "10.5555/182"],
    ["info:doi/10.5555/182", "10.5555/182"],
    ["(doi:10.5555/182)", "10.5555/182"],
    ["[10.5555/182],", "10.5555/182"],
    ["10.5555/S0140-6736(20)30183-5", "10.5555/S0140-6736(20)30183-5"],
    ["10.5555.10/182", "10.5555.10/182"],
    ["10.5555/a.b;c", "10.5555/a.b;c"],
    ["10.5555/a#b", "10.5555/a#b"],
    ["10.5555/a?b", "10.5555/a?b"],
    ["10.5555/s00521‐021‐06512‐5", kite],
    ["10.5555/\u200bs00521-021-06512-5", kite],
    [sici, sici],
    [`doi:${sici}`, sici],
    [`doi: ${sici}.`, sici],
    [sici.replace("<", "&lt;").replace(">", "&gt;"), sici],
    [encodeURIComponent(sici), sici],
    [bio, bio],
    [checked, checked],
    // addresses of the resolver
    ["https://doi.org/10.5555/182", "10.5555/182"],
    ["http://dx.doi.org/10.5555/182", "10.5555/182"],
    ["https://www.doi.org/10.5555/182/", "10.5555/182"],
    ["https://doi.org/doi:10.5555/182", "10.5555/182"],
    ["https://doi.org/urn:doi:10.5555/182", "10.5555/182"],
    ["https://doi.org/https://doi.org/10.5555/182", "10.5555/182"],
    ["https://doi.org/10.5555%2F182", "10.5555/182"],
    ["https://doi.org/10.5555%252F182", "10.5555/182"],
    ["https://doi.org/10.5555/182?via=x#part", "10.5555/182"],
    ["https://doi.org/10.5555/a%3Fb%23c", "10.5555/a?b#c"],
    ["https://doi.org/10.5555/rs.3.rs-12345/v1", "10.5555/rs.3.rs-12345/v1"],
    ["https://doi.org/10.5555/osf.io/kx9v2", "10.5555/osf.io/kx9v2"],
    ["https://doi.org/10.5555/names/full", "10.5555/names/full"],
    [`https://doi.org/${sici}`, sici],
    [`https://doi.org/${encodeURIComponent(sici)}`, sici],
    [`https://doi.org/${encodeURI(bio)}`, bio],
    [`https://doi.org/${checked}`, checked],
    ["https://doi.org/10.5555/100%-a", "10.5555/100%-a"],
    // addresses of publishers
    [`https://link.publisher.example/article/${kite}`, kite],
    [`https://link.publisher.example/article/${kite}/fulltext.html`, kite],
    [`https://link.publisher.example/article/${kite}/figures/3`, kite],
    [`https://link.publisher.example/content/pdf/${kite}.pdf`, kite],
    ["https://link.publisher.example/chapter/10.5555%2F978-3-030-12345-6_12", "10.5555/978-3-030-12345-6_12"],
    ["https://journal.publisher.example/track/pdf/10.5555/s12916-020-01", "10.5555/s12916-020-01"],
    ["https://www.publisher.example/articles/10.5555/fkite.2013.00863/full", "10.5555/fkite.2013.00863"],
    ["https://www.publisher.example/insight/content/doi/10.5555/JD-01-2020/full/html", "10.5555/JD-01-2020"],
    ["https://publisher.example/doi/full/10.5555/182", "10.5555/182"],
    ["https://publisher.example/doi/pdf/10.5555/182?download=true", "10.5555/182"],
    ["https://publisher.example/doi/10.5555/182;jsessionid=0A1B2C", "10.5555/182"],
    ["https://publisher.example/10.5555/182", "10.5555/182"],
    [`https://publisher.example/doi/abs/${encodeURI(sici)}`, sici],
    ["https://science.example/article/10.5555/1367-2630/12/4/043001/meta", "10.5555/1367-2630/12/4/043001"],
    ["https://science.example/article/10.5555/1367-2630/12/4/043001/pdf", "10.5555/1367-2630/12/4/043001"],
    ["https://archive.example/content/10.5555/2020.03.03.974980v1", "10.5555/2020.03.03.974980"],
    ["https://archive.example/content/10.5555/2020.03.03.974980v2.full.pdf+html", "10.5555/2020.03.03.974980"],
    ["https://archive.example/content/10.5555/2020.03.03.974980v1.supplementary-material", "10.5555/2020.03.03.974980"],
    ["https://up.example/jxk/article-lookup/doi/10.5555/jxk/erab123", "10.5555/jxk/erab123"],
    ["https://up.example/jxk/advance-article/doi/10.5555/jxk/erab123/6126234", "10.5555/jxk/erab123"],
    ["https://up.example/tacl/article/doi/10.5555/kite_a_00349/96482/A-Primer-in-Kites", "10.5555/kite_a_00349"],
    ["https://up.example/jxk/article-pdf/doi/10.5555/jxk/erab123/33456789/erab123.pdf", "10.5555/jxk/erab123"],
    ["https://up.example/jxk/doi/pdf/10.5555/jxk/erab123.pdf", "10.5555/jxk/erab123"],
    ["https://files.example/10.5555/3190000/3186116/p499-reel.pdf?id=3186116", undefined],
    ["https://publisher.example/doi/10.5555/2021/5512345", "10.5555/2021/5512345"],
    ["https://stable.example/stable/10.5555/123456", "10.5555/123456"],
    ["https://journals.example/one/article?id=10.5555/journal.kite.0000308", "10.5555/journal.kite.0000308"],
    [
      "https://journals.example/one/article/file?id=10.5555/journal.kite.0000308&type=printable",
      "10.5555/journal.kite.0000308",
    ],
    ["https://journals.example/landing?doi=10.5555%2Fa0012345", "10.5555/a0012345"],
    ["https://data.example/dataset.xhtml?persistentId=doi:10.5555/DVN/ABCDEF", "10.5555/DVN/ABCDEF"],
    ["https://data.example/dataset/doi:10.5555/dryad.abc12", "10.5555/dryad.abc12"],
    // none
    ["https://publisher.example/doi/10.5555/182/suppl_file/a.txt", undefined],
    ["https://publisher.example/doi/suppl/10.5555/182/suppl_file/a_001.pdf", undefined],
    ["https://data.example/10.5555/182.csv", undefined],
    ["https://docs.example/product/10.2024/install", undefined],
    ["https://docs.example/windows/10.0.26100/notes", undefined],
    ["https://docs.example/v10.2024/3", undefined],
    ["https://doi.org/10.5555", undefined],
    ["https://doi.org/abc123", undefined],
    ["https://search.example/?q=kites+10.5555/182+lift", undefined],
    ["110.5555/182", undefined],
    ["10.55/182", undefined],
    ["no identifier", undefined],
  ])("in %s", (written, wanted) => {
    const found = doiIn(written);
    expect(found).toBe(wanted);
    if (found === undefined) return;
    expect(doiAddress.safeParse(found).success).toBe(true);
    // The address of its page leads to it.
    expect(doiIn(doiPage(found))).toBe(found);
  });

  test.each([
    ["https://link.publisher.example/content/pdf/10.5555/s00521-021.pdf", "doi", "10.5555/s00521-021"],
    [`https://doi.org/${encodeURIComponent(sici)}`, "doi", sici],
    ["https://data.example/dataset.xhtml?persistentId=doi:10.7910/DVN/ABCDEF", "datacite", "10.7910/DVN/ABCDEF"],
    ["https://zenodo.org/doi/10.5281/zenodo.41", "datacite", "10.5281/zenodo.41"],
    ["https://papers.example/doi/10.48550/arXiv.1706.03762", "arxiv", "1706.03762"],
    ["https://data.example/10.5555/182.csv", "text", "https://data.example/10.5555/182.csv"],
    ["https://github.com/acme/10.5555/tree/main/a1", "github-commits", "acme/10.5555"],
  ])("%s is of its kind", (address, kind, watched) => {
    expect(kindOf(address, readers)).toMatchObject({ kind, address: watched });
  });

  test("is found in time that grows with the text alone", () => {
    const long = ["10.5555/", "/10.5555", "<a:", "%2F", "10.5555/a<", "(", "a-", ".pdf", ";2-"];
    const all = long.flatMap((one) => [one.repeat(20_000), `https://a.example/10.5555/${one.repeat(20_000)}`]);
    const from = processorTime();
    for (const one of all) doiIn(one);
    expectTime(processorTime() - from, 1_000);
  });
});
