import * as z from "zod";
import { anHour, type Instant } from "../src/model/time.ts";
import type { Message } from "./monitors.ts";

const shape = z.object({
  events: z.array(
    z.object({
      doc: z.string(),
      to: z.number().int(),
      date: z.string(),
      label: z.string(),
      expect: z.string(),
      triggers: z.array(z.string()).default([]),
      event_key: z.string().nullish(),
    }),
  ),
});

export type Truth = z.infer<typeof shape>["events"];

/** Labels of what happened, revision by revision: `{ events: [{ doc, to, date, label, expect, triggers, event_key }] }`. */
export function truthOf(text: string): Truth {
  return shape.parse(JSON.parse(text)).events;
}

const week = 7 * 24 * anHour;

/** How monitors compare over the same documents and the same time, as a Markdown table. */
export function table(monitors: Readonly<Record<string, readonly Message[]>>, truth: Truth): string {
  const dates = truth.map(({ date }) => Date.parse(date));
  const weeks = (Math.max(...dates) - Math.min(...dates)) / week;
  const rows = Object.entries(monitors).map(([name, messages]) => {
    const { told, relevant, noticed, wanted, hours } = measure(messages, truth);
    const share = told === 0 ? "–" : `${Math.round((100 * relevant) / told)} %`;
    return `| ${name} | ${(told / weeks).toFixed(1)} | ${share} | ${noticed} of ${wanted} | ${at(hours, 0.5)} | ${at(hours, 0.9)} |`;
  });
  return [
    "| | messages a week | of them about something that matters | events that matter, noticed | hours until half of them were | until nine of ten were |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
    ...rows,
  ].join("\n");
}

function measure(messages: readonly Message[], truth: Truth) {
  const byRevision = new Map(truth.map((event) => [`${event.doc}#${event.to}`, event]));
  const matters = (expect: string) => expect === "must" || expect === "should";
  const wanted = Map.groupBy(
    truth.filter(({ expect }) => matters(expect)),
    (event) => event.event_key ?? `${event.doc}#${event.to}`,
  );
  const scored = messages.filter(({ doc, rev }) => byRevision.get(`${doc}#${rev}`)?.label !== "baseline");
  const concerned = ({ doc, rev, trigger }: Message) =>
    [0, 1, 2]
      .map((back) => byRevision.get(`${doc}#${rev - back}`))
      .filter((event) => event !== undefined)
      .filter(({ expect, triggers }) => matters(expect) && (!trigger || triggers.includes(trigger)))
      .map((event) => event.event_key ?? `${event.doc}#${event.to}`);

  const noticed = new Map<string, { triggers: Set<string>; at: Instant }>();
  let relevant = 0;
  for (const message of scored.toSorted((a, b) => a.at - b.at)) {
    const keys = concerned(message);
    if (keys.length > 0 && !message.silent) relevant++;
    for (const key of keys) {
      const triggers = message.trigger ? [message.trigger] : (wanted.get(key) ?? []).flatMap((event) => event.triggers);
      const before = noticed.get(key) ?? { triggers: new Set<string>(), at: message.at };
      noticed.set(key, { triggers: before.triggers.union(new Set(triggers)), at: before.at });
    }
  }
  const hours: number[] = [];
  for (const [key, events] of wanted) {
    const found = noticed.get(key);
    if (!found || !events.every(({ triggers }) => triggers.every((trigger) => found.triggers.has(trigger)))) continue;
    hours.push((found.at - Math.min(...events.map(({ date }) => Date.parse(date)))) / anHour);
  }
  const told = scored.filter(({ silent }) => !silent).length;
  return { told, relevant, noticed: hours.length, wanted: wanted.size, hours };
}

/** The value below which this share of the values lies. */
function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]?.toFixed(1) ?? "–";
}
