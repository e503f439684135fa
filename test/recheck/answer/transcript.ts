import { expect } from "vitest";
import { status } from "../../../src/status/status.ts";
import type { Fault } from "../../github/front.ts";
import { changed, type Room, released, report, sources } from "./room.ts";

/**
 * What people, GitHub and the program do in a room, one thing after the other: "close pull 2; hear 2; tend". A function does
 * anything else.
 */
export type Step = string | ((room: Room) => unknown);

/** What a line begins with. `rest`: what follows. */
const steps: Readonly<Record<string, (room: Room, rest: string) => unknown>> = {
  say: (room, rest) => room.say(rest),
  "reviewer says": (room, rest) => room.say(rest, "reviewer"),
  "say below 2:": (room, rest) => room.say(rest, "author", 2),
  tick: (room, rest) => room.tick(rest),
  tend: (room) => room.tend(),
  merge: (room, rest) => room.merge(Number(rest)),
  "close pull": (room, rest) => room.closePull(Number(rest)),
  "reopen pull": (room, rest) => room.reopenPull(Number(rest)),
  hear: (room, rest) => room.hearOf(Number(rest)),
  refresh: (room) => room.refresh(),
  "close issue": (room) => room.local.asPerson("PATCH", "/issues/1", { state: "closed" }),
  "reopen issue": (room) => room.local.asPerson("PATCH", "/issues/1", { state: "open" }),
  "release again": (room) => room.fire(released(room.now)),
  release: (room, rest) => room.fire(released(room.now, rest)),
  "the page changes": (room) => room.fire(changed(room.now)),
  "minutes pass:": (room, rest) => {
    room.now += Number(rest) * 60_000;
  },
};
const begins = Object.keys(steps).toSorted((a, b) => b.length - a.length);

export async function play(room: Room, story: readonly Step[]): Promise<void> {
  for (const step of story.flatMap((one): Step | Step[] => (typeof one === "string" ? one.split("; ") : [one]))) {
    if (typeof step === "function") {
      await step(room);
      continue;
    }
    const begin = begins.find((word) => step === word || step.startsWith(`${word} `));
    if (begin === undefined) throw new Error(`no step "${step}"`);
    await steps[begin]?.(room, step.slice(begin.length + 1));
  }
}

/** GitHub refuses these requests, as it does for an App without permission. */
export const refuse =
  (match: RegExp, fault: Partial<Fault> = {}): Step =>
  ({ local }) =>
    local.fault({
      ...{ match, status: 403, message: "Resource not accessible by integration", when: "before", times: 99 },
      ...fault,
    });

/** A second run writes nothing. */
export async function rests(room: Room): Promise<void> {
  const writes = () => room.local.requests.filter(({ method }) => method !== "GET").length;
  const before = writes();
  await room.tend();
  expect(writes()).toBe(before);
}

/** The files of a room as it is opened. */
const before = { "sources.yaml": sources, "report.md": report, "reviews.md": "", "notes.md": "" };

/** All that people see of a room's rechecks, and what is remembered of the answers. */
export async function shownIn(room: Room): Promise<string> {
  const parts: string[] = [];
  const pulls = await room.pulls();
  const numbers = (
    await room.local.asPerson<{ number: number; pull_request?: object }[]>("GET", "/issues?state=all&direction=asc")
  ).flatMap(({ number, pull_request }) => (pull_request ? [] : [number]));
  for (const number of numbers) {
    const { state, state_reason, body } = await room.issue(number);
    parts.push(`# issue ${number}: ${[state, ...(state_reason ? [state_reason] : [])].join(", ")}`, shown(body));
    for (const { body, user } of await room.comments(number))
      if (user.login.endsWith("[bot]")) parts.push(`## comment on ${number}`, shown(body));
  }
  for (const { number, title, state, merged_at, head, body } of pulls) {
    parts.push(`# pull request ${number}: ${merged_at ? "merged" : state}, ${head.ref}`, title, shown(body));
    if (await room.hub.commit(head.ref)) parts.push(...(await differences(room, head.ref)));
  }
  parts.push("# the default branch", ...(await differences(room, "main")));
  const { config, store } = await room.repository();
  const { ratings } = await status(config, store, room.now);
  const sent = (path: RegExp) =>
    room.local.requests.filter((one) => one.method === "POST" && path.test(one.path)).length;
  const lines = [
    ...(await store.answers()).map(({ rating, verdict, level, settled }) =>
      [rating, verdict, ...(level ? [level] : []), ...(settled ? ["settled"] : [])].join(" "),
    ),
    ...(await store.rechecks()).map(({ id, state }) => `recheck ${id} ${state}`),
    ...ratings.map(({ rating, level, value }) => `${rating} ${value}: ${level}`),
    `requests for commits: ${sent(/git\/commits$/)}, for pull requests: ${sent(/\/pulls$/)}`,
  ];
  const reactions = room.local.reactions.map(({ content }) => content);
  if (reactions.length > 0) parts.push(`# reactions\n\n${reactions.join(", ")}`);
  parts.push("# remembered", lines.map((line) => `- ${line}`).join("\n"));
  return `${parts.join("\n\n")}\n`;
}

/** Without our marks, the evidence and the help, which other tests show. */
function shown(text: string): string {
  return text
    .replace(/<!-- recheck:[^>]*-->/g, "")
    .replace(/\n### Evidence\n[\s\S]*?(?=\n### |\n<details>|\n<sub>|$)/, "")
    .replace(/\n<details><summary>Other answers[\s\S]*?<\/details>\n/, "")
    .replace(/\n<sub>.*<\/sub>\n?/, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** The lines that a branch adds to files, and those that it takes away. */
async function differences(room: Room, branch: string): Promise<string[]> {
  const parts: string[] = [];
  for (const [path, old] of Object.entries(before)) {
    const now = (await room.text(path, branch)) ?? "";
    if (old === now) continue;
    const [was, is] = [old.split("\n"), now.split("\n")];
    const lines = [
      ...was.filter((line) => !is.includes(line)).map((line) => `- ${line}`),
      ...is.filter((line) => !was.includes(line)).map((line) => `+ ${line}`),
    ];
    parts.push(`${path}\n\n${lines.join("\n")}`);
  }
  return parts;
}
