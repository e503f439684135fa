import * as z from "zod";
import type { Request, Response } from "../../model/ports/index.ts";
import type { Item, Reading } from "../../model/reading.ts";
import { blocksOfMarkdown } from "../text/markdown.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "./body.ts";
import { itemFrom } from "./given.ts";

/** `host/owner/name` at a self-hosted forge: a host without port and credentials, and two to `most` parts of a path. */
export function hostedProject(most: number): z.ZodType<string> {
  const host = "(?=[a-z\\d.-]{4,100}/)[a-z\\d-]+(?:\\.[a-z\\d-]+)*\\.[a-z]{2,}";
  const part = "/(?!\\.{1,2}(?:/|$))[\\w.+-]{1,100}";
  return z
    .string()
    .max(500)
    .regex(
      new RegExp(`^${host}(?:${part}){2,${most}}$`, "i"),
      "needs host/owner/name, e.g. codeberg.org/forgejo/forgejo",
    );
}

/** The host of a project's address, and the project's path. */
export function hostAndPath(address: string): { readonly host: string; readonly path: string } {
  const [host = "", ...path] = address.split("/");
  return { host, path: path.join("/") };
}

/** A repository in the API of Forgejo or Gitea, or a part of it. */
export function forgejoApi(address: string, part = ""): Request {
  const { host, path } = hostAndPath(address);
  return jsonAt(`https://${host}/api/v1/repos/${path}${part}`);
}

/** Public hosts of Forgejo and Gitea. Other addresses do not show which forge they belong to. */
export const forgejoHosts: ReadonlySet<string> = new Set(["codeberg.org", "gitea.com"]);

const release = z.object({
  tag_name: z.string().min(1),
  name: z.string().nullish(),
  draft: z.boolean().nullish(),
  prerelease: z.boolean().default(false),
  published_at: z.string().nullish(),
  html_url: z.string().nullish(),
  body: z.string().nullish(),
});
/** GitLab does not mark pre-releases. */
type Release = Omit<z.infer<typeof release>, "prerelease"> & { readonly prerelease?: boolean };

/** Releases in GitHub's format, which Gitea and Forgejo share, or in one that becomes it, without drafts. */
export function releasesOf(response: Response, what: string, shape: z.ZodType<Release> = release): Reading {
  const list = limitItems(parseShape(z.array(shape), parseJson(response), what));
  return { items: list.filter(({ draft }) => draft !== true).map(itemOf) };
}

function itemOf({ tag_name: tag, prerelease: pre, ...release }: Release): Item {
  return itemFrom({
    id: tag,
    title: release.name?.trim() || tag,
    url: release.html_url,
    at: release.published_at,
    version: tag,
    ...(pre !== undefined && { pre }),
    blocks: blocksOfMarkdown(release.body ?? ""),
  });
}
