import type { Piece } from "../report/piece.ts";
import { addressesIn, webAddress } from "./addresses.ts";
import type { Reference } from "./references.ts";
import { nameOf, titleIn } from "./titles.ts";
import { plain } from "./words.ts";

/** Sections that are of the document itself, not of what it tells. */
const aside =
  /^(?:licen[cs]es?|contribut\w*|how to contribute|code of conduct|acknowledge?ments?|credits|sponsors?|backers|support(?: us)?|community|contact|authors?|maintainers?|star history|changelog|table of contents|contents|how to cite|citation|cite)$/i;

/** Everything that a text links to, each address once; pictures alone, such as badges, are no links of the text. */
export function linked(pieces: readonly Piece[]): (Reference & { address: string })[] {
  const found = new Map<string, { title: string; where: Piece[] }>();
  for (const piece of pieces) {
    if (piece.path.some((heading) => aside.test(heading))) continue;
    for (const { text, address: written } of linksOf(piece)) {
      const address = webAddress(written);
      if (address === undefined) continue;
      const before = found.get(address);
      if (before) before.where.push(...(before.where.length < 50 && !before.where.includes(piece) ? [piece] : []));
      else found.set(address, { title: titleOf(text, piece) || nameOf(address), where: [piece] });
    }
  }
  return [...found].map(([address, { title, where }]) => ({ address, title, where }));
}

function linksOf({ links, text }: Piece): { text: string; address: string }[] {
  const told = links.filter((link) => link.text !== "");
  const known = new Set(links.flatMap(({ address, text: label }) => [address, label]));
  const bare = addressesIn(text).filter((address) => !known.has(address));
  return [...told, ...bare.map((address) => ({ text: "", address }))];
}

/** What the link is called; of a bare address, what stands around it, where that is short. */
function titleOf(label: string, piece: Piece): string {
  if (
    label !== "" &&
    !/^https?:/i.test(label) &&
    !/^(?:here|link|this|source|docs?|website|repo|github|demo|code|paper)$/i.test(label)
  )
    return plain(label, 120);
  const around = piece.links.length <= 1 && piece.text.length <= 200 ? titleIn(piece.text.replace(/\n/g, " ")) : "";
  return around || (label !== "" && !/^https?:/i.test(label) ? plain(label, 120) : "");
}
