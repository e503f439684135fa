import { z } from "zod";
import type { Block, Item, Reading, Source } from "../model/model.ts";
import type { Request, Response } from "../model/ports/index.ts";
import { bounded, instantOf, parseJson, shaped } from "./formats/body.ts";
import { entriesOf, isXml, type ParsedEntry } from "./formats/entries.ts";
import { api, atom, isPinned, nameOfRepository, onGitHub, repository } from "./formats/github.ts";
import { blocksOf } from "./formats/html.ts";
import { blocksOfPlain } from "./formats/plain.ts";
import { isoOf, newestFirst } from "./formats/sample.ts";
import type { Reader, Recognised, SampleState } from "./reader.ts";

/** Commits of a repository, of one branch and below one path where told: by the API with a token, else by Atom. */
export const githubCommits: Reader = {
  kind: "github-commits",
  spec: "https://docs.github.com/rest/commits/commits#list-commits",
  noun: "commits",
  cadence: "6h",
  example: "pytorch/ao",
  address: repository,
  recognises,
  options: {
    path: z.string().min(1).max(500).optional().describe("Only commits below this file or folder."),
    branch: z.string().min(1).max(250).optional().describe("Of this branch; the default one unless told."),
  },
  gives: () => ({ items: true, commits: true }),
  structured: true,
  version: 1,
  request: (source, access) => (access.githubToken ? apiRequest(source) : atom(history(source))),
  read: (response) => (isXml(response) ? fromAtom(response) : fromApi(response)),
  page: (source) => `https://github.com/${history(source)}`,
  titleOf: ({ address, options: { path } }) =>
    path === undefined ? `${nameOfRepository(address)} commits` : `${path} in ${nameOfRepository(address)}`,
  sample: { body: sample },
};

/** The history of a repository, of a branch, or of what lies below one path; a feed of it too. */
function recognises(url: URL): Recognised | undefined {
  const { repo, section, rest } = onGitHub(url) ?? {};
  if (repo === undefined || rest === undefined) return undefined;
  if (section === "tree") return folder(repo, rest);
  if (section !== "commits" && section !== "commits.atom") return undefined;
  return folder(
    repo,
    rest.map((part, i) => (i === rest.length - 1 ? part.replace(/\.atom$/, "") : part)),
  );
}

function folder(repo: string, [branch, ...path]: readonly string[]): Recognised | undefined {
  if (branch === undefined || path.length === 0) return { address: repo };
  return isPinned(branch) ? undefined : { address: repo, options: { path: path.join("/"), branch } };
}

const commits = z.array(
  z.object({
    sha: z.string().regex(/^[\da-f]{7,64}$/i),
    html_url: z.string().optional(),
    commit: z.object({ message: z.string(), committer: z.object({ date: z.string() }).nullish() }),
  }),
);

function apiRequest(source: Source): Request {
  const { path, branch } = parts(source);
  const query = new URLSearchParams({ ...(path && { path }), ...(branch && { sha: branch }), per_page: "30" });
  return api(`${source.address}/commits?${query}`);
}

/** `owner/name/commits/<branch>/<path>`: a page of GitHub, and with `.atom` its feed. */
function history(source: Source): string {
  const { path, branch } = parts(source);
  const below = [branch ?? "HEAD", path].filter((part) => part !== undefined).join("/");
  return `${source.address}/commits/${below.split("/").map(encodeURIComponent).join("/")}`;
}

function parts({ options }: Source): { path?: string; branch?: string } {
  const path = typeof options.path === "string" ? options.path.replace(/^\/|\/$/g, "") : undefined;
  return {
    ...(path && { path }),
    ...(typeof options.branch === "string" && { branch: options.branch }),
  };
}

function fromApi(response: Response): Reading {
  const list = bounded(shaped(commits, parseJson(response), "list of GitHub commits"));
  return {
    items: list.map(({ sha, html_url, commit }) => {
      const { title, blocks } = message(commit.message);
      return item(sha, title, blocks, html_url, instantOf(commit.committer?.date));
    }),
  };
}

async function fromAtom(response: Response): Promise<Reading> {
  const { entries } = await entriesOf(response);
  return { items: entries.flatMap(itemOfEntry) };
}

/** The content of an entry is the whole message, title included, in a `<pre>`. */
function itemOfEntry({ id, url, title, at, html }: ParsedEntry): Item[] {
  const sha = /(?:Commit\/|\/commit\/)([\da-f]{7,64})/i.exec(`${id} ${url ?? ""}`)?.[1];
  if (sha === undefined) return [];
  const [whole = title] = html === undefined ? [] : blocksOf(html).map((block) => block.text);
  const rest = whole.startsWith(title) ? whole.slice(title.length).trim() : whole;
  return [item(sha, title, blocksOfPlain(rest), url, at)];
}

function message(text: string): { title: string; blocks: Block[] } {
  const [title = "", ...rest] = text.trim().split("\n");
  return { title: title.trim(), blocks: blocksOfPlain(rest.join("\n")) };
}

function item(sha: string, title: string, blocks: Block[], url: string | undefined, at: number | undefined): Item {
  return {
    id: sha,
    title: title.slice(0, 1_000) || sha.slice(0, 10),
    ...(url && { url }),
    ...(at !== undefined && { at }),
    ...(blocks.length > 0 && { blocks }),
  };
}

function sample({ entries }: SampleState, { address }: Source): string {
  const list = newestFirst(entries).map(({ name, on, text }) => ({
    sha: hashOf(name),
    html_url: `https://github.com/${address}/commit/${hashOf(name)}`,
    commit: { message: text ? `${name}\n\n${text}` : name, committer: { date: isoOf(on) } },
  }));
  return JSON.stringify(list);
}

/** A stand-in for the hash of a commit: the same name, the same hash. */
function hashOf(name: string): string {
  return Buffer.from(name, "utf8").toString("hex").padEnd(40, "0").slice(-40);
}
