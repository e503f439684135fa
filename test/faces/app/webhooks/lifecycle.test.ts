import { describe, expect, test } from "vitest";
import { afterNews, afterSweep, isExpired, newRepository } from "../../../../src/faces/app/webhooks/lifecycle.ts";
import { type NamedRepository, type News, newsOf } from "../../../../src/faces/app/webhooks/news.ts";
import type { RepositoryState } from "../../../../src/model/ports/index.ts";
import { beginLine, sectionEnd } from "../../../../src/recheck/issue/marker.ts";

const report: NamedRepository = { id: 7, name: "lab/report" };
const other: NamedRepository = { id: 8, name: "lab/other" };
const active: RepositoryState = { ...newRepository(report, 1, 0), stale: false };
const told = (news: News, known: readonly RepositoryState[], repository?: NamedRepository) =>
  afterNews({ installation: 1, news, ...(repository && { repository }) }, known, 9);

describe("news", () => {
  test("of an installation make its repositories known, and known ones go on as they were", () => {
    const removed = { ...active, standing: "removed", config: { commit: "c", folder: "", files: [] } } as const;
    expect(told({ kind: "installed", repositories: [report, other] }, [removed])).toEqual([
      { ...removed, standing: "active", since: 9, stale: true, rested: { standing: "removed", from: 0, to: 9 } },
      newRepository(other, 1, 9),
    ]);
  });

  test("of one installation leave another's alone", () => {
    const theirs = { ...newRepository(other, 2, 0) };
    expect(told({ kind: "uninstalled" }, [active, theirs])).toEqual([{ ...active, standing: "removed", since: 9 }]);
    expect(told({ kind: "suspended" }, [theirs])).toEqual([]);
  });

  test("of a new name keep the number", () => {
    const renamed = { ...report, name: "lab/renamed" };
    expect(told({ kind: "repository", archived: false }, [active], renamed)).toEqual([
      { ...active, name: "lab/renamed", stale: true, formerly: { name: "lab/report", until: 9 }, described: 9 },
    ]);
    expect(told({ kind: "issue" }, [active], renamed)).toMatchObject([{ name: "lab/renamed", stale: false }]);
  });

  test("say whether everybody may see it, and news without that leave it as it is", () => {
    const repository = { id: 7, full_name: "lab/report", private: true };
    const news = (more: object) => newsOf("repository", { installation: { id: 1 }, ...more }) ?? expect.fail("no news");
    const hidden = afterNews(news({ action: "privatized", repository }), [{ ...active, public: true }], 9);
    expect(hidden).toMatchObject([{ id: 7, public: false }]);
    const shown = news({ action: "publicized", repository: { ...repository, private: false } });
    expect(afterNews(shown, hidden, 9)).toMatchObject([{ id: 7, public: true }]);
    expect(told({ kind: "issue" }, [{ ...active, public: false }], report)).toEqual([]);
    expect(told({ kind: "issue" }, [{ ...active, public: true }], { ...report, public: false })).toMatchObject([
      { public: false },
    ]);
    expect(newRepository(report, 1, 9)).not.toHaveProperty("public");
  });

  test("of a new owner bring it, with all that is remembered, to the owner's own installation", () => {
    const news = { kind: "repository", archived: false } as const;
    const moved = { installation: 2, repository: { id: 7, name: "other/report" }, news };
    expect(afterNews(moved, [active], 9)).toMatchObject([
      { name: "other/report", installation: 2, standing: "active", formerly: { name: "lab/report" } },
    ]);
    const left = afterNews({ installation: 1, news: { kind: "removed", repositories: [report] } }, [active], 9);
    expect(afterNews(moved, left, 9)).toMatchObject([{ standing: "active", installation: 2 }]);
    // What its former owner's installation tells afterwards is of a repository that it does not have.
    const after = afterNews(moved, [active], 9);
    expect(afterNews({ installation: 1, news: { kind: "removed", repositories: [report] } }, after, 9)).toEqual([]);
  });

  test("of more permissions have refused writes tried again", () => {
    const setUp = { marker: "m", branch: "b", searched: "abc", written: "w" };
    const states = told({ kind: "resumed" }, [{ ...active, refused: { "contents: write": 1 }, setUp }]);
    expect(states).toEqual([{ ...active, stale: true, granted: 9, setUp: { marker: "m", branch: "b", searched: "" } }]);
  });

  test("of a fork serve it never, with any content, even if it was known before", () => {
    const fork = { ...report, fork: true };
    const asFork = { ...newRepository(report, 1, 9), standing: "fork" };
    expect(told({ kind: "issue" }, [], fork)).toEqual([asFork]);
    expect(told({ kind: "repository", archived: false }, [], fork)).toEqual([asFork]);
    // What tells of an installation does not say which of its repositories are forks.
    const [added] = afterNews({ installation: 1, news: { kind: "installed", repositories: [report] } }, [], 9);
    expect(told({ kind: "issue" }, added ? [added] : [], fork)).toEqual([asFork]);
    expect(told({ kind: "issue" }, [{ ...active, standing: "fork" }], fork)).toEqual([]);
  });

  test("of an unknown repository make it known; of one that is known change nothing", () => {
    expect(told({ kind: "issue" }, [], report)).toEqual([newRepository(report, 1, 9)]);
    expect(told({ kind: "issue" }, [active], report)).toEqual([]);
    expect(told({ kind: "repository-deleted" }, [], report)).toEqual([]);
  });
});

describe("a sweep", () => {
  const listed = (...says: readonly (NamedRepository & { archived?: boolean; fork?: boolean })[]) => [
    { id: 1, says: says.map((one) => ({ archived: false, fork: false, ...one })) },
  ];
  const at = { begun: 8, now: 9 };

  test("finds changes that webhooks missed, and changes nothing else", () => {
    expect(afterSweep(listed(report), [active], at)).toEqual([]);
    const states = afterSweep(
      listed({ ...report, archived: true }, { ...other, fork: true }),
      [active, newRepository({ id: 9, name: "lab/gone" }, 1, 0)],
      at,
    );
    expect(states.map(({ id, standing }) => [id, standing])).toEqual([
      [9, "removed"],
      [7, "archived"],
      [8, "fork"],
    ]);
  });

  test("finds out whether everybody may see it", () => {
    expect(afterSweep(listed({ ...report, public: true }), [active], at)).toMatchObject([{ id: 7, public: true }]);
    const shown = { ...active, public: true };
    expect(afterSweep(listed({ ...report, public: true }), [shown], at)).toEqual([]);
    expect(afterSweep(listed({ ...report, public: false }), [shown], at)).toMatchObject([{ id: 7, public: false }]);
  });

  test("leaves later news as they are, and takes from a suspended installation the repositories that were removed before", () => {
    const late = { ...active, standing: "archived", since: 9 } as const;
    expect(afterSweep(listed(report), [late, newRepository(other, 1, 9)], at)).toEqual([]);
    const removed = { ...newRepository(other, 1, 0), standing: "removed" } as const;
    expect(afterSweep([{ id: 1, says: "suspended" }], [active, removed], at)).toEqual([
      { ...active, standing: "suspended", since: 9, stale: true },
    ]);
  });
});

test("an installation that GitHub says nothing of keeps its repositories, and the others are compared", () => {
  const theirs = newRepository({ id: 9, name: "another/gone" }, 2, 0);
  const sweep = afterSweep(
    [
      { id: 1, says: "nothing" },
      { id: 2, says: [] },
    ],
    [active, theirs],
    { begun: 8, now: 9 },
  );
  expect(sweep).toMatchObject([{ id: 9, standing: "removed" }]);
});

describe("news that waited while another name, owner or visibility came", () => {
  const moved = { kind: "repository", archived: false } as const;
  const news = { kind: "issue" } as const;
  const now = { ...report, name: "other/renamed", public: false };
  const told = (known: RepositoryState, at: number, more: object = {}) =>
    afterNews({ installation: 1, repository: { ...report, public: true }, news, ...more }, [known], at);

  test("do not set them back", () => {
    const [after] = afterNews({ installation: 2, repository: now, news: moved }, [active], 20);
    expect(after).toMatchObject({ name: "other/renamed", installation: 2, public: false });
    expect(told(after ?? active, 19)).toEqual([]);
    expect(told(after ?? active, 21)).toMatchObject([{ name: "lab/report", installation: 1, public: true }]);
  });

  test("nor if GitHub sends them again, days later", () => {
    const [after] = afterNews({ installation: 2, repository: now, news: moved, described: 20 }, [active], 21);
    expect(told(after ?? active, 99, { described: 19 })).toEqual([]);
    expect(told(after ?? active, 99, { described: 19, news: moved })).toEqual([{ ...after, stale: true }]);
  });

  test("nor after GitHub's own list had them", () => {
    const says = [{ ...now, archived: false, fork: false }];
    const [after] = afterSweep([{ id: 1, says }], [active], { begun: 19, now: 20 });
    expect(told(after ?? active, 19)).toEqual([]);
  });
});

test("news that waited while a repository was taken away do not bring it back", () => {
  const removed = { ...active, standing: "removed", since: 10 } as const;
  expect(told({ kind: "issue" }, [removed], report)).toEqual([]);
  expect(told({ kind: "issue" }, [{ ...removed, since: 5 }], report)).toMatchObject([{ standing: "active" }]);
});

test("the data of a removed repository is erased after the time that it is kept", () => {
  const kept = 30 * 86_400_000;
  const removed = { ...active, standing: "removed" } as const;
  expect([removed, active].map((one) => isExpired(one, kept - 1, kept))).toEqual([false, false]);
  expect([removed, active].map((one) => isExpired(one, kept, kept))).toEqual([true, false]);
});

describe("a webhook", () => {
  const ours = `${beginLine("m", "t", [], [])}\n\n${sectionEnd}`;
  const base = { installation: { id: 1 }, repository: { id: 7, full_name: "lab/report" } };
  const person = { login: "author", type: "User" };

  test("of a comment is news, on an issue or on a pull request", () => {
    const comment = { id: 5, body: "/recheck keep", user: person };
    const given = { ...base, action: "created", comment, issue: { number: 3, body: null } };
    expect(newsOf("issue_comment", given)).toEqual({
      installation: 1,
      repository: report,
      news: { kind: "comment", issue: 3, comment: 5, body: "/recheck keep", by: "author", bot: false },
    });
    const there = { ...given, issue: { number: 3, pull_request: {} } };
    expect(newsOf("issue_comment", there)).toEqual(newsOf("issue_comment", given));
    const described = { ...given, repository: { ...base.repository, updated_at: "1970-01-01T00:00:09Z" } };
    expect(newsOf("issue_comment", described)).toMatchObject({ described: 9_000 });
    const wrong = { ...given, repository: { ...base.repository, updated_at: "never" } };
    expect(newsOf("issue_comment", wrong)).toEqual(newsOf("issue_comment", given));
  });

  test("of a comment without a command is none, nor is an edit of an issue that never had a part of ours", () => {
    const comment = { id: 5, body: "I think so.\n\n> /recheck keep", user: person };
    const given = { ...base, action: "created", comment, issue: { number: 3, body: null } };
    expect(newsOf("issue_comment", given)).toBeUndefined();
    const edited = { ...base, action: "edited", issue: { number: 3, body: "new" }, sender: person };
    expect(newsOf("issues", { ...edited, changes: { body: { from: "old" } } })).toBeUndefined();
    expect(newsOf("issues", { ...edited, changes: { body: { from: ours } } })).toBeDefined();
  });

  test("of an edit has the body before and after; of a title alone nothing", () => {
    const issue = { number: 3, body: ours };
    const given = { ...base, action: "edited", issue, sender: { login: "recheck[bot]", type: "Bot" } };
    expect(newsOf("issues", { ...given, changes: { body: { from: "old" } } })?.news).toMatchObject({
      kind: "edited",
      before: "old",
      after: ours,
      bot: true,
    });
    expect(newsOf("issues", { ...given, changes: { title: { from: "x" } } })).toBeUndefined();
  });

  test("of a push names its config files if all files are listed", () => {
    const commits = [{ added: ["a"], modified: [], removed: ["triggers/x.yaml"] }];
    const given = { ...base, ref: "refs/heads/main", after: "abc", commits };
    expect(newsOf("push", given)?.news).toEqual({
      kind: "push",
      branch: "main",
      commit: "abc",
      paths: ["triggers/x.yaml"],
    });
    expect(newsOf("push", { ...given, forced: true })?.news).not.toHaveProperty("paths");
    expect(newsOf("push", { ...given, ref: "refs/tags/v1" })).toBeUndefined();
    expect(newsOf("push", { ...given, deleted: true })?.news).toEqual({ kind: "branch-deleted", branch: "main" });
  });
});
