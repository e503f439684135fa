import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Config } from "../src/model/config.ts";
import type { Issue } from "../src/model/ports/index.ts";
import { day } from "../src/model/time.ts";
import { enumerate, pluralize, ratingTitle } from "../src/model/words.ts";
import { publish } from "../src/publish/index.ts";
import { editionFrom } from "../src/wire/program.ts";
import { issuePage } from "./issue-page.ts";
import type { Demo, Played } from "./play.ts";
import { escaped } from "./web/html.ts";

/** The end of the story in a browser: the issues as GitHub shows them, the published pages, the report with its margin. */
export interface LookAround {
  readonly url: string;
  close(): Promise<void>;
}

interface Sheet {
  readonly type: string;
  readonly body: string;
}

/** Serves it all by the story's clock, on a port of this machine. */
export async function startLookAround(demo: Demo, played: Played, folder: string): Promise<LookAround> {
  const sheets = new Map<string, Sheet>();
  const server = createServer(({ url = "/" }, response) => {
    const { pathname } = new URL(url, "http://localhost");
    const sheet = sheets.get(decodeURIComponent(pathname));
    if (!sheet) return void response.writeHead(404).end("Not found");
    response.writeHead(200, { "content-type": sheet.type, "cache-control": "no-store" }).end(sheet.body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [path, sheet] of await sheetsOf(demo, played, folder, url)) sheets.set(path, sheet);
  return {
    url,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function sheetsOf(demo: Demo, played: Played, folder: string, url: string): Promise<Map<string, Sheet>> {
  const { repo } = demo.github;
  const at = Math.max(...played.days.flatMap(({ runs, repeats }) => [...runs, ...repeats].map((run) => run.at)));
  const clock = `Date.now = () => ${at};\n`;
  // Issues are shown here, too: links to pages of the local GitHub lead to this server.
  const settings = { config: folder, data: demo.data, repo, clock: { now: () => at }, fetch: {} };
  const edition = await editionFrom({ ...settings, githubApi: `${url}/api` });
  const sheets = new Map<string, Sheet>();
  for (const [path, body] of publish(edition)) {
    sheets.set(`/pages/${path}`, { type: typeOf(path), body: path.endsWith(".js") ? clock + body : body });
  }
  for (const issue of played.issues) {
    const comments = await demo.github.asPerson<{ body: string }[]>("GET", `/issues/${issue.number}/comments`);
    const texts = { ...issue, said: comments.map(({ body }) => body) };
    const body = issuePage(texts).replaceAll(`${demo.web.url}/${repo}/`, `${url}/${repo}/`);
    sheets.set(`/${repo}/issues/${issue.number}`, { type: typeOf(".html"), body });
  }
  // The file's address on GitHub.
  const config = await readFile(join(folder, "sources.yaml"), "utf8");
  sheets.set(`/${repo}/blob/HEAD/sources.yaml`, { type: typeOf(".txt"), body: config });
  sheets.set("/report", { type: typeOf(".html"), body: reportPage(played.config) });
  sheets.set("/", { type: typeOf(".html"), body: contents(demo, played, at) });
  return sheets;
}

function typeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  const types: Readonly<Record<string, string>> = {
    ...{ html: "text/html", css: "text/css", js: "text/javascript", json: "application/json" },
    ...{ svg: "image/svg+xml", xml: "application/atom+xml" },
  };
  return `${types[ending] ?? "text/plain"}; charset=utf-8`;
}

const publishedPages = [
  ["index", "The state of the report: questions to decide, every rating, all events"],
  ["references", "Every citation and its state"],
  ["sources", "Every source, and when it was checked"],
  ["triggers", "What would reopen a rating"],
  ["digests", "Week by week"],
];

function contents({ github: { repo }, web }: Demo, { issues, config }: Played, at: number): string {
  const entry = ({ number, title, state }: Issue) =>
    `<li><a href="/${repo}/issues/${number}">#${number} ${escaped(title)}</a>, ${state}</li>`;
  return plainPage(
    "The demo, on its last day",
    `<p>It is ${day(at)}. The report was audited on ${day(config.report.audited)}; this is what became of it.</p>
<h2>For its author</h2><ul>${issues.map(entry).join("\n")}</ul>
<h2>For its readers</h2><ul><li><a href="/report">The report, with its margin</a></li>
${publishedPages.map(([name, what]) => `<li><a href="/pages/${name}.html">${what}</a></li>`).join("\n")}</ul>
<h2>Behind it</h2><ul><li><a href="${web.url}/">The web</a>: every source, as it stood on that day</li></ul>`,
  );
}

/** A stand-in for the report: its matrix and its references, from config. */
function reportPage(config: Config): string {
  const ids = [...config.ratings.keys()].map((id) => id.split("/"));
  const [rows, columns] = [new Set(ids.map(([row]) => row ?? "")), new Set(ids.map(([, column]) => column ?? ""))];
  const cell = (row: string, column: string) => escaped(config.ratings.get(`${row}/${column}`)?.level ?? "");
  const name = (id: string) => escaped(ratingTitle(id, config));
  const cited = [...config.sources.values()].flatMap(({ cites, title, address }) =>
    cites.map((number): [number, string] => [number, title ?? address]),
  );
  // The first entry of a number is the page itself.
  const references = [...new Map(cited.toReversed())].sort(([a], [b]) => a - b);
  const claims = [...config.sources.values()]
    .flatMap((source) =>
      source.claims.map(({ says, cites }) => ({ says, cites: cites.length > 0 ? cites : source.cites })),
    )
    .filter(({ cites }) => cites.length > 0)
    .slice(0, 40);
  return plainPage(
    config.report.title,
    `<p>A stand-in with some sentences of the report, its matrix and ${pluralize(references.length, "reference")}. Point at a sign in the margin of any.</p>
${claims.map(({ says, cites }) => `<p>${escaped(says)} ${cites.map((number) => `[${number}]`).join(" ")}.</p>`).join("\n")}
<div class="wide" role="region" aria-label="Every rating" tabindex="0"><table><thead><tr><th>${enumerate(config.axes.map(escaped))}</th>${[...columns].map((column) => `<th>${name(column)}</th>`).join("")}</tr></thead>
<tbody>${[...rows].map((row) => `<tr><th>${name(row)}</th>${[...columns].map((column) => `<td>${cell(row, column)}</td>`).join("")}</tr>`).join("\n")}</tbody></table></div>
<h2>References</h2>${references.map(([number, title]) => `<p id="ref-${number}">[${number}] ${escaped(title)}</p>`).join("\n")}
<script src="/pages/recheck-margin.js" defer></script>`,
  );
}

function plainPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 2rem; color-scheme: light dark; background: Canvas; color: CanvasText; overflow-wrap: anywhere; }
.wide { overflow-x: auto; } table { border-collapse: collapse; } th, td { border: 1px solid #8888; padding: 0.4rem 1.4rem 0.4rem 0.7rem; text-align: left; }</style>
<main><h1>${escaped(title)}</h1>${body}</main></html>`;
}
