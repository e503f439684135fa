import * as z from "zod";
import type { Response } from "../../model/ports/index.ts";
import type { Detour, Detours } from "../reader.ts";
import { decoded } from "./address.ts";
import { parseJson } from "./body.ts";
import { api, rawFile } from "./github.ts";

/** Renames in a row that are followed, at most. */
const mostRenames = 3;

const commits = z.array(z.object({ sha: z.string().regex(/^[\da-f]{40,64}$/) }));
const commit = z.object({
  files: z.array(z.object({ filename: z.string(), previous_filename: z.string().nullish() })),
});

/**
 * Requests that find a file which the default branch no longer has: on GitHub by the name that its last commit gave it,
 * else by the linked commit. Spec: https://docs.github.com/rest/commits/commits
 */
export function* afterRename(linked: string): Detours {
  const { at = "", path: linkedPath } = rawFile(linked) ?? {};
  const [, repo] = /^https:\/\/raw\.githubusercontent\.com\/([^/]+\/[^/]+)\/$/.exec(at) ?? [];
  let path = repo && linkedPath?.split("/").map(decoded).join("/");
  for (let renames = 0; path && renames < mostRenames; renames++) {
    const [last] = shapeOf(commits, yield hint(`${repo}/commits?path=${encodeURIComponent(path)}&per_page=1`)) ?? [];
    const { files = [] } = (last && shapeOf(commit, yield hint(`${repo}/commits/${last.sha}`))) ?? {};
    path = files.find((file) => file.previous_filename === path)?.filename;
    const url = `${at}HEAD/${path?.split("/").map(encodeURIComponent).join("/")}`;
    if (path) yield { request: { url }, gives: "source" };
  }
  yield { request: { url: linked }, gives: "source" };
}

function hint(path: string): Detour {
  return { request: api(path), gives: "hint" };
}

/** The parsed response; undefined if it is missing or has another shape. @throws Failure `malformed` if it is not JSON */
function shapeOf<T>(schema: z.ZodType<T>, response: Response | undefined): T | undefined {
  return response && schema.safeParse(parseJson(response)).data;
}
