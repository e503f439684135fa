import { differences } from "../src/claims/mine/same-thing.ts";
import { chromeRules } from "../src/read/html/chrome.ts";
import { tableRules } from "../src/report/rate/is-rating-table.ts";

/** The lists of named rules: what is boilerplate, which tables rate, and which figures are about other things. */
export const ruleLists = { boilerplate: chromeRules, ratings: tableRules, figures: differences } as const;

const applied = new Set<string>();
let off: string | undefined;

/** A rule as an experiment sees it. Only experiments replace what a rule asks. */
interface Switchable {
  readonly id: string;
  applies: (part: never) => boolean;
}

for (const rule of Object.values<readonly Switchable[]>(ruleLists).flat()) {
  const { applies } = rule;
  rule.applies = (part) => {
    if (off === rule.id || !applies(part)) return false;
    applied.add(rule.id);
    return true;
  };
}

/** Runs this with a rule switched off, or with all if none is given. `applied`: the ids of the rules that applied. */
export function withoutRule<T>(
  id: string | undefined,
  run: () => T,
): { readonly result: T; readonly applied: Set<string> } {
  applied.clear();
  off = id;
  try {
    return { result: run(), applied: new Set(applied) };
  } finally {
    off = undefined;
  }
}
