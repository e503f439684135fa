import { type Hostile, many } from "./input.ts";
import { formats } from "./reports.ts";
import { pieces, random } from "./texts.ts";

/** Places for a text: a document of its own, or a part of a service's answer. */
interface Form {
  readonly kind: string;
  readonly address?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly type?: string;
  wrap(text: string): string;
}

const json = (value: unknown) => JSON.stringify(value);
const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const inPage = (text: string) => `<!doctype html><html><head><title>A page</title></head><body>${text}</body></html>`;

const forms: readonly Form[] = [
  { kind: "page", wrap: inPage },
  { kind: "page", wrap: (text) => inPage(`<main><h1>Notes</h1><p>${xml(text)}</p></main>`) },
  {
    kind: "page",
    wrap: (text) => inPage(`<div class="${text.replaceAll('"', "")}" id="${text.replaceAll('"', "")}">a</div>`),
  },
  { kind: "page", wrap: (text) => `<title>${xml(text)}</title><h2>${xml(text)}</h2>` },
  { kind: "page", options: { versions: "v?\\d+\\.\\d+" }, wrap: (text) => inPage(`<p>${xml(text)}</p>`) },
  { kind: "text", address: "https://engine.example/a.md", wrap: (text) => text },
  {
    kind: "text",
    address: "https://engine.example/a.md",
    wrap: (text) => `---\ntitle: a\n---\n\n# A\n\n:::{note}\n${text}`,
  },
  { kind: "text", address: "https://engine.example/a.rst", wrap: (text) => text },
  { kind: "text", address: "https://engine.example/a.rst", wrap: (text) => `A\n===\n\n.. note:: ${text}` },
  { kind: "text", address: "https://engine.example/a.csv", wrap: (text) => text },
  { kind: "text", address: "https://engine.example/a.txt", wrap: (text) => text },
  { kind: "text", address: "https://engine.example/a.yml", wrap: (text) => text },
  {
    kind: "feed",
    wrap: (text) =>
      `<rss version="2.0"><channel><title>t</title><item><guid>1</guid><title>${xml(text)}</title><description>${xml(text)}</description></item></channel></rss>`,
  },
  { kind: "feed", wrap: (text) => `<rss version="2.0"><channel><title>t</title><item>${text}</item></channel></rss>` },
  {
    kind: "feed",
    wrap: (text) =>
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>1</id><title>t</title><content type="xhtml">${text}</content></entry></feed>`,
  },
  { kind: "json", wrap: (text) => json({ a: text, [text]: 1, list: [text, 1] }) },
  { kind: "json", options: { items: "$", item: { version: "v" } }, wrap: (text) => json([{ v: text }]) },
  {
    kind: "github-releases",
    wrap: (text) => json([{ tag_name: text.slice(0, 200), name: text, body: text, draft: false, prerelease: false }]),
  },
  { kind: "github-issue", wrap: (text) => json({ state: "open", title: text, labels: [], body: text }) },
  {
    kind: "pypi",
    wrap: (text) => json({ info: { name: "a", version: text, summary: text }, releases: { [text]: [{}] } }),
  },
  {
    kind: "mediawiki",
    wrap: (text) =>
      json({
        curtimestamp: "2026-01-01T00:00:00Z",
        query: {
          pages: [
            {
              title: text,
              extract: text,
              revisions: [{ revid: 1, timestamp: "2020-01-01T00:00:00Z", comment: text, tags: [] }],
            },
          ],
        },
      }),
  },
  {
    kind: "arxiv",
    wrap: (text) =>
      `<OAI-PMH><GetRecord><record><metadata><arXivRaw><id>2401.00001</id><title>${xml(text)}</title><abstract>${xml(text)}</abstract><comments>${xml(text)}</comments><version version="v1"><date>Mon, 1 Jan 2024 00:00:00 GMT</date></version></arXivRaw></metadata></record></GetRecord></OAI-PMH>`,
  },
  ...formats.map(({ path, wrap }): Form => ({ kind: "report", address: path, wrap })),
];

/** Inputs of one seed: a form, and one to three pieces in it again and again, perhaps behind and before another. */
export function generated(seed: number, count: number): Hostile[] {
  const pick = random(seed);
  const piece = () => pieces[pick(pieces.length)] ?? "a";
  return Array.from({ length: count }, (_, i): Hostile => {
    const { wrap, ...form } = forms[i % forms.length] as Form;
    const unit = Array.from({ length: 1 + pick(3) }, piece).join("");
    const [before, after] = [pick(2) === 0 ? "" : piece(), pick(2) === 0 ? "" : piece()];
    const name = `${JSON.stringify(before)} ${JSON.stringify(unit)}… ${JSON.stringify(after)}${form.options ? " options" : ""} #${i % forms.length}`;
    return { about: "generated", name, ...form, make: (size) => wrap(before + many(unit, size) + after) };
  });
}
