import type { Change, Seen } from "../model/change.ts";
import type { Firing } from "../model/firing.ts";
import type { Source } from "../model/source.ts";
import { withoutFragment } from "../report/cite/address-lines.ts";
import { keyOf, kindOf, type RecognisedSource } from "../report/cite/sources.ts";
import type { ReportFile } from "../report/index.ts";
import type { World } from "../watch/check.ts";
import { evaluate } from "../watch/evaluate.ts";
import { occurrencesOf } from "../watch/events.ts";
import type { ScanOptions } from "../watch/scan.ts";
import { auditReport, citedInReport } from "./audit.ts";
import type { Cited } from "./cited.ts";
import type { Finding } from "./findings.ts";
import { isOf } from "./works.ts";

/** Minutes for the audit, at most. */
const minutes = 5;

/** Audits what a report cites of these sources, and fires what the check of a source alone does not find. */
export async function auditSources(
  sources: readonly Source[],
  report: ReportFile,
  world: World,
  { stopped }: Pick<ScanOptions, "stopped">,
): Promise<Firing[]> {
  const sourceOf = sourceFinder(sources, world);
  const all = await citedInReport([report], world);
  const cited = all.cited.filter((one) => sourceOf(one) !== undefined);
  const works = all.works.filter((work) => cited.some((one) => isOf(work, one)));
  const name = { name: report.path, files: [report], faults: [] };
  const time = { minutes, stop: async () => {}, stopped, tell: () => {} };
  const { findings, outage } = await auditReport(name, { ...all, cited, works }, world, time);
  const bySource = Map.groupBy(outage ? [] : findings, ({ cited: one }) => sourceOf(one));
  const firings: Firing[] = [];
  for (const [source, own] of bySource) {
    const news = source ? own.filter((finding) => !isOfItsCheck(finding, source, world)) : [];
    if (source && news.length > 0) firings.push(...(await fire(source, news, world)));
  }
  return firings;
}

/** Finds the source that watches what is cited: by its address, else by its number. */
function sourceFinder(
  sources: readonly Source[],
  { readers }: Pick<World, "readers">,
): (cited: Cited) => Source | undefined {
  // Citations are without the lines that they name: the first source of a file stands for all.
  const keys = sources.toReversed().map((source) => {
    const file = source.kind === "lines" ? kindOf(withoutFragment(source.address), readers) : source;
    return [keyOf(("kind" in file ? file : source) as RecognisedSource), source] as const;
  });
  const byKey = new Map(keys);
  return ({ address, numbers }) => {
    const watched = kindOf(address, readers);
    const same = "kind" in watched ? byKey.get(keyOf(watched)) : undefined;
    return same ?? sources.find(({ cites }) => cites.some((number) => numbers.includes(number)));
  };
}

/** Whether the check of a source, or of its claims, says the same. */
function isOfItsCheck({ kind, says, about, contradiction }: Finding, source: Source, { readers }: World): boolean {
  const standings = readers.get(source.kind)?.standings ?? [];
  const isOwn = kind === "unseen" || kind === "gone" || kind === "silent" || contradiction !== undefined;
  const isOfLines = source.kind === "lines" && about === undefined && ofLines.has(kind);
  return isOwn || isOfLines || standings.some((standing) => standing.says === says);
}

/** The kinds of findings by which an audit says what the check of cited lines says. */
const ofLines: ReadonlySet<Finding["kind"]> = new Set(["moved", "outdated", "unsupported"]);

const maxEvidenceCharacters = 300;

function changeOf({ kind, says, evidence, about, cited }: Finding): Change {
  const after = evidence.slice(0, maxEvidenceCharacters);
  if (kind === "moved" && about === undefined && URL.canParse(evidence))
    return { kind: "link", to: "moved", address: evidence, first: true };
  return { kind: "fact", name: kind, after, first: { kind, says, cited: cited.address } };
}

async function fire(
  source: Source,
  findings: readonly Finding[],
  { config, store, clock }: World,
): Promise<readonly Firing[]> {
  const at = clock.now();
  const changes = findings.map((finding): Seen => ({ change: changeOf(finding), since: at }));
  const happened = occurrencesOf(changes, source, config);
  const keys = happened.map(({ event }) => event.key);
  return await store.commit(async (tx) => {
    const remembered = { sightings: await tx.sightings(keys), firings: await tx.firingsOf(keys) };
    const { firings } = evaluate(happened, { source, config, remembered, at });
    await tx.fire(firings);
    return firings;
  });
}
