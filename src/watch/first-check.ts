import type { Seen } from "../model/change.ts";
import { conditionsOf, listensTo } from "../model/condition.ts";
import type { Config } from "../model/config.ts";
import { type Failure, isNoResponse, saysGone } from "../model/failure.ts";
import type { Watch } from "../model/ports/index.ts";
import type { Reading } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import type { Instant } from "../model/time.ts";
import type { Reader } from "../read/reader.ts";
import { silenceOf, sourceStatesOf } from "../read/source-states.ts";

/** Facts that the first check found, so that no later one sees a change: archived, retracted, silent, missing … */
export function stateChanges(
  source: Source,
  reader: Reader,
  reading: Reading,
  { config, at }: { readonly config: Config; readonly at: Instant },
): Seen[] {
  const { facts = {} } = reading;
  if (facts.public === "no") return awaitsPublic(source, config) ? [] : [{ change: goneAlready, since: at }];
  const states = [...sourceStatesOf(reader, source.address, facts), silenceOf(reading, at) ?? []].flat();
  return states
    .filter(({ fact, value }) => source.atAudit?.[fact] !== value)
    .filter(({ fact }) => !source.claims.some(({ proof }) => "fact" in proof && proof.fact === fact))
    .map(({ fact, value }) => ({ change: { kind: "fact", name: fact, after: value, first: true }, since: at }));
}

const goneAlready = { kind: "link", to: "gone", first: true } as const;

/** Whether the author knew that a repository is not public: a trigger waits for it, or `at-audit` says so. */
function awaitsPublic(source: Source, { triggers }: Config): boolean {
  const conditions = [...triggers.values()].flatMap(conditionsOf);
  return (
    source.atAudit?.public === "no" ||
    conditions.some(
      ({ condition }) =>
        condition.kind === "fact" &&
        condition.name === "public" &&
        condition.becomes !== "no" &&
        listensTo(condition, source),
    )
  );
}

/** The change for a source that the first check did not find, if the report cites it and its name resolves. */
export function firstGoneChange(
  { cites, claims }: Source,
  watch: Watch | undefined,
  failure: Failure | undefined,
  at: Instant,
): Seen[] {
  if (cites.length === 0 && claims.length === 0) return [];
  const isFirst = (watch?.checks ?? 0) === 0 && watch?.lastSeen === undefined;
  if (!isFirst || !failure || !saysGone(failure) || isNoResponse(failure.kind)) return [];
  return [{ change: { ...goneAlready, says: failure.message }, since: at }];
}
