import type { Config } from "../../model/config.ts";
import type { Evidence, Firing } from "../../model/firing.ts";
import { link } from "../../model/markdown.ts";
import { firingAnchor, pagePath, publishedAt, referenceAnchor } from "../../model/published.ts";
import { askedRatings, refNumbers } from "./question.ts";

/** Links to the published pages, where config says where they are; plain words elsewhere. Pure. */

/** `ref 53`, `refs 18, 27`, up to `most`. Each number links to its entry. */
export function refLinks(numbers: readonly number[], config: Config, most = 12): string {
  return `${numbers.length === 1 ? "ref" : "refs"} ${refNumberLinks(numbers, config, most)}`;
}

/** `18, 27`. */
export function refNumberLinks(numbers: readonly number[], config: Config, most = 12): string {
  if (config.report.pages === undefined) return refNumbers(numbers, most);
  const entry = (number: number) => publishedAt(`references.html#${referenceAnchor(number)}`, config);
  const links = numbers.slice(0, most).map((number) => link(String(number), entry(number)));
  return `${links.join(", ")}${numbers.length > most ? " …" : ""}`;
}

/** A rating's cell of the report, as near as a text fragment leads: its first name. */
export function cellAddress(id: string, config: Config): string | undefined {
  const { url } = config.report;
  const [first = id] = id.split("/");
  const fragment = encodeURIComponent((config.names.get(first) ?? first).toWellFormed()).replaceAll("-", "%2D");
  return url === undefined || url.includes("#") ? url : `${url}#:~:text=${fragment}`;
}

/** The page of a rating. */
export function ratingAddress(id: string, config: Config): string | undefined {
  return publishedAt(pagePath("ratings", id), config);
}

/**
 * Where a firing is shown with both sides: the page of the first rating that it touches, else the page of its source.
 */
export function seenAddress(firing: Firing, { source }: Pick<Evidence, "source">, config: Config): string | undefined {
  const [rating] = askedRatings([firing], config);
  const path = rating === undefined ? pagePath("sources", source) : pagePath("ratings", rating);
  return publishedAt(rating === undefined ? path : `${path}#${firingAnchor(firing)}`, config);
}
