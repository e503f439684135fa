/** A text as part of a pattern, where it matches itself. Node has `RegExp.escape` only from 24 on. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
