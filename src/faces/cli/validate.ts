import { readdir } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import { fileExists } from "../../adapters/files/checkout.ts";
import { type ConfigFile, yamlFolders } from "../../adapters/files/config.ts";
import { ConfigProblems, inQuotes } from "../../config/problems.ts";
import { textOf } from "../../config/text.ts";
import { nearestWord } from "../../language/nearest.ts";
import type { Config } from "../../model/config.ts";
import type { Problem } from "../../model/problem.ts";
import { pluralize } from "../../model/words.ts";
import { loadConfigAt } from "../../wire/config.ts";
import { systemClock } from "../../wire/settings.ts";
import { storePlace } from "./folders.ts";
import { baseFolderOf } from "./init/files.ts";
import { exits, printProblems, printWarnings, type Terminal } from "./terminal.ts";

/** `recheck validate`: reads the config and prints everything that is wrong with it. Makes no request. */
export async function validateCommand(
  folder: string,
  { json, data = storePlace(folder).folder }: { readonly json?: boolean; readonly data?: string },
  out: Terminal,
): Promise<number> {
  try {
    const { config, warnings: read, files } = await loadConfigAt(folder, systemClock.now());
    const warnings = [
      ...read,
      ...(await missingReport(folder, config, files)),
      ...(await misspeltFolders(folder)),
      ...(await sourcesWithoutVersions(config, files, data)),
    ];
    const claims = [...config.sources.values()].reduce((sum, { claims }) => sum + claims.length, 0);
    if (json) await answerJson([], warnings, out);
    else {
      printWarnings(warnings, files, out);
      out.line(
        `valid: ${pluralize(config.sources.size, "source")}, ${pluralize(claims, "claim")}, ${pluralize(config.ratings.size, "rating")}, ${pluralize(config.triggers.size, "trigger")}${warnings.length > 0 ? `; ${pluralize(warnings.length, "place")} to check` : ""}`,
      );
    }
    return exits.done;
  } catch (error) {
    if (!(error instanceof ConfigProblems)) throw error;
    if (json) await answerJson(error.problems, [], out);
    else printProblems(error, out);
    return exits.wrong;
  }
}

async function answerJson(problems: readonly Problem[], warnings: readonly Problem[], out: Terminal): Promise<void> {
  const { answer } = await import("./answers/index.ts");
  answer("validate", { command: "validate", problems, warnings }, out);
}

async function missingReport(folder: string, { report }: Config, files: readonly ConfigFile[]): Promise<Problem[]> {
  if (report.text === undefined) return [];
  const path = join(await baseFolderOf(folder), report.text);
  if (await fileExists(path)) return [];
  const place = await placesIn(files);
  if (!place) return [];
  const beside = await readdir(dirname(path)).catch(() => []);
  const meant = nearestWord(basename(path), beside);
  return [
    {
      ...place(["report", "text"], "value"),
      message: `${inQuotes(report.text)} does not exist: report.text must name the report's own file`,
      ...(meant !== undefined && { suggestion: posix.join(posix.dirname(report.text), meant) }),
    },
  ];
}

/** The places of `sources.yaml`. A config that was read before is checked without them. */
async function placesIn(files: readonly ConfigFile[]) {
  const { readYaml } = await import("../../config/yaml.ts");
  const [sources = { path: "sources.yaml", text: "" }] = files;
  const text = textOf(sources);
  const read = typeof text === "string" ? readYaml(sources.path, text) : { problems: [text] };
  return "tree" in read ? read.tree.place.bind(read.tree) : undefined;
}

/** Sources that announce products but name no version, according to the store on this disk. */
async function sourcesWithoutVersions(config: Config, files: readonly ConfigFile[], data: string): Promise<Problem[]> {
  if (![...config.sources.values()].some(({ announces }) => announces.length > 0)) return [];
  const [{ openStored }, { unnamedSources }] = await Promise.all([
    import("../../wire/stores.ts"),
    import("../../watch/roster.ts"),
  ]);
  // Without a readable store nothing is known yet. Commands that use it report why.
  const stored = await openStored({ data }).catch(() => undefined);
  if (!stored) return [];
  const unnamed = unnamedSources(config, await stored.store.watches().finally(stored.close));
  const place = unnamed.length > 0 ? await placesIn(files) : undefined;
  return unnamed.flatMap(({ source, says }) =>
    place ? [{ ...place(["sources", source, "announces"], "value"), message: `${inQuotes(source)} ${says}` }] : [],
  );
}

/** Folders of YAML files that are not read, because their names are misspelt. */
async function misspeltFolders(folder: string): Promise<Problem[]> {
  const names = await yamlFolders(
    folder,
    (name) => name !== "triggers" && nearestWord(name, ["triggers"]) !== undefined,
  );
  return names.map((name) => ({
    ...{ file: `${name}/`, line: 1, column: 1 },
    message: "no file in this folder is read",
    suggestion: "triggers/",
  }));
}
