import { randomInt } from "node:crypto";
import { Writable } from "node:stream";
import { inspect } from "node:util";
import { refusedBecause } from "../../adapters/files/refused.ts";
import { withoutSecrets } from "../../adapters/secrets.ts";

/**
 * The one way out: whatever the program says to a terminal, a pipe or the log of a workflow passes here, and nothing else
 * touches the process's streams. What others wrote (titles, headers, facts, addresses) can then steer none of them.
 */

/** Standard output and standard error. */
type Channel = "out" | "err";

export type Colour = keyof typeof inspect.colors;

/** Known to this process alone: no text from elsewhere passes for a colour of ours. */
const seal = Array.from({ length: 3 }, () => randomInt(1_000, 10_000)).join(";");
const sealed = new RegExp(`\\u001b\\[(\\d{1,3});${seal}m`, "g");

/** Characters that a terminal obeys, or that hide or turn what stands beside them; ends of lines and our colours stay. */
const steering = new RegExp(`\\u001b\\[\\d{1,3};${seal}m|(?!\\n)[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]`, "gu");

/**
 * A text in which nothing is obeyed: what steers or hides stands as JSON writes it (`\u202e`), so that a document in
 * JSON says the same as before. A command of a workflow is broken in the same way: the runner knows `::` at the
 * beginning of a line, whatever space stands before it, and `##[` anywhere.
 * Spec: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function harmless(text: string): string {
  return unhidden(text).replace(/^([^\S\n]*):(?=:)/gm, (_, space: string) => `${space}\\u003a`);
}

function unhidden(text: string): string {
  return text.replace(steering, (mark) => (mark.length > 2 ? mark : escaped(mark))).replaceAll("##[", "#\\u0023[");
}

function escaped(mark: string): string {
  return Array.from({ length: mark.length }, (_, i) => `\\u${mark.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
    "",
  );
}

/** A text in a colour, where what it is printed to shows any: until then its marks are no wider than a terminal's own. */
export function painted(colour: Colour, text: string): string {
  const [on, off] = inspect.colors[colour] ?? [0, 0];
  return `\u001b[${on};${seal}m${text}\u001b[${off};${seal}m`;
}

/** Writes a text without our secrets, and makes each line of it harmless. `command`: for the runner of a workflow, which is to obey this one line. */
export function print(channel: Channel, text: string, as?: "command"): void {
  if (closed.has(channel)) return;
  const told = withoutSecrets(text);
  const made = as === "command" ? unhidden(told) : harmless(told);
  const colour = screenOf(channel)?.colours ? "\u001b[$1m" : "";
  streamOf(channel).write(made.replace(sealed, colour));
}

/** The terminal that a channel leads to. */
interface Screen {
  readonly columns: number;
  readonly colours: boolean;
  /** Whether the cursor can go back over a line. */
  readonly moves: boolean;
}

/** Undefined where a channel leads to a pipe or a file. */
export function screenOf(channel: Channel): Screen | undefined {
  const stream = streamOf(channel);
  if (!stream.isTTY) return undefined;
  // Node knows what the terminal can show; NO_COLOR says no by any text that is not empty: https://no-color.org
  const colours = (process.env.NO_COLOR ?? "") === "" && stream.hasColors();
  return { columns: stream.columns, colours, moves: process.env.TERM !== "dumb" };
}

/** Shows the cursor again that a line of progress hides, past that line, which keeps what is written meanwhile. */
export function showCursor(): void {
  Writable.prototype.write.call(streamOf("out"), "\u001b[?25h", "utf8");
}

/** Channels that take no more: nobody reads them, or their disk is full. */
const closed = new Set<Channel>();

/**
 * Has the program end what it does where a channel takes no more, and print nothing there from then on: whoever reads has
 * read enough (`recheck scan | grep -q Fired`), and what was looked at is still to be kept and told. `unwritten`: the exit
 * code of a command that is done, and of whose words some are lost.
 */
export function goOnUnread(unwritten: number): void {
  for (const channel of ["out", "err"] as const)
    streamOf(channel).on("error", (error: NodeJS.ErrnoException) => {
      if (closed.has(channel)) return;
      closed.add(channel);
      if (error.code === "EPIPE") return;
      process.once("exit", () => (process.exitCode ||= unwritten));
      const why = refusedBecause(error, "it is not there any more") ?? error.message;
      print("err", `standard ${channel === "out" ? "output" : "error"} cannot be written: ${why}\n`);
    });
}

function streamOf(channel: Channel): NodeJS.WriteStream {
  return channel === "out" ? process.stdout : process.stderr;
}
