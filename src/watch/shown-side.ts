import type { Change } from "../model/change.ts";
import { changedTexts } from "../model/change-words.ts";
import { Failure } from "../model/failure.ts";
import type { Response } from "../model/ports/index.ts";
import type { Source } from "../model/source.ts";
import type { World } from "./check.ts";
import { workersOf } from "./workers.ts";

/** The side of a change that a copy of its page shows, recognised by that side's texts. */
export type Side = "before" | "after";

/** Texts that a page has on one side of the changes, and texts that it lacks there. */
export interface SideTexts {
  readonly says: readonly string[];
  readonly lacks: readonly string[];
}

/** Collects the texts of one side of changes, each once. */
export function textsOn(side: Side, changes: readonly Change[]): SideTexts {
  const says = new Set<string>();
  const lacks = new Set<string>();
  for (const change of changes) {
    const [before, after] = changedTexts(change) ?? [];
    const [onSide, onOther] = side === "before" ? [before, after] : [after, before];
    if (onSide !== undefined) says.add(onSide);
    else if (onOther !== undefined) lacks.add(onOther);
  }
  return { says: [...says], lacks: [...lacks] };
}

/** A copy that may show the change, as plain data. */
export interface CopyToMatch {
  readonly source: Source;
  readonly response: Response;
  /** The sides that a copy of its date may show. */
  readonly sides: { readonly [side in Side]?: SideTexts };
  /** The memory of its source, as stored, if the newer texts alone do not show that the copy is of this page. */
  readonly memory?: string;
}

/** Finds the side that a copy shows; undefined if it shows neither, cannot be parsed or takes too much. */
export async function shownSideApart(
  copy: CopyToMatch,
  world: Pick<World, "readers" | "workers">,
): Promise<Side | undefined> {
  if (!copy.sides.before && !copy.sides.after) return undefined;
  try {
    const workers = await workersOf(world);
    return (await workers.run("shows", copy)) as Side | undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
