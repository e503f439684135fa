import type { NewSource } from "../edit/source.ts";
import { pageKey } from "./address.ts";
import type { Proposal } from "./proposal.ts";

/** A proposal as it is written into `sources.yaml`. `address`: the one that was named. */
export function entryOf(proposal: Proposal, address: string): NewSource {
  const { id, kind, options = {}, title, announces, cites, standsFor, every } = proposal;
  const keys: [string, string | readonly number[]][] = [[kind, proposal.address], ...Object.entries(options)];
  if (title !== undefined) keys.push(["title", title]);
  if (announces !== undefined) keys.push(["announces", announces]);
  if (cites.length > 0) keys.push(["cites", cites]);
  if (standsFor.length > 0) keys.push(["stands-for", standsFor]);
  if (every !== undefined) keys.push(["every", every]);
  const comment = commentOf(proposal, address);
  return { id, keys, ...(comment !== undefined && { comment }) };
}

function commentOf({ instead, frozen }: Proposal, address: string): string | undefined {
  if (instead !== undefined) return `In place of ${pageKey(address)}: ${instead}.`;
  return frozen === undefined ? undefined : `Looks frozen (${frozen}): it can only be retracted.`;
}
