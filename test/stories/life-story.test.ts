import { createTwoFilesPatch } from "diff";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endInstance, type Instance, issuesOf, startInstance } from "../support/instance.ts";
import { wordsBeforeFolds } from "../support/words-before-folds.ts";

/** One repository's whole life with the App, on a GitHub of this machine. */

const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});

afterEach(() => endInstance(it));

interface LocalPull {
  readonly number: number;
  readonly title: string;
  readonly state: string;
  readonly body: string;
  readonly head: { readonly ref: string };
}

const pulls = () => it.local.asPerson<LocalPull[]>("GET", "/pulls?state=all&direction=asc");
const issues = () => issuesOf(it);
const issueOf = async (title: string) => {
  const found = (await issues()).filter((one) => one.title.includes(title));
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} issues are called ${title}`);
  expect(wordsBeforeFolds(found[0].body), "the words of an issue before its folds").toBeLessThanOrEqual(350);
  return found[0];
};
const comments = (issue: number) => it.local.asPerson<{ body: string }[]>("GET", `/issues/${issue}/comments`);
const text = async (path: string, ref = "main") => {
  const at = `/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const { content } = await it.local.asPerson<{ content: string }>("GET", at);
  return Buffer.from(content, "base64").toString();
};
const merge = async ({ number }: LocalPull) => {
  await it.local.asPerson("PUT", `/pulls/${number}/merge`, {});
  await it.run();
};
const say = async (issue: number, body: string, who: "author" | "reviewer" | "reader") => {
  await it.local.asPerson("POST", `/issues/${issue}/comments`, { body }, who);
  await it.settled();
};
const today = () => new Date(it.now()).toISOString().slice(0, 10);

/** What the App asked GitHub to write, in order: the method and what of the repository it is about. */
const written = (): string[] =>
  it.local.requests
    .filter(({ method, path }) => method !== "GET" && !path.endsWith("/access_tokens"))
    .map(
      ({ method, path }) => `${method} ${/([a-z][a-z-]*)(?:\/[^a-z/][^/]*|\/heads.*|\/contents.*)?$/.exec(path)?.[1]}`,
    );

function tally(requests: readonly string[]): string {
  const counted = Map.groupBy(requests, (request) => request);
  return [...counted].map(([request, its]) => `${its.length} ${request}`).join(", ");
}

/** The lines that a branch changes in a file: without the file's names, with one line around. */
async function diff(path: string, branch: string): Promise<string> {
  const patch = createTwoFilesPatch(path, path, await text(path), await text(path, branch), "", "", { context: 1 });
  return `${patch.slice(patch.indexOf("@@")).trimEnd()}\n`;
}

const addresses = () => [...(it.config()["sources.yaml"] ?? "").matchAll(/http:[^"]+/g)].map(String);

const report = () => `# Engines

Last audited: 2026-05-16.

| part | Speed |
|---|---|
| Big Engine | Medium |
| Wheels | Low |

## References

1. Alpha. ${addresses()[0]}
2. Beta. ${addresses()[1]}
`;

/** What the maintainer makes of the draft. */
const config = () => ({
  "sources.yaml": `report: { title: Engines, audited: 2026-05-16, text: README.md, log: reviews.md }
levels: [Low, Medium, High]
axes: [part, area]
names: { engine: Big Engine, wheels: Wheels, speed: Speed }
ratings:
  # as measured in May
  engine/speed: Medium # on one road
  wheels/speed: Low
sources:
  alpha: { json: "${addresses()[0]}", items: entries, item: { id: id, title: id, date: date } }
  beta: { json: "${addresses()[1]}", items: entries, item: { id: id, title: id, date: date } }
`,
  "triggers/engine.yaml":
    "name: Engine\nratings: [engine/speed]\non:\n  - item: alpha\n  - { item: alpha, matches: awaited, awaited: true }\nask: Is it still as fast?\n",
  "triggers/wheels.yaml": "name: Wheels\nratings: [wheels/speed]\non:\n  - item: beta\n",
});

const asTold = async (issue: number) => (await comments(issue)).map(({ body }) => body);

test("from the installation to a rating that is fresh again", async () => {
  // Installed: what the report says is drafted, and proposed in one pull request.
  it.lists.add("beta", "before");
  await it.serve({ "README.md": report() });
  const [setUp, ...others] = await pulls();
  if (!setUp) throw new Error("no pull request to set up");
  expect([setUp.title, setUp.state, others]).toEqual(["Set up Recheck", "open", []]);
  expect(setUp.body).toContain("2 references");
  expect(setUp.body).toContain("2 ratings (Low, Medium, High)");
  expect(await issues()).toEqual([]);

  // The maintainer edits its branch: the description follows, with what happened since the audit.
  await it.commit(config(), setUp.head.ref);
  it.pass(2 * day);
  await it.run();
  expect((await pulls())[0]?.body).toContain(
    "**0 events against the report, 1 for your information, 0 without effect.**",
  );

  // Merging starts the watch: what was routine is in one issue, which closing answers.
  await merge(setUp);
  const catchUp = await issueOf("Catch up");
  expect((await issues()).map(({ title }) => title)).toEqual([
    expect.stringMatching(/^Catch up: \d+ events? since/),
    "Recheck overview",
  ]);
  expect(catchUp.body).toContain("new entry `before`");
  expect((await issueOf("Recheck overview")).body).toContain(`### Changed\n\n- #${catchUp.number} **Wheels**: `);
  await it.local.asPerson("PATCH", `/issues/${catchUp.number}`, { state: "closed" });
  await it.settled();

  // Something happens, and something worse.
  it.lists.add("alpha", "one");
  it.pass(2 * day);
  await it.run();
  const { number, title, body } = await issueOf("“Engine”");
  expect(title).toContain("new entry one");
  expect(body).toContain("**Is this rating still right?** Big Engine · Speed **Medium**");
  it.lists.add("alpha", "two", true);
  it.pass(2 * day);
  await it.run();
  expect((await issueOf("“Engine”")).body).toContain(
    "new entry `two awaited`, which the report waits for. 1 more event below.",
  );
  expect(await asTold(number)).toEqual([expect.stringContaining("new entry `two awaited`")]);
  expect((await issueOf("Recheck overview")).body).toContain(`### Outdated\n\n- #${number} **Engine**`);

  // Not everybody may answer.
  await say(number, "/recheck change engine/speed High because I say so", "reader");
  expect((await asTold(number)).at(-1)).toContain("Nothing was changed: `/recheck` needs triage access or more");
  expect(await pulls()).toHaveLength(1);
  await say(number, "/recheck change engine/speed High because two runs show it", "reviewer");
  expect(it.local.reactions.map(({ content }) => content)).toEqual(["confused", "+1"]);
  const [, answer, ...more] = await pulls();
  if (!answer) throw new Error("no pull request with the answer");
  expect([answer.title, more]).toEqual([`Answer recheck #${number} (Engine): engine/speed Medium → High`, []]);
  expect(await diff("sources.yaml", answer.head.ref)).toBe(`@@ -6,3 +6,3 @@
   # as measured in May
-  engine/speed: Medium # on one road
+  engine/speed: { level: High, reviewed: ${today()} } # on one road
   wheels/speed: Low
`);
  expect(await diff("README.md", answer.head.ref)).toBe(`@@ -6,3 +6,3 @@
 |---|---|
-| Big Engine | Medium |
+| Big Engine | High |
 | Wheels | Low |
`);
  expect(await text("reviews.md", answer.head.ref)).toContain(`- ${today()}: engine/speed Medium → High`);

  // Merging it is the end of the question.
  await merge(answer);
  expect(await text("README.md")).toContain("| Big Engine | High |");
  expect(await issueOf("“Engine”")).toMatchObject({ number, state: "closed", state_reason: "completed" });
  const overview = (await issueOf("Recheck overview")).body;
  expect(overview).toMatch(/^\| \*\*Big Engine\*\* \| High\s· \|$/m);
  expect(overview).toContain("| Engine (`triggers/engine.yaml`) | answered 1: 1 changed |");
  expect(overview).not.toMatch(/^### (?:Outdated|Changed|Snoozed|Not checkable)$/m);
  expect((await issues()).map(({ state }) => state)).toEqual(["closed", "open", "closed"]);

  // And nothing is written without need.
  const before = written();
  await it.run();
  expect(written()).toEqual(before);
  console.log(`The life of a recheck took ${before.length} writes: ${tally(before)}.`);
  const failed = it.local.requests.filter(({ method, status }) => method !== "GET" && (status === 0 || status >= 400));
  expect(failed).toEqual([]);
  expect(tally(before.filter((one) => /^POST (?:issues|pulls|comments)$/.test(one)))).toBe(
    "2 POST pulls, 3 POST issues, 2 POST comments",
  );
  expect(it.log()).not.toContain('"level":50');
}, 120_000);
