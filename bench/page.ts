const words =
  "backend compiler kernel memory release support version graph tensor device cluster driver build image stable profile".split(
    " ",
  );

/**
 * A documentation page of about `size` bytes as sites serve them, at 200 KB: a third of it scripts and styles, two
 * fifths tags and attributes (2,300 elements), 27 % text, nearly all of that in the main part. Editions differ in three
 * paragraphs; visits in tokens in scripts and links, and on every fourth page in its footer: of the steps of real pages that
 * bring no news, three in four leave the words as they were (`npm run noise`). Never below 7 KB.
 */
export function pageOf(seed: number, edition: number, size: number, visit = edition): string {
  const text = writer(seed * 7919 + 17);
  const news = [0, 1, 2].map(
    (number) =>
      `<p>Edition ${edition} brings change ${number} of ${seed} to the ${words[edition % words.length]} backend.</p>`,
  );
  const main: string[] = [];
  for (let length = 0; length < size * 0.6; ) {
    const part = section(text, main.length, visit);
    main.push(part);
    length += part.length;
    if (main.length === 1) main.push(...news);
  }
  const many = Math.ceil(size / 2_500);
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><link rel="canonical" href="https://docs.example.org/${seed}"><title>Page ${seed}</title>`;
  return (
    `<!doctype html><html lang="en" class="no-js" data-theme="auto"><head>${head}${style(size * 0.08)}` +
    `<script>window.token="${visit}${text.number(9999)}"</script></head><body class="docs layout-wide">` +
    `${menu(text, "site-header", 12)}<div class="layout-columns">${menu(text, "docs-sidebar", many)}` +
    `<main id="content" class="docs-content"><article class="prose"><h1>Page ${seed}</h1>${main.join("")}</article></main>` +
    `${menu(text, "page-toc", Math.ceil(many / 4))}</div>` +
    `<footer class="site-footer"><p class="muted">Built ${seed % 4 === 0 ? visit : 0}</p></footer>${script(text, size * 0.25, visit)}</body></html>`
  );
}

interface Writer {
  /** From 0 to below `limit`. */
  number(limit: number): number;
  word(): string;
  sentence(): string;
}

/** The same words for the same seed, on every machine. */
function writer(seed: number): Writer {
  let state = seed;
  const number = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
  const word = () => words[number(words.length)] ?? "";
  const sentence = () => `${Array.from({ length: 8 + number(14) }, word).join(" ")} ${number(1000)}.`;
  return { number, word, sentence };
}

function section(text: Writer, number: number, visit: number): string {
  const id = `${text.word()}-${text.word()}-${number}`;
  const link = () =>
    `<a class="reference internal" href="../${text.word()}/${text.number(9999)}.html?t=${visit}" title="${text.word()}"><span class="std std-ref">${text.word()} ${text.word()}</span></a>`;
  const code = () => `<code class="docutils literal notranslate"><span class="pre">${text.word()}()</span></code>`;
  const paragraph = () =>
    `<p class="text-base c${text.number(90)}">${text.sentence()} ${code()} ${text.sentence()} ${link()}</p>`;
  const item = () => `<li class="list-item d${text.number(90)}"><p>${text.sentence()}</p></li>`;
  const row = () =>
    `<tr class="row-${text.number(2) ? "even" : "odd"}"><td class="cell px-4 py-2">${text.word()} ${text.number(99)}</td><td class="cell px-4 py-2">${text.number(512)} GB</td></tr>`;
  const line = () =>
    `<span class="n">${text.word()}</span><span class="o">=</span><span class="mi">${text.number(512)}</span>\n`;
  return (
    `<section id="${id}" class="docs-section" aria-labelledby="${id}-title"><h2 id="${id}-title" class="heading">${text.sentence()}` +
    `<a class="headerlink" href="#${id}" title="Link to this heading">#</a></h2>${several(4, paragraph)}<ul class="simple">${several(4, item)}</ul>` +
    `<div class="highlight-python notranslate"><div class="highlight"><pre>${several(5, line)}</pre></div></div>` +
    `<div class="table-wrapper"><table class="docutils align-default"><thead><tr><th class="head">What</th><th class="head">How much</th></tr></thead><tbody>${several(4, row)}</tbody></table></div></section>`
  );
}

function menu(text: Writer, name: string, count: number): string {
  const entry = () =>
    `<li class="nav-item level-${text.number(4)}"><a class="nav-link" href="/docs/${text.word()}/${text.number(9999)}">${text.word()} ${text.word()}</a></li>`;
  return `<nav class="${name}" aria-label="${name}"><ul class="nav-list">${several(count, entry)}</ul></nav>`;
}

function style(size: number): string {
  let rules = "";
  for (let i = 0; rules.length < size; i++) rules += `.c${i}{margin:${i % 9}px;color:var(--c-${i % 30})}`;
  return `<style>${rules}</style>`;
}

/** Data that a site hands to its own scripts. */
function script(text: Writer, size: number, visit: number): string {
  let state = "";
  while (state.length < size) state += `{"id":${text.number(9999)},"path":"/docs/${text.word()}","t":${visit}},`;
  return `<script type="application/json">[${state}{}]</script>`;
}

function several(count: number, one: () => string): string {
  return Array.from({ length: count }, one).join("");
}
