import { afterEach, beforeEach, expect, test } from "vitest";
import { handleComment } from "../../../src/recheck/answer/comment.ts";
import { sweepPulls } from "../../../src/recheck/answer/pulls.ts";
import { updatePulls } from "../../../src/recheck/answer/update-pulls.ts";
import { sync } from "../../../src/recheck/sync.ts";
import { openRoom, type Room, released, sources } from "./room.ts";
import { play, refuse, rests, type Step, shownIn } from "./transcript.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.fire(released(room.now));
  await room.tend();
});

afterEach(() => room.close());

const high = "say /recheck change tensor/maturity High because it is public";
const one = `${high}; tend`;
const both = `${high}; say /recheck keep; tend`;
const merged = (pull: number) => `merge ${pull}; hear ${pull}; refresh; tend; tend`;
const withdrawn = `${both}; close pull 2; hear 2; tend`;
const sweep: Step = async (room) => await sweepPulls(await room.repository());
const closedByHand = `${one}; close issue; tend`;
const noMore: Step = async (room) => {
  for (let index = 0; index < 20; index++) await room.store.countCreation(room.now);
};
const write =
  (path: string, edit: (text: string) => string, branch?: string): Step =>
  async (room) =>
    room.write(path, edit((await room.text(path, branch)) ?? ""), branch);
const ours = "recheck/tensor-1";
const numberLost: Step = (room) => room.store.updateRecheck(1, { pull: { branch: ours, round: 1 } });
const byHand = write("notes.md", () => "mine\n", ours);

/** What people, GitHub and the program do, by what follows from it. What is seen then is in golden/. */
const stories: Readonly<Record<string, readonly Step[]>> = {
  // One pull request
  "The pull request holds the exact edit of sources.yaml, of the report's cell, and a line of the log": [
    high,
    "reviewer says /recheck keep compile; tend",
  ],
  "The pull request is written again when the answers change": [one, "tend; say /recheck keep; tend"],
  "A branch that already has its name is left alone, and no rule is blamed": [
    async (room) => {
      const sha = (await room.hub.commit("main"))?.sha;
      await room.local.asPerson("POST", "/git/refs", { ref: `refs/heads/${ours}`, sha });
    },
    byHand,
    one,
    "tend",
  ],
  "A pull request that GitHub does not list yet is awaited, and no rule is blamed": [
    high,
    refuse(/^POST .*\/pulls$/, {
      ...{ status: 422, message: `A pull request already exists for example:${ours}.`, when: "after", times: 1 },
    }),
    "tend; tend",
  ],
  "The pull request follows a change of mind": [one, "say /recheck keep maturity because I was wrong; tend"],
  "The pull request is found again if its number was lost": [one, numberLost, "tend"],
  "A pull request whose number was lost is known by its branch once it is merged": [both, numberLost, merged(2)],
  "The pull request waits if the hour's limit is reached": [noMore, one],
  "The pull request is opened once the hour's limit is over": [noMore, one, "minutes pass: 61; tend"],
  "Each recheck has a pull request of its own": [
    "the page changes; tend; say /recheck keep; say below 2: /recheck change maturity Low because it fell behind; tend",
  ],
  "A value that the config already has needs no pull request": [
    (room) =>
      room.write(
        "sources.yaml",
        sources
          .replace("Medium # it runs", "{ level: Medium, reviewed: 2026-11-20 }")
          .replace("[author] }", "[author], reviewed: 2026-11-20 }"),
      ),
    "refresh; say /recheck keep; tend",
  ],
  "New evidence asks again about ratings that were answered before": [
    "say /recheck keep; tend; minutes pass: 1; release 2.14.0; tend",
    merged(2),
  ],
  // A person's work on its branch and in its text stays
  "Later answers go on top of a person's work on the branch and in the text": [
    one,
    write("report.md", (text) => text.replace("# Boards", "# All boards"), ours),
    async (room) => {
      const [pull] = await room.pulls();
      const body = `For the board.\n\n${pull?.body}\n\nSee also the tracker.`.replace("- [ ] *Train", "- [x] *Train");
      await room.local.asPerson("PATCH", "/pulls/2", { body });
    },
    "say /recheck change compile Medium because it compiles; tend",
  ],
  "A change of mind goes on top of a person's work, too": [
    one,
    byHand,
    "say /recheck keep maturity because it is not; tend; say /recheck change compile High because it does; tend; say /recheck keep compile because it does not; tend",
  ],
  "A box that a person ticked stays ticked when the rest is written again": [
    write("triggers/tensor.yaml", (text) => `${text}ask: Does it hold?\n`),
    "refresh; tend",
    async (room) => {
      const { body } = await room.issue();
      await room.local.asPerson("PATCH", "/issues/1", { body: body.replace("- [ ] Does it", "- [x] Does it") });
    },
    one,
  ],
  // Merged
  "The issue is closed by a merge that answers every rating": [both, merged(2)],
  "The same evidence asks nothing after a merge": [both, merged(2), "release again; tend"],
  "The issue stays open after a merge that leaves one rating": [one, merged(2)],
  "A second pull request after the first merge closes the issue": [
    one,
    merged(2),
    "say /recheck keep; tend",
    merged(3),
  ],
  "A merge is noticed by its push alone": [both, "merge 2; refresh; tend"],
  "A webhook about a merge after its push, and once more, changes nothing": [
    both,
    "merge 2; refresh; tend; hear 2; hear 2; tend",
  ],
  "An answer given during the merge gets its own pull request": [
    one,
    "merge 2; say /recheck change compile Medium because it compiles; tend; refresh; tend; tend",
  ],
  "A merge without a webhook is noticed by the sweep": [both, "merge 2", sweep, "tend"],
  // Closed unmerged
  "A pull request closed without a merge withdraws the answers, and says so once": [
    both,
    "close pull 2; hear 2; hear 2; tend; tend",
  ],
  "A new answer after the close opens another pull request": [both, "close pull 2; hear 2; say /recheck keep; tend"],
  "A pull request that was closed and reopened before the webhooks arrive continues": [
    both,
    "close pull 2",
    (room) => room.local.asPerson("PATCH", "/pulls/2", { state: "open" }),
    "hear 2; tend",
  ],
  "A close without a webhook is noticed at the next write": [
    both,
    "close pull 2; say /recheck change compile High because it does; tend; tend",
  ],
  // Closed unmerged, and opened again
  "A reopened pull request gives the answers back, and says so once": [
    withdrawn,
    "reopen pull 2; hear 2; hear 2; tend; tend",
  ],
  "A pull request that was reopened and merged closes the issue": [withdrawn, "reopen pull 2; hear 2; tend", merged(2)],
  "A reopening without a webhook is noticed by the merge": [withdrawn, "reopen pull 2", merged(2)],
  "A reopening without a webhook is noticed by the sweep, once": [withdrawn, "reopen pull 2", sweep, sweep, "tend"],
  "A reopening and merge without webhooks are noticed by the sweep": [
    withdrawn,
    "reopen pull 2; merge 2",
    sweep,
    "refresh; tend; tend",
  ],
  "A reopening without a webhook is noticed before another pull request is opened": [
    withdrawn,
    "reopen pull 2; say /recheck keep maturity; tend; tend",
  ],
  "A pull request that is reopened after other answers to all its ratings continues": [
    withdrawn,
    "reopen pull 2; say /recheck keep; tend; tend",
  ],
  "A pull request continues if the dismissal of its answers was taken back": [
    withdrawn,
    "reopen pull 2; hear 2; say /recheck dismiss because of this; tend; reopen pull 2; reopen issue; tend; say /recheck keep; tend",
  ],
  "A pull request reopened beside another one gives back the answers that nobody changed": [
    withdrawn,
    "say /recheck keep maturity; tend; reopen pull 2; hear 2; tend",
    merged(3),
  ],
  "A pull request reopened beside one with all its answers gives nothing back": [
    withdrawn,
    "say /recheck keep; tend; reopen pull 2; hear 2",
    sweep,
    "tend",
  ],
  "A pull request reopened after another one was closed continues with people's commits": [
    withdrawn,
    "say /recheck keep maturity; tend; close pull 3; hear 3; reopen pull 2",
    byHand,
    "hear 2; tend; say /recheck change compile High because it does; tend",
    merged(2),
  ],
  "A second close withdraws the answers again, and says so again": [
    withdrawn,
    "reopen pull 2; hear 2; close pull 2; hear 2; tend",
  ],
  "A pull request reopened after a dismissal gives nothing back": [
    withdrawn,
    "say /recheck dismiss because of this; tend; reopen pull 2; hear 2; tend",
  ],
  "A merge after the issue was closed by hand reports the outcome in the issue": [
    withdrawn,
    "close issue; tend; reopen pull 2; hear 2",
    merged(2),
  ],
  // Where GitHub does not let us
  "Without permission to write contents, the edit is a patch in the issue": [refuse(/git\/trees$/), one],
  "Without permission to open pull requests, the edit is a patch in the issue": [refuse(/^(GET|POST) .*\/pulls$/), one],
  "A patch that a person applies by hand settles the recheck": [
    refuse(/git\/trees$/),
    "say /recheck keep; tend",
    (room) => room.local.mend(),
    write("sources.yaml", (text) =>
      text
        .replace("Medium # it runs", "{ level: Medium, reviewed: 2026-11-20 }")
        .replace("owners: [author] }", "owners: [author], reviewed: 2026-11-21 }"),
    ),
    "refresh; tend",
  ],
  "Without permission any more, later answers are a patch, and nothing else is delayed": [
    one,
    refuse(/\/pulls/),
    refuse(/^(POST|PATCH) .*git\//),
    "say /recheck keep compile; the page changes; tend",
  ],
  "An answer that nobody can merge can be dismissed": [
    one,
    refuse(/\/pulls/),
    refuse(/^(POST|PATCH) .*git\//),
    "say /recheck keep compile; tend; say /recheck dismiss because nobody can merge it; tend",
  ],
  "A pull request that waits for the hour's limit is not a patch": [
    refuse(/^POST .*\/pulls$/, { status: 422, message: "Validation Failed: was submitted too quickly", times: 1 }),
    high,
    async (room) => await expect(room.tend()).rejects.toMatchObject({ kind: "slow-down" }),
    "minutes pass: 1; tend",
  ],
  "A pull request that was refused is tried again on the next day": [
    refuse(/git\/trees$/, { times: 1 }),
    one,
    "minutes pass: 1440; tend; tend",
  ],
  // Closed by hand
  "An issue closed by hand answers the evidence, and sets no date": ["close issue; tend"],
  "An issue closed by hand says that answers wait in a pull request": [closedByHand],
  "An issue closed by hand reports the answers once they are merged": [closedByHand, merged(2)],
  "An issue closed by hand drops the answers once their pull request is closed": [
    closedByHand,
    "close pull 2; hear 2; tend",
  ],
  "An issue closed by hand shows the value that a person wrote instead": [
    closedByHand,
    async (room) => room.write("sources.yaml", (await room.text("sources.yaml", ours)) ?? ""),
    "refresh; tend",
  ],
};

/** `npx vitest run test/recheck/answer/gather.test.ts -u` writes the golden files again. */
test.each(Object.entries(stories))("%s", async (name, story) => {
  await play(room, story);
  await rests(room);
  await expect(await shownIn(room)).toMatchFileSnapshot(`golden/${name.replace(/\W+/g, "-")}.md`);
});

test("a pull request stays ours if nobody heard that its branch was moved", async () => {
  await play(room, [high]);
  await room.tend();
  await room.say("/recheck keep maturity because I was wrong");
  room.local.fault({ match: /^PATCH .*\/git\/refs\//, when: "after" });
  await expect(room.tend()).rejects.toMatchObject({ kind: "lost" });
  await play(room, [high]);
  await room.tend();
  expect((await room.store.rechecks())[0]?.pull?.shared).toBeUndefined();
  const { sha } = await room.local.asPerson<{ sha: string }>("GET", "/commits/recheck%2Ftensor-1");
  expect((await room.store.rechecks())[0]?.pull).toMatchObject({ head: sha });
  // One commit on top of the default branch: what was there before is replaced.
  const { parents } = await room.local.asPerson<{ parents: { sha: string }[] }>("GET", `/git/commits/${sha}`);
  expect(parents.map((parent) => parent.sha)).toEqual([(await room.hub.commit("main"))?.sha]);
});

test("a pull request holds what is answered though the recheck's trigger is no longer in config, and merging it closes the issue", async () => {
  const { evidence, ...event } = released(room.now, "2.14.0");
  const own = evidence.map((piece) => ({
    ...piece,
    ...(piece.condition && { condition: { ...piece.condition, ratings: ["tensor/maturity"] } }),
  }));
  await room.fire({ ...event, evidence: own });
  await room.tend();
  const without = async () => {
    const repository = await room.repository();
    return { ...repository, config: { ...repository.config, triggers: new Map() } };
  };
  const said = {
    kind: "comment",
    issue: 1,
    comment: 9,
    body: high.slice("say ".length),
    by: "author",
    bot: false,
  } as const;
  await room.store.commit(await handleComment(await without(), said, room.now));
  await updatePulls(await without());
  expect((await room.pulls()).map(({ title }) => title)).toEqual([
    "Answer recheck #1 (tensor): tensor/maturity Medium → High",
  ]);
  await room.merge(2);
  await room.refresh();
  await room.hearOf(2);
  await updatePulls(await without());
  await sync({ ...(await without()), commands: true });
  expect((await room.issue()).state).toBe("closed");
});

test("the edit is in the folder where config lives", async () => {
  await room.close();
  room = await openRoom({ folder: ".github/recheck" });
  await room.fire(released(room.now));
  await room.tend();
  await play(room, [high]);
  await room.tend();
  expect(await room.text(".github/recheck/sources.yaml", "recheck/tensor-1")).toContain("level: High");
  expect(await room.text("report.md", "recheck/tensor-1")).toContain("| Tensor Board | High | Low |");
});

test.each([
  ["the pull request, before it", /^POST .*\/pulls$/, "before"],
  ["the pull request, after it", /^POST .*\/pulls$/, "after"],
  ["the commit", /^POST .*\/git\/commits$/, "after"],
  ["the branch", /^POST .*\/git\/refs$/, "after"],
] as const)("a pull request is there once, though GitHub fails at %s", async (_, match, when) => {
  await play(room, [high]);
  room.local.fault({ match, status: 502, when });
  await room.tend().catch(() => {});
  await room.tend();
  // Until then GitHub may still open it.
  room.now += 600_000;
  await room.tend();
  await room.tend();
  expect(await room.pulls()).toHaveLength(1);
  expect(await room.text("sources.yaml", "recheck/tensor-1")).toContain("level: High");
  expect((await room.store.rechecks())[0]?.pull).toMatchObject({ number: 2, round: 1, holds: [1] });
});
