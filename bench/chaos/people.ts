import { campaign } from "./clock.ts";
import type { Dice } from "./dice.ts";
import type { Place, World } from "./worlds.ts";

/** The acts of people in the issues of a report, and their required results. */

/** A command of a person, or something else that must not be lost or must not have an effect. */
export interface Said {
  readonly place: Place;
  readonly issue: number;
  readonly by: "author" | "reviewer" | "reader";
  readonly what: "keep" | "change" | "dismiss" | "note";
  /** The number of the comment; of a note, the text. */
  readonly comment: number | string;
}

interface LocalIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly { readonly name: string }[];
}

type Act = (issue: LocalIssue, place: Place, world: World, dice: Dice) => Promise<void>;

/** Ratings by trigger, as the config has them. */
const ratings: Readonly<Record<string, string>> = {
  list: "speed",
  shared: "care",
  engine: "cost",
  added: "reach",
  state: "worth",
  page: "size",
};

const triggerIn = (body: string): string | undefined => /"trigger":"(\w+)"/.exec(body)?.[1];

const saying =
  (by: Said["by"], what: "keep" | "change" | "dismiss"): Act =>
  async ({ number, body }, place, world) => {
    const rating = ratings[triggerIn(body) ?? ""] ?? "speed";
    const words = {
      keep: "/recheck keep",
      change: `/recheck change ${rating} High because people say so`,
      dismiss: "/recheck dismiss because it is noise",
    };
    const path = `/issues/${number}/comments`;
    const { id } = await world.github.asPerson<{ id: number }>("POST", path, { body: words[what] }, by, place.repo);
    world.said.push({ place, issue: number, by, what, comment: id });
  };

/** The acts that people choose from, by name. */
const acts: readonly { readonly name: string; readonly only?: World["kind"]; readonly act: Act }[] = [
  { name: "a writer keeps", only: "server", act: saying("author", "keep") },
  { name: "a triager keeps", only: "server", act: saying("reviewer", "keep") },
  { name: "a triager changes", only: "server", act: saying("reviewer", "change") },
  { name: "a writer dismisses", only: "server", act: saying("author", "dismiss") },
  { name: "a stranger commands", only: "server", act: saying("reader", "change") },
  { name: "a stranger dismisses", only: "server", act: saying("reader", "dismiss") },
  {
    name: "issue closed",
    act: ({ number }, { repo }, { github }) =>
      github.asPerson("PATCH", `/issues/${number}`, { state: "closed" }, "author", repo),
  },
  {
    name: "issue closed and opened again",
    async act({ number }, { repo }, { github }) {
      await github.asPerson("PATCH", `/issues/${number}`, { state: "closed" }, "author", repo);
      await github.asPerson("PATCH", `/issues/${number}`, { state: "open" }, "author", repo);
    },
  },
  {
    name: "label taken off",
    act: ({ number }, { repo }, { github }) =>
      github.asPerson("PATCH", `/issues/${number}`, { labels: [] }, "author", repo),
  },
  {
    name: "title written over",
    act: ({ number }, { repo }, { github }) =>
      github.asPerson("PATCH", `/issues/${number}`, { title: "What about this?" }, "author", repo),
  },
  {
    name: "note in the description",
    async act({ number, body }, place, { github, said }, dice) {
      const text = `A note of ours, number ${dice.below(1e6)}.`;
      await github.asPerson("PATCH", `/issues/${number}`, { body: `${body}\n\n${text}` }, "author", place.repo);
      said.push({ place, issue: number, by: "author", what: "note", comment: text });
    },
  },
  {
    name: "hidden line wiped out",
    act: ({ number, body }, { repo }, { github }) =>
      github.asPerson(
        "PATCH",
        `/issues/${number}`,
        { body: body.replace(/^<!-- recheck:begin.*$/m, "") },
        "author",
        repo,
      ),
  },
  {
    name: "issue copied by a stranger",
    async act({ title, body }, place, { github, strangers }) {
      const copy = { title, body };
      const { number } = await github.asPerson<{ number: number }>("POST", "/issues", copy, "reader", place.repo);
      strangers.push({ place, issue: number });
    },
  },
  {
    name: "issue deleted",
    async act({ number, body }, place, { github }) {
      github.deleteIssue(place.repo, number);
      const { id } = await github.asPerson<{ id: number }>("GET", "", undefined, "author", place.repo);
      const repository = { id, full_name: place.repo, private: false };
      await github.send("issues", { action: "deleted", issue: { number, body }, repository });
    },
  },
];

/** A person acts in an open recheck in which nobody has acted yet. Returns the act; undefined if there is no such recheck. */
export async function somebodyActs(world: World, dice: Dice): Promise<string | undefined> {
  const place = dice.one(world.places);
  const all = await world.github.asPerson<(LocalIssue & { pull_request?: object; user?: { login: string } })[]>(
    "GET",
    "/issues?state=open&per_page=100",
    undefined,
    "author",
    place.repo,
  );
  const fresh = all.filter(
    ({ body, number, pull_request, user }) =>
      !pull_request &&
      user?.login !== "reader" &&
      ratings[triggerIn(body ?? "") ?? ""] !== undefined &&
      !world.touched.has(`${place.id}#${number}`),
  );
  if (fresh.length === 0) return undefined;
  const issue = dice.one(fresh);
  const { name, act } = dice.one(acts.filter(({ only = world.kind }) => only === world.kind));
  world.touched.add(`${place.id}#${issue.number}`);
  await act(issue, place, world, dice);
  // GitHub's times are in seconds: everything after this is later.
  campaign.pass(1_000);
  return `people: ${name}`;
}
