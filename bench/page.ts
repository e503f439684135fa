const words =
  "backend compiler kernel memory release support version graph tensor device cluster driver build image stable profile".split(
    " ",
  );

/** A page of about `size` bytes: chrome, headings, paragraphs, lists and a table. Editions differ in three places. */
export function pageOf(seed: number, edition: number, size: number): string {
  let state = seed * 7919 + 17;
  const next = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % limit;
  };
  const sentence = () =>
    `${Array.from({ length: 8 + next(14) }, () => words[next(words.length)]).join(" ")} ${next(1000)}.`;
  const parts: string[] = [];
  let length = 0;
  for (let section = 0; length < size; section++) {
    const rows = Array.from({ length: 5 }, () => `<tr><td>${sentence()}</td><td>${next(512)} GB</td></tr>`).join("");
    const items = Array.from(
      { length: 6 },
      () => `<li><a href="/a/${next(9999)}?t=${edition}">${sentence()}</a></li>`,
    ).join("");
    const paragraphs = Array.from(
      { length: 5 },
      () => `<p class="c${next(90)} d${next(90)}">${sentence()} ${sentence()}</p>`,
    ).join("");
    const part = `<section id="s${section}"><h2>${sentence()}</h2>${paragraphs}<ul>${items}</ul><table><tr><th>What</th><th>How much</th></tr>${rows}</table></section>`;
    parts.push(part);
    length += part.length;
  }
  const news = [0, 1, 2].map(
    (number) =>
      `<p>Edition ${edition} brings change ${number} of ${seed} to the ${words[edition % words.length]} backend.</p>`,
  );
  parts.splice(1, 0, ...news);
  const nav = `<nav><ul>${words.map((word) => `<li><a href="/${word}">${word}</a></li>`).join("")}</ul></nav>`;
  return `<!doctype html><html lang="en"><head><title>Page ${seed}</title><script>window.t="${edition}${next(9999)}"</script></head><body>${nav}<main><h1>Page ${seed}</h1>${parts.join("")}</main><footer>Built ${edition}</footer></body></html>`;
}
