import { once } from "node:events";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { goOnUnread } from "../src/faces/cli/print.ts";
import { processTerminal } from "../src/faces/cli/terminal.ts";
import { checkAll } from "./check.ts";
import { story } from "./days.ts";
import { startLookAround } from "./look-around.ts";
import { startDemo } from "./play.ts";
import { tellDay, tellEnd } from "./tell.ts";

/**
 * `npm run demo`: plays the story and checks it. Needs no network and no account. `-- --keep` opens the result in a
 * browser, `-- --mail` prints the mails in full. The store is a temporary file, or the empty database of DATABASE_URL.
 */

function chosen(): { readonly keep: boolean; readonly mail: boolean } {
  const option = { type: "boolean", default: false } as const;
  try {
    return parseArgs({ options: { keep: option, mail: option } }).values;
  } catch (error) {
    process.stderr.write(
      `${(error as Error).message}\nThe demo takes --keep and --mail, and nothing else: npm run demo -- --keep\n`,
    );
    process.exit(2);
  }
}

const { keep: stays, mail } = chosen();
const folder = resolve(import.meta.dirname, "..");
goOnUnread(1);
const out = processTerminal();
const begun = performance.now();
const demo = await startDemo({ story, folder, database: process.env.DATABASE_URL });
try {
  out.line("The real program, with a web and a GitHub on this machine and a simulated clock.");
  out.line("The facts are real and dated unless marked as invented. Every text was written for this demo.");
  const played = await demo.play((day, config) => tellDay(day, config, out, mail));
  const checks = checkAll(played, story);
  tellEnd(played, checks, out);
  const wrong = checks.flatMap(({ problems }) => problems).length;
  const seconds = Math.round((performance.now() - begun) / 1000);
  out.line();
  out.line(
    wrong === 0 ? `Everything is as it should be, in ${seconds} s.` : `${wrong} things are not as they should be.`,
  );
  process.exitCode = wrong === 0 ? 0 : 1;
  if (stays) {
    await demo.leave();
    const around = await startLookAround(demo, played, folder);
    out.line();
    out.line("The issues, the published pages and the report with its margin, on the story's last day:");
    out.line(`  ${around.url}/`);
    out.line("Ctrl-C ends the servers and removes their files.");
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await around.close();
  }
} finally {
  await demo.close();
}
