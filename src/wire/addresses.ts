import { version } from "../model/own-version.ts";
import type { Block } from "../model/reading.ts";
import type { Source } from "../model/source.ts";
import { withPassage } from "../recheck/issue/question.ts";
import type { Settings } from "./settings.ts";

export function pageOfReport({ repo, githubApi: api }: Pick<Settings, "repo" | "githubApi">): string | undefined {
  return repo === undefined ? undefined : `${pageOfGitHub(api).origin}/${repo}`;
}

/** The address for people of the GitHub that has this API: `https://api.HOST` or `https://HOST/api/v3`. */
export function pageOfGitHub(api = "https://api.github.com"): URL {
  return URL.parse("/", api.replace("//api.", "//")) ?? new URL("https://github.com/");
}

/** The address at which a person opens a source; for a page on the web, with the passage. */
export async function pageLink(): Promise<(source: Source, passage?: Block) => string> {
  const { readers } = await import("../read/index.ts");
  return (source, passage) => {
    const address = readers.get(source.kind)?.page(source) ?? source.address;
    return source.kind === "page" && passage !== undefined ? withPassage(address, passage) : address;
  };
}

export function userAgent({ report }: { readonly report: { readonly url?: string } }, contact?: string): string {
  const parts = [
    "citation watcher",
    ...(report.url ? [`+${report.url}`] : []),
    ...(contact ? [`mailto:${contact}`] : []),
  ];
  return `Recheck/${version} (${parts.join("; ")})`;
}
