import { builtIn } from "../askers.ts";
import { day, stamp, triggerName } from "../describe.ts";
import type { Source } from "../model.ts";
import type { Watch } from "../ports.ts";
import type { Part } from "../recheck/clip.ts";
import { cell, code, link, words } from "../recheck/inert.ts";
import { hasFile, refs } from "../recheck/question.ts";
import { pathIn } from "../repository/config-files.ts";
import { tell } from "../verdict/figures.ts";
import { hasLasted } from "./blind.ts";
import type { Drawing } from "./overview.ts";

/** Every source with its last look and its next. */
export function sourcesPart(drawing: Drawing): Part {
  const watches = new Map(drawing.watches.map((watch) => [watch.source, watch]));
  const sources = [...drawing.config.sources.values()];
  const entries = sources.map((source) => sourceRow(source, watches.get(source.id), drawing));
  const head = ["| source | refs | last look, UTC | next | last news |", "|---|---|---|---|---|"];
  return folded(`${entries.length} ${entries.length === 1 ? "source" : "sources"}`, head, entries, "source", "sources");
}

function sourceRow(source: Source, watch: Watch | undefined, drawing: Drawing): string {
  const { passing, link: linkTo } = drawing;
  const name = cell(link(words(source.title ?? source.id, 100), linkTo(source)));
  const numbers = [...new Set([...source.cites, ...source.standsFor])].sort((a, b) => a - b);
  const cited = numbers.length > 0 ? refs(numbers).replace(/^refs? /, "") : "";
  if (watch?.lastLook === undefined) return `| ${name} | ${cited} | | | not looked at yet |`;
  const { lastLook, next } = watch;
  const times = [lastLook, next].map((at) => passing(stamp(at)));
  return `| ${name} | ${cited} | ${times.join(" | ")} | ${cell(newsOf(watch, drawing))} |`;
}

/** What it told last, or why it is not heard. */
function newsOf({ trouble, gone, pending, lastChange }: Watch, { passing }: Drawing): string {
  if (trouble) {
    const why = `**${gone ? "gone" : "not seen"}**: ${words(trouble.says, 120)}, since ${day(trouble.since)}`;
    return hasLasted({ trouble, gone }) ? why : passing(why);
  }
  if (pending) return "changed, to be confirmed";
  return lastChange === undefined ? "" : passing(day(lastChange));
}

/** Every trigger with how useful its questions were. */
export function triggersPart({ config, figures, folder = "" }: Drawing): Part {
  const builtIns = Object.values(builtIn).filter((id) => figures.has(id));
  const ids = [...config.triggers.keys(), ...builtIns.filter((id) => !config.triggers.has(id))];
  const entries = ids.map((id) => {
    const name = cell(words(triggerName(id, config), 100));
    const file = hasFile(id, config) ? ` (${cell(code(pathIn(folder, `triggers/${id}.yaml`)))})` : "";
    return `| ${name}${file} | ${tell(figures.get(id) ?? { answered: 0, relevant: 0, consequential: 0 })} |`;
  });
  const head = ["| trigger | answers |", "|---|---|"];
  const part = folded(
    `${entries.length} ${entries.length === 1 ? "trigger" : "triggers"}`,
    head,
    entries,
    "trigger",
    "triggers",
  );
  const note =
    "<sub>Relevant: the answer was *keep* or *change*; consequential: it was *change*. Only *dismiss* counts against a trigger.</sub>";
  return { ...part, tail: ["", note, ...(part.tail ?? [])] };
}

function folded(what: string, head: readonly string[], rows: readonly string[], one: string, many: string): Part {
  return {
    head: [`<details><summary>${what}</summary>`, "", ...head],
    entries: rows,
    tail: ["", "</details>"],
    between: "\n",
    least: 0,
    one,
    many,
  };
}
