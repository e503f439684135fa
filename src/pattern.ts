import { RE2JS } from "re2js";

const compiled = new Map<string, RE2JS>();

/** Whether a pattern from config is found in a text, in time linear in the text's length. */
export function finds(pattern: string, text: string): boolean {
  let expression = compiled.get(pattern);
  if (!expression) {
    expression = RE2JS.compile(pattern);
    if (compiled.size >= 1_000) compiled.clear();
    compiled.set(pattern, expression);
  }
  return expression.matcher(text).find();
}
