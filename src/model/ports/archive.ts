import type { Duration, Instant } from "../time.ts";
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
  /** `response`: as the page's own site sent it then, without the archive's additions. */
  | { readonly kind: "copy"; readonly copy: Copy; readonly response: Response }
  /** Made too long before or after the time that was asked for, and not opened. */
  | { readonly kind: "far"; readonly copy: Copy }
  /** `says`: a fragment of a sentence, in our own words. */
  | { readonly kind: "unusable"; readonly says: string };

/** A web archive, asked one thing at a time. */
export interface WebArchive {
  /** How people call it: its host. */
  readonly name: string;
  /**
   * Yields copies of a page, the nearest to a time first; the archive is asked for each one only when it is wanted. No
   * copy: the archive has none.
   * @throws Failure where it cannot be asked, which says nothing of the page
   */
  copies(url: string, near: { readonly at: Instant; readonly within: Duration }): AsyncIterable<FoundCopy>;
  /**
   * Asks the archive to save the page as it is now, which takes it some time. Undefined where the operator has not
   * allowed that.
   * @throws Failure where the archive refuses
   */
  readonly save?: (url: string) => Promise<void>;
}
