import type { Fault as GitHubFault } from "../../test/github/front.ts";
import type { Answer } from "../../test/github/gaps.ts";
import { campaign } from "./clock.ts";
import type { Dice } from "./dice.ts";
import type { Fault } from "./faults.ts";
import { type Delivery, signed } from "./post.ts";
import type { World } from "./worlds.ts";

/** Faults of GitHub, and of its webhooks on their way. */

/** Kinds of requests, by the names of the local GitHub. */
const any = /./;
const writes = /^(?:POST|PATCH|PUT|DELETE) \/repos\//;
const creations = /^POST \/repos\/.*\/(?:issues|comments|pulls)$/;
export const lists = /^GET \/repos\/[^/]+\/[^/]+\/issues$/;
const some = (dice: Dice): RegExp => dice.one([any, writes, creations]);

/** Befalls the next requests of a kind. */
function befalling(name: string, make: (dice: Dice) => Omit<GitHubFault, "times">, most = 8): Fault {
  return {
    name: `github: ${name}`,
    begin({ github }, dice) {
      github.fault({ ...make(dice), times: 1 + dice.below(most) });
      return () => github.mend();
    },
  };
}

const limit = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";

function refusing(
  name: string,
  status: number,
  message: string,
  headers: (dice: Dice) => Record<string, string>,
  most?: number,
): Fault {
  const make = (dice: Dice) =>
    ({ match: some(dice), status, message, headers: headers(dice), when: "before" }) as const;
  return befalling(name, make, most);
}

/** The same with its body as text. */
export function rewritten(given: Answer, change: (text: string) => string, type?: string): Answer {
  const headers = { ...given.headers, ...(type !== undefined && { "content-type": type }) };
  return given.body ? { ...given, headers, body: Buffer.from(change(given.body.toString())) } : given;
}

/** Lists lack everything that was made within the last minute. */
export function lagging(given: Answer): Answer {
  if (given.status !== 200) return given;
  return rewritten(given, (text) => {
    const all = JSON.parse(text) as { created_at: string }[];
    return JSON.stringify(all.filter((one) => Date.parse(one.created_at) < campaign.now() - 60_000));
  });
}

/** Something becomes of the webhooks that come from now on. */
function posting(
  name: string,
  make: (dice: Dice, world: World) => (one: Delivery) => readonly Delivery[] | "kept",
): Fault {
  return {
    name: `webhooks: ${name}`,
    only: "server",
    async begin(world, dice) {
      const { post } = world;
      post.how = make(dice, world);
      return async () => {
        post.how = (one) => [one];
        const late = post.kept.splice(0);
        if (name === "in another order") late.reverse();
        for (const one of late) await post.bring(one);
      };
    },
  };
}

/** Sends the server a request from somebody else. It must be refused. */
function forging(name: string, forge: (one: Delivery, dice: Dice) => Delivery): Fault {
  return {
    name: `webhooks: ${name}`,
    only: "server",
    begin(world, dice) {
      const { post, github, places } = world;
      const { repo } = dice.one(places);
      const body = {
        action: "created",
        installation: { id: github.app.installation },
        repository: { id: 1, full_name: repo, private: false },
        issue: { number: 1 + dice.below(5) },
        comment: { id: 900_000 + dice.below(9_999), body: "/recheck keep", user: { login: "author", type: "User" } },
      };
      const headers = {
        "content-type": "application/json",
        "x-github-event": "issue_comment",
        "x-github-delivery": `forged-${dice.below(1e9)}`,
      };
      return async () => {
        const status = await post.bring(forge({ headers, body: JSON.stringify(body) }, dice));
        if (status >= 200 && status < 300) world.wrongs.push(`a webhook with ${name} was taken (${status})`);
      };
    },
  };
}

/** The first repository gets another name or owner, for good; GitHub may or may not tell. */
function moving(name: string, action: "renamed" | "transferred", to: (repo: string, dice: Dice) => string): Fault {
  return {
    name: `github: repository ${name}`,
    only: "server",
    async begin(world, dice) {
      const [place] = world.places;
      if (!place) return undefined;
      const before = place.repo;
      const after = to(before, dice);
      if (action === "renamed") await world.github.rename(after);
      else await world.github.transfer(after.split("/")[0] ?? "");
      place.repo = after;
      place.names.push(after);
      if (dice.in(2)) return () => {};
      const installation = { id: world.github.app.installation + (after.startsWith("south/") ? 1 : 0) };
      const repository = { id: place.id, full_name: after, private: false };
      await world.github.send("repository", { action, installation, repository });
      return () => {};
    },
  };
}

export const githubFaults: readonly Fault[] = [
  befalling("5xx before the write", (dice) => ({
    match: some(dice),
    status: dice.one([500, 502, 503]),
    when: "before",
  })),
  befalling("5xx after the write", (dice) => ({ match: some(dice), status: dice.one([500, 502, 504]), when: "after" })),
  befalling("cut off before the write", (dice) => ({ match: some(dice), when: "before" })),
  befalling("cut off after the write", (dice) => ({ match: some(dice), when: "after" })),
  befalling("never answers", (dice) => ({ match: some(dice), when: "after", hold: "until-mended" }), 3),
  befalling("answer broken off", (dice) => ({
    match: some(dice),
    when: "after",
    change: (given) => rewritten(given, (text) => text.slice(0, text.length / 2)),
  })),
  befalling("page of a proxy instead", (dice) => ({
    match: some(dice),
    when: dice.one(["before", "after"]),
    change: (given) => rewritten(given, () => "<html>proxy</html>", "text/html"),
  })),
  refusing("secondary limit", 403, limit, (dice) => ({ "retry-after": dice.one(["60", "1800"]) })),
  refusing("secondary limit that does not say how long", 403, limit, () => ({})),
  refusing("429", 429, "Too many requests", (dice) => ({ "retry-after": dice.one(["1", "60", "600"]) })),
  refusing("primary limit", 403, "API rate limit exceeded", (dice) => ({
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(Math.floor(campaign.now() / 1_000) + dice.one([-100, 300, 3_000])),
  })),
  refusing("401", 401, "Bad credentials", () => ({})),
  refusing(
    "IP allow list",
    403,
    "Although you appear to have the correct authorization credentials, the organization has an IP allow list enabled",
    () => ({}),
  ),
  refusing("forbidden", 403, "Resource not accessible by integration", () => ({})),
  // A hidden repository is hidden as a whole: a single 404 means that a person is not one of its people.
  refusing("404 for a while", 404, "Not Found", () => ({}), 1e6),
  befalling(
    "422 to what is created",
    () => ({ match: creations, status: 422, message: "Validation Failed", when: "before" }),
    3,
  ),
  befalling("409", () => ({ match: writes, status: 409, message: "Conflict", when: "before" }), 3),
  befalling("issues switched off", () => ({
    match: /\/issues(?:\/|$)/,
    status: 410,
    message: "Issues has been disabled in this repository.",
    when: "before",
  })),
  befalling("lists that lag behind", () => ({ match: lists, when: "after", change: lagging }), 20),
  {
    name: "github: token expires",
    begin({ github, kind }) {
      if (kind === "server") github.expireTokens();
      else github.fault({ match: any, status: 401, message: "Bad credentials", when: "before" });
      return () => github.mend();
    },
  },
  {
    name: "github: installation suspended",
    only: "server",
    async begin({ github }, dice) {
      const isTold = dice.in(2);
      if (isTold) await github.send("installation", { action: "suspend" });
      const message = "This installation has been suspended";
      github.fault({ match: any, status: 403, message, when: "before", times: 1e6 });
      return async () => {
        github.mend();
        if (isTold) await github.send("installation", { action: "unsuspend" });
      };
    },
  },
  moving("renamed", "renamed", (repo, dice) => `${repo.split("/")[0]}/one-${dice.below(1e6)}`),
  moving("transferred", "transferred", (repo) => {
    const [owner, name] = repo.split("/");
    return `${owner === "north" ? "south" : "north"}/${name}`;
  }),
  posting("lost", () => () => []),
  posting("some lost", (dice) => (one) => (dice.in(2) ? [] : [one])),
  posting("twice", () => (one) => [one, one]),
  posting("late", () => () => "kept"),
  posting("in another order", () => () => "kept"),
  posting("an old one again", (dice, { post }) => (one) => [one, ...post.past.slice(-40).filter(() => dice.in(8))]),
  forging("no signature", (one) => one),
  forging("another secret", (one) => signed(one, "development")),
  forging("a signature of another body", (one, dice) => ({
    ...signed(one, "a-secret-of-webhooks"),
    body: one.body.replace("keep", `keep ${dice.below(9)}`),
  })),
];
