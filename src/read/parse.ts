import { z } from "zod";
import { Failure } from "../failure.ts";
import { decode, isHtml } from "./decode.ts";
import type { Response } from "./reader.ts";

/** How deep JSON may nest: foreign data is walked recursively. */
const depthLimit = 100;

/** More entries than any list that a person watches. */
const itemLimit = 20_000;

/**
 * The JSON of a response. Spec: https://www.rfc-editor.org/rfc/rfc8259
 *
 * @throws Failure `wrong-type` for HTML, `malformed` where it does not parse or nests deeper than 100, `empty`, `charset`
 */
export function parseJson(response: Response): unknown {
  return jsonOf(decode(response));
}

/** As `parseJson`, of a text that was decoded before. */
export function jsonOf(text: string): unknown {
  if (isHtml(text)) throw new Failure("wrong-type", { expected: "JSON", found: "HTML" });
  if (deeperThan(depthLimit, text)) throw new Failure("malformed", { expected: "JSON (it nests too deeply)" });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Failure("malformed", { expected: "JSON" }, error);
  }
}

/** Foreign data of the expected shape; `what` is said to people. @throws Failure `malformed` */
export function shaped<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = schema.safeParse(value);
  if (!result.success) throw new Failure("malformed", { expected: what }, new Error(z.prettifyError(result.error)));
  return result.data;
}

/** The same list, if it is not too long. @throws Failure `too-many` */
export function bounded<T>(list: readonly T[], limit = itemLimit): readonly T[] {
  if (list.length > limit) throw new Failure("too-many", { limit, found: list.length });
  return list;
}

function deeperThan(limit: number, json: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (quoted) {
      if (char === "\\") i++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "[" || char === "{") {
      if (++depth > limit) return true;
    } else if (char === "]" || char === "}") depth--;
  }
  return false;
}
