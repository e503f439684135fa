import type { Piece } from "../report/piece.ts";
import { leveled, type Ratings } from "./matrix.ts";
import { isLevel, levelIn } from "./scale.ts";
import { shortName } from "./words.ts";

/** Ratings that stand as lists below the names of levels: `## Adopt`, and what is adopted. */
export function ringsOf(pieces: readonly Piece[]): Ratings | undefined {
  const cells = pieces.flatMap((piece) => {
    const word = levelIn(piece.path.at(-1) ?? "");
    const name = piece.kind === "item" && word !== undefined && isLevel(word) ? nameOf(piece) : "";
    return word === undefined || name === "" ? [] : [{ names: [name], word }];
  });
  const words = new Set(cells.map(({ word }) => word.toLowerCase()));
  return words.size >= 2 && words.size <= 7 ? leveled(["subject"], cells) : undefined;
}

/** What an item is about: its first link, or what stands before its explanation. */
function nameOf({ text, links }: Piece): string {
  const [line = ""] = text.split("\n");
  const first = links[0]?.text ?? "";
  if (first !== "" && line.startsWith(first)) return shortName(first);
  const [lead = ""] = line.split(/\s+[–—-]\s+|:\s|\.\s/);
  return lead.length <= 60 ? shortName(lead) : "";
}
