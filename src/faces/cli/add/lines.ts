import type { Proposal, Tried } from "../../../add/proposal.ts";
import { quoted } from "../../../describe.ts";
import type { Config, Instant, Look } from "../../../model.ts";
import { readers } from "../../../read/index.ts";
import { scalar } from "../../../setup/make/yaml.ts";
import { fired, heading } from "../summary.ts";
import type { Terminal } from "../terminal.ts";

/** What came of `add`. */
export interface Added {
  readonly address: string;
  readonly at: Instant;
  readonly dryRun: boolean;
  readonly tried: readonly Tried[];
  readonly proposal?: Proposal;
  /** Of `sources.yaml`, as a unified diff. */
  readonly diff?: string;
  readonly written?: boolean;
  readonly look?: Look;
  /** Why the first look was left to another Recheck. */
  readonly later?: string;
  readonly refused?: {
    readonly says: string;
    readonly hints: readonly string[];
    readonly unwatchable?: { readonly title: string; readonly url: string; readonly because: string };
  };
}

/** What came of it, for people. */
export function printAdded(added: Added, config: Config, out: Terminal): void {
  const { tried, proposal, diff = "", refused } = added;
  out.line(heading(config, added.at));
  if (tried.length > 1 || refused) section(out, "Looked at", triedLines(tried, out));
  if (refused) printRefused(refused, out);
  if (!proposal) return;
  section(out, added.written ? "Watched from now on" : "Would watch", watchedLines(proposal, added.address));
  section(out, "sources.yaml", diffLines(diff, out));
  out.line();
  out.line(`  ${ending(added, out)}`);
  section(out, "Fired", fired(added.look?.firings ?? [], config, out));
  section(out, "Next", nextLines(proposal, added));
}

function section(out: Terminal, title: string, lines: readonly string[]): void {
  if (lines.length === 0) return;
  out.line();
  out.line(`  ${out.paint("bold", title)}`);
  for (const line of lines) out.line(`  ${line}`);
}

function triedLines(tried: readonly Tried[], out: Terminal): string[] {
  const width = Math.max(0, ...tried.map(({ kind }) => kind.length));
  return tried.map(({ kind, address, says, seen }) => {
    const sign = seen ? out.paint("green", "✔") : out.paint("yellow", "○");
    return `${sign} ${kind.padEnd(width)}  ${quoted(address, 200)}  ${quoted(says, 300)}`;
  });
}

function watchedLines({ kind, address, why, instead, gives, notes }: Proposal, given: string): string[] {
  return [
    `${kind} ${address}: ${why}`,
    ...(instead === undefined ? [] : [`In place of ${quoted(given, 200)}: ${instead}`]),
    `Gives ${quoted(gives, 400)}`,
    ...notes,
  ];
}

/** The changed lines, without the head that only `git apply` reads. */
function diffLines(diff: string, out: Terminal): string[] {
  const lines = diff.trimEnd().split("\n");
  return lines
    .slice(lines.findIndex((line) => line.startsWith("@@")) + 1)
    .map((line) => (line.startsWith("+") ? out.paint("green", line.trimEnd()) : line.trimEnd()));
}

function ending({ written, look, later }: Added, out: Terminal): string {
  if (!written) return "Nothing was written (--dry-run).";
  const done = `${out.paint("green", "✔")} Written.`;
  if (later !== undefined)
    return `${done} No first look: ${later}. That one takes it once it reads sources.yaml again (a server: when it starts).`;
  if (look?.outcome === "unknown")
    return `${done} The first look saw nothing (${look.failure?.says}); scan tries again.`;
  return `${done} First look taken: what it saw is what later looks are compared with.`;
}

function nextLines({ id, kind, cites, standsFor, instead, options = {} }: Proposal, { look }: Added): string[] {
  const gives = readers.get(kind)?.gives(options) ?? {};
  const lines: [string, string][] = [];
  if (cites.length + standsFor.length === 0)
    lines.push(
      instead === undefined
        ? ["cites: [n]", "the references of the report that name it"]
        : ["stands-for: [n]", "the references of the report that it is watched in place of"],
    );
  if (gives.text)
    lines.push(["claims: …", "what the report says on its authority, each with the passage that proves it"]);
  if (gives.items) lines.push([`item: ${id}`, "in the conditions of a trigger: asks when an entry is new"]);
  else if (gives.issue)
    lines.push([`issue: ${id}`, "in the conditions of a trigger: asks when it is closed, or its text changes"]);
  else if ((gives.facts || gives.values) && !gives.text)
    lines.push([`fact: ${id}`, "in the conditions of a trigger: asks when one of them changes"]);
  if ((look?.firings.length ?? 0) > 0) lines.push(["npm run scan", "opens the issues for what fired"]);
  const width = Math.max(0, ...lines.map(([what]) => what.length));
  return lines.map(([what, means]) => `${what.padEnd(width)}  ${means}`);
}

function printRefused({ says, hints, unwatchable }: NonNullable<Added["refused"]>, out: Terminal): void {
  out.line();
  out.line(`  ${out.paint("red", "✗")} Nothing was written: ${says}.`);
  for (const hint of hints) out.line(`    ${hint}`);
  if (!unwatchable) return;
  section(out, "So that readers know, sources.yaml may say", [
    "unwatchable:",
    `  - title: ${scalar(unwatchable.title)}`,
    `    url: ${scalar(unwatchable.url)}`,
    `    because: ${scalar(unwatchable.because)}`,
  ]);
}
