import type { Config } from "../model/config.ts";
import { weightOf } from "../model/firing.ts";
import { cutLine } from "../model/markdown.ts";
import { version } from "../model/own-version.ts";
import { slugOf } from "../model/published.ts";
import type { ReadingSize } from "../model/reading-size.ts";
import { causeName, claimReason, readerState } from "../model/states.ts";
import { type StatusFile, statusFormat } from "../model/status-file.ts";
import { day, isoTime } from "../model/time.ts";
import { triggerName } from "../model/words.ts";
import { askedRatings } from "../recheck/issue/question.ts";
import type { SourceStory } from "../status/explain/source.ts";
import type { OpenQuestion } from "../status/status.ts";
import type { Edition } from "./edition.ts";
import { issueAddress, safeAddress, shortId } from "./plain.ts";
import { citesOf, firingsAgainst, references } from "./references.ts";

/** The state of the report for programs. The output always matches the schema of `status-file.ts`. */
export function statusJson(edition: Edition): StatusFile {
  const { at, config, status, staleAfter } = edition;
  const { title, url, version: reportVersion, audited } = config.report;
  const address = safeAddress(url);
  return {
    format: statusFormat,
    program: `recheck ${version}`,
    written: isoTime(at),
    ...(status.lastCheck !== undefined && { lastCheck: isoTime(status.lastCheck) }),
    staleAfter: isoTime(staleAfter),
    report: {
      title: cutLine(title, 500),
      url: address,
      ...(reportVersion !== undefined && { version: cutLine(reportVersion, 60) }),
      audited: day(audited),
    },
    levels: config.levels.slice(0, 100).map((level) => cutLine(level, 200)),
    ratings: ratings(edition),
    references: references(edition),
    claims: claims(edition),
    sources: edition.sources.slice(0, 50_000).map((story) => sourceOf(story, edition)),
    open: open(edition),
  };
}

function ratings(edition: Edition): StatusFile["ratings"] {
  const { config, status } = edition;
  const asking = rechecksByRating(edition);
  return status.ratings.slice(0, 10_000).map(({ rating: id, level: reason, at, because, value }) => {
    const { basis, volatility, reviewed } = config.ratings.get(id) ?? {};
    const recheck = asking.get(id);
    return {
      id: shortId(id),
      names: namesOf(id, config).map((name) => cutLine(name, 200)),
      level: cutLine(value, 200),
      basis,
      ...(volatility !== undefined && { volatility: cutLine(volatility, 60) }),
      ...(reviewed !== undefined && { reviewed: day(reviewed) }),
      state: readerState(reason),
      reason,
      at: isoTime(at),
      because: because.slice(0, 50).map((one) => cutLine(causeName(one, reason, config), 300)),
      recheck,
      page: `ratings/${slugOf(id)}.html`,
    };
  });
}

/** The address of the open recheck about a rating; among several, of a contrary one. */
function rechecksByRating({ status, config, repository }: Edition): Map<string, string> {
  const addresses = new Map<string, string>();
  const isContrary = ({ firings }: OpenQuestion) => weightOf(firings) === "contrary";
  for (const one of [...status.open].sort((a, b) => Number(isContrary(b)) - Number(isContrary(a)))) {
    const address = issueAddress(one.issue, repository);
    for (const rating of address ? askedRatings(one.firings, config) : []) {
      if (address && !addresses.has(rating)) addresses.set(rating, address);
    }
  }
  return addresses;
}

function claims(edition: Edition): StatusFile["claims"] {
  const all = edition.sources.flatMap((story) => story.claims);
  return all.slice(0, 50_000).map((claim) => {
    const [ended] = firingsAgainst(claim, edition.open);
    const reason = claimReason(claim.state, ended !== undefined);
    const since = reason === claim.state ? claim.since : ended?.seen;
    return {
      id: shortId(claim.id, 300),
      says: cutLine(claim.says, 1_000),
      state: readerState(reason),
      reason,
      ...(since !== undefined && { since: isoTime(since) }),
      cites: citesOf(claim, edition.config).slice(0, 1_000),
      ratings: claim.ratings.slice(0, 1_000).map((id) => shortId(id)),
    };
  });
}

function sourceOf({ source, health }: SourceStory, { link }: Edition): StatusFile["sources"][number] {
  const url = safeAddress(link(source));
  return {
    id: shortId(source.id),
    ...(source.title !== undefined && { title: cutLine(source.title, 300) }),
    kind: cutLine(source.kind, 60),
    url,
    state: readerState(health.state),
    reason: health.state,
    ...(health.lastSeen !== undefined && { lastSeen: isoTime(health.lastSeen) }),
    gave: health.gave && gaveOfSource(health.gave),
    ...(health.next !== undefined && { next: isoTime(health.next) }),
  };
}

function gaveOfSource({ newest, from: _, ...counts }: ReadingSize): ReadingSize {
  return { ...counts, ...(newest !== undefined && { newest: cutLine(newest, 200) }) };
}

function open({ status, config, rechecks, repository }: Edition): StatusFile["open"] {
  return status.open.slice(0, 1_000).map(({ trigger, issue, firings }) => {
    const url = issueAddress(issue, repository);
    const recheck = rechecks.find((one) => one.state === "open" && one.issue === issue && issue !== undefined);
    return {
      trigger: shortId(trigger),
      name: cutLine(triggerName(trigger, config), 300),
      weight: weightOf(firings),
      opened: recheck && isoTime(recheck.opened),
      issue,
      url,
      ratings: askedRatings(firings, config)
        .slice(0, 10_000)
        .map((id) => shortId(id)),
    };
  });
}

/** Names for the parts of a rating's id; the last one holds all parts after the fourth. */
function namesOf(id: string, { names }: Config): string[] {
  const parts = id.split("/").map((part) => names.get(part) ?? part);
  return parts.length > 4 ? [...parts.slice(0, 3), parts.slice(3).join(" · ")] : parts;
}
