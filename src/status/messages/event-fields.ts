import { changedTexts } from "../../model/change-words.ts";
import type { Config } from "../../model/config.ts";
import type { EventFields } from "../../model/message.ts";
import type { StoredFiring } from "../../model/ports/index.ts";
import { claimOf } from "../../model/rests.ts";
import { isoTime } from "../../model/time.ts";
import { oneLine, placeText, ratingTitle, triggerName } from "../../model/words.ts";
import { auditFinding } from "../../recheck/first-check.ts";
import { addressOf, askedRatings, type Link, leadOf, strongestFirst } from "../../recheck/issue/question.ts";
import type { PlaceInReport } from "../../recheck/report-places.ts";

const maxRatings = 12;
const maxText = 300;

/** An event in fields, from its firings: by their strongest evidence. */
export function eventFields(
  firings: readonly StoredFiring[],
  {
    config,
    link = addressOf,
    inReport,
  }: { readonly config: Config; readonly link?: Link; readonly inReport?: PlaceInReport },
): EventFields | undefined {
  const [strongest] = strongestFirst(firings);
  const lead = strongest && leadOf(strongest);
  if (!lead) return undefined;
  const source = config.sources.get(lead.source);
  const claim = claimOf(lead.claim, config);
  const audited = auditFinding(lead.change);
  const place = inReport?.(source, claim, audited?.cited) ?? audited?.place;
  const { change } = lead;
  const isNotFound = change.kind === "claim" && change.to === "not found";
  const [before, after] = isNotFound ? [undefined, change.after] : (changedTexts(change) ?? []);
  const page = source && link(source, after === undefined ? undefined : { path: [], kind: "row", text: after });
  const cites = claim && claim.cites.length > 0 ? claim.cites : (source?.cites ?? []);
  return {
    weight: strongest.weight,
    seen: isoTime(strongest.seen),
    triggers: [...new Set(firings.map(({ trigger }) => oneLine(triggerName(trigger, config))))],
    ratings: askedRatings(firings, config)
      .slice(0, maxRatings)
      .map((id) => ({ id, name: ratingTitle(id, config), level: config.ratings.get(id)?.level ?? "" })),
    ...(source && { source: oneLine(source.title ?? source.id) }),
    ...(cites.length > 0 && { references: cites }),
    ...(page !== undefined && { page }),
    ...(lead.claim !== undefined && { claim: lead.claim }),
    ...(claim && { sentence: oneLine(claim.says, maxText) }),
    ...(place && { place: placeText(place) }),
    ...(before !== undefined && { before: oneLine(before, maxText) }),
    ...(after !== undefined && { after: oneLine(after, maxText) }),
  };
}
