import type { StatusFile } from "../../src/model/status-file.ts";

/**
 * Pages of a report, as authors write them: a matrix of ratings and numbered references. Every place that must get a
 * mark says which, as `data-rating` or `data-reference`; the script does not check these.
 */
export interface Layout {
  readonly name: string;
  readonly matrix: string;
  readonly references: string;
}

type Ratings = StatusFile["ratings"];
type References = StatusFile["references"];

const text = (words: string) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const unique = (all: readonly string[]) => [...new Set(all)];
const addressOf = ({ number, url }: References[number]) => text(url ?? `https://papers.example/${number}`);
const link = (one: References[number]) => `<a href="${addressOf(one)}">${text(one.title ?? `Paper ${one.number}`)}</a>`;
const cited = ({ number }: References[number]) => `data-reference="${number}"`;

export function layouts(ratings: Ratings, references: References): Layout[] {
  const rows = unique(ratings.map(({ names }) => names[0] ?? ""));
  const columns = unique(ratings.map(({ names }) => names[1] ?? ""));
  const at = (row: string, column: string) => ratings.find(({ names }) => names[0] === row && names[1] === column);
  const cell = (row: string, column: string, show = (level: string) => text(level)) => {
    const rating = at(row, column);
    return rating ? `<td data-rating="${rating.id}">${show(rating.level)}</td>` : "<td></td>";
  };
  const matrix = `<table><thead><tr><th></th>${columns.map((name) => `<th scope="col">${text(name)}</th>`).join("")}</tr></thead>
    <tbody>${rows
      .map((row) => `<tr><th scope="row">${text(row)}</th>${columns.map((name) => cell(row, name)).join("")}</tr>`)
      .join("\n")}</tbody></table>`;
  const list = `<h2>References</h2><ol>${references.map((one) => `<li ${cited(one)}>${link(one)}, as it was in May.</li>`).join("\n")}</ol>`;
  return [
    { name: "a matrix, and an ordered list", matrix, references: list },
    {
      name: "a matrix turned round, with words beside names and levels; paragraphs that begin with [n]",
      matrix: `<div style="overflow: auto"><table><caption>How mature is it?</caption>
        <tr><td colspan="2" rowspan="2">Area</td><th colspan="${rows.length}">Platform</th></tr>
        <tr>${rows.map((row) => `<td><b>${text(row)}</b> (as of May)</td>`).join("")}</tr>
        ${columns
          .map((name, i) => {
            const group = i === 0 ? `<th rowspan="${columns.length}">Judged</th>` : "";
            const show = (level: string) => `<p><strong>${text(level)}:</strong> it works where it was tried.</p>`;
            return `<tr>${group}<td>${text(name)} ¹</td>${rows.map((row) => cell(row, name, show)).join("")}</tr>`;
          })
          .join("\n")}</table></div>`,
      references: `<h3>8. Sources and notes</h3>${references.map((one) => `<p ${cited(one)}>[${one.number}] ${link(one)}</p>`).join("\n")}`,
    },
    {
      name: "a line for each rating; a table of references",
      matrix: `<table><tr><th>Platform</th><th>Area</th><th>Rating</th><th>Why</th></tr>${ratings
        .map(
          ({ id, names, level }) =>
            `<tr>${names.map((name) => `<td>${text(name)}</td>`).join("")}<td data-rating="${id}">${text(level)}</td><td>It is what people say of it, ${text(level).toLowerCase()} or not, who have tried.</td></tr>`,
        )
        .join("\n")}</table>`,
      references: `<h2>Bibliography</h2><table><tr><th>No.</th><th>Title</th></tr>${references
        .map((one) => `<tr ${cited(one)}><td>${one.number}</td><td>${link(one)}</td></tr>`)
        .join("\n")}</table>`,
    },
    {
      name: "footnotes with ids, cited in the text",
      matrix: `<p>${references.map(({ number }) => `Tried<sup id="fnref${number}"><a href="#fn${number}">[${number}]</a></sup>.`).join(" ")}</p>${matrix}`,
      references: `<hr><ol>${references.map((one) => `<li id="fn${one.number}" ${cited(one)}><p>${link(one)} <a href="#fnref${one.number}">↩</a></p></li>`).join("\n")}</ol>`,
    },
    {
      name: "lists that begin anywhere; anchors before the text; a summary of the matrix above it",
      matrix: `<table><tr><th>Platform</th><th>Maturity and all else, in a sentence that is longer than any header should be</th></tr>${rows
        .map((row) => `<tr><td>${text(row)}</td><td>From Low to High, by way of Medium</td></tr>`)
        .join("")}</table>${matrix}`,
      references: `<h2>What we read</h2>${references
        .slice(0, 20)
        .map((one) => `<p ${cited(one)}><a id="ref-${one.number}"></a>${link(one)}</p>`)
        .join("\n")}<h2>References, continued</h2><h3>Papers</h3><ol start="21">${references
        .slice(20, 40)
        .map((one) => `<li ${cited(one)}>${link(one)}<ul><li>and what it cites</li></ul></li>`)
        .join("\n")}</ol><h3>Others</h3><ol>${references
        .slice(40)
        .map((one, i) => `<li ${i === 0 ? 'value="41" ' : ""}${cited(one)}>${link(one)}</li>`)
        .join("\n")}</ol><h2>Steps</h2><ol><li>Install it.</li><li>Run it.</li></ol>`,
    },
    {
      name: "references as docutils and as Pandoc write them",
      matrix,
      references: `<h2>Works cited</h2><dl class="citation">${references
        .slice(0, 32)
        .map((one) => `<div ${cited(one)}><dt><span>[${one.number}]</span></dt><dd><p>${link(one)}</p></dd></div>`)
        .join("\n")}</dl><div id="refs">${references
        .slice(32)
        .map(
          (one) =>
            `<div id="ref-key${one.number}x" class="csl-entry" ${cited(one)}><div>[${one.number}] </div><div>${link(one)}</div></div>`,
        )
        .join("\n")}</div>`,
    },
    {
      name: "no matrix; links alone, of which only those that are one reference's own tell anything",
      matrix: `<p>On TPUs maturity is Medium.</p><table><tr><th>Maturity</th><th>Cost</th></tr><tr><td>Medium</td><td>Low</td></tr></table>`,
      references: `<h2>Sources</h2><ul>${references
        .filter(({ url }) => url)
        .map(
          (one) =>
            `<li ${references.filter(({ url }) => url === one.url).length === 1 ? cited(one) : ""}>${link(one)}</li>`,
        )
        .join("\n")}</ul>`,
    },
  ];
}

/** A whole page, as long as a report's. */
export function pageOf({ matrix, references }: Layout, script: string, style = ""): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>State of it</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root{color-scheme:light dark}body{font:16px/1.5 Georgia,serif;max-width:60rem;margin:0 auto;padding:1rem}table{border-collapse:collapse}th,td{border:1px solid #8888;padding:.4rem .6rem;text-align:center}${style}</style>
${script}</head><body><main><h1>State of it</h1>
<p>What works where, and how far it can be relied on, as it was found in May.</p>
${matrix}
${references}
</main></body></html>`;
}
