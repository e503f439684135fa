import { isoInstant } from "../language/dates.ts";
import type { FindingKind } from "../model/finding.ts";
import type { Facts, Reading } from "../model/reading.ts";
import { aDay, day, type Instant } from "../model/time.ts";
import type { Reader } from "./reader.ts";

/** A state of a source that people who cite it would want to know: archived, deprecated, retracted, silent. */
export interface SourceState {
  readonly kind: FindingKind;
  readonly fact: string;
  readonly value: string;
  /** Follows the name of the source: `is archived: nobody maintains it`. */
  readonly says: string;
  /** What shows it. */
  readonly evidence: string;
}

/** Facts of works with their own kind of finding, from any registry. */
const kindOfFact: Partial<Record<string, FindingKind>> = { retracted: "retracted", "published-as": "published" };

/** The states of a source, by its facts, with the date if the fact is one. `name`: its address. Pure. */
export function sourceStatesOf(reader: Pick<Reader, "states"> | undefined, name: string, facts: Facts): SourceState[] {
  return (reader?.states ?? []).flatMap(({ fact, is, says, ended, seeAt }): SourceState[] => {
    const value = facts[fact];
    if (value === undefined || (is !== undefined && value !== is)) return [];
    const evidence = seeAt?.(name) ?? (is === undefined ? `${name}: ${value}` : name);
    const date = /^\d{4}-\d\d-\d\d(?=T|$)/.exec(value)?.[0];
    const saysWhen = date === undefined ? says : `${says} on ${date}`;
    return [{ kind: kindOfFact[fact] ?? (ended ? "ended" : "outdated"), fact, value, says: saysWhen, evidence }];
  });
}

/** Years without any activity after which a repository is reported as silent. */
const silentYears = 2;
const aYear = 365 * aDay;
/** The name under which silence is stored among the facts of a source; its value is a day. */
const silentSince = "silent since";

/** The silence of a source without activity for years. An archived one says so itself. Pure. */
export function silenceOf(
  { active, facts = {} }: Pick<Reading, "active" | "facts">,
  at: Instant,
): SourceState | undefined {
  if (active === undefined || facts.archived === "yes" || at - active < silentYears * aYear) return undefined;
  return silenceSince(active, at);
}

function silenceSince(active: Instant, at: Instant): SourceState {
  const value = day(active);
  const says = `has been silent for ${Math.floor((at - active) / aYear)} years`;
  return { kind: "silent", fact: silentSince, value, says, evidence: `last change ${value}` };
}

/** The state for a stored fact. `at`: when it was seen. */
export function sourceStateOfFact(
  reader: Pick<Reader, "states"> | undefined,
  name: string,
  { fact, value, at }: { readonly fact: string; readonly value: string; readonly at: Instant },
): SourceState | undefined {
  if (fact === silentSince) return silenceSince(isoInstant(value), at);
  return sourceStatesOf(reader, name, { [fact]: value })[0];
}
