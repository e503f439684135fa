import type { Duration, Instant } from "../model.ts";
import type { Response } from "./fetch.ts";

/** A copy of a page that a web archive holds. */
export interface Copy {
  /** Where a person opens it. */
  readonly url: string;
  /** When it was made, as the archive says. */
  readonly at: Instant;
}

/** One copy that an archive names, or why it cannot be used. */
export type FoundCopy =
  /** `response`: as the page's own site sent it then, without what the archive adds. */
  | { readonly kind: "copy"; readonly copy: Copy; readonly response: Response }
  /** Made too long before or after the time that was asked for; it was not opened. */
  | { readonly kind: "far"; readonly copy: Copy }
  /** `says`: a fragment of a sentence, in our own words. */
  | { readonly kind: "unusable"; readonly says: string };

/** A web archive, asked one thing at a time. */
export interface WebArchive {
  /** How people call it: its host. */
  readonly name: string;
  /**
   * Copies of a page, the one nearest to a time first; of each next one the archive is asked only when it is wanted.
   * None: the archive has no copy. @throws Failure where it cannot be asked, which says nothing of the page
   */
  copies(url: string, near: { readonly at: Instant; readonly within: Duration }): AsyncIterable<FoundCopy>;
  /**
   * Asks for a copy of a page as it is now, which is made some time later. Undefined where the operator has not switched
   * that on. @throws Failure where the archive does not take it
   */
  readonly save?: (url: string) => Promise<void>;
}
