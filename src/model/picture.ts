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
