import type { Source } from "../model.ts";
import { code, words } from "../recheck/inert.ts";
import { refs } from "../recheck/question.ts";

/** A source as people know it, with the numbers by which the report cites it. */
export function sourceName({ id, title, cites }: Source): string {
  const name = title === undefined ? code(id) : words(title, 100);
  return cites.length > 0 ? `${name} (${refs(cites)})` : name;
}
