import { styleText } from "node:util";

type Colour = Parameters<typeof styleText>[0];

/** Where a command writes: lines for people, or one document for programs. */
export interface Terminal {
  readonly paint: (colour: Colour, text: string) => string;
  /** Whether a person watches. */
  readonly live: boolean;
  line(text?: string): void;
  /** Beside the result: progress, warnings. */
  aside(text: string): void;
}

/** The process's own: colour and progress on a terminal, plain lines in a pipe. */
export function processTerminal(): Terminal {
  const live = process.stdout.isTTY === true;
  // Whoever reads may have read enough: `npm run explain -- tpu | head`.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
  return {
    live,
    paint: (colour, text) => (live && process.env.NO_COLOR === undefined ? styleText(colour, text) : text),
    line: (text = "") => process.stdout.write(`${text}\n`),
    aside: (text) => process.stderr.write(`${text}\n`),
  };
}
