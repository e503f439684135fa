/** Whether this is the path of a file in a repository: from its root, downwards only, and outside `.git`. */
export function isRepositoryPath(written: string): boolean {
  return /^[^\\:*?"<>|\p{Cc}\p{Cf}]{1,255}$/u.test(written) && written.split("/").every(isStep);
}

const isStep = (name: string) => name.trim() === name && !["", ".", "..", ".git"].includes(name.toLowerCase());

const foreign = new Set(
  (
    "__tests__ build dist example examples fixtures i18n locale locales node_modules site-packages test testdata tests " +
    "third-party third_party translation translations vendor"
  ).split(" "),
);

/** The folder in a path with files of other authors, hidden or built files, or examples; undefined if there is none. */
export function foreignFolder(path: string): string | undefined {
  const folders = path.split("/").slice(0, -1);
  return folders.find((name) => name.startsWith(".") || foreign.has(name.toLowerCase()) || /templates?$/i.test(name));
}
