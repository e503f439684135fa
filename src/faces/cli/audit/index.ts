import { appendFile, writeFile } from "node:fs/promises";
import type { Failure } from "../../../model/failure.ts";
import { code, words } from "../../../model/markdown.ts";
import type { Instant } from "../../../model/model.ts";
import { isoTime } from "../../../model/time.ts";
import { counted } from "../../../model/words.ts";
import { type Settings, wireWeb } from "../../../wire.ts";
import { findReport } from "../report.ts";
import { exits, meant, type Terminal, WrongUsage } from "../terminal.ts";
import { citationsOf, placeOf } from "./cited.ts";
import { type Audit, type FindingKind, findingKinds, findingsOf, headings, type Sighted } from "./findings.ts";
import { lookAtAll } from "./look.ts";
import { auditPage } from "./page.ts";

export interface AuditOptions {
  readonly json?: boolean;
  /** A file for one page that can be sent around. */
  readonly html?: string;
  /** Kinds of findings that make the exit code 2. */
  readonly failOn?: string;
  /** A file that the audit is added to as Markdown. */
  readonly summary?: string;
}

/** `recheck audit REPORT`: looks once at everything that a report cites. Writes and remembers nothing. */
export async function auditCommand(
  written: string,
  settings: Settings,
  options: AuditOptions,
  out: Terminal,
): Promise<number> {
  const failOn = kindsFrom(options.failOn);
  const web = wireWeb(settings, { report: {} });
  try {
    const report = await findReport(written, web);
    const { cited, left } = citationsOf(report.files);
    if (cited.length === 0) throw new WrongUsage(`${report.name} cites no address`);
    const sighted = await lookAtAll(cited, web, progress(cited.length, options, out));
    const at = settings.clock.now();
    const audit = auditOf(report.name, sighted, left, at);
    if (options.json) out.line(JSON.stringify(asJson(audit), null, 2));
    else print(audit, out);
    if (options.html !== undefined) await writeFile(options.html, await auditPage(audit));
    if (options.summary !== undefined) await appendFile(options.summary, markdown(audit));
    if (isOutage(sighted)) return exits.outage;
    return audit.findings.some(({ kind }) => failOn.has(kind)) ? exits.standing : exits.done;
  } finally {
    await web.fetch.close();
  }
}

/** @throws WrongUsage */
function kindsFrom(failOn: string | undefined): ReadonlySet<FindingKind> {
  const all: readonly string[] = findingKinds;
  const named = failOn?.split(",").map((word) => word.trim()) ?? [];
  for (const word of named)
    if (!all.includes(word))
      throw new WrongUsage(`--fail-on: ${word} is not one of ${all.join(", ")}${meant(word, all)}`);
  return new Set(findingKinds.filter((kind) => named.includes(kind)));
}

function progress(all: number, { json }: AuditOptions, out: Terminal): (seen: number) => void {
  if (json || !out.live) return () => {};
  return (seen) => {
    if (seen % 10 === 0 || seen === all) out.note(`${seen} of ${counted(all, "citation")} looked at`);
  };
}

function auditOf(report: string, sighted: readonly Sighted[], left: number, at: Instant): Audit {
  const found = sighted.flatMap((one) => findingsOf(one, at));
  const findings = findingKinds.flatMap((kind) => found.filter((one) => one.kind === kind));
  const named = new Set(findings.map(({ cited }) => cited)).size;
  const hosts = new Set(sighted.map(({ cited }) => new URL(cited.address).host)).size;
  const rest = left > 0 ? `, ${left} more were not looked at` : "";
  const told =
    findings.length === 0 ? "nothing to tell" : `${counted(findings.length, "finding")} about ${named} of them`;
  return {
    report,
    at,
    citations: sighted.length,
    counts: `${counted(sighted.length, "citation")} on ${counted(hosts, "host")}${rest}: ${told}.`,
    findings,
  };
}

/** Most hosts gave no response at all: that is ours, not theirs. */
function isOutage(sighted: readonly Sighted[]): boolean {
  const hosts = Map.groupBy(sighted, ({ cited }) => new URL(cited.address).host);
  const silent = [...hosts.values()].filter((all) =>
    all.every(({ failure }) => failure !== undefined && isSilence(failure)),
  );
  return hosts.size >= 3 && silent.length * 2 > hosts.size;
}

function isSilence({ kind }: Failure): boolean {
  return ["dns", "connect", "tls", "timeout", "reset"].includes(kind);
}

function print({ counts, findings }: Audit, out: Terminal): void {
  for (const [kind, all] of Map.groupBy(findings, (one) => one.kind)) {
    out.line();
    out.line(
      out.paint(kind === "gone" || kind === "unsupported" || kind === "ended" ? "red" : "yellow", headings[kind]),
    );
    for (const { cited, says, evidence, todo } of all) {
      out.line(`  ${placeOf(cited)}  ${bare(cited.title)} ${bare(says)}`);
      out.line(`    ${bare(cited.address)}${evidence === "" ? "" : `  (${bare(evidence)})`}`);
      out.line(out.paint("gray", `    → ${todo}`));
    }
  }
  out.line();
  out.line(counts);
}

/** Nothing that a source or a report says steers the terminal. */
function bare(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, " ");
}

function asJson({ at, findings, ...audit }: Audit): object {
  return {
    ...audit,
    at: isoTime(at),
    findings: findings.map(({ cited: { says: _, ...cited }, ...finding }) => ({
      ...finding,
      ...cited,
      says: finding.says,
    })),
  };
}

function markdown({ report, counts, findings }: Audit): string {
  const parts = [...Map.groupBy(findings, ({ kind }) => kind)].map(([kind, all]) => {
    const lines = all
      .slice(0, 100)
      .map(
        ({ cited, says, evidence, todo }) =>
          `- ${code(placeOf(cited))} ${code(cited.title)} ${words(says)}: ${code(evidence)}. ${words(todo)}.`,
      );
    return [
      `### ${headings[kind]}`,
      "",
      ...lines,
      ...(all.length > 100 ? ["", `And ${all.length - 100} more.`] : []),
    ].join("\n");
  });
  return [`## Audit of ${words(report)}`, words(counts), ...parts, ""].join("\n\n");
}
