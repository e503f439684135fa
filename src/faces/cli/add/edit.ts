import type { ConfigFile } from "../../../adapters/files/config.ts";
import { addSource } from "../../../config/edit/source.ts";
import { parseConfig } from "../../../config/index.ts";
import { ConfigProblems } from "../../../config/problems.ts";
import type { Config } from "../../../model/config.ts";
import { readers } from "../../../read/index.ts";
import { patchOf } from "../../../report/edit/splice.ts";
import { NotAdded, type Proposal } from "./proposal.ts";
import { entryOf } from "./propose.ts";

/** @throws ConfigProblems */
export function configFrom(files: readonly ConfigFile[]): Config {
  const { config, problems } = parseConfig(files, readers);
  if (config === undefined) throw new ConfigProblems(problems, files);
  return config;
}

/** `sources.yaml` before and after a source is added. */
export interface SourcesEdit {
  readonly before: Uint8Array;
  readonly after: string;
  readonly config: Config;
  readonly diff: string;
}

/** The edited config, which must be valid. @throws NotAdded | ConfigProblems */
export function editFor(proposal: Proposal, address: string, files: readonly ConfigFile[]): SourcesEdit {
  const [sources] = files;
  if (sources?.path !== "sources.yaml") throw new Error("sources.yaml is read first");
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(sources.text);
  const edited = addSource(text, entryOf(proposal, address));
  if ("says" in edited) throw new NotAdded(`${edited.says}; write it there by hand`);
  const after = files.map((file) => (file === sources ? { ...file, text: edited.text } : file));
  const { config, problems } = parseConfig(after, readers);
  if (config === undefined) throw new ConfigProblems(problems, after);
  const diff = patchOf([{ path: sources.path, before: text, after: edited.text }]);
  return { before: sources.text, after: edited.text, config, diff };
}
