/** Finds fenced code, also indented, line by line. Spec: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
export class Fences {
  /** The marks of the open fence; empty if there is none. */
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
