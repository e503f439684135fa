import { day } from "../describe.ts";
import type { Config, Firing, Instant, Trigger } from "../model.ts";
import type { Watch } from "../ports.ts";

/** Conditions that only time can meet: silence of a source, ratings left unreviewed. Pure. */
export function evaluateTime(config: Config, watches: ReadonlyMap<string, Watch>, at: Instant): Firing[] {
  return [...config.triggers.values()].flatMap((trigger) => [
    ...silences(trigger, watches, at),
    ...unreviewed(trigger, config, at),
  ]);
}

function silences(trigger: Trigger, watches: ReadonlyMap<string, Watch>, at: Instant): Firing[] {
  return conditionsOf(trigger).flatMap(({ condition, part }): Firing[] => {
    if (condition.kind !== "silence") return [];
    const watch = watches.get(condition.source);
    const last = watch?.lastChange ?? watch?.firstSeen;
    // A source that cannot be seen is not silent: only what was seen to be unchanged counts.
    const seen = watch?.lastSeen;
    if (last === undefined || seen === undefined || seen - last < condition.for) return [];
    const change = { kind: "fact", name: "silent since", after: day(last) } as const;
    return [
      firing(
        trigger,
        `${condition.source} silent since ${day(last)}`,
        { source: condition.source, seen: at, change, part, condition },
        at,
      ),
    ];
  });
}

function unreviewed(trigger: Trigger, config: Config, at: Instant): Firing[] {
  return conditionsOf(trigger).flatMap(({ condition, part }): Firing[] => {
    if (condition.kind !== "unreviewed") return [];
    return trigger.ratings.flatMap((id): Firing[] => {
      const since = config.ratings.get(id)?.reviewed ?? config.report.audited;
      if (at - since < condition.for) return [];
      const change = { kind: "fact", name: `${id} unreviewed since`, after: day(since) } as const;
      return [
        firing(trigger, `${id} unreviewed since ${day(since)}`, { source: "", seen: at, change, part, condition }, at),
      ];
    });
  });
}

function conditionsOf(trigger: Trigger) {
  return [
    ...trigger.on.map((condition) => ({ condition, part: "on" as const })),
    ...trigger.also.map((condition) => ({ condition, part: "also" as const })),
  ];
}

function firing(trigger: Trigger, key: string, evidence: Firing["evidence"][number], at: Instant): Firing {
  const weight = evidence.condition?.awaited ? "contrary" : "routine";
  return { trigger: trigger.id, event: { key }, weight, seen: at, fired: at, evidence: [evidence] };
}
