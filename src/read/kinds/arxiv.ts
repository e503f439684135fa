import type { Element } from "domhandler";
import * as z from "zod";
import { Failure } from "../../model/failure.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Item, Reading } from "../../model/reading.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { limitItems } from "../shared/body.ts";
import { doiAt } from "../shared/doi.ts";
import { factsFrom, itemFrom } from "../shared/given.ts";
import { childrenNamed, elementAt, parseXml, xmlTextAt } from "../shared/xml.ts";
import { blocksOfPlain } from "../text/plain.ts";

/** Since 2007, or an older one with its archive. Spec: https://info.arxiv.org/help/arxiv_identifier.html */
const identifier = /^(?:\d{4}\.\d{4,5}|[a-z][a-z-]{1,15}(?:\.[a-z]{2})?\/\d{7})$/i;

/** A paper of arXiv: versions as items, abstract as text, withdrawal, licence and place of publication as facts. */
export const arxiv = readerOf({
  kind: "arxiv",
  spec: "https://info.arxiv.org/help/oa/index.html",
  noun: "arxiv",
  cadence: "1d",
  example: "1706.03762",
  address: z.string().regex(identifier, 'needs an identifier of arXiv, e.g. "1706.03762"'),
  recognises,
  gives: () => ({ items: true, text: true, facts: ["title", "authors", "withdrawn", "journal", "doi", "license"] }),
  version: 6,
  request: ({ address }) => ({
    url: `https://oaipmh.arxiv.org/oai?verb=GetRecord&identifier=oai:arXiv.org:${address}&metadataPrefix=arXivRaw`,
    accept: "text/xml,application/xml",
    // Spec: https://info.arxiv.org/help/api/tou.html
    pause: 3_000,
  }),
  read,
  page: ({ address }) => `https://arxiv.org/abs/${address}`,
  titleOf: (_, { title }) => title,
  endings: [{ fact: "withdrawn", becomes: "yes" }],
  states: [{ fact: "withdrawn", is: "yes", says: "was withdrawn", ended: true }],
  says: { "withdrawn yes": "was withdrawn", "withdrawn no": "is no longer withdrawn" },
});

/** Addresses that show one paper: arXiv's own pages, the DOI that it gives each paper, and sites about papers. */
const papers: readonly RegExp[] = [
  /^(?:(?:export|browse)\.)?arxiv\.org\/(?:abs|pdf|html|format)\/(.+)$/i,
  /^10\.48550\/arxiv\.(.+)$/i,
  /^(?:ar5iv\.org|ar5iv\.labs\.arxiv\.org)\/(?:abs|html)\/(.+)$/i,
  /^huggingface\.co\/papers\/(.+)$/i,
];

/** An address of one version or of all; for one version, the paper is watched in its place. */
function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const shown = doiAt(url) ?? [host, ...parts].join("/");
  const written = papers.map((form) => form.exec(shown)?.[1]).find((found) => found !== undefined);
  if (written === undefined) return undefined;
  const [, address = "", version] = /^(.*?)(v\d{1,3})?$/i.exec(written.replace(/\.pdf$/i, "")) ?? [];
  return { address, ...(version !== undefined && { instead: true }) };
}

/** Spec: https://oaipmh.arxiv.org/oai?verb=ListMetadataFormats */
function read(response: Response): Reading {
  const root = parseXml(response, "OAI-PMH");
  const code = elementAt(root, "error")?.attribs.code;
  if (code === "idDoesNotExist") throw new Failure("not-found", { status: response.status });
  const paper = elementAt(root, "GetRecord", "record", "metadata", "arXivRaw");
  const id = paper && xmlTextAt(paper, "id");
  if (!paper || id === undefined) throw new Failure("malformed", { expected: "record of arXiv" });
  const title = xmlTextAt(paper, "title") ?? id;
  const versions = limitItems(childrenNamed(paper, "version"));
  return {
    title,
    items: versions.flatMap((version) => itemOf(version, id)).reverse(),
    blocks: blocksOfPlain(xmlTextAt(paper, "abstract") ?? ""),
    facts: factsOf(paper, versions.at(-1)),
  };
}

function itemOf(element: Element, id: string): Item[] {
  const { version } = element.attribs;
  if (!version) return [];
  const url = `https://arxiv.org/abs/${id}${version}`;
  return [itemFrom({ id: version, title: `arXiv:${id} ${version}`, url, at: xmlTextAt(element, "date") })];
}

function factsOf(paper: Element, newest: Element | undefined): Facts {
  return factsFrom({
    title: xmlTextAt(paper, "title"),
    authors: xmlTextAt(paper, "authors"),
    withdrawn: isWithdrawn(paper, newest),
    journal: xmlTextAt(paper, "journal-ref"),
    doi: xmlTextAt(paper, "doi"),
    license: xmlTextAt(paper, "license"),
  });
}

/** Whether the paper is withdrawn: a withdrawn version has the type `I`, or the comments say so. */
function isWithdrawn(paper: Element, newest: Element | undefined): boolean {
  const comments = xmlTextAt(paper, "comments") ?? "";
  return (
    xmlTextAt(newest ?? paper, "source_type")?.includes("I") === true ||
    saysWithdrawn.some((form) => {
      const behind = form.exec(comments)?.groups?.behind;
      return behind !== undefined && !elsewhere.test(behind);
    })
  );
}

/** Words after "withdrawn" that mean a conference or journal, while the paper is still there. */
const elsewhere = /^ (?:(?:by (?:the|its) authors? |voluntarily )?from (?!(?:the )?arxiv)|(?:\w+ )?submission\b)/i;

const paper = "(?:article|manuscript|paper|preprint|submission|version|work)";
const been = "(?:has(?: now)? been|has|is|was)(?: now| temporarily)?";

const saysWithdrawn: readonly RegExp[] = [
  /^[[(]?(?:paper |article )?withdrawn\b(?<behind>.*)/i,
  new RegExp(`(?:^|[.;,] )(?:(?:this|the) )?${paper} (?:${been} )?withdrawn\\b(?<behind>.*)`, "i"),
  new RegExp(`(?:^|[.;,] )the authors? ha(?:s|ve) withdrawn (?:this|the) ${paper}\\b(?<behind>.*)`, "i"),
];
