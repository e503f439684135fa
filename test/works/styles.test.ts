import { describe, expect, test } from "vitest";
import { citedWorksOf } from "../../src/works/split.ts";

const title = "Nextflow enables reproducible computational workflows";
const doi = "10.1038/nbt.3820";

/** One work in the styles that people use; each with the title, venue and year that are found in it. */
const styles: readonly (readonly [style: string, path: string, text: string, title?: string, venue?: string])[] = [
  [
    "APA",
    "a.md",
    `- Di Tommaso, P., & Chatzou, M. (2017). ${title}. *Nature Biotechnology*, 35(4), 316-319. https://doi.org/${doi}`,
  ],
  [
    "IEEE",
    "a.md",
    `[1] P. Di Tommaso and M. Chatzou, "${title}," Nature Biotechnology, vol. 35, no. 4, pp. 316-319, 2017, doi:${doi}.`,
  ],
  ["Vancouver", "a.md", `1. Di Tommaso P, Chatzou M. ${title}. Nature Biotechnology. 2017;35(4):316-319. doi:${doi}`],
  [
    "Chicago",
    "a.md",
    `[^1]: Di Tommaso, Paolo, and Maria Chatzou. “${title}.” *Nature Biotechnology* 35, no. 4 (2017): 316-319. https://doi.org/${doi}.`,
  ],
  [
    "Harvard",
    "a.txt",
    `Di Tommaso, P. and Chatzou, M. 2017, '${title}', Nature Biotechnology, vol. 35, pp. 316-319, https://doi.org/${doi}.`,
  ],
  [
    "ACM",
    "a.md",
    `[1] Paolo Di Tommaso and Maria Chatzou. 2017. ${title}. Nature Biotechnology, 35(4), 316-319. https://doi.org/${doi}`,
  ],
  [
    "ACM, with the year of the issue in brackets",
    "a.md",
    `[1] Paolo Di Tommaso and Maria Chatzou. 2017. ${title}. Nature Biotechnology 35, 4 (2017), 316-319. https://doi.org/${doi}`,
  ],
  [
    "a footnote in German",
    "a.md",
    `[^1]: Di Tommaso, Paolo/Chatzou, Maria: ${title}, in: Nature Biotechnology, Jg. 35, H. 4, 2017, S. 316-319, doi:${doi}.`,
  ],
  [
    "a list in a wiki",
    "a.mediawiki",
    `# Paolo Di Tommaso and Maria Chatzou, “${title},” ''Nature Biotechnology'' 35, no. 4 (2017), [https://doi.org/${doi} DOI]`,
  ],
  [
    "a note in a wiki",
    "a.wiki",
    `It runs.<ref name="a">Di Tommaso P, Chatzou M. ${title}. ''Nature Biotechnology''. 2017;35(4):316-319. doi:${doi}</ref>`,
  ],
  [
    "a cell of a notebook",
    "a.ipynb",
    `{"cells": [\n  {\n   "cell_type": "markdown",\n   "source": [\n    "- Di Tommaso, P. (2017). ${title}. *Nature Biotechnology*, 35(4), 316-319. doi:${doi}\\n"\n   ]\n  }\n]}`,
  ],
  [
    "full names before the title",
    "a.md",
    `[1] Paolo Di Tommaso, Maria K. Chatzou, and Evan Floden. ${title}. *Nature Biotechnology*, 35(4):316-319, 2017. ${doi}`,
  ],
  [
    "Elsevier, with commas alone, and one in the title",
    "a.md",
    `[1] P. Di Tommaso, M. Chatzou, Nextflow, reproducible workflows, Nature Biotechnology 35 (4) (2017) 316-319. ${doi}`,
    "Nextflow, reproducible workflows",
  ],
  [
    "an address in angle brackets",
    "a.md",
    `- P. Di Tommaso: ${title}, in: Nature Biotechnology, 2017. Online: <https://doi.org/${doi}>.`,
  ],
  [
    "an emphasised title, and a venue behind *in*",
    "a.md",
    `- P. Di Tommaso, *${title}*, in *Nature Biotechnology*, 35, 2017, pp. 316-319, ${doi}`,
  ],
  [
    "an emphasised title behind a colon",
    "a.md",
    `- Di Tommaso, Paolo und Chatzou, Maria: *${title}*, Nature Biotechnology, 2017, Vol. 35, p. 316-319, ${doi}`,
  ],
  [
    "Chicago's order of names without quotation marks",
    "a.md",
    `- Di Tommaso, Paolo, Maria Chatzou e Evan Floden. ${title}. Nature Biotechnology 35 (2017): 316-319. ${doi}`,
  ],
  [
    "a number without a mark",
    "a.txt",
    `1 Di Tommaso P, Chatzou M. ${title}. 见: Nature Biotechnology, 2017, 35(4): e316. ${doi}`,
  ],
  [
    "an emphasised title and an emphasised venue",
    "a.md",
    `- Di Tommaso P., Chatzou M., *${title}*, *Nature Biotechnology*, 2017. ${doi}`,
  ],
  [
    "dashes between names",
    "a.md",
    `[2] Di Tommaso, P. - Chatzou, M. - Floden, E.: ${title}. *Nature Biotechnology*, **35**, 2017, s. 316-319. ${doi}`,
  ],
  [
    "a colon in the title, and *In:* before the venue",
    "a.md",
    `9. Di Tommaso P, Chatzou M. Wet sand: slow echoes. In: *Nature Biotechnology*; 2017. ${doi}`,
    "Wet sand: slow echoes",
  ],
  [
    "Chinese, with the year behind the names",
    "a.md",
    `- DI TOMMASO P, CHATZOU M, 等. 2017. ${title}[C]//Nature Biotechnology, 35. ${doi}`,
  ],
  [
    "initials with hyphens and full stops",
    "a.md",
    `9. Di Tommaso P., Chatzou M-A., Floden EW. ${title}. Nature Biotechnology. 2017. ${doi}`,
  ],
  [
    "a title that begins with a word in quotation marks",
    "a.md",
    `- Di Tommaso, P. (2017): “Clickable” kites of wet sand. *Nature Biotechnology* 35, 316. ${doi}`,
    "“Clickable” kites of wet sand",
  ],
  [
    "a question that goes on",
    "a.md",
    `- Di Tommaso, P., 2017. Do kites lift? A long study of wet sand. Nature Biotechnology 35, 316. ${doi}`,
    "Do kites lift? A long study of wet sand",
  ],
  [
    "ABNT, without a place",
    "a.md",
    `- DI TOMMASO, P.; CHATZOU, M. ${title}. **Nature Biotechnology**, *[S. l.]*, v. 35, p. 316-319, 2017. ${doi}`,
  ],
  [
    "one full name with an initial",
    "a.md",
    `- Paolo B. Di. ${title}. *Nature Biotechnology*, 35(4):316-319, 2017. ${doi}`,
  ],
  [
    "a footnote that goes on with a book",
    "a.md",
    `[^1]: P. Di Tommaso, « ${title} », Nature Biotechnology, vol. 35, 2017 (doi:${doi}) ; voir aussi M. Narew, *Waves of Sand*, Paris, 1994.`,
  ],
  [
    "APS, with a title",
    "a.md",
    `P. Di Tommaso and M. Chatzou, ${title}, Nature Biotechnology **35**, 316 (2017). doi:${doi}`,
  ],
  [
    "ACS",
    "a.md",
    `(1) Di Tommaso, P.; Chatzou, M. ${title}. *Nature Biotechnology* **2017**, *35* (4), 316-319. ${doi}`,
  ],
  ["Cell", "a.md", `Di Tommaso, P., and Chatzou, M. (2017). ${title}. Nature Biotechnology *35*, 316-319. ${doi}`],
  ["DBLP", "a.md", `- Paolo Di Tommaso, Maria Chatzou: ${title}. Nature Biotechnology 35(4): 316-319 (2017) ${doi}`],
  [
    "GOST",
    "a.txt",
    `[1] Di Tommaso P., Chatzou M. ${title} // Nature Biotechnology. – 2017. – Т. 35, № 4. – https://doi.org/${doi}.`,
  ],
  [
    "GOST, with the names again behind the title",
    "a.md",
    `1. Di Tommaso, P.; Chatzou, M. [et al.]. ${title} / P. Di Tommaso, M. Chatzou, E. Floden, P. Prieto. – Text : direct // Nature Biotechnology. – 2017. – Vol. 35. – P. 316–319. – DOI ${doi}.`,
  ],
  [
    "Bluebook, with the volume before the journal",
    "a.md",
    `1. Paolo Di Tommaso & Maria Chatzou, *${title}*, 35 Nature Biotechnology 316 (2017), https://doi.org/${doi}.`,
  ],
  [
    "OSCOLA, with year and volume before the journal",
    "a.md",
    `Paolo Di Tommaso and Maria Chatzou, ‘${title}’ (2017) 35(4) Nature Biotechnology 316. https://doi.org/${doi}`,
  ],
  [
    "commas behind a colon",
    "a.md",
    `1) P. Di Tommaso and M. Chatzou: ${title}, Nature Biotechnology, Vol.35, No.4, pp.316–319 (2017). ${doi}`,
  ],
  [
    "three full names without a conjunction",
    "a.md",
    `- Paolo Di Tommaso, Maria Chatzou, Evan Floden. ${title}. *Nature Biotechnology*, 35(4), 2017. ${doi}`,
  ],
  [
    "footnotes of HTML, without blank lines",
    "a.md",
    `<sup>1</sup> P. Di Tommaso and M. Chatzou, “${title},” Nature Biotechnology **35**(4), 316–319 (2017). doi:${doi}`,
  ],
  [
    "SIST, with full names that are turned",
    "a.md",
    `1) Di Tommaso, Paolo; Chatzou, Maria. ${title}. Nature Biotechnology. 2017, vol. 35, no. 4, p. 316-319. DOI ${doi}.`,
  ],
  [
    "ISO 690 in French",
    "a.md",
    `- DI TOMMASO, Paolo et CHATZOU, Maria. ${title}. *Nature Biotechnology*. 2017, vol. 35, n° 4. DOI ${doi}.`,
  ],
  [
    "a title that begins with a quotation",
    "a.md",
    `1. Di Tommaso P, Chatzou M. “Nextflow”: reproducible workflows. Nature Biotechnology. 2017;35(4):316-319. doi:${doi}`,
    "“Nextflow”: reproducible workflows",
  ],
  [
    "a quoted venue behind an emphasised title",
    "a.md",
    `- P. Di Tommaso e M. Chatzou, *${title}*, «Nature Biotechnology», 35, 4 (2017), pp. 316-319, doi:${doi}.`,
  ],
  [
    "Copernicus, with the year at the end",
    "a.md",
    `Di Tommaso, P. and Chatzou, M.: ${title}, Nature Biotechnology, 35, 316–319, https://doi.org/${doi}, 2017.`,
  ],
  [
    "IOP, with spaces between initials",
    "a.md",
    `[1] Di Tommaso P and Chatzou M K 2017 ${title} *Nature Biotechnology* **35** 316–319 doi:${doi}`,
  ],
  [
    "an emphasised title, and a plain venue before its volume and issue",
    "a.md",
    `- P. Di Tommaso and M. Chatzou. *${title}*. Nature Biotechnology, 35(4):316–319, 2017. doi:${doi}`,
  ],
  ["GB/T 7714", "a.md", `[1] DI TOMMASO P, CHATZOU M. ${title}[J]. Nature Biotechnology, 2017, 35(4): 316-319. ${doi}`],
  [
    "Vancouver, last name of two initials",
    "a.md",
    `1. Di Tommaso P, Chatzou MC. ${title}. Nature Biotechnology. 2017;35(4):316-319. doi:${doi}`,
  ],
  [
    "Springer, with a comma in the title",
    "a.md",
    `1. Di Tommaso, P., Chatzou, M.: Nextflow, reproducible workflows. Nature Biotechnology 35(4), 316-319 (2017). https://doi.org/${doi}`,
    "Nextflow, reproducible workflows",
  ],
  [
    "Vancouver, a venue that begins with its year",
    "a.md",
    `1. Di Tommaso P, Chatzou M. ${title}. 2017 Symposium on Biotechnology. 2017. doi:${doi}`,
    title,
    "2017 Symposium on Biotechnology",
  ],
  [
    "ABNT",
    "a.md",
    `1. DI TOMMASO, Paolo; CHATZOU, Maria. ${title}. *Nature Biotechnology*, v. 35, n. 4, p. 316-319, 2017. DOI: ${doi}.`,
  ],
  [
    "ABNT with et al.",
    "a.txt",
    `DI TOMMASO, Paolo; CHATZOU, MARIA B.; FLODEN, Evan de S.; WEST, M B et al.. ${title}. Nature Biotechnology, v. 35, 2017. DOI: ${doi}.`,
  ],
  [
    "ISO 690",
    "a.md",
    `1. DI TOMMASO, Paolo, CHATZOU, Maria and FLODEN, E. W. ${title}. *Nature Biotechnology*. 2017, vol. 35, no. 4. DOI ${doi}.`,
  ],
  [
    "Chicago without an issue",
    "a.txt",
    `Di Tommaso, Paolo, and Maria Chatzou. 2017. “${title}.” Nature Biotechnology 35: 316-319. https://doi.org/${doi}`,
  ],
  [
    "DIN",
    "a.md",
    `1. Di Tommaso, Paolo; Chatzou, Maria: ${title}. In: Nature Biotechnology 35 (2017), Nr. 4, S. 316–319. https://doi.org/${doi}`,
  ],
  [
    "French",
    "a.md",
    `- Di Tommaso, P. (2017), « ${title} », *Nature Biotechnology*, vol. 35, p. 316-319. https://doi.org/${doi}`,
  ],
  [
    "Nature",
    "a.md",
    `1. Di Tommaso, P. & Chatzou, M. ${title}. *Nature Biotechnology* **35**, 316–319 (2017). https://doi.org/${doi}`,
  ],
  [
    "BibTeX",
    "a.bib",
    `@article{a, title = {${title}}, author = {Di Tommaso, Paolo and Chatzou, Maria}, journal = {Nature Biotechnology}, year = {2017}, doi = {${doi}}}`,
  ],
  [
    "RIS",
    "a.ris",
    `TY  - JOUR\nAU  - Di Tommaso, Paolo\nTI  - ${title}\nPY  - 2017\nJO  - Nature Biotechnology\nDO  - ${doi}\nER  - `,
  ],
  [
    "EndNote",
    "a.enw",
    `%0 Journal Article\n%A Di Tommaso, Paolo\n%T ${title}\n%D 2017\n%J Nature Biotechnology\n%R ${doi}\n`,
  ],
  [
    "CSL-JSON",
    "a.json",
    `[{"id":"a","type":"article-journal","title":"${title}","author":[{"family":"Di Tommaso","given":"Paolo"}],"issued":{"date-parts":[[2017]]},"container-title":"Nature Biotechnology","DOI":"${doi}"}]`,
  ],
  [
    "CSL-YAML",
    "a.yaml",
    `---\nreferences:\n- id: a\n  type: article-journal\n  title: "${title}"\n  author:\n  - family: Di Tommaso\n    given: Paolo\n  issued:\n    year: 2017\n  container-title: Nature Biotechnology\n  DOI: ${doi}\n---\n`,
  ],
  [
    "LaTeX",
    "a.tex",
    `\\begin{thebibliography}{9}\n\\bibitem{a}\nP. Di Tommaso and M. Chatzou.\n\\newblock ${title}.\n\\newblock {\\em Nature Biotechnology}, 35(4), 2017.\n\\newblock \\url{https://doi.org/${doi}}.\n\\end{thebibliography}`,
  ],
  [
    "HTML",
    "a.html",
    `<ol>\n<li id="a">Di Tommaso, P. (2017). ${title}. <em>Nature Biotechnology</em>, 35(4). <a href="https://doi.org/${doi}">doi</a></li>\n</ol>`,
  ],
  [
    "wiki",
    "a.wiki",
    `Text.<ref>{{cite journal |last1=Di Tommaso |first1=Paolo |title=${title} |journal=Nature Biotechnology |year=2017 |doi=${doi}}}</ref>`,
  ],
  [
    "a numbered list in AsciiDoc",
    "a.adoc",
    `. Di Tommaso P, Chatzou M. ${title}. _Nature Biotechnology_. 2017;35(4):316-319. https://doi.org/${doi}[DOI]`,
  ],
  [
    "each part in an element of HTML",
    "a.html",
    `<p><span class="names">Di Tommaso, P.</span> <span class="year">(2017)</span>. <span>${title}</span>. <i>Nature Biotechnology</i>. ${doi}</p>`,
  ],
  [
    "GOST without dashes",
    "a.md",
    `1. Di Tommaso P. ${title} // Nature Biotechnology. 2017. V. 35. № 4. P. 316–319. ${doi}`,
  ],
  [
    "one full name before an emphasised title",
    "a.html",
    `<dd>Paolo Tommaso. <em>${title}</em>. Nature Biotechnology, 35(4):316–319, 2017. ${doi}</dd>`,
  ],
  [
    "an abbreviation before a comma and a volume",
    "a.md",
    `(1) P. Di Tommaso: "${title}", Nat. Biotechnology, Vol.35, No.4, pp.316-319, 2017. ${doi}`,
    title,
    "Nat. Biotechnology",
  ],
  [
    "a full stop twice",
    "a.md",
    `1. Di Tommaso P, Chatzou M. ${title}. Nat. Biotechnol.. 2017;35: 316–319. doi:${doi}`,
    title,
    "Nat. Biotechnol",
  ],
  [
    "a word and capital letters that begin the title, and are no name",
    "a.md",
    `1. Di Tommaso P, Chatzou M. The DNA of workflows. Nature Biotechnology. 2017;35: 316–319. doi:${doi}`,
    "The DNA of workflows",
  ],
  [
    "one full name before a title, and a journal with its volume",
    "a.tex",
    `\\bibitem{a} Paolo Tommaso. ${title}. {\\em Nature Biotechnology}, 35(4):316--319, 2017. doi:${doi}`,
  ],
  [
    "one full name and a colon",
    "a.md",
    `- Paolo Tommaso: ${title}. Nature Biotechnology 35(4): 316-319 (2017) doi:${doi}`,
  ],
  [
    "GOST with *and others*",
    "a.md",
    `1. Di Tommaso P., Chatzou M., и др. ${title} // Nature Biotechnology. – 2017. – С. 316. – ${doi}`,
  ],
  [
    "a Chinese list with wide marks",
    "a.md",
    `［1］DI TOMMASO P, CHATZOU M．${title}[J/OL]．Nature Biotechnology，2017，35（4）：316-319．${doi}．`,
  ],
  [
    "a Japanese list, with the journal in double marks",
    "a.md",
    `1) 大西健吾，森下由香：「${title}」，『Nature Biotechnology』，Vol.35，pp.316-319，2017. ${doi}`,
  ],
  [
    "a sentence that begins with the linked title",
    "a.md",
    `In [${title}](https://doi.org/${doi}), Di Tommaso and Chatzou (*Nature Biotechnology*, 2017) describe it.`,
  ],
  [
    "names with other hyphens",
    "a.md",
    `- DI‐TOMMASO, Paolo; CHATZOU, Maria. ${title}. **Nature Biotechnology**, v. 35, n. 4, p. 316-319, 2017. ${doi}`,
  ],
  [
    "initials with small letters",
    "a.md",
    `1. J. B. d. F. Tommaso, M. Chatzou. ${title}. *Nature Biotechnology* **35**, 316 (2017). ${doi}`,
  ],
  [
    "two letters as one initial",
    "a.md",
    `1. Di Tommaso P, Chatzou IjJ, Floden E. ${title}. Nature Biotechnology. 2017;35:316. ${doi}`,
  ],
  ["a family name and *et al.*", "a.md", `1. Tommaso et al. ${title}. Nature Biotechnology 35, 316 (2017). doi:${doi}`],
  ["a bold title", "a.md", `- **${title}** (Di Tommaso & Chatzou, Nature Biotechnology 2017) ${doi}`],
  ["a bold title before names", "a.md", `- **${title}** — Paolo Di Tommaso (Nature Biotechnology, 2017). ${doi}`],
  [
    "an emphasised title before a journal that is not",
    "a.tex",
    `\\bibitem{a} \\textsc{P. Di Tommaso}: \\textit{${title}}. Nature Biotechnology \\textbf{35} (2017), 316--319. doi:${doi}`,
  ],
  [
    "AsciiDoc",
    "a.adoc",
    `* [[[a]]] Di Tommaso, Paolo. "${title}." Nature Biotechnology 35 (2017): 316-319. https://doi.org/${doi}[DOI].`,
  ],
  [
    "reStructuredText",
    "a.rst",
    `.. [a] Di Tommaso, P. (2017). ${title}. Nature Biotechnology, 35, 316-319. doi:${doi}`,
  ],
  [
    "a number with a hyphen, and names in capitals",
    "a.md",
    `1- DI TOMMASO P, CHATZOU M. ${title}. *Nature Biotechnology*. 2017, 35(4):316-319. doi:${doi}`,
  ],
  [
    "emphasised names with slashes, the year, and commas alone",
    "a.md",
    `[^1]: *Di Tommaso, P./Chatzou, M.* (2017), ${title}, in: Nature Biotechnology, Vol. 35, S. 316-319, doi:${doi}.`,
  ],
  [
    "a journal in Italian quotation marks",
    "a.md",
    `- P. Di Tommaso e M. Chatzou, ${title}, in «Nature Biotechnology», XII (2017), p. 316. doi:${doi}`,
  ],
  [
    "a space before the colons",
    "a.md",
    `- Di Tommaso P, Chatzou M : ${title}, in : Nature Biotechnology (2017), pp. 316-319. doi:${doi}`,
  ],
  [
    "a colon in the title behind bare initials",
    "a.md",
    `1. Di Tommaso P-L, Chatzou M. Nextflow: enables reproducible workflows. In: Nature Biotechnology 2017. doi:${doi}`,
    "Nextflow: enables reproducible workflows",
  ],
  [
    "a colon in the title behind full names",
    "a.md",
    `- Paolo Di Tommaso, Maria Chatzou, and Bo Li. Nextflow: enables reproducible workflows. In Nature Biotechnology, 2017. doi:${doi}`,
    "Nextflow: enables reproducible workflows",
  ],
  [
    "the quotation marks of LaTeX, without a mark before them",
    "a.md",
    `- P. Di Tommaso and M. Chatzou \`\`${title}'' Nature Biotechnology, Vol. 35, pp. 316-319. 2017. doi:${doi}`,
  ],
  [
    "two different quotation marks",
    "a.md",
    `- Di Tommaso, Paolo. 2017. "${title}.” Nature Biotechnology 35: 316-19. doi:${doi}`,
  ],
  [
    "a year in square brackets",
    "a.md",
    `- Di Tommaso, P. and Chatzou, M. [2017]: ${title}, *Nature Biotechnology* 35. doi:${doi}`,
  ],
  [
    "a whole date in brackets",
    "a.md",
    `- Di Tommaso, P. (12 de 01 de 2017). ${title}. *Nature Biotechnology*, 35(4), pp. 316-319. doi:${doi}`,
  ],
  [
    "the year, then commas alone",
    "a.md",
    `- Di Tommaso P., Chatzou M. (2017), ${title}, Nature Biotechnology, Vol. 35, № 4, pp. 316–319. doi:${doi}`,
  ],
  [
    "commas and names of months",
    "a.md",
    `- P. Di Tommaso, M. Chatzou, ${title}, Nature Biotechnology, Volume 35, 2017, 316-319, doi:${doi}`,
  ],
  [
    "a colon and commas, with full names",
    "a.md",
    `- Di Tommaso, Paolo; Chatzou, Maria, ${title}, Nature Biotechnology 35 (2017), no. 4, 316–319. doi:${doi}`,
  ],
  [
    "commas, and a conference",
    "a.md",
    `- P. Di Tommaso, M. Chatzou, ${title}, in: Nature Biotechnology, 2017, pp. 316–319. doi:${doi}`,
  ],
  [
    "an emphasised title that ends as a sentence",
    "a.md",
    `- Di Tommaso P, Chatzou M. *${title}.* Nature Biotechnology, 2017;35(4):316-319. doi:${doi}`,
  ],
  [
    "no mark before a conference",
    "a.md",
    `16. Di Tommaso P, Chatzou M, et al. ${title} In: Nature Biotechnology; 2017:38-45. doi:${doi}`,
  ],
  [
    "a hyphen before the journal",
    "a.md",
    `Di Tommaso, P. & M. Chatzou (2017): ${title}.- Nature Biotechnology 35: 316–319. doi:${doi}`,
  ],
  [
    "names in capitals, and the year behind them",
    "a.md",
    `- DI TOMMASO, P. & M. CHATZOU 2017. ${title}. *Nature Biotechnology* 35: 316-319. doi:${doi}`,
  ],
  [
    "names with slashes, and a law journal",
    "a.md",
    `- Di Tommaso, Paolo / Chatzou, Maria, ${title}, Nature Biotechnology 35 (2017), no. 4, 316–319. doi:${doi}`,
  ],
];

describe("a citation is split by its style", () => {
  const cases = styles.map(([style, path, text, named = title, venue = "Nature Biotechnology"]) => {
    return { style, path, text, parts: { title: named, venue, doi } };
  });
  test.each(cases)("$style", ({ path, text, parts }) => {
    const works = citedWorksOf(path, text);
    expect(works).toHaveLength(1);
    expect(works[0]).toMatchObject(parts);
  });

  test("an entry that runs over several lines is one", () => {
    const [work] = citedWorksOf(
      "a.txt",
      `[1] P. Di Tommaso and M. Chatzou, "Nextflow enables\n    reproducible computational workflows," Nature\n    Biotechnology, 2017.\n`,
    );
    expect(work).toMatchObject({ title, line: 1, end: 3 });
  });

  test("a year at the beginning of a line is no number of a list", () => {
    const text = "[1] Narew, U., and I. Warta.\n    2011. “Slow echoes of wet sand.” Lift 2: 1–5.\n";
    expect(citedWorksOf("a.txt", text)).toMatchObject([{ line: 1, title: "Slow echoes of wet sand" }]);
  });

  const underlined = "References\n----------\n\n";
  const asciidoc = "[bibliography]\n== References\n\n";
  test.each(["# References\n\n", "<h2>References</h2>\n", "References\n\n", underlined, asciidoc])(
    "below %j each paragraph with a year is a citation",
    (heading) => {
      const works = citedWorksOf(
        "a.md",
        `Sand was wet in 2011.\n\n${heading}U. Narew, “Slow echoes of wet sand,” Lift 2 (2011) 1–5.\n\n# After it\n\nI saw 2012.\n`,
      );
      expect(works).toMatchObject([{ title: "Slow echoes of wet sand" }]);
    },
  );

  test("a line of a list without marks begins an entry by names and a year", () => {
    const entries = [
      "Narew, U. (2011). Slow echoes\nof wet sand. Lift, 2, 1-5.",
      "Warta, I. (2012). Sails of paper. Lift, 3, 9.",
    ];
    const works = citedWorksOf("a.txt", `References\n\n${entries.join("\n")}\n`);
    expect(works).toMatchObject([
      { line: 3, end: 4 },
      { line: 5, end: 5, title: "Sails of paper" },
    ]);
  });

  test("quotation marks within a title are not its ends", () => {
    const text = "- Ribeiro, M. T. (2016). Explaining the “why” of any classifier. *KDD*.";
    expect(citedWorksOf("a.md", text)[0]?.title).toBe("Explaining the “why” of any classifier");
  });

  test("a venue may have a comma, and a chapter's editors are no part of its title", () => {
    const venue = "Magnetic Resonance Materials in Physics, Biology and Medicine";
    const chicago = `- Warta, Ida. “Slow echoes of wet sand.” *${venue}* 32, no. 1 (2011): 97-103.`;
    expect(citedWorksOf("a.md", chicago)[0]).toMatchObject({ venue });
    const abbreviated = "- Warta, I. (2011). Slow echoes of wet sand. J. R. Wet. Soc. B 34, 187–202.";
    expect(citedWorksOf("a.md", abbreviated)[0]).toMatchObject({ venue: "J. R. Wet. Soc. B" });
    const capital = "- Warta, I. (2011). Slow echoes of wet sand. Commun. WSS 34, 187–202.";
    expect(citedWorksOf("a.md", capital)[0]).toMatchObject({ venue: "Commun. WSS" });
    const dotted = "- Warta, I. (2011). Slow echoes of wet sand. J. Wet. Sci., 34, 187–202.";
    expect(citedWorksOf("a.md", dotted)[0]).toMatchObject({ venue: "J. Wet. Sci" });
    const ordinal = "- Warta, I. (2011). Slow echoes of wet sand. Proc. 35th Wet Days, 12–14.";
    expect(citedWorksOf("a.md", ordinal)[0]).not.toHaveProperty("venue");
    const chapter =
      "- Warta, I. (2011). Slow echoes of wet sand. In M. Narew (Ed.), *Networks* (pp. 9–20). Drava Press.";
    expect(citedWorksOf("a.md", chapter)[0]).toMatchObject({ title: "Slow echoes of wet sand", venue: "Networks" });
    const series =
      "- Warta I. (2011) Slow echoes: of wet sand. In: Narew M. et al. (eds) Networks. LNCS, vol 7771. Drava";
    expect(citedWorksOf("a.md", series)[0]).toMatchObject({ title: "Slow echoes: of wet sand", venue: "Networks" });
    const dated = "- I. Warta, “Slow echoes of wet sand”, April 2011.";
    expect(citedWorksOf("a.md", dated)[0]).not.toHaveProperty("venue");
  });

  test.each(["Použitá literatura", "Piśmiennictwo", "Litteraturförteckning", "Lähteet", "Kaynakça", "Βιβλιογραφία"])(
    "an entry below “%s” is one of a list of references",
    (heading) => {
      const text = `## ${heading}\n\n- Warta, I. (2011). Slow echoes of wet sand. *Lift*.`;
      expect(citedWorksOf("a.md", text)[0]).toMatchObject({ isListed: true });
    },
  );

  test.each([
    `- **${title}**, P. Di Tommaso, Maria Chatzou, Nature Biotechnology 2017`,
    `- (2017) **${title}** — P. Di Tommaso, Maria Chatzou. *Nature Biotechnology*.`,
    `- **${title}.** *P. Di Tommaso, Maria Chatzou.* Nature Biotechnology 2017.`,
    `- [${title}](https://doi.org/${doi}) - P. Di Tommaso and Maria Chatzou, *Nature Biotechnology*, 2017.`,
    `- [“${title}”](https://doi.org/${doi}), P. Di Tommaso, Maria Chatzou, *Nature Biotechnology*, 2017.`,
  ])("names behind a title: %s", (text) => {
    const authors = ["P. Di Tommaso", "Maria Chatzou"];
    expect(citedWorksOf("a.md", text)[0]).toMatchObject({ title, authors, venue: "Nature Biotechnology" });
  });

  test.each([
    "J. Biol. Chem. 1960",
    "NeurIPS 2019",
    "IEEE TNN 2009",
    "Drava Research, 2019",
    "Lectures on the Machine and its Learning, Drava 2020",
  ])("words behind a title need not be names: %s", (behind) => {
    expect(citedWorksOf("a.md", `- **${title}**. ${behind}. https://doi.org/${doi}`)[0]).not.toHaveProperty("authors");
  });

  test.each([
    `| Di Tommaso, P., Chatzou, M. | ${title} | 2017 | [DOI](https://doi.org/${doi}) |`,
    `<tr><td>Di Tommaso, P., Chatzou, M.</td><td>2017</td><td>${title}</td><td><a href="https://doi.org/${doi}">doi</a></td></tr>`,
    `1. **${title}**\n   - **Authors:** Di Tommaso, P., Chatzou, M\n   - **Year:** 2017\n   - **DOI:** https://doi.org/${doi}`,
  ])("a row of a table or a list with labels is a citation: %s", (text) => {
    expect(citedWorksOf("a.md", text)[0]).toMatchObject({ title, doi, authors: ["Di Tommaso, P.", "Chatzou, M"] });
  });

  test("a volume behind the journal is no part of its name", () => {
    const row = `| 1 | P. Di Tommaso | ${title} | Nature Biotechnology 35(4) | 2017 |`;
    expect(citedWorksOf("a.md", row)[0]).toMatchObject({ title, venue: "Nature Biotechnology" });
  });

  test("a table may say in which column its authors are", () => {
    const rows = [
      "| Year | Authors | Title | Venue |",
      "|---|---|---|---|",
      `| 2017 | Tommaso | ${title} | J. Lift. |`,
    ];
    expect(citedWorksOf("a.md", rows.join("\n"))).toMatchObject([{ title, authors: ["Tommaso"], venue: "J. Lift." }]);
  });

  test("a table with links may say in which column its journals are", () => {
    const rows = [
      "| Paper | Author | Published in | Year |",
      `| [${title}](https://doi.org/${doi}) | P. Tommaso | Journal of Lift 4(2) | 2017 |`,
    ];
    expect(citedWorksOf("a.md", rows.join("\n")).at(-1)).toMatchObject({
      title,
      doi,
      authors: ["P. Tommaso"],
      venue: "Journal of Lift",
    });
  });

  test("an entry may begin right behind its number", () => {
    const text = `# 参考文献\n\n［1］NAREW K. Slow echoes of wet sand[M]. Lift, 2016.\n[2]DI TOMMASO P．${title}[J]．Lift，2017．`;
    expect(citedWorksOf("a.md", text)).toMatchObject([{ line: 3 }, { line: 4, title, venue: "Lift" }]);
  });

  test("one field of a wiki's template may hold all names", () => {
    const text = `* {{cite journal | vauthors = Tommaso P, Chatzou M | title = ${title} | year = 2017 }}`;
    expect(citedWorksOf("a.wiki", text)[0]).toMatchObject({ title, authors: ["Tommaso P", "Chatzou M"] });
  });

  test("a title is in the column of the longest cells", () => {
    const rows = [
      "| Slow echoes | I. Warta | Magnetic Resonance Materials | 2011 |",
      `| ${title} of wet sand | P. Di Tommaso, M. Chatzou | Nature Biotechnology | 2017 |`,
      "| Wet sand echoes slowly | I. Warta | Magnetic Resonance Materials | 2011 |",
    ];
    expect(citedWorksOf("a.md", rows.join("\n"))[1]).toMatchObject({ title: "Wet sand echoes slowly" });
  });

  test.each([
    `| 2017-04 | Nextflow | Drava&Warta | ${title} [arxiv](https://arxiv.org/abs/1706.03762) |`,
    `| 2017-04 | Nextflow | DravaLabs et al. | ${title} [arxiv](https://arxiv.org/abs/1706.03762) |`,
  ])("a company in a row is no author: %s", (text) => {
    expect(citedWorksOf("a.md", text)[0]).not.toHaveProperty("authors");
  });

  test("a row with names, year, title and journal is one without an address, too", () => {
    const text = `| 2017 | ${title} | Di Tommaso et al. | Nature Biotechnology |`;
    expect(citedWorksOf("a.md", text)[0]).toMatchObject({
      title,
      venue: "Nature Biotechnology",
      text: `2017 | ${title} | Di Tommaso et al. | Nature Biotechnology |`,
    });
    const notes = "| 2017 | It was asked again in the spring | yes | the north |";
    expect(citedWorksOf("a.md", notes)).toEqual([]);
  });

  test("a number in a title is no place in a journal", () => {
    const text = "- Narew, U. (2005). Inhibitors of type 1 (17β-HSD1) in wet sand. *Lift*.";
    expect(citedWorksOf("a.md", text)[0]?.title).toBe("Inhibitors of type 1 (17β-HSD1) in wet sand");
  });

  test("a citation without a title has none", () => {
    const text = "[1] P. Di Tommaso, M. Chatzou, et al., Nat Biotechnol 35, 316 (2017). doi:10.1038/nbt.3820.";
    expect(citedWorksOf("a.txt", text)[0]).not.toHaveProperty("title");
    const dated = "- Di Tommaso P, Chatzou M and Floden E 2017 *Nat. Biotechnol.* **35** 316";
    expect(citedWorksOf("a.md", dated)[0]).not.toHaveProperty("title");
  });

  test("entries with a number alone are one work each", () => {
    const list = [
      "References",
      "",
      `1 Di Tommaso P, Chatzou M. ${title}. Nature Biotechnology 2017;35:316.`,
      "2 Narew U, Warta I. Slow echoes of wet sand. Marshes 2016;4:12.",
    ];
    expect(citedWorksOf("a.txt", list.join("\n"))).toMatchObject([{ title }, { title: "Slow echoes of wet sand" }]);
  });

  test("the number of a preprint is no title", () => {
    const text =
      "- H. Narew, *arXiv preprint arXiv:1303.3997*, in press (available at https://arxiv.org/abs/1303.3997).";
    expect(citedWorksOf("a.md", text)[0]).not.toHaveProperty("title");
  });

  test("sentences of the text are no citations", () => {
    expect(
      citedWorksOf("a.md", "The evidence is mixed: earlier studies of 2017 found a clear effect.\n\nWe use 3 tools.\n"),
    ).toEqual([]);
  });

  test("10,000 entries and an entry of 50 KB are read", () => {
    const many = Array.from(
      { length: 10_000 },
      (_, i) => `- Title number ${i} of a list, 2017. https://doi.org/10.1000/${i}`,
    ).join("\n");
    expect(citedWorksOf("a.md", many)).toHaveLength(10_000);
    expect(
      citedWorksOf("a.md", `- ${"word ".repeat(10_000)} 2017 https://doi.org/10.1000/1`).length,
    ).toBeLessThanOrEqual(1);
  });
});
