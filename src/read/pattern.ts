import { RE2JS } from "re2js";
import { z } from "zod";

/** A pattern of config: for a linear-time engine, so that no text can make it slow. Spec: https://github.com/google/re2/wiki/Syntax */
export const pattern = z
  .string()
  .min(1, "wants a pattern")
  .max(1000, "wants a pattern of at most 1,000 characters")
  .superRefine((written, context) => {
    try {
      RE2JS.compile(written);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      context.addIssue({ code: "custom", message: `is no pattern: ${why} (no lookaround, no backreferences)` });
    }
  });

/** Every match in order: its first group, or the whole of it where it has none. */
export function* matchesOf(written: string, text: string): Generator<string> {
  const compiled = RE2JS.compile(written);
  const group = compiled.groupCount() > 0 ? 1 : 0;
  const matcher = compiled.matcher(text);
  while (matcher.find()) {
    const match = matcher.group(group);
    if (match) yield match;
  }
}
