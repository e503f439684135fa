import type { Allowance } from "../pattern.ts";
import type { Problem } from "./problem.ts";

/** Files of one config, `sources.yaml` among them. */
const mostFiles = 100;
/** In bytes, of one file and of all together: some 10,000 sources. */
const mostBytes = 1_000_000;
const megabytes = `${mostBytes / 1_000_000} MB`;

/** Patterns of one config, as written or compiled: what compiling them may take, and what searching with one. */
export const patterns: Allowance = { count: 1_000, size: 50_000 };

/** Why a config is too much to be read at all, told by its files' sizes alone: whoever wrote it, nothing of it need be there. */
export function excessOf(files: readonly { readonly path: string; readonly size: number }[]): Problem[] {
  const problems: Problem[] = [];
  const tell = (file: string, message: string) => void problems.push({ file, line: 1, column: 1, message });
  const beyond = files[mostFiles];
  if (beyond) tell(beyond.path, `config has ${files.length.toLocaleString("en")} files; ${mostFiles} are read at most`);
  let all = 0;
  for (const { path, size } of files) {
    if (size > mostBytes) tell(path, `the file is larger than ${megabytes}, the limit of a config file`);
    else if (all <= mostBytes && all + size > mostBytes) {
      tell(path, `with this file config is larger than ${megabytes}, the limit of all its files together`);
    }
    if (size <= mostBytes) all += size;
  }
  return problems;
}
