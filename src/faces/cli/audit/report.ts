import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ReportFile } from "../../../config/draft/index.ts";
import { Failure } from "../../../model/failure.ts";
import type { Fetch } from "../../../model/ports/index.ts";
import { decode, isHtml, mediaType } from "../../../read/formats/body.ts";
import { WrongUsage } from "../terminal.ts";

/** A report as it was found. */
export interface FoundReport {
  /** As people call it: a path, an address, `owner/name`. */
  readonly name: string;
  readonly files: readonly ReportFile[];
}

const reportFile = /\.(?:md|mdx|qmd|markdown|rst|html?|ipynb|csv|json|txt)$/i;
/** Folders in which no report stands. */
const passedBy = /^(?:\..*|node_modules|vendor|dist|build|test|tests|__pycache__)$/;
const maxFiles = 200;
const maxBytes = 50_000_000;

/** Reads a file, a folder, a repository's README or a page. @throws WrongUsage | Failure */
export async function findReport(written: string, fetch: Fetch): Promise<FoundReport> {
  if (/^https?:\/\//i.test(written)) return await fromWeb(written, fetch);
  const there = await stat(written).catch(() => undefined);
  if (there?.isDirectory()) return { name: written, files: await fromFolder(written) };
  if (there) return { name: written, files: [await fromFile(written, written, there.size)] };
  if (/^[\w.-]+\/[\w.-]+$/.test(written)) return await fromRepository(written, fetch);
  throw new WrongUsage(`${written} is no file, folder, owner/name or address`);
}

async function fromWeb(written: string, fetch: Fetch): Promise<FoundReport> {
  const url = URL.parse(written);
  if (!url) throw new WrongUsage(`${written} is not an address`);
  const [, repository] = /^\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url.pathname) ?? [];
  if (/^(?:www\.)?github\.com$/.test(url.hostname) && repository !== undefined)
    return await fromRepository(repository, fetch);
  const fetched = await fetch.get({ url: url.href }, { robots: true });
  if (fetched.kind !== "response") throw new Failure("status", { status: 304 });
  const type = mediaType(fetched.response);
  if (/^(?:image|audio|video|font)\//.test(type))
    throw new Failure("wrong-type", { expected: "a report", found: type });
  const text = decode(fetched.response);
  const path =
    isHtml(text) || type === "text/html"
      ? `${written}#.html`
      : reportFile.test(url.pathname)
        ? url.pathname
        : `${written}#.md`;
  return { name: written, files: [{ path, text }] };
}

/** Its README, as GitHub finds it: https://docs.github.com/rest/repos/contents#get-a-repository-readme */
async function fromRepository(repository: string, fetch: Fetch): Promise<FoundReport> {
  const url = `https://api.github.com/repos/${repository}/readme`;
  const fetched = await fetch.get({ url, accept: "application/vnd.github.raw+json", githubApi: true }, {});
  if (fetched.kind !== "response") throw new Failure("status", { status: 304 });
  return { name: repository, files: [{ path: "README.md", text: decode(fetched.response) }] };
}

async function fromFolder(folder: string): Promise<ReportFile[]> {
  const paths = await pathsIn(folder, folder);
  if (paths.length === 0) throw new WrongUsage(`${folder} holds no Markdown, HTML or other text of a report`);
  const files: ReportFile[] = [];
  let bytes = 0;
  for (const path of paths.slice(0, maxFiles)) {
    const { size } = await stat(join(folder, path));
    bytes += size;
    if (bytes <= maxBytes) files.push(await fromFile(join(folder, path), path, size));
  }
  return files;
}

/** The nearest first: a README before its chapters. */
async function pathsIn(root: string, folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const own = entries.filter(
    (entry) => entry.isFile() && /\.(?:md|mdx|qmd|markdown|rst|html?|ipynb)$/i.test(entry.name),
  );
  const below = entries.filter((entry) => entry.isDirectory() && !passedBy.test(entry.name));
  const paths = own.map(({ name }) => relative(root, join(folder, name)));
  for (const { name } of below) if (paths.length < maxFiles) paths.push(...(await pathsIn(root, join(folder, name))));
  return paths;
}

async function fromFile(file: string, path: string, size: number): Promise<ReportFile> {
  if (size > maxBytes) throw new WrongUsage(`${path} is larger than ${maxBytes / 1e6} MB`);
  const bytes = await readFile(file);
  if (bytes.subarray(0, 8_000).includes(0)) throw new WrongUsage(`${path} is not a text`);
  return { path, text: new TextDecoder().decode(bytes) };
}
