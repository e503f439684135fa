import { builtIn, isNews } from "../model/firing.ts";
import { isAsking, type StoredFiring, type StoredRecheck } from "../model/ports/index.ts";

/** A step of a plan. Each firing is asked about once. */
export type Action =
  | { readonly kind: "open"; readonly trigger: string; readonly firings: readonly number[]; readonly previous?: number }
  /** `contrary`: firings that need a comment, because people may have read the issue already. */
  | {
      readonly kind: "join";
      readonly recheck: number;
      readonly firings: readonly number[];
      readonly contrary: readonly number[];
    };

export function idsOf<T>(rows: readonly { readonly id: T }[]): T[] {
  return rows.map(({ id }) => id);
}

/** Whether a firing is not asked about yet: it has no recheck, or turned contrary after it joined one. */
export function isUnasked(firing: StoredFiring): boolean {
  return firing.recheck === undefined || isNews(firing);
}

/**
 * Derives actions from firings and rechecks: at most one open recheck per trigger, and each firing in one recheck.
 * `isKnown`: whether a trigger is in config or built in; firings of other triggers wait. Pure.
 */
export function plan(
  firings: readonly StoredFiring[],
  rechecks: readonly StoredRecheck[],
  isKnown: (trigger: string) => boolean,
): Action[] {
  const open = rechecks.filter(isAsking);
  const homeByText = new Map(
    firings.flatMap((firing) => {
      const home = open.find(({ id }) => id === firing.recheck);
      return home ? presentTexts(firing).map((text) => [text, home]) : [];
    }),
  );
  const homeOf = (firing: StoredFiring) => {
    const texts = firing.trigger === builtIn.notFound ? presentTexts(firing) : [];
    const text = texts.find((one) => homeByText.has(one));
    return text === undefined ? open.find(({ trigger }) => trigger === firing.trigger) : homeByText.get(text);
  };
  const unasked = firings.filter((firing) => isUnasked(firing) && isKnown(firing.trigger));
  const waiting = Map.groupBy(unasked, (firing) => homeOf(firing) ?? firing.trigger);
  return [...waiting].map(([home, loose]) => {
    if (typeof home === "string") {
      const earlier = rechecks.filter(({ trigger }) => trigger === home);
      const [latest] = earlier.sort((a, b) => b.opened - a.opened || b.id - a.id);
      return { kind: "open", trigger: home, firings: idsOf(loose), previous: latest?.id };
    }
    const isNew = ({ weight, trigger }: StoredFiring) => weight === "contrary" && trigger === home.trigger;
    // People may have read the issue: it exists, or a request to create it was sent.
    const isOut = home.issue !== undefined || home.attempted !== undefined;
    const contrary = isOut ? loose.filter(isNew) : [];
    return { kind: "join", recheck: home.id, firings: idsOf(loose), contrary: idsOf(contrary) };
  });
}

/**
 * The texts that a firing shows in place of a claim's proof. If a claim was corrected to a text that its source had replaced
 * meanwhile, an open recheck may ask about the new text already.
 */
function presentTexts({ evidence }: StoredFiring): string[] {
  return evidence.flatMap(({ change }) => (change.kind === "claim" ? [`${change.claim} ${change.after}`] : []));
}

/**
 * Puts all routine firings from before the first check that have no recheck yet into one recheck. Findings of the first check
 * have a question of their own. Pure.
 */
export function planCatchUp(
  firings: readonly StoredFiring[],
  rechecks: readonly StoredRecheck[],
  isKnown: (trigger: string) => boolean,
): Action[] {
  const loose = firings
    .filter((firing) => isUnasked(firing) && isKnown(firing.trigger) && firing.weight === "routine")
    .filter(({ trigger }) => trigger !== builtIn.notFound);
  if (loose.length === 0) return [];
  const ids = idsOf(loose);
  const open = rechecks.find((one) => one.trigger === builtIn.catchUp && isAsking(one));
  if (open) return [{ kind: "join", recheck: open.id, firings: ids, contrary: [] }];
  return [{ kind: "open", trigger: builtIn.catchUp, firings: ids }];
}
