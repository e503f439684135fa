import { standingSays } from "../../repository/notices.ts";
import { openRegistry, type Settings } from "../../wire.ts";
import { exits } from "./exits.ts";
import type { Terminal } from "./terminal.ts";

/** `npm run status -- --served`: every repository that the server serves or served, and what keeps it. Makes no request. */
export async function servedCommand(
  settings: Settings,
  { json }: { readonly json?: boolean },
  out: Terminal,
): Promise<number> {
  const stored = await openRegistry(settings);
  try {
    const states = await stored.registry.repositories();
    const told = states.map((state) => ({ name: state.name, standing: state.standing, says: standingSays(state) }));
    if (json) out.line(JSON.stringify(told, null, 2));
    else if (told.length === 0) out.line("  no repository is served: install the App on one");
    else for (const { name, says } of told) out.line(`  ${name} ${says}`);
    return exits.done;
  } finally {
    await stored.close();
  }
}
