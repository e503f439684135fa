import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import type { Request, Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { blocksOf } from "../html/html.ts";
import type { Access } from "../reader.ts";
import { blocksOfPlain } from "../text/plain.ts";
import { limitItems, parseJson, parseShape } from "./body.ts";
import { entriesOf, isXml, type ParsedEntry } from "./entries.ts";
import { api, atom } from "./github.ts";
import { itemFrom } from "./given.ts";

/** The commits of a repository on GitHub: of one branch and below one path, if given. */
export interface History {
  /** `owner/name` */
  readonly repo: string;
  readonly path?: string;
  readonly branch?: string;
}

/** By the API with a token, else by Atom. */
export function commitsRequest(history: History, { githubToken }: Access): Request {
  const { repo, path, branch } = history;
  if (!githubToken) return atom(historyPath(history));
  const query = new URLSearchParams({ ...(path && { path }), ...(branch && { sha: branch }), per_page: "30" });
  return api(`${repo}/commits?${query}`);
}

/** `owner/name/commits/<branch>/<path>`: a page of GitHub, and with `.atom` its feed. */
export function historyPath({ repo, path, branch = "HEAD" }: History): string {
  const below = [branch, path].filter((part) => part !== undefined).join("/");
  return `${repo}/commits/${below.split("/").map(encodeURIComponent).join("/")}`;
}

/** Spec: https://docs.github.com/rest/commits/commits#list-commits */
const commits = z.array(
  z.object({
    sha: z.string().regex(/^[\da-f]{7,64}$/i),
    html_url: z.string().optional(),
    commit: z.object({ message: z.string(), committer: z.object({ date: z.string() }).nullish() }),
  }),
);

/** Parses a response of either API. */
export async function commitsOf(response: Response): Promise<Reading> {
  if (!isXml(response)) return fromApi(response);
  const { entries } = await entriesOf(response);
  return { items: entries.flatMap(itemOfEntry) };
}

function fromApi(response: Response): Reading {
  const list = limitItems(parseShape(commits, parseJson(response), "list of GitHub commits"));
  return {
    items: list.map(({ sha, html_url, commit }) => {
      const [title = "", ...rest] = commit.message.trim().split("\n");
      return item(sha, title.trim(), rest.join("\n"), html_url, instantOf(commit.committer?.date));
    }),
  };
}

/** The content of an entry is the whole message, title included, in a `<pre>`. */
function itemOfEntry({ id, url, title, at, html }: ParsedEntry): Item[] {
  const sha = /(?:Commit\/|\/commit\/)([\da-f]{7,64})/i.exec(`${id} ${url ?? ""}`)?.[1];
  if (sha === undefined) return [];
  const [whole = title] = blocksOf(html ?? "").map((block) => block.text);
  const rest = whole.startsWith(title) ? whole.slice(title.length).trim() : whole;
  return [item(sha, title, rest, url, at)];
}

function item(sha: string, title: string, text: string, url: string | undefined, at: number | undefined): Item {
  const shown = title.slice(0, 1_000) || sha.slice(0, 10);
  return { ...itemFrom({ id: sha, title: shown, url, blocks: blocksOfPlain(text) }), at };
}
