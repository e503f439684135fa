import type { Fetch, Response } from "./fetch.ts";

export interface BrowserPage {
  /** Its answer without a browser. */
  readonly response: Response;
  /** A selector or a text that must be there before the page is read. */
  readonly waitFor?: string;
  /** Whether its DOM, as HTML, is another one than at the last check. Only then is there a picture. */
  isNew(html: string): boolean;
}

/** A browser that the operator runs. */
export interface Browser {
  /**
   * Opens a page in a context of its own, and returns its DOM as HTML once it has settled, with open shadow roots and frames of
   * the same origin written out, and a picture of it if it is new and the browser takes one in time. Everything that the page asks
   * for is fetched by `fetch`; the browser itself reaches nothing.
   * @throws Failure
   */
  open(page: BrowserPage, fetch: Fetch): Promise<OpenedPage>;
}

export interface OpenedPage {
  readonly html: string;
  /** WebP in Base64, of a few ten thousand bytes at most. */
  readonly picture?: string;
}
