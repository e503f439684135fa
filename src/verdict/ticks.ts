/** What a ticked box asks for. */
export type Tick =
  /** All ratings not answered yet. */
  | { readonly kind: "keep" }
  | { readonly kind: "look" }
  /** `recheck`: its id in the store. */
  | { readonly kind: "unsnooze"; readonly recheck: number }
  /** Look again at these sources, which could not be seen. */
  | { readonly kind: "retry"; readonly sources: readonly string[] };

const sourceId = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const mostSources = 500;

/** What the id behind a box asks for (`keep`, `look`, `unsnooze 12`, `retry some-source`); undefined for any other. */
export function tickOf(id: string): Tick | undefined {
  const [kind, ...rest] = id.slice(0, 40_000).trim().split(/\s+/);
  switch (kind) {
    case "keep":
    case "look":
      return rest.length === 0 ? { kind } : undefined;
    case "unsnooze": {
      const [recheck = ""] = rest;
      return rest.length === 1 && /^[1-9]\d{0,14}$/.test(recheck) ? { kind, recheck: Number(recheck) } : undefined;
    }
    case "retry": {
      const sources = [...new Set(rest)].slice(0, mostSources);
      return sources.length > 0 && sources.every((one) => sourceId.test(one)) ? { kind, sources } : undefined;
    }
    default:
      return undefined;
  }
}
