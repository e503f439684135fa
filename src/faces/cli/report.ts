import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import * as z from "zod";
import { checkoutOf, pathWithin } from "../../adapters/files/checkout.ts";
import { runInWorker } from "../../audit/tasks.ts";
import { sourceOf, type Web } from "../../audit/visit.ts";
import { instantOf } from "../../language/dates.ts";
import type { Config } from "../../model/config.ts";
import { codeOf, Failure, isNoResponse } from "../../model/failure.ts";
import type { Fetch, Response, UnreadPages, Workers } from "../../model/ports/index.ts";
import type { Instant } from "../../model/time.ts";
import { listedIn } from "../../onboard/contents.ts";
import { type AroundReport, draftIn } from "../../onboard/first-check.ts";
import { chaptersAround, draftFrom, likelyPages, type ReadLimits, withIncludes } from "../../onboard/report-files.ts";
import { decode, isHtml, mediaType } from "../../read/shared/body.ts";
import type { Draft, DraftedReport, ReportFile } from "../../report/index.ts";
import {
  filesOnDisk,
  lastCommitTime,
  maxReportBytes,
  readText,
  shortPath,
  textIn,
  tooLarge,
  unreadBecause,
  withoutPublished,
} from "../../wire/disk.ts";
import { Unreachable, WrongUsage } from "./terminal.ts";

export interface FoundReport {
  /** Its name for people: a path, an address, `owner/name`. */
  readonly name: string;
  /** Undefined if no file of a folder or a repository cites or rates anything. */
  readonly report?: DraftedReport;
  readonly best?: Draft;
  readonly unread?: UnreadPages;
  readonly published?: string;
  /** `owner/name`. */
  readonly repository?: string;
  /** Files and entries that could not be read, a sentence each. */
  readonly faults: readonly string[];
  /** When the last commit of a single file was made. Git may take long for this, so only a draft asks. */
  readonly committed?: () => Promise<Instant | undefined>;
}

export function filesOf({ report }: Pick<FoundReport, "report">): ReportFile[] {
  if (!report) return [];
  const { chapters = [], path, text } = report;
  return [...(text === "" ? [] : [{ path, text }]), ...chapters];
}

/** Reads a report: `root` is the folder from which files are named. */
export interface Finding extends AroundReport {
  readonly root?: string;
  /** For a file: the whole report that it belongs to. */
  readonly whole?: boolean;
}

type ReportWeb = Web & Required<Pick<Web, "workers">>;

/** Reads a file, a folder, a repository on GitHub or a page. @throws WrongUsage | Unreachable */
export async function findReport(written: string, web: ReportWeb, finding: Finding): Promise<FoundReport> {
  return await explainFailure(written, async () => {
    if (/^https?:\/\//i.test(written)) return await fromWeb(written, web, finding);
    const stats = await stat(written).catch((error: unknown) => {
      if (["EACCES", "ELOOP"].includes(codeOf(error) ?? "")) throw error;
    });
    if (stats?.isDirectory()) return await fromFolder(written, web, finding);
    if (stats && !stats.isFile())
      throw new WrongUsage(`${written} is neither a file nor a folder; for standard input, give -`);
    if (stats) return await fromFile(written, web, finding, stats.size);
    if (/^[\w.-]+\/[\w.-]+$/.test(written)) return await fromRepository(written, web, finding);
    throw new WrongUsage(`cannot find ${written}: give a file, a folder, owner/name or a URL`);
  });
}

/** The path of the report: as a person gave it, or the file that the config names. @throws WrongUsage */
export async function reportPath(
  written: string | undefined,
  config: Config | undefined,
  root: string,
): Promise<string> {
  const text = config?.report.text;
  if (written !== undefined || text === undefined) {
    if (written === undefined)
      throw new WrongUsage("which report? Give its file, or name it as report.text in sources.yaml");
    return written;
  }
  return await explainFailure(text, () => pathWithin(root, text));
}

/** Turns failures to read a report into an explanation. @throws WrongUsage | Unreachable */
export async function explainFailure<T>(name: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const unread = unreadBecause(error);
    if (unread !== undefined) throw new WrongUsage(unread, { cause: error });
    if (!(error instanceof Failure)) throw error;
    const sentence = `${name} could not be read: ${error.message}`;
    throw isNoResponse(error.kind) ? new Unreachable(sentence) : new WrongUsage(sentence);
  }
}

export const standardInput = "standard input";

export async function reportFromInput(): Promise<FoundReport> {
  return await explainFailure(standardInput, async () => {
    const text = await readText(process.stdin, standardInput);
    const report = { path: `${standardInput}${isHtml(text) ? "#.html" : "#.md"}`, text };
    return { name: standardInput, report, faults: [] };
  });
}

async function fromWeb(written: string, web: ReportWeb, finding: Finding): Promise<FoundReport> {
  const url = URL.parse(written);
  if (!url) throw new WrongUsage(`${written} is not an address`);
  const [, repository] = /^\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(url.pathname) ?? [];
  if (/^(?:www\.)?github\.com$/.test(url.hostname) && repository !== undefined)
    return await fromRepository(repository, web, finding);
  const response = await responseOf(web.fetch.get({ url: url.href }, { robots: true }));
  const type = mediaType(response);
  if (!isText(type)) throw new Failure("wrong-type", { expected: "a report", found: type });
  const text = decode(response);
  const html = isHtml(text) || type === "text/html";
  if (html) await refuseWalls(response, web);
  const { pathname } = url;
  const path = html ? `${written}#.html` : hasReportName.test(pathname) ? pathname : `${written}#.md`;
  return {
    name: written,
    report: { path, text },
    published: written,
    faults: await runInWorker("faults", { path, text }, web),
  };
}

function isText(type: string): boolean {
  return (
    type === "" || /^text\/|[/+](?:json|xml|xhtml\+xml|yaml|markdown|(?:x-)?bibtex|x-research-info-systems)$/.test(type)
  );
}

/** A page that asks to sign in, or whether one is human, is not the report. @throws Failure */
async function refuseWalls(response: Response, { readers }: Web): Promise<void> {
  const source = sourceOf({ kind: "page", address: response.url });
  try {
    await readers.get("page")?.read(response, source);
  } catch (error) {
    const kinds = ["login-wall", "bot-wall", "consent-wall", "error-page", "missing-page"];
    if (error instanceof Failure && kinds.includes(error.kind)) throw error;
  }
}

async function responseOf(asked: ReturnType<Fetch["get"]>): Promise<Response> {
  const fetched = await asked;
  if (fetched.kind !== "response") throw new Failure("status", { status: 304 });
  return fetched.response;
}

/** https://docs.github.com/rest/commits/commits#list-commits */
const commitsShape = z.array(z.object({ commit: z.object({ committer: z.object({ date: z.string() }) }) }));

/** The tree of its default branch, as the App reads it. @throws Failure | WrongUsage */
async function fromRepository(
  repository: string,
  { fetch, access, workers }: ReportWeb,
  { at }: Finding,
): Promise<FoundReport> {
  const { blobsIn, encodePath, treeSchema } = await import("../../adapters/github/files.ts");
  const api = `https://api.github.com/repos/${repository}`;
  const asks = (url: string, accept = "application/vnd.github+json") =>
    responseOf(fetch.get({ url, accept, githubApi: true }, {}));
  const answer = await asks(`${api}/git/trees/HEAD?recursive=1`).catch(throwIfMissing(repository));
  const listing = parseAs(treeSchema, answer);
  if (!listing) throw new Failure("malformed", { expected: "tree of GitHub" });
  const listedFiles = blobsIn(listing).filter(({ link }) => !link);
  if (likelyPages(listedFiles).length === 0)
    throw new WrongUsage(`${repository} has no Markdown or HTML file that may be a report`);
  const text = async (path: string) => {
    const file = encodePath(path);
    const response = access.githubToken
      ? await asks(`${api}/contents/${file}`, "application/vnd.github.raw+json")
      : await responseOf(fetch.get({ url: `https://raw.githubusercontent.com/${repository}/HEAD/${file}` }, {}));
    return decode(response);
  };
  const tree = await withoutPublished({ files: listedFiles, whole: !listing.truncated }, text);
  const changed = async (path: string) => {
    const url = `${api}/commits?path=${encodeURIComponent(path)}&per_page=1`;
    const [newest] = parseAs(commitsShape, await asks(url).catch(() => undefined)) ?? [];
    return instantOf(newest?.commit.committer.date);
  };
  const files = { tree: async () => tree, text, changed };
  const faults: string[] = [];
  const drafted = await draftFrom(files, "HEAD", drafting({ at, repository }, { workers, faults }));
  return { name: repository, ...drafted, repository, faults };
}

/** GitHub answers 404 for private and for missing repositories, and 409 for one without commits. */
function throwIfMissing(repository: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof Failure)) throw error;
    if (error.kind === "not-found")
      throw new WrongUsage(`${repository} is private or does not exist: set GITHUB_TOKEN to read a private one`);
    if (error.facts.status === 409) throw new WrongUsage(`${repository} is empty: it has no commit yet`);
    throw error;
  };
}

function parseAs<T>(shape: z.ZodType<T>, response: Response | undefined): T | undefined {
  try {
    return response && shape.safeParse(JSON.parse(decode(response))).data;
  } catch {
    return undefined;
  }
}

export const hasReportName = /\.(?:md|mdx|qmd|markdown|rst|html?|ipynb|csv|json|txt|bib|ris)$/i;
const ofFolder: ReadLimits = { chapters: 2_000, pages: 2_000, bytes: maxReportBytes };

/** A folder as the report, or as a checkout that holds it. @throws WrongUsage */
async function fromFolder(
  folder: string,
  { workers }: ReportWeb,
  { root = ".", whole: _, ...around }: Finding,
): Promise<FoundReport> {
  const { files, faults } = await filesOnDisk(folder, root);
  const isCheckout = (await checkoutOf(folder)) === resolve(folder);
  const prefix = shortPath(folder, root);
  const all = { folder: prefix === "" ? "" : `${prefix}/`, limits: ofFolder };
  const drafted = await draftFrom(files, "", drafting(around, { workers, faults }), isCheckout ? undefined : all);
  return { name: folder, ...drafted, faults };
}

/** Drafts from one or more files of many. Files that take too much are left out, and reported. */
function drafting(
  around: AroundReport,
  { workers, faults }: { readonly workers: Workers; readonly faults: string[] },
): (report: DraftedReport) => Promise<Draft | undefined> {
  return async (report) => {
    try {
      return await draftIn(workers, { report, around });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.push(`${report.path} could not be read: ${error.message}`);
      return undefined;
    }
  };
}

/** A file with those that it includes, or with the other files of its report. @throws WrongUsage */
async function fromFile(file: string, web: Web, { root = ".", whole }: Finding, size: number): Promise<FoundReport> {
  if (size > maxReportBytes) throw new WrongUsage(tooLarge(file));
  const path = shortPath(file, root);
  const text = await textIn(file);
  const ownFile = { path, text };
  const committed = () => lastCommitTime(file);
  const faults = await runInWorker("faults", { path, text }, web);
  if (whole) {
    const { files, faults: others } = await filesOnDisk(root, root);
    const chapters = await chaptersAround(path, files, "", ofFolder);
    return { name: file, report: { ...ownFile, chapters }, faults: [...faults, ...others] };
  }
  if (listedIn(path, text).chapters.length === 0) return { name: file, report: ownFile, faults, committed };
  const { files, faults: others } = await filesOnDisk(dirname(file), root);
  const { report, left } = await withIncludes(path, files, ofFolder);
  return {
    name: file,
    report: { ...report, ...ownFile },
    faults: [...faults, ...others],
    committed,
    ...(left.length > 0 && { unread: { pages: 0, says: left } }),
  };
}
