import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Demo } from "./play.ts";

/** Prepares a look around by hand: a copy of the config whose addresses lead to the demo's web. Returns the lines that tell of it. */
export async function prepareLookAround({ web, github, data }: Demo, folder: string): Promise<string[]> {
  const config = join(data, "config");
  await mkdir(config, { recursive: true });
  await cp(join(folder, "triggers"), join(config, "triggers"), { recursive: true });
  const sources = await readFile(join(folder, "sources.yaml"), "utf8");
  await writeFile(
    join(config, "sources.yaml"),
    sources.replace(/^(\s+(?:page|feed|text|json|pdf): )https:\/\//gm, `$1${web.url}/`),
  );
  const api = `${web.url}/api.github.com`;
  return [
    "",
    `The web:     ${web.url}/  (every source, as it stood on the last day)`,
    `The GitHub:  ${api}/repos/${github.repo}/issues`,
    "",
    "How everything stands:",
    "",
    `  RECHECK_DATA=${data} npm run status -- --repo ${github.repo}`,
    "",
    "What readers get, to be opened in a browser:",
    "",
    `  RECHECK_DATA=${data} npm run publish -- --repo ${github.repo} --out ${join(data, "site")}`,
    "",
    "A scan of your own, which begins anew (repositories, packages and images have no address to be led elsewhere):",
    "",
    `  RECHECK_DATA=${join(data, "own")} RECHECK_ALLOW_ADDRESSES=127.0.0.0/8 GITHUB_API_URL=${api} \\`,
    `    GITHUB_TOKEN=${github.token} npm run scan -- --config ${config} --repo ${github.repo} --trigger apple-memory`,
    "",
    "Ctrl-C ends both servers and removes what they left.",
  ];
}
