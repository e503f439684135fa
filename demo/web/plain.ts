import type { Source } from "../../src/model/source.ts";
import type { Section } from "../story.ts";

/** A text file in the format that its address names. */
export function textFile(source: Source, sections: readonly Section[], versions: readonly string[]): string {
  const [extension = ""] = /\.(rst|yaml|js)$/.exec(source.address) ?? [];
  if (extension === ".yaml") return `cuda_version:\n${versions.map((version) => `  - ${version}\n`).join("")}`;
  if (extension === ".js") return script(versions.at(-1) ?? "");
  if (extension === ".rst") return sections.map(rst).join("\n");
  return sections.map(markdown).join("\n");
}

export function markdown({ heading, paragraphs = [], list = [], table = [] }: Section, index = 1): string {
  const [head = [], ...rows] = table;
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    `${index === 0 ? "#" : "##"} ${heading}`,
    ...paragraphs,
    ...(list.length > 0 ? [list.map((text) => `- ${text}`).join("\n")] : []),
    ...(table.length > 0 ? [[row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")] : []),
    "",
  ].join("\n\n");
}

function rst({ heading, paragraphs = [], list = [] }: Section, index: number): string {
  const line = (index === 0 ? "=" : "-").repeat(heading.length);
  return [`${heading}\n${line}`, ...paragraphs, ...list.map((text) => `* ${text}`), ""].join("\n\n");
}

function script(version: string): string {
  return `var supported = { stable: "Stable (${version})", preview: "Preview (Nightly)" };\nfunction command(os) {\n  return "pip3 install torch " + (os === "linux" ? "" : os);\n}\n`;
}
