import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";
import { configOf } from "../support/config-of.ts";

/** The ratings of a text as its draft has them, by their names in words; and its levels, lowest first. */
export function ratedBy(text: string, path = "a.md"): { levels: readonly string[]; ratings: Record<string, string> } {
  const made = draft({ path, text }, { at: Date.parse("2026-06-01"), readers });
  const files = new Map(made?.files.map((file) => [file.path.replace(/^triggers\/|\.yaml$/g, ""), file.text]));
  const sources = files.get("sources");
  if (sources === undefined) return { levels: [], ratings: {} };
  files.delete("sources");
  const { ratings, levels, names } = configOf(sources, Object.fromEntries(files));
  const named = (id: string) =>
    id
      .split("/")
      .map((part) => names.get(part) ?? part)
      .join(" | ");
  return { levels, ratings: Object.fromEntries([...ratings].map(([id, { level }]) => [named(id), level])) };
}

/** The titles and addresses of a text's references, with their numbers. */
export function citedBy(text: string, path = "a.md"): Record<string, string> {
  const made = draft({ path, text }, { at: Date.parse("2026-06-01"), readers });
  const sources = made?.files.find((file) => file.path === "sources.yaml")?.text;
  if (sources === undefined) return {};
  const all = [...configOf(sources).sources.values()];
  return Object.fromEntries(all.map(({ address, title, cites }) => [address, [title, ...cites].join(" ")]));
}

/** The levels of a text, lowest first, and a line for each thing that it rates. */
export function ratingsIn(text: string, path = "a.md"): string {
  const { levels, ratings } = ratedBy(text, path);
  const lines: string[] = [];
  for (const [name, level] of Object.entries(ratings)) {
    const [first = "", ...rest] = name.split(" | ");
    const cell = rest.length > 0 ? `${rest.join(" | ")}: ${level}` : level;
    if (lines.at(-1)?.startsWith(`${first} | `)) lines.push(`${lines.pop()} | ${cell}`);
    else lines.push(`${first} | ${cell}`);
  }
  return [levels.join(" < ") || "no ratings", ...lines].join("\n");
}

/** A line for each reference of a text: its address, and its title with its numbers. */
export function citationsIn(text: string, path = "a.md"): string {
  return Object.entries(citedBy(text, path))
    .map(([address, title]) => `${address} = ${title}`)
    .join("\n");
}
