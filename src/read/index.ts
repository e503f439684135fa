import type { Reading } from "../model/reading.ts";
import { appStore } from "./app-store.ts";
import { arxiv } from "./arxiv.ts";
import { containerTags } from "./container-tags.ts";
import { crates } from "./crates.ts";
import { csaf } from "./csaf.ts";
import { datacite } from "./datacite.ts";
import { doi } from "./doi.ts";
import { endoflife } from "./endoflife.ts";
import { feed } from "./feed.ts";
import { forgejoReleases } from "./forgejo-releases.ts";
import { forgejoRepo } from "./forgejo-repo.ts";
import { withCharset } from "./formats/charset.ts";
import { sized } from "./formats/size.ts";
import { githubAdvisory } from "./github-advisory.ts";
import { githubCommits } from "./github-commits.ts";
import { githubIssue } from "./github-issue.ts";
import { githubPull } from "./github-pull.ts";
import { githubReleases } from "./github-releases.ts";
import { githubRepo } from "./github-repo.ts";
import { gitlabProject } from "./gitlab-project.ts";
import { gitlabReleases } from "./gitlab-releases.ts";
import { huggingface } from "./huggingface.ts";
import { json } from "./json.ts";
import { maven } from "./maven.ts";
import { mediawiki } from "./mediawiki.ts";
import { npm } from "./npm.ts";
import { nuget } from "./nuget.ts";
import { osv } from "./osv.ts";
import { packagist } from "./packagist.ts";
import { page } from "./page.ts";
import { pdf } from "./pdf.ts";
import { pypi } from "./pypi.ts";
import type { Reader } from "./reader.ts";
import { otherReport } from "./report.ts";
import { rfc } from "./rfc.ts";
import { rfcErrata } from "./rfc-errata.ts";
import { rubygems } from "./rubygems.ts";
import { textFile } from "./text.ts";
import { w3c } from "./w3c.ts";
import { whatwg } from "./whatwg.ts";

/**
 * In the order in which they are asked whether an address is theirs: first the kinds of one service, then forms that
 * any site may have, and last pages, which nearly everything is.
 */
const all: readonly Reader[] = [
  githubReleases,
  githubRepo,
  githubIssue,
  githubPull,
  githubCommits,
  githubAdvisory,
  gitlabReleases,
  gitlabProject,
  forgejoReleases,
  forgejoRepo,
  pypi,
  crates,
  npm,
  rubygems,
  packagist,
  maven,
  nuget,
  containerTags,
  appStore,
  arxiv,
  datacite,
  doi,
  huggingface,
  rfc,
  rfcErrata,
  w3c,
  whatwg,
  endoflife,
  osv,
  csaf,
  mediawiki,
  pdf,
  feed,
  textFile,
  page,
  json,
  otherReport,
];

/** Every kind of source, by its word in config. Readings are limited in size, and entries need a name. */
export const readers: ReadonlyMap<string, Reader> = new Map(all.map((reader) => [reader.kind, guarded(reader)]));

function guarded(reader: Reader): Reader {
  return {
    ...reader,
    read(response, ...others) {
      const named = withCharset(response);
      if (named) return named.then((response) => reader.read(response, ...others)).then(kept);
      const reading = reader.read(response, ...others);
      return reading instanceof Promise ? reading.then(kept) : kept(reading);
    },
  };
}

function kept(reading: Reading): Reading {
  return named(sized(reading));
}

/** Removes entries without a name, as registries may hold under a blank key: nothing tells one from the next. */
function named(reading: Reading): Reading {
  const items = reading.items?.filter(({ id }) => id.trim() !== "");
  return items?.length === reading.items?.length ? reading : { ...reading, items };
}
