import type { Source } from "../model.ts";
import { type ClaimStory, claimStory } from "./claims.ts";
import { conditionsOf, conditionWords, listensTo } from "./condition.ts";
import { type Happening, happeningsOf } from "./happening.ts";
import { type Health, healthOf } from "./health.ts";
import type { Known } from "./known.ts";
import { type Hush, noiseOf, type Waiting, waitingOf } from "./quiet.ts";

/** A source: what it told, what came of it, and why the rest did not. */
export interface SourceStory {
  readonly kind: "source";
  readonly source: Source;
  readonly health: Health;
  readonly happenings: readonly Happening[];
  readonly waiting: readonly Waiting[];
  readonly noise: readonly Hush[];
  readonly claims: readonly ClaimStory[];
  readonly listeners: readonly { readonly trigger: string; readonly part: "on" | "also"; readonly words: string }[];
}

export async function sourceStory(source: Source, known: Known): Promise<SourceStory> {
  return {
    kind: "source",
    source,
    health: healthOf(source, known),
    happenings: await happeningsOf(source, known),
    waiting: waitingOf(source, known),
    noise: noiseOf(source, known),
    claims: source.claims.map((claim) => claimStory(claim, known)),
    listeners: [...known.config.triggers.values()].flatMap(({ id }) =>
      conditionsOf(id, known.config)
        .filter(({ condition }) => listensTo(condition, known.config).includes(source))
        .map(({ condition, part }) => ({ trigger: id, part, words: conditionWords(condition, known.config) })),
    ),
  };
}
