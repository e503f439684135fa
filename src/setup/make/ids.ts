/** Ids of config from people's words: lower-case letters and digits, in words joined by hyphens. */
const shape = /^(?=[0-9-]*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/;

/** The id nearest to a name; `fallback`, itself an id, where the name has no letters that ids have. */
export function slug(text: string, fallback: string, most = 40): string {
  const words = text
    .slice(0, 400)
    .replace(/[™®©]/g, " ")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/\+\+/g, " plus plus ")
    .replace(/(?<=^|[\s/])c#/g, "c sharp")
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let id = "";
  for (const word of words) {
    const longer = id === "" ? word.slice(0, most) : `${id}-${word}`;
    if (longer.length > most) break;
    id = longer;
  }
  if (shape.test(id)) return id;
  const named = id === "" ? fallback : `${fallback}-${id}`;
  return shape.test(named) ? named : fallback;
}

/** Ids that were given, so that none is given twice. */
export class Ids {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  give(text: string, fallback: string): string {
    const id = slug(text, fallback);
    for (let i = 1; ; i++) {
      const one = i === 1 ? id : `${id}-${i}`;
      if (this.taken.has(one)) continue;
      this.taken.add(one);
      return one;
    }
  }
}
