import { html } from "hono/html";
import type { Audit } from "../../../audit/audit.ts";
import { citationName } from "../../../audit/cited.ts";
import { findingHeadings } from "../../../model/finding.ts";
import { minute } from "../../../model/time.ts";
import { placeText } from "../../../model/words.ts";
import { style } from "../../../publish/pages/style.ts";

/** An audit as one page that can be sent around: nothing is loaded, and no text of a source is markup. */
export async function auditPage(audit: Audit): Promise<string> {
  const { report, at, findings, says, counts, left } = audit;
  const groups = [...Map.groupBy(findings, ({ kind }) => kind)];
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
          <title>Audit of ${report}</title>
          <style>
            ${style} main { padding-block: 2.5rem; }
          </style>
        </head>
        <body>
          <main>
            <h1>Audit of ${report}</h1>
            <p class="lead">${says}. ${counts}. Checked on ${minute(at)}.</p>
            ${left.map((sentence) => html`<p>${sentence}</p>`)}
            ${groups.map(
              ([kind, all]) => html`<section>
                <h2>${findingHeadings[kind]} (${all.length})</h2>
                <ul>
                  ${all.map(
                    ({ cited, also, says, evidence, todo, copy }) => html`<li>
                      <p>
                        ${cited.address === "" ? citationName(cited) : html`<a href="${cited.address}" rel="noreferrer">${citationName(cited)}</a>`}
                        ${says}
                      </p>
                      <p>${[...new Set([cited, ...also].map(placeText))].join(", ")} · ${evidence}</p>
                      <p><em>${todo}</em>${copy ? html` · <a href="${copy.url}" rel="noreferrer">archived copy</a>` : ""}</p>
                    </li>`,
                  )}
                </ul>
              </section>`,
            )}
          </main>
        </body>
      </html>`,
  );
}
