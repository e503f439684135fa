import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** What an issue's schema wants, as a predicate in our words: those of the schema where it has them. */
export function wants(issue: Issue): string {
  if (/^(wants|is|has|holds|no) /.test(issue.message)) return issue.message;
  switch (issue.code) {
    case "invalid_type":
      return `wants ${types[issue.expected] ?? "something else"}`;
    case "invalid_value":
      return `wants ${either(issue.values.map(String))}`;
    case "invalid_union":
      return `wants ${either(alternatives(issue))}`;
    case "too_small":
      return least(issue);
    case "too_big":
      return `wants at most ${issue.maximum}${issue.origin === "string" ? " characters" : issue.origin === "array" ? " entries" : ""}`;
    case "invalid_format":
      return `wants a well-formed ${issue.format}`;
    default:
      return "is not right here";
  }
}

const types: Readonly<Record<string, string>> = {
  array: "a list such as [a, b]",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "keys with values",
  record: "keys with values",
  string: "text",
};

function least({ origin, minimum }: z.core.$ZodIssueTooSmall): string {
  if (origin === "string") return "wants text";
  return origin === "array" ? "wants at least one entry" : `wants at least ${minimum}`;
}

function alternatives({ errors }: z.core.$ZodIssueInvalidUnion): string[] {
  const first = errors.flatMap((branch) => branch.slice(0, 1));
  return [...new Set(first.map((issue) => wants(issue).replace(/^wants /, "")))];
}

/** `a, b or c` */
function either(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${last}` : last;
}
