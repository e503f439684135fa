import { hash } from "node:crypto";
import type { InTurn } from "../../model/concurrency.ts";
import { Failure } from "../../model/failure.ts";
import type { Browser, Fetch, Fetched, FetchOptions, Request } from "../../model/ports/index.ts";
import { pictureElement } from "../../model/published.ts";

/**
 * A fetch that opens a page in the browser if the request asks for it. The page itself is fetched first, as usual:
 * refused requests and other files need no browser. `open` returns undefined if the operator has no browser. `inTurn`:
 * a page waits for its turn before it is fetched, so that it is not old when it is opened.
 */
export function fetchWithBrowser(fetch: Fetch, inTurn: InTurn, open: () => Promise<Browser | undefined>): Fetch {
  return {
    ...fetch,
    async get(request, options): Promise<Fetched> {
      if (!request.browser) return await fetch.get(request, options);
      const browser = await open();
      if (!browser) throw new Failure("no-browser");
      using _turn = await inTurn();
      return await getOpened(fetch, browser, request, options);
    },
  };
}

async function getOpened(fetch: Fetch, browser: Browser, request: Request, options: FetchOptions): Promise<Fetched> {
  const { place, validators } = options;
  // The same answer may look different in a browser, because its data is loaded separately.
  const fetched = await fetch.get(request, { ...options, validators: {} });
  if (fetched.kind !== "response" || !/html|^$/.test(fetched.response.headers["content-type"] ?? "")) return fetched;
  // A page takes as long as many requests, so other checks continue meanwhile.
  place?.leave();
  const isNew = (html: string) => validators?.etag !== digestOf(html);
  const { html, picture } = await browser.open({ ...request.browser, response: fetched.response, isNew }, fetch);
  await place?.take();
  const { moved } = fetched;
  if (!isNew(html)) return { kind: "not-modified", moved };
  // The picture is stored with the page, but is not compared.
  const body = Buffer.from(picture === undefined ? html : html + pictureElement(picture));
  const headers = { "content-type": "text/html; charset=utf-8" };
  const response = { ...fetched.response, headers, body };
  const digest = digestOf(html);
  return { ...fetched, response, validators: { etag: digest }, hash: digest };
}

function digestOf(html: string): string {
  return hash("sha256", html, "hex");
}
