import { comparePage } from "../../src/compare/page/index.ts";
import type { PageMemory } from "../../src/compare/page/memory.ts";
import { pageOf } from "../../src/read/html/html.ts";

/** A text that is built into pages, again and again, and what a monitor that checks them twice a day tells of it. */

const hour = 3_600_000;
export const sentence = (about: string) =>
  `The ${about} of the engine is described in this part, with all that a builder needs to know.`;
export const topics = ["intake", "valve", "piston", "crank", "spark", "pump", "belt", "sump", "fan", "gauge"];
export const text = topics.map((topic) => `<p>${sentence(topic)}</p>`).join("");
export const edited = text.replace(
  sentence("crank"),
  "The crank has another bearing from now on, and wants another oil than before.",
);

/** Changes that are told after each of these versions was checked twice, a day apart. */
export function told(...versions: readonly string[]): string[] {
  let memory: PageMemory | undefined;
  let at = 0;
  const changes: string[] = [];
  for (const html of versions.flatMap((one) => [one, one])) {
    const { blocks, region, around } = pageOf(
      `<!doctype html><html lang="en"><title>Engine</title><body>${html}</body></html>`,
    );
    const compared = comparePage(memory, blocks, { at, confirmAfter: 6 * hour }, { region, around });
    memory = compared.memory;
    at += 24 * hour;
    changes.push(...compared.changes.map(({ change }) => `${change.before?.text ?? ""} → ${change.after?.text ?? ""}`));
  }
  return changes;
}
