import type { Response } from "../../model/ports/index.ts";
import { isHtml } from "./body.ts";

/** Banners that archives insert into pages, each from one mark to another: the Wayback Machine and pywb. */
const insertions: readonly (readonly [from: string, to: string])[] = [
  ["<!-- BEGIN WAYBACK TOOLBAR INSERT -->", "<!-- END WAYBACK TOOLBAR INSERT -->"],
  ["<!-- WB Insert -->", "<!-- End WB Insert -->"],
];

/** The end of the insertion into the head, with the archive's scripts and styles. */
const endOfHeadInsertion = "<!-- End Wayback Rewrite JS Include -->";

/** Addresses in tags that point into the archive, with a date and a form: `/web/20260516093000im_/https://…`. */
const rewritten =
  /(?<=["'(=])(?:https?:)?(?:\/\/[\w.:-]{1,100})?(?:\/[\w-]{1,40}){0,3}\/\d{14}(?:\w\w_)?\/(?=https?:)/g;

/** The original page: without the archive's banner and scripts, and with the original links. */
export function withoutArchive(response: Response): Response {
  const sent = Buffer.from(response.body).toString("latin1");
  if (!isHtml(sent)) return response;
  const own = insertions.reduce((text, [from, to]) => cutOut(text, from, to), withoutHead(sent));
  const body = own.replace(rewritten, "");
  return body === sent ? response : { ...response, body: Buffer.from(body, "latin1") };
}

function withoutHead(text: string): string {
  const end = text.indexOf(endOfHeadInsertion);
  const head = /<head[^>]{0,400}>/i.exec(text.slice(0, 20_000));
  if (end < 0 || !head) return text;
  const from = head.index + head[0].length;
  return from < end ? text.slice(0, from) + text.slice(end + endOfHeadInsertion.length) : text;
}

function cutOut(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = start < 0 ? -1 : text.indexOf(to, start);
  return end < 0 ? text : text.slice(0, start) + text.slice(end + to.length);
}
