import { type Failure, isNoResponse } from "../failure.ts";
import type { Source } from "../model.ts";
import { nameOf } from "../setup/find/titles.ts";
import { NotAdded, type Wish } from "./proposal.ts";

/** Somebody watches it: what is left to do is to name the references there. `instead`: it moves in the page's place. */
export function alreadyWatched(
  { id, kind, address, cites, standsFor }: Source,
  wish: Pick<Wish, "cites" | "standsFor">,
  instead: boolean,
  hint?: string,
): NotAdded {
  const what = instead ? "what moves in its place is watched already" : "this is watched already";
  const more = [
    ["cites", wish.cites, cites],
    ["stands-for", wish.standsFor, standsFor],
  ] as const;
  const hints = more
    .filter(([, wanted, there]) => wanted.some((one) => !there.includes(one)))
    .map(([key, wanted, there]) => `Let "${id}" say ${key}: [${[...new Set([...there, ...wanted])].join(", ")}]`);
  return new NotAdded(`${what}, by the source "${id}" (${kind}: ${address})`, [...hints, ...(hint ? [hint] : [])]);
}

/** It is of a form that nothing is read of. */
export function unreadable(address: string, because: string): NotAdded {
  return new NotAdded(`nothing to watch: ${because}`, [], { title: titleFor(address), url: address, because });
}

/** It could not be seen: what may be done about it, and how a reader of the report learns of it. */
export function unseen(address: string, kind: string, failure: Failure): NotAdded {
  const says = `it could not be seen as ${kind}: ${failure.message}`;
  if (failure.kind === "refused-address")
    return new NotAdded(says, ["Only public addresses are read, unless RECHECK_ALLOW_ADDRESSES names their range."]);
  if (failure.kind === "deferred" || failure.kind === "rate-limited" || isNoResponse(failure.kind))
    return new NotAdded(says, ["Try again later; nothing was decided about it."]);
  if (failure.kind === "not-found" && kind === "github-repo")
    return new NotAdded(says, ["It is private, or never was. To hear when it becomes public: --kind github-repo"]);
  if (failure.kind === "not-found") return new NotAdded(says, ["Is the address right?"]);
  const hints =
    failure.kind === "wrong-type" && kind !== "page" ? ["To watch what came all the same: --kind page"] : [];
  return new NotAdded(says, hints, { title: titleFor(address), url: address, because: failure.message });
}

function titleFor(address: string): string {
  return nameOf(address) || address;
}
