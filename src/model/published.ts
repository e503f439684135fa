import type { Config } from "./config.ts";
import { digest } from "./digest.ts";
import type { Firing } from "./firing.ts";
import type { Source } from "./source.ts";

/** The path of each published page: within the published folder, and on the web. Pure. */

/** File names may have at most 255 bytes, with their endings. */
const longest = 200;

/** A rating's id as a file name: `tpu/maturity` → `tpu--maturity`. No id has two hyphens in a row, so names are unique. */
export function slugOf(rating: string): string {
  const slug = rating.replaceAll("/", "--");
  return slug.length <= longest ? slug : `${slug.slice(0, longest - 20)}--${digest(rating)}`;
}

export function pagePath(folder: "ratings" | "sources", id: string): string {
  return `${folder}/${encodeURIComponent(slugOf(id))}.html`;
}

export function picturesPath({ id }: Pick<Source, "id">): string {
  return `${pagePath("sources", id)}#pictures`;
}

export function referenceAnchor(number: number): string {
  return `ref-${number}`;
}

/** The anchor of a firing, on the page of each rating that it concerns. */
export function firingAnchor({ trigger, event }: Pick<Firing, "trigger" | "event">): string {
  return `seen-${digest([trigger, event.key])}`;
}

/** A published file's address on the web; undefined if config has no address of the published folder. */
export function publishedAt(path: string, { report: { pages } }: Pick<Config, "report">): string | undefined {
  return pages === undefined ? undefined : new URL(path, pages.endsWith("/") ? pages : `${pages}/`).href;
}

/** The picture of a page that was opened in a browser, which is stored at the end of its HTML. */

/** Bytes of a picture, at most, in Base64. */
const maxPicture = 80_000;

const begins = '\n<link rel="preview" href="data:image/webp;base64,';
const ends = '">';

/** Whether this is WebP in Base64, and small enough. https://developers.google.com/speed/webp/docs/riff_container */
export function isPicture(data: unknown): data is string {
  return typeof data === "string" && data.length <= maxPicture && /^UklGR[A-Za-z0-9+/]+={0,2}$/.test(data);
}

/** An element without content, after all others. */
export function pictureElement(picture: string): string {
  return begins + picture + ends;
}

/** The picture in a stored page; undefined if it has none. */
export function pictureIn(body: Uint8Array): string | undefined {
  const tail = new TextDecoder("latin1").decode(body.subarray(-maxPicture - begins.length - ends.length));
  const at = tail.lastIndexOf(begins);
  const picture = at < 0 || !tail.endsWith(ends) ? undefined : tail.slice(at + begins.length, -ends.length);
  return isPicture(picture) ? picture : undefined;
}
