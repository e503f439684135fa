import { containerTags } from "./container-tags.ts";
import { feed } from "./feed.ts";
import { githubCommits } from "./github-commits.ts";
import { githubIssue } from "./github-issue.ts";
import { githubPull } from "./github-pull.ts";
import { githubReleases } from "./github-releases.ts";
import { githubRepo } from "./github-repo.ts";
import { json } from "./json.ts";
import { page } from "./page.ts";
import { pdf } from "./pdf.ts";
import { pypi } from "./pypi.ts";
import type { Reader } from "./reader.ts";
import { report } from "./report.ts";
import { text } from "./text.ts";

const all: readonly Reader[] = [
  feed,
  page,
  text,
  json,
  githubReleases,
  githubRepo,
  githubIssue,
  githubPull,
  githubCommits,
  pypi,
  containerTags,
  pdf,
  report,
];

/** Every kind of source, by the word that config uses for it. */
export const readers: ReadonlyMap<string, Reader> = new Map(all.map((reader) => [reader.kind, reader]));
