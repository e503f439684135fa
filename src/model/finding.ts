/** The kinds of findings about the citations of a report, worst first, with their headings. */
export const findingHeadings = {
  retracted: "Retracted",
  unsupported: "The page says otherwise",
  gone: "Gone",
  ended: "Ended",
  "other-work": "The identifier of another work",
  "not-found": "Not found in the registries",
  differs: "Differs from its record in the registry",
  outdated: "Superseded or corrected",
  published: "Published since",
  moved: "Moved",
  silent: "Silent for years",
  unseen: "Could not be seen",
} as const;

export type FindingKind = keyof typeof findingHeadings;

export const findingKinds = Object.keys(findingHeadings) as FindingKind[];

/** The kinds of findings about an address that say the same as one about its work, or are about another work. */
const replacedBy: Partial<Record<FindingKind, readonly FindingKind[]>> = {
  "other-work": ["gone", "moved", "unseen", "ended", "outdated", "retracted", "published"],
  "not-found": ["gone", "moved", "unseen"],
  differs: ["gone"],
  published: ["published"],
};

/** Whether a finding about an address is left out beside the one about its work. */
export function isReplaced({ kind }: { readonly kind: FindingKind }, by: { readonly kind: FindingKind }): boolean {
  return replacedBy[by.kind]?.includes(kind) === true;
}

export function worstFirst<F extends { readonly kind: FindingKind }>(findings: readonly F[]): F[] {
  return findingKinds.flatMap((kind) => findings.filter((finding) => finding.kind === kind));
}

/** Whether a finding says that something in the report is not true. A page that cannot be read says nothing. */
export function isOutdated({ kind }: { readonly kind: FindingKind }): boolean {
  return kind !== "unseen";
}

/** `8 things in this report are out of date`. */
export function outOfDateWords(count: number, where = "this report"): string {
  if (count === 0) return `Nothing in ${where} was found out of date`;
  return count === 1 ? `1 thing in ${where} is out of date` : `${count} things in ${where} are out of date`;
}
