/**
 * Tells, line after line, the fenced code of Markdown from its text. A fence may be indented, as below an item of a list.
 * Spec: https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export class Fences {
  /** The marks of the fence that is open; empty if none is. */
  #open = "";

  get isOpen(): boolean {
    return this.#open !== "";
  }

  /** Whether the next line is fenced code, or its first or last fence. */
  hold(line: string): boolean {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (this.#open === "") {
      this.#open = marks;
      return marks !== "";
    }
    if (marks.startsWith(this.#open) && line.trim() === marks) this.#open = "";
    return true;
  }
}
