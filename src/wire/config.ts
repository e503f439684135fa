import { resolve } from "node:path";
import { type ConfigFile, NoConfig, readConfigFiles } from "../adapters/files/config.ts";
import { readBefore } from "../adapters/files/read-before.ts";
import { ConfigProblems } from "../config/problems.ts";
import type { ConfigText } from "../config/text.ts";
import { closing } from "../model/closing.ts";
import type { Config } from "../model/config.ts";
import { type Problem, StoreProblem } from "../model/problem.ts";
import { day, type Instant } from "../model/time.ts";
import type { Settings } from "./settings.ts";

/** The name of each file of a bundle is a digest of it, and of all that it loads. */
export const isBundled = !import.meta.url.endsWith(".ts");

/** @throws ConfigProblems | NoConfig */
export async function loadConfig(folder: string): Promise<Config> {
  return (await loadConfigAt(folder)).config;
}

/** The config in the folder, else the one that the server stored. @throws ConfigProblems | NoConfig | StoreProblem */
export async function configOf({ config, data, repo }: Pick<Settings, "config" | "data" | "repo">): Promise<Config> {
  try {
    return await loadConfig(config);
  } catch (error) {
    const served = error instanceof NoConfig && repo !== undefined ? await servedConfig({ data, repo }) : undefined;
    if (!served) throw error;
    return served;
  }
}

async function servedConfig({ data, repo }: { readonly data: string; readonly repo: string }) {
  const [{ openRegistry }, { parseConfig }, { readers }] = await Promise.all([
    import("./stores.ts"),
    import("../config/index.ts"),
    import("../read/index.ts"),
  ]);
  await using opened = closing(await openRegistry({ data }));
  const { registry } = opened;
  const state = await registry.named(repo);
  if (state?.config) return parseConfig(state.config.files, readers).config;
  for await (const _ of registry.repositories())
    throw new StoreProblem(
      "missing",
      state
        ? `the server has no config of ${repo} yet`
        : `the server does not serve ${repo}: see recheck status --served`,
    );
  return undefined;
}

/** A folder's config with its warnings. With `now`, future dates are problems. */
export interface LoadedConfig {
  readonly config: Config;
  readonly warnings: readonly Problem[];
  readonly files: readonly ConfigFile[];
}

/** @throws ConfigProblems | NoConfig */
export async function loadConfigAt(folder: string, now?: Instant): Promise<LoadedConfig> {
  const files = await readConfigFiles(folder);
  // Cached by day: a date in the future today may be valid tomorrow.
  const about = [now === undefined ? undefined : day(now)];
  const before = isBundled
    ? readBefore<Omit<LoadedConfig, "files">>(`${resolve(folder)} ${now === undefined ? "" : "by the day"}`, files, {
        program: import.meta.url,
        about,
      })
    : undefined;
  const known = before?.find();
  if (known) return { ...known, files };
  const loaded = await parsedConfig(files, now);
  before?.keep(loaded);
  return { ...loaded, files };
}

/** @throws ConfigProblems */
export async function parsedConfig(files: readonly ConfigText[], now?: Instant): Promise<Omit<LoadedConfig, "files">> {
  const [{ parseConfig }, { readers }] = await Promise.all([import("../config/index.ts"), import("../read/index.ts")]);
  const parsed = parseConfig(files, readers, now);
  if (parsed.config === undefined) throw new ConfigProblems(parsed.problems, files);
  return { config: parsed.config, warnings: parsed.warnings };
}
