import type { Reading } from "../model/reading.ts";
import { appStore } from "./kinds/app-store.ts";
import { arxiv } from "./kinds/arxiv.ts";
import { containerTags } from "./kinds/container-tags.ts";
import { crates } from "./kinds/crates.ts";
import { csaf } from "./kinds/csaf.ts";
import { datacite } from "./kinds/datacite.ts";
import { doi } from "./kinds/doi.ts";
import { endoflife } from "./kinds/endoflife.ts";
import { feed } from "./kinds/feed.ts";
import { forgejoReleases } from "./kinds/forgejo-releases.ts";
import { forgejoRepo } from "./kinds/forgejo-repo.ts";
import { githubAdvisory } from "./kinds/github-advisory.ts";
import { githubCommits } from "./kinds/github-commits.ts";
import { githubIssue } from "./kinds/github-issue.ts";
import { githubPull } from "./kinds/github-pull.ts";
import { githubReleases } from "./kinds/github-releases.ts";
import { githubRepo } from "./kinds/github-repo.ts";
import { gitlabProject } from "./kinds/gitlab-project.ts";
import { gitlabReleases } from "./kinds/gitlab-releases.ts";
import { huggingface } from "./kinds/huggingface.ts";
import { json } from "./kinds/json.ts";
import { citedLines } from "./kinds/lines.ts";
import { maven } from "./kinds/maven.ts";
import { mediawiki } from "./kinds/mediawiki.ts";
import { npm } from "./kinds/npm.ts";
import { nuget } from "./kinds/nuget.ts";
import { osv } from "./kinds/osv.ts";
import { packagist } from "./kinds/packagist.ts";
import { page } from "./kinds/page.ts";
import { pdf } from "./kinds/pdf.ts";
import { pypi } from "./kinds/pypi.ts";
import { otherReport } from "./kinds/report.ts";
import { rfc } from "./kinds/rfc.ts";
import { rubygems } from "./kinds/rubygems.ts";
import { textFile } from "./kinds/text.ts";
import { w3c } from "./kinds/w3c.ts";
import { whatwg } from "./kinds/whatwg.ts";
import type { Reader } from "./reader.ts";
import { withCharset } from "./shared/charset.ts";
import { checkSize } from "./shared/size.ts";

/** Asked in this order whether an address is theirs: kinds of one service, forms of any site, and last pages. */
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
  w3c,
  whatwg,
  endoflife,
  osv,
  csaf,
  mediawiki,
  pdf,
  feed,
  citedLines,
  textFile,
  page,
  json,
  otherReport,
];

/** Every kind of source, by its word in config, with checks of charset, size and names of entries. */
export const readers: ReadonlyMap<string, Reader> = new Map(all.map((reader) => [reader.kind, guardReader(reader)]));

function guardReader(reader: Reader): Reader {
  return {
    ...reader,
    read(response, ...others) {
      const named = withCharset(response);
      if (named) return named.then((response) => reader.read(response, ...others)).then(checkReading);
      const reading = reader.read(response, ...others);
      return reading instanceof Promise ? reading.then(checkReading) : checkReading(reading);
    },
  };
}

/** A reading of allowed size, without entries with a blank id, as in some registries: they cannot be distinguished. */
function checkReading(reading: Reading): Reading {
  const items = checkSize(reading).items?.filter(({ id }) => id.trim() !== "");
  return items?.length === reading.items?.length ? reading : { ...reading, items };
}
