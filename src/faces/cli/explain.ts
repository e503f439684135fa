import { builtIn } from "../../askers.ts";
import { explain } from "../../explain/index.ts";
import type { Config } from "../../model.ts";
import { readers } from "../../read/index.ts";
import { loadConfig, openStored, type Settings } from "../../wire.ts";
import { exits } from "./exits.ts";
import { linesOf } from "./explain/story.ts";
import type { Terminal } from "./terminal.ts";
import { meant, WrongUsage } from "./usage.ts";

/** `npm run explain -- <source | trigger | #12>`: why it spoke, or kept silent. From what is stored; no request. */
export async function explainCommand(
  name: string,
  settings: Settings,
  options: { json?: boolean },
  out: Terminal,
): Promise<number> {
  const config = await loadConfig(settings.config);
  // Before anything is opened: a name that is nobody's is wrong whether or not something is stored.
  if (!isName(name, config)) throw new WrongUsage(unknown(name, config));
  const stored = await openStored(settings);
  try {
    const at = settings.clock.now();
    const stories = await explain(name, { config, store: stored.store, readers, at });
    if (!stories) throw new WrongUsage(unknown(name, config));
    if (options.json) out.line(JSON.stringify(stories, null, 2));
    else
      for (const line of stories.flatMap((story, i) => [...(i > 0 ? [""] : []), ...linesOf(story, config, at)]))
        out.line(line);
    return exits.done;
  } finally {
    await stored.close();
  }
}

/** Of a source or a trigger, or as a recheck is called. */
function isName(name: string, { sources, triggers }: Config): boolean {
  return (
    sources.has(name) || triggers.has(name) || Object.values<string>(builtIn).includes(name) || /^#\d+$/.test(name)
  );
}

function unknown(name: string, config: Config): string {
  if (/^#\d+$/.test(name)) return `no recheck ${name} is known here`;
  return `no source and no trigger is called "${name}"${meant(name, [...config.sources.keys(), ...config.triggers.keys()])}`;
}
