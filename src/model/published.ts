import type { Config } from "./config.ts";
import { digest } from "./digest.ts";
import type { Firing } from "./firing.ts";

/** Where each published page stands: from the folder that is published, and on the web. Pure. */

/** File names have 255 bytes at most, with their endings. */
const longest = 200;

/** A rating's id as a file's name: `tpu/maturity` → `tpu--maturity`. No id holds two hyphens in a row, so none meet. */
export function slugOf(rating: string): string {
  const slug = rating.replaceAll("/", "--");
  return slug.length <= longest ? slug : `${slug.slice(0, longest - 20)}--${digest(rating)}`;
}

/** The page of a rating or a source, as a link to it spells it. */
export function pagePath(folder: "ratings" | "sources", id: string): string {
  return `${folder}/${encodeURIComponent(slugOf(id))}.html`;
}

/** A numbered reference's place on the page of all. */
export function referenceAnchor(number: number): string {
  return `ref-${number}`;
}

/** The place of what was seen, on the page of each rating that it touches. */
export function firingAnchor({ trigger, event }: Pick<Firing, "trigger" | "event">): string {
  return `seen-${digest([trigger, event.key])}`;
}

/** A published file's address on the web; undefined where config does not say where they are served. */
export function publishedAt(path: string, { report: { pages } }: Pick<Config, "report">): string | undefined {
  return pages === undefined ? undefined : new URL(path, pages.endsWith("/") ? pages : `${pages}/`).href;
}
