import type { Section } from "../story.ts";
import { type Noise, turned } from "./noise.ts";

/** A page as the web serves it: the text, and all that surrounds a text. */
export function htmlPage(
  sections: readonly Section[],
  { host, address }: { host: string; address: string },
  noise: Noise,
): string {
  const title = sections[0]?.heading ?? host;
  const { build, token, weather } = noise;
  const text = sections.map((section, index) => sectionOf(section, index, noise)).join("\n") + stamp(host, noise);
  const main = weather.redesign
    ? `<main id="content" class="layout-2"><div class="prose">${text}</div>${around(noise)}</main>`
    : `<main role="main"><article>${text}</article>${around(noise)}</main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escaped(title)} | ${host}</title>
<link rel="canonical" href="${escaped(address)}">
<link rel="stylesheet" href="/assets/site.${build}.css">
<meta name="csrf-token" content="${token()}">
<script nonce="${token()}">window.__session = ${JSON.stringify({ id: token(), at: noise.now, flags: noise.day % 7 })};</script>
<script src="/assets/app.${build}.js" async></script>
</head>
<body data-build="${build}">
<a class="skip-link" href="#content">Skip to content</a>
${consent(noise)}
<header><nav aria-label="Main">${menu(noise)}</nav></header>
${banner(noise)}
${main}
<footer><p>© ${new Date(noise.now).getUTCFullYear()} ${host} · ${weather.redesign ? "Terms · Privacy · Imprint" : "Legal · Privacy"} · build ${build}</p></footer>
<script>(function(){var p={r:"${token()}",t:"${Math.floor(noise.now / 1000)}"};window.__cf=p})();</script>
</body>
</html>
`;
}

function sectionOf({ heading, paragraphs = [], list, table }: Section, index: number, noise: Noise): string {
  const level = index === 0 ? "h1" : "h2";
  const items = noise.weather.shuffle ? turned(list ?? [], noise.day) : list;
  const parts = [
    `<${level} id="s${index}">${escaped(heading)}</${level}>`,
    ...(index === 0 ? [labels(noise)] : []),
    ...paragraphs.map((text) => `<p>${prose(text, noise)}</p>`),
    ...(items ? [`<ul>\n${items.map((text) => `<li>${prose(text, noise)}</li>`).join("\n")}\n</ul>`] : []),
    ...(table ? [tableOf(table)] : []),
  ];
  return noise.weather.rewrap ? `<section class="block">${parts.join("\n\n")}</section>` : parts.join("\n");
}

/** Labels that are true for a day. */
function labels({ day, views }: Noise): string {
  return `<p class="byline"><span>Updated ${(day % 6) + 2} days ago</span></p><p class="stats">${views.toLocaleString("en")} views</p>`;
}

/** Documentation says at its end when it was built. */
function stamp(host: string, { built }: Noise): string {
  return host === "docs.pytorch.org" ? `\n<p>Last updated on ${built}.</p>` : "";
}

function prose(text: string, { weather }: Noise): string {
  const safe = escaped(text);
  if (!weather.rewrap) return safe;
  const words = safe.split(" ");
  return words.map((word, i) => (i > 0 && i % 7 === 0 ? `\n    <span>${word}</span>` : word)).join(" ");
}

function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join("");
  const lines = rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("\n");
  return `<table><thead><tr>${cells(head, "th")}</tr></thead><tbody>\n${lines}\n</tbody></table>`;
}

const menus = [
  ["Products", "Solutions", "Documentation", "Blog", "Contact"],
  ["Explore", "Learn", "Build", "Community", "Sign in", "Get started"],
];

function menu({ weather, token }: Noise): string {
  const entries = menus[weather.redesign ? 1 : 0] ?? [];
  return `<ul>${entries.map((entry) => `<li><a href="/${entry.toLowerCase().replace(" ", "-")}?s=${token()}">${entry}</a></li>`).join("")}</ul>`;
}

const banners = ["Registration for the summer conference is open", "New: a podcast for developers", "We are hiring"];

function banner({ day, weather }: Noise): string {
  const said = banners[(Math.floor(day / 4) + (weather.redesign ? 1 : 0)) % banners.length];
  return `<div class="promo announcement" role="status"><a href="/news">${said}</a></div>`;
}

function consent({ weather, token }: Noise): string {
  const words = weather.redesign
    ? "We value your privacy. We and our partners use cookies."
    : "This site uses cookies to make it work and to see how it is used.";
  return `<div id="onetrust-banner-sdk" class="cookie-banner" data-id="${token()}"><p>${words}</p><button>Accept all</button><button>Settings</button></div>`;
}

const related = [
  "How we test",
  "A tour of the docs",
  "Ten questions and answers",
  "What comes next",
  "From the archive",
];

function around({ day, token }: Noise): string {
  const links = turned(related, day).slice(0, 4);
  return `<aside class="related"><h2>Related</h2><ul>${links.map((link) => `<li><a href="/r/${token()}">${link}</a></li>`).join("")}</ul></aside>
<div class="feedback"><p>Was this page helpful?</p><button>Yes</button><button>No</button><span>${(day % 40) + 3} of ${(day % 40) + 9} found this helpful</span></div>`;
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
