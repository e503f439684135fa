import { randomInt } from "node:crypto";
import { Writable } from "node:stream";
import { inspect } from "node:util";
import { refusedBecause } from "../../adapters/files/refused.ts";
import { withoutSecrets } from "../../adapters/secrets.ts";

/**
 * All output of the program passes through here: to a terminal, a pipe or the log of a workflow. So texts of others
 * (titles, headers, facts, addresses) cannot control them.
 */

type Channel = "out" | "err";

export type Colour = keyof typeof inspect.colors;

/** A random mark of this process, so that foreign text cannot imitate our colours. */
const seal = Array.from({ length: 3 }, () => randomInt(1_000, 10_000)).join(";");
const sealed = new RegExp(`\\u001b\\[(\\d{1,3});${seal}m`, "g");

/** Characters that control a terminal, or that hide or reverse others. Line ends and our colours stay. */
const steering = new RegExp(`\\u001b\\[\\d{1,3};${seal}m|(?!\\n)[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Cs}]`, "gu");

/**
 * A harmless text: control and hidden characters become JSON escapes (`\u202e`), so that JSON documents stay the same.
 * Workflow commands are broken in the same way: the runner recognises `::` at the start of a line after any white
 * space, and `##[` anywhere. Spec: https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
export function escapeCommands(text: string): string {
  return escapeHidden(text).replace(/^([^\S\n]*):(?=:)/gm, (_, space: string) => `${space}\\u003a`);
}

function escapeHidden(text: string): string {
  return text
    .replace(steering, (mark) => (mark.length > 2 ? mark : escapeUnicode(mark)))
    .replaceAll("##[", "#\\u0023[");
}

function escapeUnicode(mark: string): string {
  return Array.from({ length: mark.length }, (_, i) => `\\u${mark.charCodeAt(i).toString(16).padStart(4, "0")}`).join(
    "",
  );
}

/** Colours a text, if the screen shows colours. Until it is printed, the marks have no width. */
export function colourText(colour: Colour, text: string): string {
  const [on, off] = inspect.colors[colour] ?? [0, 0];
  return `\u001b[${on};${seal}m${text}\u001b[${off};${seal}m`;
}

/** Prints a text without secrets, each line made harmless. `command`: one line that the runner of a workflow executes. */
export function print(channel: Channel, text: string, as?: "command"): void {
  if (closed.has(channel)) return;
  const safe = withoutSecrets(text);
  const made = as === "command" ? escapeHidden(safe) : escapeCommands(safe);
  const colour = showsColours(streamOf(channel)) ? "\u001b[$1m" : "";
  streamOf(channel).write(made.replace(sealed, colour));
}

interface Screen {
  readonly columns: number;
  /** Whether the cursor can move back over a line. */
  readonly moves: boolean;
}

/** Undefined if the channel is a pipe or a file. */
export function screenOf(channel: Channel): Screen | undefined {
  const stream = streamOf(channel);
  if (!stream.isTTY) return undefined;
  return { columns: stream.columns, moves: process.env.TERM !== "dumb" };
}

/** When colours are shown; `auto`: on a terminal that has them. */
export const colourTimes = ["auto", "always", "never"] as const;
let colouring: (typeof colourTimes)[number] = "auto";

export function colourWhen(when: (typeof colourTimes)[number]): void {
  colouring = when;
}

/** Node knows what the terminal can show; any non-empty NO_COLOR turns colours off: https://no-color.org */
function showsColours(stream: NodeJS.WriteStream): boolean {
  if (colouring !== "auto") return colouring === "always";
  return stream.isTTY && (process.env.NO_COLOR ?? "") === "" && stream.hasColors();
}

/** Shows the cursor again, which the progress line has hidden. Written directly, because the line is still active. */
export function showCursor(): void {
  Writable.prototype.write.call(streamOf("out"), "\u001b[?25h", "utf8");
}

/** Channels that accept no more output: their reader is gone, or their disk is full. */
const closed = new Set<Channel>();

/**
 * Keeps the program running, without output, if a channel accepts nothing more: its reader has read enough (`recheck
 * scan | grep -q Fired`), but the checks must still be stored and reported. `unwritten`: the exit code of a command
 * that succeeded but lost output.
 */
export function goOnUnread(unwritten: number): void {
  for (const channel of ["out", "err"] as const)
    streamOf(channel).on("error", (error: NodeJS.ErrnoException) => {
      if (closed.has(channel)) return;
      closed.add(channel);
      if (error.code === "EPIPE") return;
      process.once("exit", () => (process.exitCode ||= unwritten));
      const why = refusedBecause(error, "it no longer exists") ?? error.message;
      print("err", `standard ${channel === "out" ? "output" : "error"} cannot be written: ${why}\n`);
    });
}

function streamOf(channel: Channel): NodeJS.WriteStream {
  return channel === "out" ? process.stdout : process.stderr;
}
