import { isCorrectedSince, movedFigure } from "../claims/find/figures.ts";
import type { Change, ClaimChange, FirstAuditFinding } from "../model/change.ts";
import { claimChangeWords } from "../model/change-words.ts";
import type { Claim } from "../model/claim.ts";
import type { Config } from "../model/config.ts";
import { claimOf } from "../model/dependencies.ts";
import { type FindingKind, isReplaced, worstFirst } from "../model/finding.ts";
import { builtIn, type Evidence, type Firing } from "../model/firing.ts";
import { code, words } from "../model/markdown.ts";
import { oneLine, type Place, withNumbers, withoutStop } from "../model/words.ts";
import { readers } from "../read/index.ts";
import { sourceStateOfFact } from "../read/source-states.ts";
import type { PlaceInReport } from "./correct.ts";

export interface FirstFinding<F extends Firing = Firing> {
  readonly kind: FindingKind;
  readonly firing: F;
  /** The source, and the claim that it does not support. */
  readonly source: string;
  readonly claim?: Claim;
  /** The source as the report names it, with its numbers: `Tidewell pricing [2]`. */
  readonly name: string;
  /** Follows the name: `says $39; the report says $29`. */
  readonly says: string;
  /** `name` and `says` in Markdown, in which texts of the source are escaped. */
  readonly markdown: string;
  /** Its line in the report, if known. */
  readonly place?: Place;
}

/**
 * Everything that was out of date at the first check, worst first, otherwise in the order of config: the same findings
 * as in an audit. Findings without a source are last. `others`: the firings about changes. Pure.
 */
export function firstFindings<F extends Firing>(
  firings: readonly F[],
  config: Config,
  places?: PlaceInReport,
): { readonly findings: readonly FirstFinding<F>[]; readonly others: readonly F[] } {
  const allFindings = firings.flatMap((firing) => firstFinding(firing, config, places) ?? []);
  // Another finding reports the same for the work, whichever address it has.
  const isSaid = (one: FirstFinding) =>
    allFindings.some((other) => other !== one && other.source === one.source && isReplaced(one, other));
  const order = new Map([...config.sources.keys()].map((id, place) => [id, place]));
  const place = ({ source, claim }: FirstFinding) => {
    const claims = config.sources.get(source)?.claims ?? [];
    return [order.get(source) ?? order.size, claims.findIndex(({ id }) => id === claim?.id)] as const;
  };
  const findings = worstFirst(
    allFindings
      .filter((one) => !isSaid(one))
      .toSorted((a, b) => {
        const [[source, claim], [other, another]] = [place(a), place(b)];
        return source - other || claim - another;
      }),
  );
  const isFinding = new Set(allFindings.map(({ firing }) => firing));
  return { findings, others: firings.filter((firing) => !isFinding.has(firing)) };
}

/** Sorts firings by their findings, each finding once; firings about changes follow in their order. */
export function findingsFirst<F extends Firing>(firings: readonly F[], config: Config): F[] {
  const { findings, others } = firstFindings(firings, config);
  return [...findings.map(({ firing }) => firing), ...others];
}

export function firstFinding<F extends Firing>(
  firing: F,
  config: Config,
  places?: PlaceInReport,
): FirstFinding<F> | undefined {
  const [lead] = firing.evidence;
  const source = lead && config.sources.get(lead.source);
  const audited = auditFinding(lead?.change);
  // The source may have been removed from the draft after the first check.
  const title = source ? (source.title ?? source.address) : audited?.work;
  if (firing.trigger !== builtIn.notFound || !lead || title === undefined) return undefined;
  const claim = claimOf(lead.claim, config);
  const { kind, says, markdown = says } = findingIn(lead, claim, config) ?? {};
  if (kind === undefined || says === undefined) return undefined;
  const { cites = [], standsFor = [] } = source ?? {};
  const numbers = claim?.cites.length ? claim.cites : cites.length > 0 ? cites : standsFor;
  const name = withNumbers(oneLine(title, 120), numbers);
  // The line today, or that at the audit if it is in another file of the report.
  const place = places?.(source, claim, audited?.cited) ?? audited?.place;
  return { kind, firing, place, source: lead.source, claim, name, says, markdown: `${words(name, 160)} ${markdown}` };
}

export function auditFinding(change: Change | undefined): FirstAuditFinding | undefined {
  const first = change?.kind === "fact" || change?.kind === "link" ? change.first : undefined;
  return typeof first === "object" ? first : undefined;
}

interface FindingText {
  readonly kind: FindingKind;
  readonly says: string;
  /** Whether it contains words of others. */
  readonly markdown?: string;
}

function findingIn(
  { change, source, seen }: Evidence,
  claim: Claim | undefined,
  config: Config,
): FindingText | undefined {
  if (change.kind === "link") {
    const { to, address } = change;
    return to === "moved" && address !== undefined
      ? ofAudit("moved", "has moved for good", address)
      : { kind: "gone", says: "was not found" };
  }
  if (change.kind === "fact" && change.after !== undefined) {
    if (typeof change.first === "object") return ofAudit(change.first.kind, change.first.says, change.after);
    const { kind = "", address = "" } = config.sources.get(source) ?? {};
    return sourceStateOfFact(readers.get(kind), address, { fact: change.name, value: change.after, at: seen });
  }
  if (change.kind !== "claim" || (claim && isCorrectedSince(claim, change))) return undefined;
  return { kind: "unsupported", ...againstClaim(change, claim) };
}

/** A finding that only an audit of the report makes. `evidence`: the text that shows it, perhaps from a source. */
function ofAudit(kind: FindingKind, says: string, evidence: string): FindingText {
  return {
    kind,
    says: `${oneLine(says, 160)}: ${oneLine(evidence, 160)}`,
    markdown: `${words(says, 160)}: ${code(evidence, 160)}`,
  };
}

function againstClaim(change: ClaimChange, claim: Claim | undefined): Omit<FindingText, "kind"> {
  const figure = claim && movedFigure(claim, change);
  if (figure) {
    const [old, now] = [oneLine(figure.old, 60), oneLine(figure.now, 60)];
    return {
      says: `says ${now}; the report says ${old}`,
      markdown: `says ${code(now, 60)}; the report says ${words(old, 60)}`,
    };
  }
  const sentence = `“${withoutStop(claim?.says ?? change.claim)}”`;
  const verb = claimChangeWords(change).now;
  return { says: `${verb} ${oneLine(sentence, 160)}`, markdown: `${verb} ${words(sentence, 160)}` };
}
