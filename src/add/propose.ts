import { faultOfId } from "../config/id.ts";
import { nearest } from "../config/nearest.ts";
import { quoted } from "../describe.ts";
import { Failure } from "../failure.ts";
import type { Config } from "../model.ts";
import type { Reader } from "../read/reader.ts";
import { frozenBy } from "../setup/find/frozen.ts";
import { kindOf } from "../setup/find/kind.ts";
import { givenAddress, pageKey } from "./address.ts";
import { announcedBy } from "./announces.ts";
import type { Asker } from "./ask.ts";
import { type Choice, choose } from "./choose.ts";
import { givesNow } from "./gives.ts";
import { idOf, titleOf } from "./name.ts";
import { NotAdded, type Proposal, type Wish } from "./proposal.ts";
import { alreadyWatched, unreadable, unseen } from "./refuse.ts";
import { sameSource, watcherOf } from "./watched.ts";

/**
 * What an address would be watched as: its kind is guessed, what is worth more than the page itself is looked for, and
 * all of it is read through its own reader. Writes nothing.
 *
 * @throws NotAdded where nothing can be watched, or it is watched already
 */
export async function propose(written: string, wish: Wish, config: Config, asker: Asker): Promise<Proposal> {
  checkId(wish.id, config);
  if (wish.kind !== undefined)
    return proposalOf(written, await asTold(written, wish.kind, config, asker), wish, config);
  const address = givenAddress(written);
  const watcher = watcherOf(address, config, asker.web.readers);
  if (watcher) throw alreadyWatched(watcher, wish, false, "As another kind it can be watched too: --kind KIND");
  return proposalOf(address, await choose(address, asker), wish, config);
}

/** @throws NotAdded */
function checkId(id: string | undefined, { sources }: Config): void {
  if (id === undefined) return;
  const fault = faultOfId(id);
  if (fault) throw new NotAdded(`"${id}" ${fault.message}${fault.suggestion ? `; e.g. ${fault.suggestion}` : ""}`);
  if (sources.has(id)) throw new NotAdded(`there is a source "${id}" already; choose another --id`);
}

/** Looks at it as the kind that a person named, and at nothing else. @throws NotAdded */
async function asTold(written: string, kind: string, config: Config, asker: Asker): Promise<Choice> {
  const reader = asker.web.readers.get(kind);
  if (!reader) {
    const near = nearest(kind, asker.web.readers.keys());
    throw new NotAdded(`there is no kind "${kind}"${near ? `; did you mean "${near}"?` : ""}`);
  }
  const candidate = { kind, ...addressFor(written.trim(), reader) };
  const same = sameSource(candidate, config);
  if (same) throw alreadyWatched(same, { cites: [], standsFor: [] }, false);
  const sight = await asker.look(candidate);
  if (!sight.reading) return { failure: sight.failure ?? new Failure("empty"), kind };
  const url = URL.parse(candidate.address);
  const frozen = url && (kind === "page" || kind === "text") ? frozenBy(url) : undefined;
  return { candidate: { ...candidate, why: "you named its kind", ...(frozen && { frozen }) }, sight };
}

/** The address as its kind wants it: as it was written, or as its web address tells. @throws NotAdded */
function addressFor(written: string, reader: Reader): { address: string; options?: Readonly<Record<string, string>> } {
  const accepts = (one: string) => reader.address.safeParse(one).success;
  if (accepts(written) && !/^https?:/i.test(written)) return { address: written };
  const address = givenAddress(written);
  const watched = kindOf(address);
  if ("kind" in watched && watched.kind === reader.kind && accepts(watched.address))
    return { address: watched.address, ...(watched.options && { options: watched.options }) };
  if (accepts(address)) return { address };
  if ("kind" in watched && accepts(watched.address)) return { address: watched.address };
  throw new NotAdded(`${reader.kind} wants an address such as ${reader.example}`);
}

/** @throws NotAdded */
function proposalOf(address: string, choice: Choice, wish: Wish, config: Config): Proposal {
  if ("because" in choice) throw unreadable(address, choice.because);
  if ("failure" in choice) throw unseen(address, choice.kind, choice.failure);
  const { candidate, sight } = choice;
  const { reading = {} } = sight;
  const instead = candidate.instead !== undefined;
  const refs = {
    cites: [...new Set(instead ? [] : wish.cites)],
    standsFor: [...new Set(instead ? [...wish.standsFor, ...wish.cites] : wish.standsFor)],
  };
  const same = sameSource(candidate, config);
  if (same) throw alreadyWatched(same, refs, instead);
  const { product, note } = announcedBy(candidate, reading, config);
  const title = titleOf(candidate, reading, product?.name);
  return {
    ...candidate,
    ...refs,
    id: wish.id ?? idOf(candidate, title, config),
    ...(title !== undefined && { title }),
    ...(product && { announces: product.id }),
    ...(candidate.frozen !== undefined && { every: "14d" }),
    notes: [...(note === undefined ? [] : [note]), ...listedAsUnwatchable(address, config)],
    gives: givesNow(reading, config.report.audited),
  };
}

function listedAsUnwatchable(address: string, { unwatchable }: Config): string[] {
  const listed = unwatchable.find(({ url }) => url !== undefined && pageKey(url) === pageKey(address));
  return listed ? [`It stands under unwatchable, as "${quoted(listed.title)}": take it out there`] : [];
}
