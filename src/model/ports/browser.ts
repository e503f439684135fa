import type { Fetch, Response } from "./fetch.ts";

/** A page that is to be opened in a browser. */
export interface BrowserPage {
  /** Its answer without a browser. */
  readonly response: Response;
  /** A selector or a text that must be there before the page is read. */
  readonly waitFor?: string;
}

/** A browser that the operator runs. */
export interface Browser {
  /**
   * Opens a page in a context of its own, and returns its DOM as HTML once it has settled, with open shadow roots and frames of
   * the same origin written out. Everything that the page asks for is fetched by `fetch`; the browser itself reaches nothing.
   * @throws Failure
   */
  open(page: BrowserPage, fetch: Fetch): Promise<string>;
}
