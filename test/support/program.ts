import { join } from "node:path";
import { inject } from "vitest";
import { type Child, start } from "./child.ts";

/** What is published: from there the program starts in a third of the time that its sources take. */
export function program() {
  const built = inject("built");
  return {
    main: join(built, "dist", "main.js"),
    /** A `scan --all` that pauses nowhere. */
    scanChild: join(built, "dist", "scan.child.js"),
    /** Runs the commands of a JSON list of lists of arguments one after the other, in a third of the time of a process each. */
    commandsChild: join(built, "dist", "commands.child.js"),
    /** A measure: `bench/replay.ts` or `bench/noise.ts`. */
    measure: (name: "replay" | "noise") => join(built, "dist", `${name}.js`),
    /** Variables that keep it from the folders of whoever runs the tests: what it keeps goes with what was built. */
    environment: { XDG_CACHE_HOME: join(built, "cache"), NODE_COMPILE_CACHE: join(built, "cache", "node") },
  };
}

/** Runs a command as its own process, with nothing of this one's environment but the path. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string>>, cwd?: string): Child {
  const { main, environment } = program();
  return start(main, args, { ...environment, ...env }, cwd);
}
