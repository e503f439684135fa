import { arxivNumber, doiIn, written as writtenDoi } from "../read/shared/doi.ts";
import { addressesIn, bareAddress, trimAddress } from "../read/text/bare-addresses.ts";
import type { CitedWork } from "./cited-work.ts";

export type Identifiers = Pick<CitedWork, "doi" | "arxiv" | "pmid">;

export function hasIdentifier({ doi, arxiv, pmid }: Identifiers): boolean {
  return doi !== undefined || arxiv !== undefined || pmid !== undefined;
}

export function identifiersOf(text: string): Identifiers & Pick<CitedWork, "links"> {
  const doi = doisIn(text).find((one) => !one.startsWith("10.48550/arxiv."));
  const arxiv = arxivIn(text);
  const pmid = /(?:\bPMID:?\s{0,3}|pubmed\.ncbi\.nlm\.nih\.gov\/|ncbi\.nlm\.nih\.gov\/pubmed\/)(\d{5,9})\b/i.exec(
    text,
  )?.[1];
  return { doi, arxiv, pmid, links: addressesIn(text).slice(0, 20) };
}

const place = new RegExp(`${bareAddress.source}|(?<![\\w.])${writtenDoi}`, "gi");

/** The DOIs of a text: bare, in addresses of the resolver, or in those of publishers. In lower case. */
export function doisIn(text: string): string[] {
  return [...text.matchAll(place)].flatMap(
    // Some styles put a remark in brackets without a space before it.
    ([written]) => doiIn(trimAddress(written.replace(/\([^()]*$/, "")))?.toLowerCase() ?? [],
  );
}

const beforeNumber = /arxiv(?:\.org\/(?:abs|pdf|html)\/|[:.\s]{1,3}(?:preprint\s)?(?:arxiv:\s?)?)|\beprint\s|\babs\//;
const numbered = new RegExp(`(?:${beforeNumber.source})(${arxivNumber})`, "i");

export function arxivIn(text: string): string | undefined {
  // Some styles remove all full stops: `arXiv:170603762`.
  const written = text
    .replace(/10\.48550\/arxiv\./gi, "arXiv:")
    .replace(/(?<=\barxiv:\s?)\d{4}(?=\d{4,5}(?!\d))/i, "$&.");
  const number = numbered.exec(written)?.[1]?.toLowerCase();
  // `math.gt/0309136`: arXiv itself omits the class.
  return number?.replace(/^([a-z-]+)\.[a-z-]+(?=\/)/, "$1");
}
