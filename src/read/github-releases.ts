import { z } from "zod";
import type { Block, Item } from "../model/model.ts";
import type { Response } from "../model/ports/index.ts";
import { bounded, instantOf, parseJson, shaped } from "./formats/body.ts";
import { entriesOf, type FeedEntry, isXml } from "./formats/entries.ts";
import { api, atom, nameOfRepository, onGitHub, repository, tagOf } from "./formats/github.ts";
import { blocksOf } from "./formats/html.ts";
import { blocksOfMarkdown } from "./formats/markdown.ts";
import { isoOf, newestFirst } from "./formats/sample.ts";
import type { Reader, Reading, Recognised, SampleState, Source } from "./reader.ts";

/** The releases of a repository: by the API with a token, else by Atom. An item's id is its tag, whichever it came by. */
export const githubReleases: Reader = {
  kind: "github-releases",
  spec: "https://docs.github.com/rest/releases/releases#list-releases",
  noun: "releases",
  cadence: "6h",
  example: "pytorch/pytorch",
  address: repository,
  recognises,
  options: {},
  gives: () => ({ items: true }),
  structured: true,
  version: 1,
  request: (source, access) =>
    access.githubToken ? api(`${source.address}/releases?per_page=30`) : atom(`${source.address}/releases`),
  read: (response) => (isXml(response) ? fromAtom(response) : fromApi(response)),
  page: (source) => `https://github.com/${source.address}/releases`,
  versionsOf: nameOfRepository,
  sample: { body: sample },
};

/** The list of releases or tags, and one of them, in whose place the list moves. */
function recognises(url: URL): Recognised | undefined {
  const { repo, section, rest = [] } = onGitHub(url) ?? {};
  if (repo === undefined || !["releases", "releases.atom", "tags"].includes(section ?? "")) return undefined;
  return { address: repo, ...(rest.length > 0 && { instead: true }) };
}

const releases = z.array(
  z.object({
    tag_name: z.string().min(1),
    name: z.string().nullish(),
    draft: z.boolean().optional(),
    prerelease: z.boolean().optional(),
    published_at: z.string().nullish(),
    html_url: z.string().optional(),
    body: z.string().nullish(),
  }),
);

function fromApi(response: Response): Reading {
  const list = bounded(shaped(releases, parseJson(response), "list of GitHub releases"));
  return { items: list.filter(({ draft }) => draft !== true).map(itemOf) };
}

function itemOf(release: z.infer<typeof releases>[number]): Item {
  const at = instantOf(release.published_at ?? undefined);
  const blocks = blocksOfMarkdown(release.body ?? "");
  return {
    id: release.tag_name,
    title: release.name?.trim() || release.tag_name,
    ...(release.html_url && { url: release.html_url }),
    ...(at !== undefined && { at }),
    version: release.tag_name,
    pre: release.prerelease === true,
    ...(blocks.length > 0 && { blocks }),
  };
}

/** Atom lists plain tags too, and does not mark pre-releases: the tag's spelling tells. */
async function fromAtom(response: Response): Promise<Reading> {
  const { entries } = await entriesOf(response);
  return { items: entries.flatMap(itemOfEntry) };
}

function itemOfEntry({ html, ...entry }: FeedEntry): Item[] {
  const tag = tagOf(entry.url) ?? /^tag:github\.com,2008:Repository\/\d+\/(.+)$/.exec(entry.id)?.[1];
  if (tag === undefined) return [];
  const blocks = contentOf(html);
  return [{ ...entry, id: tag, version: tag, ...(blocks.length > 0 && { blocks }) }];
}

function contentOf(html: string | undefined): Block[] {
  const blocks = html === undefined ? [] : blocksOf(html);
  return blocks.length === 1 && blocks[0]?.text === "No content." ? [] : blocks;
}

function sample({ entries }: SampleState, { address }: Source): string {
  const list = newestFirst(entries).map(({ name, title, on, pre, draft, text }) => ({
    tag_name: name,
    html_url: `https://github.com/${address}/releases/tag/${name}`,
    name: title ?? name,
    published_at: isoOf(on),
    prerelease: pre,
    draft,
    body: text ?? "",
  }));
  return JSON.stringify(list);
}
