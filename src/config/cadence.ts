/** How often to look at a kind of source, where `schedule` does not say. */
const cadences: Readonly<Record<string, string>> = {
  feed: "6h",
  "github-commits": "6h",
  "github-issue": "6h",
  "github-pull": "6h",
  "github-releases": "6h",
  "github-repo": "6h",
  pypi: "6h",
  report: "6h",
  "container-tags": "12h",
  pdf: "7d",
};

export function cadenceOf(kind: string): string {
  return cadences[kind] ?? "1d";
}
