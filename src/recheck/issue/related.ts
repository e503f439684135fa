import type { Config } from "../../model/config.ts";
import type { Firing } from "../../model/firing.ts";
import { plain, words } from "../../model/markdown.ts";
import { firstOf } from "../../model/words.ts";
import { headline } from "./headline.ts";
import type { Related } from "./question.ts";

const maxRelatedEvents = 5;

const maxRelatedIssues = 12;

/** Events that other open rechecks share with these firings: one release moves many ratings. */
export function relatedTo(
  firings: readonly Firing[],
  others: readonly { readonly issue: number; readonly firings: readonly Firing[] }[],
): Related[] {
  const found = new Map<string, { firing: Firing; issues: Set<number> }>();
  for (const firing of firings) found.set(firing.event.key, { firing, issues: new Set() });
  for (const { issue, firings: theirs } of others) {
    for (const { event } of theirs) found.get(event.key)?.issues.add(issue);
  }
  return [...found.values()].flatMap(({ firing, issues }) =>
    issues.size > 0 ? [{ firing, issues: [...issues].sort((a, b) => a - b) }] : [],
  );
}

/** `Also asked about in #12, #13: PyTorch 2.13.0`, a line for each set of issues. */
export function relatedLines(related: readonly Related[], config: Config): string[] {
  const together = Map.groupBy(related.slice(0, maxRelatedEvents), ({ issues }) => issues.join(" "));
  return [...together.values()].map((events) => {
    const issues = events[0]?.issues ?? [];
    const where = firstOf(
      issues.map((issue) => `#${issue}`),
      maxRelatedIssues,
    );
    return `Also asked about in ${where}: ${events.map(({ firing }) => eventName(firing, config)).join("; ")}`;
  });
}

function eventName(firing: Firing, config: Config): string {
  const { event } = firing;
  const product = event.product === undefined ? undefined : config.products.get(event.product);
  if (!product || event.version === undefined) return headline(firing, config).markdown;
  return `${words(product.name, 80)} ${words(plain(event.version, 40))}`;
}
