import type { Duration, Instant } from "../time.ts";
import type { Response } from "./fetch.ts";

/** A copy of a page in a web archive. */
export interface Copy {
  /** The address for people. */
  readonly url: string;
  /** When it was made, as the archive says. */
  readonly at: Instant;
}

/** One copy that an archive lists, or why it cannot be used. */
export type FoundCopy =
  /** `response`: as the page's own site sent it, without the archive's additions. */
  | { readonly kind: "copy"; readonly copy: Copy; readonly response: Response }
  /** Too long before or after the wanted time, so it was not opened. */
  | { readonly kind: "far"; readonly copy: Copy }
  /** `says`: a fragment of a sentence, in our own words. */
  | { readonly kind: "unusable"; readonly says: string };

/** A web archive, which gets one request at a time. */
export interface WebArchive {
  /** Its name for people: its host. */
  readonly name: string;
  /**
   * Yields copies of a page, nearest to a time first. Each one is requested only when it is needed. No copy: the archive has
   * none. @throws Failure if the archive cannot be asked, which says nothing about the page
   */
  copies(url: string, near: { readonly at: Instant; readonly within: Duration }): AsyncIterable<FoundCopy>;
  /**
   * Asks the archive to save the present page, which takes some time. Undefined if the operator has not allowed that. @throws
   * Failure if the archive refuses
   */
  readonly save?: (url: string) => Promise<void>;
}
