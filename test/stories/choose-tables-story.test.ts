import { afterEach, beforeEach, expect, test } from "vitest";
import { openWeb, page, prose } from "../faces/cli/add/web.ts";
import { endInstance, headOf, type Instance, type LocalIssue, startInstanceWith } from "../support/instance.ts";
import { twoTables } from "../support/two-tables.ts";

/** The set-up pull request of a report with a table that may rate, and what ticking its boxes drafts. */

const guide = "fine.example.org/guide";
const report = `${twoTables}
The Delta weighs 240 grams, says [its maker](https://${guide}).
`;
const weight = `<h1>Delta</h1><p>The Delta kite weighs 240 grams with its line.</p>${prose("kites")}`;

const branch = "recheck/set-up";
let web: Awaited<ReturnType<typeof openWeb>>;
let it: Instance;

beforeEach(async () => {
  web = await openWeb({ [guide]: page("Delta", "", weight) });
  it = await startInstanceWith({ web });
  await it.serve({ "README.md": report });
});

afterEach(async () => {
  await endInstance(it);
  await web.close();
});

async function pull(): Promise<LocalIssue> {
  const [only, ...more] = await it.local.asPerson<LocalIssue[]>("GET", "/pulls?state=all");
  if (!only || more.length > 0) throw new Error("not one pull request");
  return only;
}

/** Edits the boxes as a person does, and tells of it. */
async function edit(change: (body: string) => string): Promise<void> {
  const { number, body } = await pull();
  await it.local.asPerson("PATCH", `/pulls/${number}`, { body: change(body) });
  const { id } = await it.local.asPerson<{ id: number }>("GET", "");
  const head = { ref: branch, sha: await headOf(it, branch), repo: { id } };
  const repository = { id, full_name: it.local.repo, private: false };
  const pull_request = { number, merged: false, head, base: { ref: "main" } };
  await it.local.send("pull_request", { action: "edited", repository, pull_request });
  await it.run();
  await it.run();
}

const boxes = (body: string) => body.split("\n").filter((line) => /^- \[[ x]\] <!-- recheck:do table /.test(line));
const sources = async () => {
  const { content } = await it.local.asPerson<{ content: string }>("GET", `/contents/sources.yaml?ref=${branch}`);
  return Buffer.from(content, "base64").toString();
};

test("offers the tables as boxes, and drafts again by those that are ticked", async () => {
  const first = await pull();
  expect(first.body).toContain("### Which tables rate?");
  expect(boxes(first.body)).toEqual([
    "- [x] <!-- recheck:do table kites-of-today-kite-flies-lifts -->`README.md: Kites of today`: `6 ratings (High, Low, Medium)`; several columns of levels",
    "- [ ] <!-- recheck:do table shops-shop-open-phone -->`README.md: Shops`: `3 ratings (Yes, No)`; its yes and no may be facts",
  ]);
  expect(first.body).toContain("  `Shop | Open | Phone`\n  `North | Yes | 1 23`");
  expect(await sources()).toContain("levels: [Low, Medium, High]");
  const claims = (await sources()).match(/240 grams/g)?.length;
  expect(claims).toBeGreaterThan(0);

  await edit((body) => body.replace("- [x] <!-- recheck:do table", "- [ ] <!-- recheck:do table"));
  expect(await sources()).not.toContain("ratings:\n");
  await edit((body) => body.replace("- [ ] <!-- recheck:do table shops", "- [x] <!-- recheck:do table shops"));
  expect(await sources()).toContain("levels: [No, Yes]");
  expect((await sources()).match(/240 grams/g)?.length).toBe(claims);
  const last = await pull();
  expect(boxes(last.body).map((line) => line.slice(0, 5))).toEqual(["- [ ]", "- [x]"]);
  expect(last.body).toContain("3 ratings (No, Yes)");
  expect(it.log()).not.toContain('"level":50');
});

test("keeps a branch that people edited, and then offers nothing", async () => {
  await it.commit({ "sources.yaml": `${await sources()}# Mine.\n` }, branch);
  const { body } = await pull();
  await it.run();
  expect((await pull()).body).not.toContain("Which tables rate");
  await edit(() => body.replace("- [ ] <!-- recheck:do table", "- [x] <!-- recheck:do table"));
  expect(await sources()).toContain("# Mine.");
});
