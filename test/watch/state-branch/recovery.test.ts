import { afterEach, beforeEach, expect, test } from "vitest";
import { beginLine, markOf, sectionEnd } from "../../../src/recheck/issue/marker.ts";
import { branch, type Report, startReport } from "./workflow.ts";

let report: Report;
beforeEach(async () => {
  report = await startReport("alpha", "beta");
});
afterEach(() => report.close());

const ok = async (given: Parameters<Report["run"]>[0] = {}): Promise<string> => {
  const ran = await report.run(given);
  expect(ran).toMatchObject({ code: 0, error: undefined });
  return ran.out;
};
const close = (issue: number) => report.github.asPerson("PATCH", `/issues/${issue}`, { state: "closed" });
const open = async () => (await report.issues()).filter(({ state }) => state === "open").map(({ number }) => number);
const commentsOf = async (issue: number): Promise<number> =>
  (await report.github.asPerson<unknown[]>("GET", `/issues/${issue}/comments`)).length;

test("a branch that was deleted: open issues go on asking, and events in closed ones are not asked about again", async () => {
  report.lists.add("alpha", "one");
  report.lists.add("beta", "two", true);
  await ok();
  await close((await report.issues()).find(({ title }) => title.includes("beta"))?.number ?? 0);
  await ok();
  await report.move(branch);

  const out = await ok();
  const [alpha] = await open();
  const answered = alpha === 1 ? 2 : 1;
  expect(out).toContain(
    `recovered from issues that the store did not have: #${alpha} goes on asking, and the events in #${answered} are not asked about again`,
  );
  expect(out).not.toContain("opened");
  expect(await report.issues()).toHaveLength(2);
  // From then on all is as if nothing had been lost.
  report.lists.add("alpha", "three", true);
  report.lists.add("beta", "four");
  const next = await ok();
  expect(next).not.toContain("recovered");
  expect(next).toContain(`comment  #${alpha}`);
  expect(next).toContain("opened   #3 beta, new entry");
  expect(await commentsOf(alpha ?? 0)).toBe(1);
  const events = (await report.issues()).find(({ number }) => number === alpha)?.body ?? "";
  expect(markOf(events)?.events).toHaveLength(2);
  expect((await report.issues()).find(({ number }) => number === 3)?.body).toContain(`#${answered}`);
});

test("a branch that was moved back: questions asked since are found again", async () => {
  report.lists.add("alpha", "one");
  await ok();
  const [old] = await report.commits(branch);
  await close(1);
  await ok();
  report.lists.add("alpha", "two");
  report.lists.add("beta", "three", true);
  await ok();
  expect(await open()).toEqual([2, 3]);
  await report.move(branch, old?.sha);

  const out = await ok();
  expect(out).toContain("closed   #1 by hand");
  expect(out).toMatch(/recovered from issues that the store did not have: #[23], #[23] go on asking\n/);
  expect(await open()).toEqual([2, 3]);
  expect(await commentsOf(2)).toBe(0);
  expect(await commentsOf(3)).toBe(0);
  expect(await ok()).not.toMatch(/opened|updated|recovered/);
});

test("an event that only a lost memory knew stays in the issue to be read", async () => {
  const alpha = { event: { key: "a-page changed 77aa" }, weight: "contrary", trigger: "alpha", seen: 0, evidence: [] };
  const line = beginLine("0123456789abcdef01", "alpha", [alpha as never], ["recheck"]);
  const section = `${line}\nThe page says otherwise.\n- [ ] Does it hold?\n- [ ] <!-- recheck:do keep --> keep all\n${sectionEnd}`;
  const body = `A person's note.\n\n${section}\n\nAnother note.`;
  await report.github.asPerson("POST", "/issues", { title: "Recheck alpha", body, labels: ["recheck"] });
  report.lists.add("alpha", "one", true);
  const out = await ok();
  expect(out).toContain("recovered from issues that the store did not have: #1 goes on asking\n");
  expect(out).toContain("comment  #1");
  const [issue] = await report.issues();
  const text = issue?.body ?? "";
  const events = [expect.stringContaining("one"), "a-page changed 77aa"];
  expect(markOf(text)).toMatchObject({ marker: "0123456789abcdef01", events });
  expect(text).toMatch(/^A person's note\.\n\n<!-- recheck:begin /);
  expect(text).toMatch(/<details><summary>Shown before \d{4}-\d\d-\d\d, when Recheck's memory was lost<\/summary>/);
  const kept = text.slice(text.indexOf("<details><summary>Shown before"));
  expect(kept).toContain("The page says otherwise.\n- Does it hold?\n- <!-- once:do keep --> keep all");
  expect(kept).toContain("Another note.");
  expect(kept).not.toContain("recheck:");
  expect(await ok()).not.toMatch(/opened|updated|recovered/);
});

test.each<[string, object]>([
  ["that anybody may have opened, without the label", { labels: [] }],
  ["of a trigger that config does not have", { trigger: "gamma" }],
  ["whose hidden line was changed by hand", { marker: "<script>" }],
])("an issue %s is left alone", async (_, change) => {
  const { labels = ["recheck"], trigger = "alpha", marker = "0123456789abcdef01" } = change as Record<string, never>;
  const body = `${beginLine(marker, trigger, [], [])}\nForged.\n${sectionEnd}`;
  await report.github.asPerson("POST", "/issues", { title: "Forged", body, labels });
  report.lists.add("alpha", "one");
  expect(await ok()).toContain("opened   #2 alpha, new entry");
  expect((await report.issues())[0]?.body).toBe(body);
});

test("a fork begins from nothing: the issues that its branch knows are another repository's", async () => {
  report.lists.add("alpha", "one");
  await ok();
  const paper = JSON.parse(String(await report.file(branch, "state.json")));
  await report.push(branch, { "state.json": JSON.stringify({ ...paper, repository: 4_711 }) });
  const before = await report.commits(branch);
  const out = await ok();
  expect(out).toContain("the branch recheck-state came from another repository: it is replaced");
  expect(await report.commits(branch)).toHaveLength(before.length + 1);
  expect(JSON.parse(String(await report.file(branch, "state.json")))).toMatchObject({ repository: 1 });
});

test("a GitHub that does not list its issues keeps the run from asking", async () => {
  report.lists.add("alpha", "one");
  await ok();
  await report.move(branch);
  const match = /^GET .*\/issues$/;
  report.github.fault({ match, status: 502, when: "before" });
  const { code, out } = await report.run();
  expect(code).toBe(4);
  expect(out).toContain("waits    issue of About alpha: GitHub could not list issues (502)");
  expect(await report.issues()).toHaveLength(1);
  expect(await ok()).toContain("recovered from issues that the store did not have: #1 goes on asking");
});

test("a disk that is lost, without a branch: the next scan goes on with the issues that are there", async () => {
  report.lists.add("alpha", "one", true);
  report.lists.add("beta", "two");
  await ok({ plain: true });
  await close(2);

  const out = await ok({ plain: true });
  expect(out).toContain(
    "recovered from issues that the store did not have: #1 goes on asking, and the events in #2 are not asked about again",
  );
  expect(out).not.toContain("opened");
  expect(await report.issues()).toHaveLength(2);
  expect(await commentsOf(1)).toBe(0);
});

test("an event that an issue has and that is not seen at first stays the same: it is not asked about twice", async () => {
  report.lists.add("alpha", "one", true);
  report.lists.add("beta", "two", true);
  await ok({ plain: true });
  await close(2);
  // Neither of them is seen by the first scan that remembers nothing.
  report.lists.clear("alpha");
  report.lists.clear("beta");
  const data = report.environment().RECHECK_DATA;
  expect(await ok({ plain: true, data })).toContain(
    "#1 goes on asking, and the events in #2 are not asked about again",
  );
  report.lists.add("alpha", "one", true);
  report.lists.add("beta", "two", true);
  const out = await ok({ plain: true, data });
  expect(out).not.toMatch(/opened|comment /);
  expect(await report.issues()).toHaveLength(2);
  expect(await commentsOf(1)).toBe(0);
});

test("a copy of a hidden line that a passer-by's issue got the label for is left alone", async () => {
  report.lists.add("alpha", "one");
  await ok({ plain: true });
  await close(1);
  const body = (await report.issues())[0]?.body.replace(/"marker":"\w+"/, '"marker":"0123456789abcdef01"');
  await report.github.asPerson("POST", "/issues", { title: "Forged", body, labels: ["recheck"] }, "reader");
  await report.github.asPerson("POST", "/issues/2/labels", { labels: ["recheck"] });
  expect(await ok({ plain: true })).toContain("the events in #1 are not asked about again");
  expect((await report.issues())[1]?.body).toBe(body);
});
