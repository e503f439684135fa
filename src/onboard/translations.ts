/** The paths of a page by language; `""` if the path names no language. */
type Languages = ReadonlyMap<string, string>;

/**
 * Leaves out translations, and counts them by language: `x.es.md` and `es/x.md` beside `x.md` or `en/x.md`. The original is the page whose path names
 * no language, or else the language with most pages. Pure.
 */
export function originalsOf(paths: readonly string[]): { pages: string[]; translations: ReadonlyMap<string, number> } {
  const byPage = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const { page, language } = pageOf(path);
    byPage.set(page, (byPage.get(page) ?? new Map<string, string>()).set(language, path));
  }
  const spoken = [...byPage.values()].flatMap((one) => [...one.keys()]);
  const counts = Map.groupBy(spoken, (language) => language);
  const countOf = (language: string) =>
    language === "" ? Number.POSITIVE_INFINITY : (counts.get(language)?.length ?? 0);
  const otherTopics = otherTopicsIn(byPage);
  const translated = [...byPage.values()]
    .map((one) => [...one].filter(([language]) => !otherTopics.has(language)))
    .filter(({ length }) => length > 1);
  const isBefore = (a: string, b: string) => countOf(b) - countOf(a) || Number(b === "en") - Number(a === "en");
  const dropped = translated.flatMap((one) => one.toSorted(([a], [b]) => isBefore(a, b)).slice(1));
  const without = new Set(dropped.map(([, path]) => path));
  const droppedByLanguage = Map.groupBy(dropped, ([language]) => language);
  return {
    pages: paths.filter((path) => !without.has(path)),
    translations: new Map([...droppedByLanguage].map(([language, all]) => [language, all.length])),
  };
}

/** Names such as `os`, whose pages share only an index with the others: every folder has one of those. */
function otherTopicsIn(byPage: ReadonlyMap<string, Languages>): ReadonlySet<string> {
  const alone = new Set<string>();
  const shared = new Set<string>();
  for (const [page, all] of byPage)
    for (const language of all.keys())
      if (all.size === 1) alone.add(language);
      else if (!/(?:^|\/)(?:index|readme)\.\w+$/i.test(page)) shared.add(language);
  return alone.difference(shared);
}

const languages = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
const code = /^[a-z]{2}(?:[-_][A-Za-z]{2,4})?$/;

/** The path of a page without its language: `docs/es/x.md` and `docs/x.es.md` become `docs/x.md`. */
function pageOf(path: string): { page: string; language: string } {
  const steps = path.split("/");
  const name = steps.at(-1) ?? "";
  const [, stem = "", suffix = "", extension = ""] =
    /^(README(?=[._-])|.+(?=\.))[._-]([A-Za-z_-]{2,7})(\.\w+)$/.exec(name) ?? [];
  if (isLanguage(suffix)) return { page: [...steps.slice(0, -1), stem + extension].join("/"), language: suffix };
  const at = steps.slice(0, -1).findIndex(isLanguage);
  if (at < 0) return { page: path, language: "" };
  return { page: steps.toSpliced(at, 1).join("/"), language: steps[at] ?? "" };
}

function isLanguage(name: string): boolean {
  return code.test(name) && languages.of(name.replace("_", "-")) !== undefined;
}
