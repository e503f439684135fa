import type { Evidence, Firing } from "../../../src/model/firing.ts";
import type {
  CheckRecord,
  CheckResult,
  EventSighting,
  NewRecheck,
  RecheckRecord,
  Snapshot,
  StoredComment,
  Watch,
} from "../../../src/model/ports/index.ts";

/** Things to store, whole but for what a test is about. */

export const day = 24 * 60 * 60 * 1000;
export const start = Date.UTC(2026, 4, 16);

export function watch(source: string, change: Partial<Watch> = {}): Watch {
  return {
    source,
    subject: `page https://example.org/${source}`,
    next: start + day,
    checks: 1,
    unknown: 0,
    goneAt: [],
    gone: false,
    pending: false,
    ...change,
  };
}

export function check(source: string, at = start, change: Partial<CheckRecord> = {}): CheckRecord {
  return { source, at, outcome: "changed", sightings: [], noise: [], ...change };
}

export function snapshot(source: string, at = start, text = "text"): Snapshot {
  return {
    source,
    at,
    hash: `hash of ${text}`,
    readerVersion: 1,
    response: {
      url: `https://example.org/${source}`,
      status: 200,
      headers: { "content-type": "text/html" },
      body: new TextEncoder().encode(text),
    },
  };
}

export function evidence(source: string, seen = start, change: Partial<Evidence> = {}): Evidence {
  return { source, seen, change: { kind: "link", to: "gone" }, part: "on", ...change };
}

export function firing(trigger: string, key: string, change: Partial<Firing> = {}): Firing {
  return { trigger, event: { key }, weight: "routine", seen: start, fired: start, evidence: [], ...change };
}

export function sighting(key: string, source: string, change: Partial<EventSighting> = {}): EventSighting {
  return { key, source, seen: start, baseline: false, event: { key }, ...change };
}

export function kept(source: string, change: Partial<CheckResult> = {}): CheckResult {
  return { watch: watch(source), check: check(source), claims: [], events: [], firings: [], ...change };
}

export function recheck(trigger: string, change: Partial<RecheckRecord> = {}): NewRecheck {
  return { trigger, state: "planned", marker: `marker of ${trigger}`, opened: start, ...change };
}

export function comment(recheck: number, marker: string): Omit<StoredComment, "id"> {
  return { recheck, marker, body: "It moved.", done: false };
}
