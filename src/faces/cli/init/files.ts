import { rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { checkoutOf, fileExists, originOf } from "../../../adapters/files/checkout.ts";
import { textOf, writeWhole } from "../../../adapters/files/folder.ts";
import { noFolder, refusedBecause } from "../../../adapters/files/refused.ts";
import type { RepositoryFile } from "../../../model/ports/index.ts";
import { commandToType, WrongUsage } from "../terminal.ts";

/** @throws WrongUsage if there is a config */
export async function refuseExistingConfig(folder: string): Promise<void> {
  const file = join(folder, "sources.yaml");
  if (await fileExists(file))
    throw new WrongUsage(
      `${file} exists already and is not overwritten: ${commandToType("add", "URL")} adds to a config`,
    );
}

/**
 * Writes new files: all or none. The first one, `sources.yaml`, is written last: without it, the next run completes a draft
 * that was interrupted. A file with the same text is left as it is. @throws WrongUsage
 */
export async function writeNew(
  folder: string,
  files: readonly RepositoryFile[],
  { dryRun = false } = {},
): Promise<void> {
  const missing = new Map<string, string>();
  const written: string[] = [];
  let current = folder;
  try {
    for (const { path, text } of files.toReversed()) {
      current = join(folder, path);
      const present = await textOf(current);
      if (present === undefined) missing.set(current, text);
      else if (present !== text) throw new WrongUsage(`${current} exists already and is not overwritten: move it away`);
    }
    if (dryRun) return;
    for (const [file, text] of missing) {
      current = file;
      await writeWhole(file, text);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) await rm(file, { force: true });
    const why = refusedBecause(error, noFolder);
    throw why === undefined ? error : new WrongUsage(`cannot write ${current}: ${why}; nothing was written`);
  }
}

/** The folder to which the config's path of the report is relative: the repository that holds the config, if there is one. */
export async function baseFolderOf(folder: string): Promise<string> {
  return (await checkoutOf(folder)) ?? folder;
}

const schemaPath = join("node_modules", "recheck-bot", "recheck.schema.json");

/** Adds a first line that gives completion in editors, if the repository has this package with its schema. */
export async function withSchema(folder: string, files: readonly RepositoryFile[]): Promise<RepositoryFile[]> {
  const schema = join(await baseFolderOf(folder), schemaPath);
  if (!(await fileExists(schema))) return [...files];
  return files.map(({ path, text }) => {
    const from = relative(dirname(join(folder, path)), schema)
      .split(sep)
      .join("/");
    const part = path === "sources.yaml" ? "" : "#/$defs/trigger";
    return {
      path,
      text: `# yaml-language-server: $schema=${from.startsWith(".") ? from : `./${from}`}${part}\n${text}`,
    };
  });
}

const workflowPath = join(".github", "workflows", "recheck.yml");

export const unknownOwner = "OWNER";

/** Scans on GitHub's machines. `folder`: of config, from the root of the repository. `owner`: of a copy of Recheck there. */
function workflow(folder: string, owner: string): string {
  const scan = folder === "" ? "" : `\n        with: { config: ${JSON.stringify(folder)} }`;
  return `name: Recheck
on:
  schedule: [{ cron: "17 */6 * * *" }]
  workflow_dispatch: {}
permissions: { contents: write, issues: write }
concurrency: recheck
jobs:
  recheck:
    runs-on: ubuntu-latest
    timeout-minutes: 50
    steps:
      - uses: actions/checkout@v4
      - uses: ${owner}/recheck@v0${scan}
`;
}

/** The workflow for scheduled scans; undefined if the repository has one of that name. */
export async function workflowFor(folder: string): Promise<RepositoryFile | undefined> {
  const root = (await checkoutOf(folder)) ?? folder;
  const path = relative(folder, join(root, workflowPath));
  if (await fileExists(join(folder, path))) return undefined;
  const [owner = unknownOwner] = (await originOf(folder))?.split("/") ?? [];
  return { path, text: workflow(relative(root, folder).split(sep).join("/"), owner) };
}
