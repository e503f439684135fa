import { counted } from "../../describe.ts";
import type { Drawing } from "./drawing.ts";
import { homeward, html, inward, joined, type Markup, type Piece } from "./markup.ts";
import { calledSource, listed } from "./words.ts";

/** How much is watched, and what of it is not seen. */
export function watchedPart({ config, status, sources, places }: Drawing): Markup {
  const unseen = sources.filter(({ health }) => health.state !== "seen" && health.state !== "not seen yet");
  const names = unseen.slice(0, 6).map(({ source }) => inward(calledSource(source), places.source(source.id)));
  const claims = sources.reduce((sum, one) => sum + one.claims.length, 0);
  const documents = [...config.documents.values()];
  const cited: Piece =
    documents.length > 0 &&
    html` Also watched: what ${joined(
      documents.slice(0, 12).map(({ title, url }) => html`<cite>${homeward(title, url)}</cite>`),
      ", ",
    )} ${documents.length === 1 ? "cites" : "cite"}.`;
  return html`<section aria-labelledby="watched">
<h2 id="watched">What is watched</h2>
<p>${inward(counted(sources.length, "source"), places.file("sources.html"))}, with ${counted(claims, "claim")} of the report proved by them, and ${inward(counted(config.triggers.size, "trigger"), places.file("triggers.html"))}. ${unseen.length === 0 ? (status.notYet.length === 0 ? "All of them can be seen." : `${status.notYet.length} ${status.notYet.length === 1 ? "has" : "have"} not been looked at yet.`) : html`${unseen.length} cannot be seen now: ${joined(names, ", ")}${unseen.length > names.length && ` and ${unseen.length - names.length} more`}.`}${cited}</p>
${status.waiting.length > 0 && html`<p>${counted(status.waiting.length, "source")} changed once and ${status.waiting.length === 1 ? "waits" : "wait"} for a second look: ${listed(status.waiting.map(({ source }) => config.sources.get(source)?.title ?? source))}.</p>`}
${config.unwatchable.length > 0 && html`<details><summary>${counted(config.unwatchable.length, "source")} cannot be watched at all</summary><ul>${config.unwatchable.map(({ title, url, because }) => html`<li>${homeward(title, url)}: ${because}</li>`)}</ul></details>`}
</section>`;
}
