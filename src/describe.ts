import { builtIn } from "./askers.ts";
import type { Block, Change, Config, Evidence, Firing, Instant } from "./model.ts";

/** What happened, in the plain words that a program can know: for a terminal line, a title, a feed entry. Pure. */

/** `PyTorch 2.13.0`, `torch_tpu: public no → yes`, `claim altered: "GKE only" (tpu7x, ref 53)`. */
export function describeFiring(firing: Firing, config: Config): string {
  const claim = firing.evidence.find(({ part }) => part === "claim");
  const lead = claim ?? firing.evidence.find(({ condition }) => condition?.awaited) ?? firing.evidence[0];
  if (!lead) return firing.event.key;
  const product = firing.event.product && config.products.get(firing.event.product)?.name;
  const release = product && firing.event.version ? `${product} ${firing.event.version}` : undefined;
  const words = release && lead.part !== "claim" ? release : describeEvidence(lead, firing, config);
  const means = lead.condition?.means;
  return means && lead.part !== "claim" ? `${words}: ${means}` : words;
}

function describeEvidence(evidence: Evidence, firing: Firing, config: Config): string {
  const { change } = evidence;
  if (change.kind === "claim" || evidence.part === "claim") return describeClaim(evidence, config);
  const blocks = firing.evidence.filter((piece) => piece.change.kind === "block" && piece.source === evidence.source);
  return describeChange(change, evidence.source, config, blocks.length);
}

function describeClaim({ claim: key, change }: Evidence, config: Config): string {
  const [source = "", id = ""] = key?.split("/", 2) ?? [];
  const claim = config.sources.get(source)?.claims.find((one) => one.id === id);
  const cites = claim?.cites.length ? claim.cites : (config.sources.get(source)?.cites ?? []);
  const refs = cites.length > 0 ? `, ref ${cites.join(", ")}` : "";
  const what =
    change.kind === "claim"
      ? change.to === "unverified"
        ? "not found"
        : change.to
      : "cannot be looked up: its source is gone";
  return `claim ${what}: "${quoted(claim?.says ?? id)}" (${source}${refs})`;
}

/** One change, in plain words. `count`: how many blocks changed with it. */
export function describeChange(change: Change, source: string, config: Config, count = 1): string {
  const name = config.sources.get(source)?.title ?? source;
  switch (change.kind) {
    case "item-added":
      return `"${quoted(change.item.title)}" (${source})`;
    case "item-edited":
      return `"${quoted(change.item.title)}" edited (${source})`;
    case "item-withdrawn":
      return `"${quoted(change.item.title)}" withdrawn (${source})`;
    case "fact":
      return `${name}: ${change.name} ${change.before ?? "unknown"} → ${change.after ?? "no longer given"}`;
    case "block":
      return `${name}: ${describeBlock(change, count)}`;
    case "claim":
      return `claim ${change.to} (${change.claim})`;
    case "link":
      return change.to === "moved"
        ? `${name} moved for good`
        : change.to === "gone"
          ? `${name} is gone`
          : `${name} is back`;
  }
}

/** `2 blocks changed under "Memory": "up to 128GB" → "up to 192GB"`. */
export function describeBlock({ before, after }: { before?: Block; after?: Block }, count = 1): string {
  const block = after ?? before;
  const heading = block?.path.at(-1);
  const where = heading ? ` under "${quoted(heading, 40)}"` : "";
  const [left, right] = apart(before?.text ?? "", after?.text ?? "");
  const what = before && after ? `"${left}" → "${right}"` : after ? `new: "${right}"` : `gone: "${left}"`;
  return `${count === 1 ? "1 block" : `${count} blocks`} changed${where}: ${what}`;
}

/** Both texts cut to where they differ, with a few words around. */
function apart(before: string, after: string): [string, string] {
  const left = before.split(" ");
  const right = after.split(" ");
  let start = 0;
  while (start < left.length - 1 && start < right.length - 1 && left[start] === right[start]) start++;
  const from = Math.max(0, start - 3);
  return [quoted(left.slice(from).join(" "), 60), quoted(right.slice(from).join(" "), 60)];
}

/** Text of config or of a source for one line: control characters out, cut. */
export function quoted(text: string, most = 80): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return clean.length <= most ? clean : `${clean.slice(0, most - 1).trimEnd()}…`;
}

/** How people call a trigger. */
export function triggerName(id: string, config: Config): string {
  if (id === builtIn.notFound) return "Not found at first look";
  if (id === builtIn.claims) return "Claims";
  return config.triggers.get(id)?.name ?? id;
}

/** `2026-07-08`. */
export function day(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}
