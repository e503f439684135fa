import type { z } from "zod";
import type { Claim, Config, Rating, Source } from "../model.ts";
import type { Reader } from "../read/reader.ts";
import { cadenceOf } from "./cadence.ts";
import type { schemas, TriggerDraft } from "./schema.ts";
import type { SourceDraft } from "./source.ts";
import type { Tree } from "./tree.ts";
import { duration } from "./words.ts";

/** What `sources.yaml` holds once it was checked. */
type Root = z.output<ReturnType<typeof schemas>["root"]>;

/** Config from checked files. `tree` is that of `sources.yaml`: numbers that stand for levels are taken as spelt. */
export function build(
  root: Root,
  tree: Tree,
  triggers: ReadonlyMap<string, TriggerDraft>,
  readers: ReadonlyMap<string, Reader>,
): Config {
  const { report, levels, axes, unwatchable, schedule, overview, limits } = root;
  return {
    report,
    levels,
    axes,
    unwatchable,
    overview,
    limits,
    documents: named(root.documents),
    volatility: new Map(Object.entries(root.volatility)),
    names: new Map(Object.entries(root.names)),
    rubric: new Map(Object.entries(root.rubric).map(([area, meanings]) => [area, new Map(Object.entries(meanings))])),
    ratings: new Map(Object.entries(root.ratings).map(([id, rating]) => [id, { id, ...spelt(id, rating, tree) }])),
    conclusions: named(root.conclusions),
    products: named(root.products),
    sources: new Map(Object.entries(root.sources).map(([id, source]) => [id, sourceOf(id, source)])),
    triggers: new Map([...triggers].map(([id, trigger]) => [id, { id, ...trigger }])),
    schedule: new Map([...readers.keys()].map((kind) => [kind, schedule[kind] ?? duration.parse(cadenceOf(kind))])),
  };
}

function named<T extends object>(entries: Readonly<Record<string, T>>): Map<string, T & { id: string }> {
  return new Map(Object.entries(entries).map(([id, entry]) => [id, { id, ...entry }]));
}

/** 92.10 stays 92.10. */
function spelt(id: string, rating: Omit<Rating, "id">, tree: Tree): Omit<Rating, "id"> {
  const level = tree.spelt(["ratings", id]) ?? tree.spelt(["ratings", id, "level"]);
  return level === undefined ? rating : { ...rating, level };
}

function sourceOf(id: string, { claims, ...source }: SourceDraft): Source {
  const own = [...claims].map(([claim, draft]): Claim => ({ id: claim, source: id, ...draft }));
  return { id, ...source, claims: own };
}
