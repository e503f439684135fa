import { z } from "zod";
import type { Request } from "../../model/ports/fetch.ts";
import type { Source } from "../reader.ts";

/** `owner/name`, as GitHub allows them. */
export const repository = z
  .string()
  .regex(
    /^[A-Za-z\d](?:[A-Za-z\d-]{0,38})\/(?!\.{1,2}(?:#|$))[\w.-]{1,100}$/,
    "wants owner/name, e.g. pytorch/pytorch",
  );

/** `owner/name#number`. */
export const numbered = z
  .string()
  .regex(
    /^[A-Za-z\d](?:[A-Za-z\d-]{0,38})\/(?!\.{1,2}(?:#|$))[\w.-]{1,100}#\d{1,9}$/,
    "wants owner/name#number, e.g. pytorch/pytorch#150121",
  );

/** A request to GitHub's API below `/repos`. Spec: https://docs.github.com/rest */
export function api(path: string): Request {
  return { url: `https://api.github.com/repos/${path}`, accept: "application/vnd.github+json", githubApi: true };
}

/** A request for one of GitHub's feeds, which need no token. */
export function atom(path: string): Request {
  return { url: `https://github.com/${path}.atom`, accept: "application/atom+xml" };
}

/** `owner/name#number` as its parts. */
export function numberedParts(source: Source): { repo: string; number: string } {
  const [repo = "", number = ""] = source.address.split("#", 2);
  return { repo, number };
}

/** The tag that the address of a release on GitHub ends with. */
export function tagOf(url: string | undefined): string | undefined {
  const written = /^https:\/\/github\.com\/[^/]+\/[^/]+\/releases\/tag\/(.+)$/.exec(url ?? "")?.[1];
  try {
    return written && decodeURIComponent(written);
  } catch {
    return written;
  }
}

export const label = z.union([z.string(), z.object({ name: z.string().nullish() })]);

/** Names of labels, sorted: their order says nothing. */
export function labelNames(labels: readonly z.infer<typeof label>[]): string[] {
  const names = labels.map((one) => (typeof one === "string" ? one : (one.name ?? "")));
  return names.filter((name) => name !== "").sort();
}
