import { afterEach, beforeEach, expect, test } from "vitest";
import { beginLine, sectionEnd } from "../../../../src/recheck/issue/marker.ts";
import type { Person } from "../../../github/server.ts";
import { endInstance, type Instance, type LocalIssue, startInstance } from "../../../support/instance.ts";

/** A command where none is carried out: in issues and pull requests of ours that are no rechecks. */

const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});

afterEach(() => endInstance(it));

const numberOf = async (title: string) => {
  const all = await it.local.asPerson<LocalIssue[]>("GET", "/issues?state=all");
  const pulls = await it.local.asPerson<LocalIssue[]>("GET", "/pulls?state=all");
  return [...all, ...pulls].find((one) => one.title.includes(title))?.number ?? 0;
};
const say = async (issue: number, body: string, who?: Person) => {
  await it.local.asPerson("POST", `/issues/${issue}/comments`, { body }, who);
  await it.settled();
};
const said = async (issue: number) => {
  const comments = await it.local.asPerson<{ body: string }[]>("GET", `/issues/${issue}/comments`);
  return comments.flatMap(({ body }) => /^<!-- recheck:reply [^\n]*\n\n([\s\S]*)$/.exec(body)?.[1] ?? []);
};
const reactions = () => it.local.reactions.map(({ content }) => content);

async function served(): Promise<number> {
  it.lists.add("alpha", "one");
  await it.serve(it.config());
  return await numberOf("“About ");
}

test("in the overview, a person who may answer gets a reply that names the right place, each time", async () => {
  const recheck = await served();
  const overview = await numberOf("Recheck overview");
  const words = `Nothing was done: here only the boxes have an effect. Write \`/recheck\` in the recheck that it answers: #${recheck}.`;
  await say(overview, "/recheck check");
  expect([reactions(), await said(overview)]).toEqual([["confused"], [words]]);
  await say(overview, "/recheck keep", "reviewer");
  expect([reactions(), await said(overview)]).toEqual([
    ["confused", "confused"],
    [words, words],
  ]);
  await say(overview, "/recheck keep", "reader");
  await say(overview, "> /recheck keep\n\nNo.");
  await say(overview, "I would keep it.");
  it.pass(day + 60_000);
  await it.run();
  expect([reactions().length, (await said(overview)).length]).toEqual([2, 2]);
});

test("in the pull request with the answers, of the recheck that it answers; in another one nothing", async () => {
  const recheck = await served();
  await say(recheck, "/recheck keep");
  const pull = await numberOf("Answer recheck");
  await say(pull, "/recheck keep");
  expect(await said(pull)).toEqual([
    `Nothing was done: write \`/recheck\` in #${recheck}, which this pull request answers.`,
  ]);
  expect(reactions()).toEqual(["+1", "confused"]);
  const { number: foreign } = await it.local.asPerson<LocalIssue>("POST", "/issues", { title: "A question" });
  await say(foreign, "/recheck keep");
  expect([reactions().length, await said(foreign)]).toEqual([2, []]);
});

test("in an earlier pull request with answers, too", async () => {
  const recheck = await served();
  const answered = async () => {
    await say(recheck, "/recheck keep");
    await it.run();
    return await it.stored(async (store) => (await store.rechecks())[0]?.pull?.number ?? 0);
  };
  const first = await answered();
  await it.local.asPerson("PATCH", `/pulls/${first}`, { state: "closed" });
  await it.settled();
  expect(await answered()).not.toBe(first);
  await say(first, "/recheck keep");
  expect((await said(first))[0]).toContain(`write \`/recheck\` in #${recheck}, which this pull request answers.`);
  const { number: foreign } = await it.local.asPerson<LocalIssue>("POST", "/issues", { title: "A question" });
  await say(foreign, "/recheck keep");
  expect([await said(foreign), reactions()]).toEqual([[], ["+1", "+1", "confused"]]);
});

test("in the pull request that sets up", async () => {
  const [alpha, beta] = [...(it.config()["sources.yaml"] ?? "").matchAll(/http:[^"]+/g)].map(String);
  await it.serve({ "README.md": `# A report\n\n## References\n\n1. Alpha. ${alpha}\n2. Beta. ${beta}\n` });
  const pull = await numberOf("Set up Recheck");
  await say(pull, "/recheck help");
  expect(await said(pull)).toEqual([
    "Nothing was done: merging this starts the watch, closing it opts out. Write `/recheck` in the rechecks that follow.",
  ]);
});

test("in the issue of a broken config, also if none was ever valid", async () => {
  await it.serve({ "sources.yaml": "report: {" });
  const broken = await it.stored(async (_, state) => state?.problem?.number ?? 0);
  await say(broken, "/recheck check");
  expect(await said(broken)).toEqual([
    "Nothing was done: this closes by itself once the config is fixed. No recheck is open that `/recheck` could answer.",
  ]);
});

test("whose webhook got lost is answered by the sweep, once", async () => {
  await served();
  const overview = await numberOf("Recheck overview");
  it.local.loseWebhooks(true);
  await say(overview, "/recheck keep");
  it.local.loseWebhooks(false);
  for (let times = 0; times < 2; times++) {
    it.pass(day + 60_000);
    await it.run();
  }
  expect([reactions(), (await said(overview)).length]).toEqual([["confused"], 1]);
});

test.each([
  ["the reaction", /reactions$/],
  ["the sentence", /^POST .*\/comments$/],
])("is answered once, though GitHub fails at %s, before or after", async (_, match) => {
  await served();
  const overview = await numberOf("Recheck overview");
  for (const when of ["before", "after"] as const) {
    it.local.fault({ match, status: 502, when });
    const known = (await said(overview)).length;
    await say(overview, "/recheck keep");
    it.pass(3_600_001);
    await it.run();
    await it.run();
    expect((await said(overview)).length).toBe(known + 1);
  }
  expect(new Set(it.local.reactions.map(({ path }) => path)).size).toBe(2);
});

test("and if the conversation is locked, nothing is tried again", async () => {
  await served();
  const overview = await numberOf("Recheck overview");
  it.local.fault({
    match: /^POST .*\/issues\/\d+\/comments$/,
    status: 403,
    message: "Unable to create comment because issue is locked.",
    when: "before",
    times: 9,
  });
  await say(overview, "/recheck keep").catch(() => {});
  it.pass(3_600_001);
  await it.run();
  expect(await it.stored(async (store) => store.comments(false))).toEqual([]);
});

test("in an issue of ours that is not remembered, a person who may answer gets a reply; in others nothing is said", async () => {
  await served();
  const body = `${beginLine("f0e1d2c3b4a5968778", "alpha", [], [])}\n\nAsked once.\n\n${sectionEnd}`;
  const open = async (body: string) =>
    (await it.local.asPerson<LocalIssue>("POST", "/issues", { title: "Recheck About alpha", body })).number;
  const forgotten = await open(body);
  const theirs = await open("Not one of ours.");
  await say(forgotten, "/recheck keep");
  await say(theirs, "/recheck keep");
  const words = expect.stringContaining("Nothing was done: this issue is no longer in the store.");
  expect([reactions(), await said(forgotten), await said(theirs)]).toEqual([["confused"], [words], []]);
});

test("if GitHub fails to show its comments, new events are asked about all the same", async () => {
  await served();
  const overview = await numberOf("Recheck overview");
  const match = new RegExp(`^(GET|POST) .*/issues/${overview}/comments$`);
  it.local.fault({ match, status: 502, when: "before", times: 9_999 });
  await say(overview, "/recheck check");
  it.lists.add("beta", "two");
  it.pass(day + 60_000);
  await it.run();
  expect(await numberOf("“About beta”")).toBeGreaterThan(0);
  it.local.mend();
  it.pass(3_600_001);
  await it.run();
  expect(await said(overview)).toHaveLength(1);
});
