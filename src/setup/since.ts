import { counted, day, triggerName } from "../describe.ts";
import type { Config, Firing } from "../model.ts";
import type { Part } from "../recheck/clip.ts";
import { evidenceEntries } from "../recheck/evidence.ts";
import { code, name, words } from "../recheck/inert.ts";
import { inOrder, type Question, refs } from "../recheck/question.ts";
import type { CatchUp } from "./catch-up.ts";

type Context = Pick<Question, "config" | "link">;

/** What happened since the audit: nothing is told before anything was seen. */
export function sinceParts(caught: CatchUp, context: Context): Part[] {
  const { contrary, routine, quiet, seen } = caught;
  const { config } = context;
  if (seen.length === 0) return [];
  const all = inOrder([...contrary, ...routine]);
  return [
    part([`### Since the audit of ${day(config.report.audited)}`, ""], [sentence(caught)], 1, "sentence"),
    part(
      [],
      evidenceEntries(all, context).map((entry, i) => `${entry}\n\n*asked by:* ${askedBy(all[i], context)}`),
      0,
      "event",
    ),
    {
      ...part(
        [
          `<details><summary>${atLeast(caught)}${counted(quiet.length, "entry", "entries")} without effect</summary>`,
          "",
        ],
        quiet.map(({ source, title, at }) => `- ${day(at)} ${name(title)}, ${called(source, config)}`),
        0,
        "entry without effect",
        "entries without effect",
      ),
      tail: ["", "</details>"],
      between: "\n",
    },
  ];
}

function part(head: readonly string[], entries: readonly string[], least: number, one: string, many = `${one}s`): Part {
  return { head, entries, between: "\n\n", least, one, many };
}

function sentence(caught: CatchUp): string {
  const { contrary, routine, quiet, withoutPast } = caught;
  const number = (all: readonly unknown[]) => all.length.toLocaleString("en");
  const counts = `**${number(contrary)} contrary, ${number(routine)} routine, ${atLeast(caught)}${number(quiet)} without effect.**`;
  if (withoutPast.length === 0) return counts;
  const pages = counted(withoutPast.length, "source");
  const none = withoutPast.length === 1 ? "has no past: what it says" : "have no past: what they say";
  return `${counts} ${pages} (pages, texts, repositories) ${none} now is what later looks are compared with.`;
}

function atLeast({ more }: CatchUp): string {
  return more ? "at least " : "";
}

function askedBy(firing: Firing | undefined, { config }: Context): string {
  return words(triggerName(firing?.trigger ?? "", config), 100);
}

/** What people call a source, with the references that cite it. */
export function called(id: string, config: Config): string {
  const source = config.sources.get(id);
  const shown = source?.title ? words(source.title, 100) : code(source?.address ?? id, 100);
  return source?.cites.length ? `${shown}, ${refs(source.cites)}` : shown;
}
