import { type Proposals, proposeClaims } from "../../config/claims/index.ts";
import { withClaims } from "../../config/claims/write.ts";
import type { DraftedReport, ReportFile } from "../../config/draft/index.ts";
import { setInCondition } from "../../config/edit/condition.ts";
import { type GivenUp, giveUpSources, withoutConditionsOn } from "../../config/edit/unwatchable.ts";
import { parseConfig } from "../../config/index.ts";
import type { Condition } from "../../model/condition.ts";
import type { Config, Instant, Reading, Trouble } from "../../model/model.ts";
import type { Asked, ReportFindings } from "../../model/ports/index.ts";
import type { Reader } from "../../read/reader.ts";
import { askedOf, askedSince, often, pastOf, timesOf } from "./asked.ts";

/** The results of one look at the sources of a draft, by the ids of the sources. */
export interface FirstAnswers {
  readonly at: Instant;
  readonly readings: ReadonlyMap<string, Reading>;
  readonly failures: ReadonlyMap<string, Pick<Trouble, "kind" | "says">>;
  /** How sources were at the audit that do not prove all that the report says any more. */
  readonly past?: ReadonlyMap<string, Reading>;
}

/** A drafted config, as it is proposed once its sources were looked at. */
export interface Settled {
  readonly files: readonly DraftFile[];
  readonly config: Config;
  /** Those that are in the config, and what they were taken from. */
  readonly claims: Proposals;
  /** Sources that are `unwatchable` now. */
  readonly givenUp: readonly string[];
  /** Triggers that would have asked in the last half year, as far as sources date what they say. */
  readonly asked: readonly Asked[];
}

/** The files of a report whose sentences are claims: its own, and chapters that cite as it does. */
export function citingFiles(
  { chapters = [], ...report }: DraftedReport,
  { citing = [] }: ReportFindings,
): ReportFile[] {
  return [report, ...chapters.filter(({ path }) => citing.includes(path))];
}

interface DraftFile {
  readonly path: string;
  readonly text: string;
}

interface Drafted {
  readonly files: readonly DraftFile[];
  readonly config: Config;
}

type Readers = ReadonlyMap<string, Reader>;

/**
 * Puts into a draft what the first look at its sources tells: what refuses to be read cannot be watched, patch releases
 * that come too often ask nobody, and what the report says is claimed where its source proves it. `reports`: the texts
 * whose sentences are claims. Pure.
 */
export function afterFirstLook(
  drafted: Drafted,
  reports: readonly ReportFile[],
  look: FirstAnswers,
  readers: Readers,
): Settled {
  const { givenUp, ...readable } = withoutRefused(drafted, look, readers);
  const quiet = withoutPatches(readable, look, readers);
  const claims = proposeClaims(reports, quiet.config, look.readings, readers, look.past);
  const claimed = withClaims(quiet.files, claims.claims, readers);
  const { files, config } = claimed ?? quiet;
  return {
    files,
    config,
    claims: { ...claims, claims: claimed?.written ?? [] },
    givenUp,
    asked: askedSince(config, look.readings, look.at - askedOf),
  };
}

/** Kinds of failure that no other day mends: the address answers, and does not let itself be read. */
const refusals: ReadonlySet<string> = new Set([
  "robots",
  "too-large",
  "charset",
  "bot-wall",
  "consent-wall",
  "login-wall",
  "shell",
]);

/** Authentication and payment required, forbidden, unavailable for legal reasons. */
const refusingStatus = /^(?:401|402|403|451)\b/;

/** Only pages, feeds and files: a registry that refuses is one that limits us. */
function refusedOf({ sources }: Config, { failures }: FirstAnswers): GivenUp[] {
  return [...failures].flatMap(([id, { kind, says }]) => {
    const source = sources.get(id);
    const isRefusal = refusals.has(kind) || (kind === "status" && refusingStatus.test(says));
    if (!source || !isRefusal || source.announces.length > 0 || !/^https?:/.test(source.address)) return [];
    return [{ id, url: source.address, because: `it could not be read when this was drafted: ${says}` }];
  });
}

function withoutRefused(
  drafted: Drafted,
  look: FirstAnswers,
  readers: Readers,
): Drafted & { readonly givenUp: readonly string[] } {
  const refused = refusedOf(drafted.config, look);
  const ids = new Set(refused.map(({ id }) => id));
  const sources = drafted.files.find(({ path }) => path === sourcesFile);
  const without = sources && giveUpSources(sources.text, refused);
  if (without === undefined) return { ...drafted, givenUp: [] };
  const files = drafted.files.map(({ path, text }) => ({
    path,
    text: path === sourcesFile ? without : (withoutConditionsOn(text, ids) ?? text),
  }));
  const { config } = parseConfig(files, readers);
  return config ? { files, config, givenUp: [...ids] } : { ...drafted, givenUp: [] };
}

const sourcesFile = "sources.yaml";

const quietBumps = ["major", "minor"] as const;

/** Where patch releases alone make a condition ask too often, only the others ask; unless there never were any. */
function withoutPatches(drafted: Drafted, { at, readings }: FirstAnswers, readers: Readers): Drafted {
  const { files, config } = drafted;
  const past = pastOf(config, readings, at - askedOf);
  // The first that is known of a product is none that came after another.
  const always = pastOf(config, readings, 0).filter(({ known }) => known.length > 0);
  const changed = files.map((file) => {
    const trigger = config.triggers.get(file.path.replace(/^triggers\/|\.yaml$/g, ""));
    const text = (trigger?.on ?? []).reduce((before, condition, index) => {
      const quiet = quieter(condition);
      const times = timesOf([condition], past);
      if (!quiet || times <= often || timesOf([quiet], past) === times || timesOf([quiet], always) === 0) return before;
      const spelling = `[${quietBumps.join(", ")}] # of all releases there were ${times} in half a year`;
      return setInCondition(before, { part: "on", index }, "bump", { value: [...quietBumps], spelling }) ?? before;
    }, file.text);
    return text === file.text ? file : { ...file, text };
  });
  const { config: after } = changed.some((file, i) => file !== files[i]) ? parseConfig(changed, readers) : {};
  return after ? { files: changed, config: after } : drafted;
}

/** A condition on every release, as one on those that are no patch. */
function quieter(condition: Condition): Condition | undefined {
  return condition.kind === "release" && condition.bump.includes("patch")
    ? { ...condition, bump: [...quietBumps] }
    : undefined;
}
