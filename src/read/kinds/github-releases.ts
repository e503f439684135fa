import type { Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { blocksOf } from "../html/html.ts";
import { type Recognised, readerOf } from "../reader.ts";
import { lastName } from "../shared/address.ts";
import { entriesOf, isXml, type ParsedEntry } from "../shared/entries.ts";
import { releasesOf } from "../shared/forge.ts";
import { api, atom, onGitHub, repository, tagOf } from "../shared/github.ts";
import { shownAt } from "../shared/repository.ts";

/** The releases of a repository: from the API with a token, else from Atom. An item's id is its tag in both. */
export const githubReleases = readerOf({
  kind: "github-releases",
  spec: "https://docs.github.com/rest/releases/releases#list-releases",
  noun: "releases",
  cadence: "6h",
  example: "pytorch/pytorch",
  address: repository,
  recognises,
  version: 10,
  request: (source, access) =>
    access.githubToken ? api(`${source.address}/releases?per_page=30`) : atom(`${source.address}/releases`),
  read: (response) => (isXml(response) ? fromAtom(response) : releasesOf(response, "list of GitHub releases")),
  page: (source) => `https://github.com/${source.address}/releases`,
  leadsTo: shownAt,
  versionsOf: lastName,
});

/** The list of releases or tags, also for the address of a single one. */
function recognises(url: URL): Recognised | undefined {
  const { repo, section, rest = [] } = onGitHub(url) ?? {};
  if (repo === undefined || !["releases", "releases.atom", "tags"].includes(section ?? "")) return undefined;
  return { address: repo, ...(rest.length > 0 && { instead: true }) };
}

/** Atom also lists plain tags, and does not mark pre-releases, so the tag's spelling decides. */
async function fromAtom(response: Response): Promise<Reading> {
  const { entries } = await entriesOf(response);
  return { items: entries.flatMap(itemOfEntry) };
}

function itemOfEntry({ html, ...entry }: ParsedEntry): Item[] {
  const tag = tagOf(entry.url) ?? /^tag:github\.com,2008:Repository\/\d+\/(.+)$/.exec(entry.id)?.[1];
  if (tag === undefined) return [];
  const blocks = blocksOf(html ?? "");
  const isEmpty = blocks.length === 0 || (blocks.length === 1 && blocks[0]?.text === "No content.");
  return [{ ...entry, id: tag, version: tag, ...(!isEmpty && { blocks }) }];
}
