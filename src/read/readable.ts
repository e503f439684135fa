import type { Failure } from "../failure.ts";
import type { Block, Reading } from "../model.ts";
import type { Page } from "./html.ts";
import type { Response } from "./reader.ts";

/** Whether a response is the page at all, told from itself alone; undefined where it is. */
export function unreadable(_page: Page, _html: string, _response: Response): Failure | undefined {
  return undefined;
}

/** What is remembered of a page, as far as it matters here. */
export interface Before {
  readonly language?: string;
  readonly page?: { readonly accepted: readonly Block[] };
}

/** Whether a reading is only part of the page that it was before, or the page in another language. */
export function unreadableSince(_before: Before | undefined, _reading: Reading): Failure | undefined {
  return undefined;
}
