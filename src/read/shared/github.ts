import * as z from "zod";
import { wordSet } from "../../model/cache.ts";
import type { Request, Response } from "../../model/ports/index.ts";
import type { Source } from "../../model/source.ts";
import type { Detour, Detours, Reader, Recognised } from "../reader.ts";
import { decodePart, pathParts } from "./address.ts";
import { parseJson } from "./body.ts";
import { shownAt } from "./repository.ts";

/** `owner/name`, as GitHub allows them. */
const ownerAndName = /[A-Za-z\d](?:[A-Za-z\d-]{0,38})\/(?!\.{1,2}(?:#|$))[\w.-]{1,100}/.source;

export const repository = z.string().regex(new RegExp(`^${ownerAndName}$`), "needs owner/name, e.g. pytorch/pytorch");
const numbered = z
  .string()
  .regex(new RegExp(`^${ownerAndName}#\\d{1,9}$`), "needs owner/name#number, e.g. pytorch/pytorch#150121");

/** A request to GitHub's API below `/repos`. Spec: https://docs.github.com/rest */
export function api(path: string): Request {
  return { url: `https://api.github.com/repos/${path}`, accept: "application/vnd.github+json", githubApi: true };
}

/** A request for one of GitHub's feeds, which need no token. */
export function atom(path: string): Request {
  return { url: `https://github.com/${path}.atom`, accept: "application/atom+xml" };
}

/** The parts of a reader that issues and pull requests share: `section` is that of their pages, `path` that of the API. */
export function ofThread(section: string, path: string) {
  return {
    cadence: "6h",
    address: numbered,
    recognises: (url) => numberedAt(url, section),
    request: ({ address }) => api(address.replace("#", `/${path}/`)),
    page: ({ address }) => `https://github.com/${address.replace("#", `/${section}/`)}`,
    leadsTo: shownAt,
    titleOf: (_, { facts }) => facts?.title,
  } as const satisfies Partial<Reader>;
}

/** First parts of paths on GitHub that are no owners. */
const ofGitHub = wordSet(
  "about advisories apps blog collections contact customer-stories enterprise events explore features gist join login marketplace mobile new notifications orgs organizations pricing readme resources search security settings site solutions sponsors stars team topics trending users",
);

/** The repository that an address on github.com belongs to, and the parts of the path after its name. */
export function onGitHub(url: URL): { repo: string; section?: string; rest: readonly string[] } | undefined {
  const { host, parts } = pathParts(url);
  const [owner = "", name = "", section, ...rest] = parts;
  if (host !== "github.com" || name === "" || ofGitHub.has(owner.toLowerCase())) return undefined;
  return { repo: `${owner}/${name.replace(/\.git$/, "")}`, section, rest };
}

/** An issue or pull request, in its `section` of a repository. */
function numberedAt(url: URL, section: string): Recognised | undefined {
  const at = onGitHub(url);
  const [first = ""] = at?.rest ?? [];
  return at?.section === section && /^\d{1,9}$/.test(first) ? { address: `${at.repo}#${Number(first)}` } : undefined;
}

/** A file in a repository, whose raw content is read instead of the page that shows it. */
export function fileOnGitHub(url: URL): Recognised | undefined {
  const at = onGitHub(url);
  if (at) return at.section === "blob" || at.section === "raw" ? fileOf(at.repo, at.rest) : undefined;
  const { host, parts } = pathParts(url);
  const [owner, name, ...rest] = parts;
  return host === "raw.githubusercontent.com" && rest.length > 1 ? fileOf(`${owner}/${name}`, rest) : undefined;
}

function fileOf(repo: string, [branch, ...path]: readonly string[]): Recognised | undefined {
  const last = path.at(-1);
  if (branch === undefined || last === undefined || /\.(?:png|jpe?g|gif|svg|webp)$/i.test(last)) return undefined;
  const address = `https://raw.githubusercontent.com/${repo}/${[branch, ...path].map(encodeURIComponent).join("/")}`;
  return { address, ...(looksPinned(rawFile(address)?.ref ?? branch) && { frozen: "it is of one commit or version" }) };
}

const raws = [/^(https:\/\/raw\.githubusercontent\.com\/[^/]+\/[^/]+\/)/, /^(https:\/\/[^/]+\/.{3,300}?\/-\/raw\/)/];

/** The parts of a raw file's address at GitHub or GitLab. `at`: the address up to the ref. */
export function rawFile(address: string) {
  const at = raws.map((form) => form.exec(address)?.[1]).find((start) => start !== undefined);
  const [, refs, ref, path] = /^(?:refs\/(heads|tags)\/)?([^/]+)\/(.+)$/.exec(address.slice(at?.length)) ?? [];
  return at === undefined || ref === undefined || path === undefined
    ? undefined
    : { at, ref, isTag: refs === "tags", path };
}

/** The same file of the default branch; undefined for other addresses. */
export function onDefaultBranch(address: string): string | undefined {
  const file = rawFile(address);
  return file && `${file.at}HEAD/${file.path}`;
}

/** The same file if its branch may have been renamed. A file of a commit or version has no other. */
export function* onRenamedBranch({ address }: Pick<Source, "address">): Detours {
  const { ref = "HEAD", isTag } = rawFile(address) ?? {};
  const url = ref === "HEAD" || isTag || /\d/.test(ref) ? undefined : onDefaultBranch(address);
  if (url !== undefined) yield { request: { url }, gives: "moved source" };
}

/** The page for a raw file; any other address unchanged. */
export function pageOfFile(address: string): string {
  return address
    .replace(/^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\//, "https://github.com/$1/blob/")
    .replace("/-/raw/", "/-/blob/");
}

/** Whether a raw file can never change: its address has a whole commit hash or a tag. */
export function isPinnedFile(address: string): boolean {
  const { ref = "", isTag } = rawFile(address) ?? {};
  return isTag === true || /^(?:[\da-f]{40}|[\da-f]{64})$/.test(ref);
}

/** Whether a ref looks like a commit or a version's tag. A branch may look like that, too. */
export function looksPinned(ref: string): boolean {
  return /^[\da-f]{7,40}$/.test(ref) || /^v?\d+(?:\.\d+)+(?:-(?:rc|alpha|beta|pre)[.\d]*)?$/.test(ref);
}

/** The tag at the end of the address of a release on GitHub. */
export function tagOf(url: string | undefined): string | undefined {
  const written = /^https:\/\/github\.com\/[^/]+\/[^/]+\/releases\/tag\/(.+)$/.exec(url ?? "")?.[1];
  return written && decodePart(written);
}

export const gitHubLabel = z.union([z.string(), z.object({ name: z.string().nullish() })]);

/** Names of labels, sorted, as their order means nothing. */
export function labelNames(labels: readonly z.infer<typeof gitHubLabel>[]): string[] {
  const names = labels.map((one) => (typeof one === "string" ? one : (one.name ?? "")));
  return names.filter((name) => name !== "").sort();
}

/** Renames in a row that are followed, at most. */
const mostRenames = 3;

const commits = z.array(z.object({ sha: z.string().regex(/^[\da-f]{40,64}$/) }));
const commit = z.object({
  files: z.array(z.object({ filename: z.string(), previous_filename: z.string().nullish() })),
});

/**
 * Requests that find a file which the default branch no longer has: on GitHub by the name that its last commit gave it,
 * else by the linked commit. Spec: https://docs.github.com/rest/commits/commits
 */
export function* afterRename(linked: string): Detours {
  const { at = "", path: linkedPath } = rawFile(linked) ?? {};
  const [, repo] = /^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\/$/.exec(at) ?? [];
  let path = repo && linkedPath?.split("/").map(decodePart).join("/");
  for (let renames = 0; path && renames < mostRenames; renames++) {
    const [last] = shapeOf(commits, yield hint(`${repo}/commits?path=${encodeURIComponent(path)}&per_page=1`)) ?? [];
    const { files = [] } = (last && shapeOf(commit, yield hint(`${repo}/commits/${last.sha}`))) ?? {};
    path = files.find((file) => file.previous_filename === path)?.filename;
    const url = `${at}HEAD/${path?.split("/").map(encodeURIComponent).join("/")}`;
    if (path) yield { request: { url }, gives: "source" };
  }
  yield { request: { url: linked }, gives: "source" };
}

function hint(path: string): Detour {
  return { request: api(path), gives: "hint" };
}

/** The parsed response; undefined if it is missing or has another shape. @throws Failure `malformed` if it is not JSON */
function shapeOf<T>(schema: z.ZodType<T>, response: Response | undefined): T | undefined {
  return response && schema.safeParse(parseJson(response)).data;
}
