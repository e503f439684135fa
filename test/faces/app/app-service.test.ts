import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { standingSays } from "../../../src/model/states.ts";
import { endInstance, type Instance, type LocalIssue, startInstance } from "../../support/instance.ts";

const day = 86_400_000;
let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});

afterEach(() => endInstance(it));

const issues = () => it.local.asPerson<LocalIssue[]>("GET", "/issues?state=all&direction=asc");
const rechecks = async () => (await issues()).filter(({ title }) => title.includes("“About "));
const titles = async () => (await rechecks()).map(({ title }) => title);
const comments = (issue = 0) => it.local.asPerson<{ body: string }[]>("GET", `/issues/${issue}/comments`);
const id = () => it.stored(async (_, state) => state?.id ?? 0);
const standing = () => it.stored(async (_, state) => state?.standing);

describe("a repository with config", () => {
  test("is found at the start, checked, and asked about", async () => {
    await it.serve(it.config());
    expect(it.lists.asked.toSorted()).toEqual(["alpha", "beta"]);
    it.lists.add("alpha", "one");
    it.pass(2 * day);
    await it.run();
    expect(await titles()).toEqual([expect.stringContaining("new entry one")]);
    expect(it.log()).not.toContain('"level":50');
  });

  test("is checked once it is installed, with its config in any place", async () => {
    await it.serve();
    expect(it.lists.asked).toEqual([]);
    const files = Object.entries(it.config()).map(([path, text]) => [`.github/recheck/${path}`, text]);
    await it.push(Object.fromEntries(files));
    expect(new Set(it.lists.asked)).toEqual(new Set(["alpha", "beta"]));
    expect(await it.stored(async (_, state) => state?.config?.folder)).toBe(".github/recheck");
  });

  test("keeps its last good config while a push breaks it, and an issue says so until it is mended", async () => {
    await it.serve(it.config());
    const good = it.config()["sources.yaml"] ?? "";
    await it.push({ "sources.yaml": good.replace("ratings:", "rating:") });
    const [told] = (await issues()).filter(({ title }) => title === "Recheck cannot read its config");
    expect(told).toMatchObject({ state: "open", body: expect.stringContaining("did you mean") });
    it.lists.add("alpha", "one");
    it.pass(2 * day);
    await it.run();
    expect(await titles()).toContainEqual(expect.stringContaining("new entry one"));
    await it.push({ "sources.yaml": `${good}# mended\n` });
    expect((await issues()).find(({ number }) => number === told?.number)?.state).toBe("closed");
    expect(await it.stored(async (_, state) => [state?.broken, state?.problem])).toEqual([undefined, undefined]);
  });
});

test("the issue on a broken config waits if no more may be created within the hour", async () => {
  const good = it.config()["sources.yaml"] ?? "";
  it.lists.add("alpha", "one");
  await it.serve({ ...it.config(), "sources.yaml": `${good}overview: no\nlimits: { contents-an-hour: 1 }\n` });
  expect(await issues()).toHaveLength(1);
  await it.commit({ "sources.yaml": `${good}overview: no\nlimts: {}\n` });
  await it.run();
  expect(await issues()).toHaveLength(1);
  it.pass(3_600_001);
  await it.run();
  expect((await issues()).map(({ title }) => title)).toEqual([expect.any(String), "Recheck cannot read its config"]);
});

describe("a verdict", () => {
  /** One recheck that asks about one rating. */
  async function asked(): Promise<number> {
    it.lists.add("alpha", "one");
    await it.serve(it.config());
    const [recheck] = await rechecks();
    expect(recheck?.body).toContain("/recheck keep");
    return recheck?.number ?? 0;
  }
  const say = async (issue: number, body: string, who?: "author" | "reviewer" | "reader") => {
    await it.local.asPerson("POST", `/issues/${issue}/comments`, { body }, who);
    await it.settled();
  };

  test("of a reviewer becomes a pull request, and merging it closes the issue", async () => {
    const issue = await asked();
    await say(issue, "/recheck change speed slow because it lags", "reviewer");
    expect(it.local.reactions.map(({ content }) => content)).toEqual(["+1"]);
    const [pull] = await it.local.asPerson<{ number: number; body: string }[]>("GET", "/pulls");
    expect(pull?.body).toContain(`Answers #${issue}`);
    await it.local.asPerson("PUT", `/pulls/${pull?.number}/merge`, {});
    await it.settled();
    expect(await it.stored(async (_, state) => state?.config?.files[0]?.text)).toContain("level: slow");
    expect((await issues()).find(({ number }) => number === issue)?.state).toBe("closed");
    expect(await comments(issue)).toHaveLength(1);
    await it.run();
    const written = it.local.requests.filter(({ method }) => method !== "GET").length;
    await it.run();
    expect(it.local.requests.filter(({ method }) => method !== "GET")).toHaveLength(written);
  });

  test("of a stranger is refused, in words", async () => {
    const issue = await asked();
    await say(issue, "/recheck change speed slow because I say so", "reader");
    expect(it.local.reactions.map(({ content }) => content)).toEqual(["confused"]);
    expect(await comments(issue)).toMatchObject([{}, { body: expect.stringContaining("Nothing was changed") }]);
    expect(await it.stored((store) => store.answers())).toEqual([]);
  });

  test("that was given while the server was away is worked off later", async () => {
    const issue = await asked();
    it.local.fault({ match: /^GET .*\/permission$/, status: 502, when: "before", times: 1 });
    await say(issue, "/recheck keep");
    expect(await it.stored((store) => store.answers())).toEqual([]);
    await it.stop();
    await it.serve();
    expect(await it.stored((store) => store.answers())).toMatchObject([
      { rating: "speed", verdict: "keep", by: "author" },
    ]);
  });

  test("whose webhook got lost is found by the daily sweep", async () => {
    const issue = await asked();
    it.local.loseWebhooks(true);
    await say(issue, "/recheck keep");
    it.local.loseWebhooks(false);
    await it.run();
    expect(await it.stored((store) => store.answers())).toEqual([]);
    it.pass(day);
    await it.run();
    expect(await it.stored((store) => store.answers())).toMatchObject([{ rating: "speed", verdict: "keep" }]);
    it.pass(day);
    await it.run();
    expect(await it.stored((store) => store.answers())).toHaveLength(1);
    expect(it.local.reactions).toHaveLength(1);
  });

  test("is given in an issue that was opened again, though somebody has taken its label off", async () => {
    const issue = await asked();
    const put = async (change: object) => {
      await it.local.asPerson("PATCH", `/issues/${issue}`, change);
      await it.settled();
    };
    const states = () => it.stored(async (store) => (await store.rechecks()).map(({ state }) => state));
    await put({ labels: [] });
    await put({ state: "closed" });
    expect(await states()).toEqual(["closed"]);
    await put({ state: "open" });
    expect(await states()).toEqual(["open"]);
    expect((await rechecks())[0]?.body).toContain("/recheck keep");
  });

  test("that came by an edit of other words is none, reported by a webhook or found by the sweep", async () => {
    const issue = await asked();
    const { id } = await it.local.asPerson<{ id: number }>("POST", `/issues/${issue}/comments`, { body: "I think so" });
    await it.settled();
    await it.local.asPerson("PATCH", `/issues/comments/${id}`, { body: "/recheck keep" });
    it.pass(day);
    await it.run();
    expect(await it.stored((store) => store.answers())).toEqual([]);
  });

  test("by a ticked box is heard, and the box empty again", async () => {
    const issue = await asked();
    const { body } = await it.local.asPerson<LocalIssue>("GET", `/issues/${issue}`);
    const ticked = body.replace("- [ ] <!-- recheck:do keep", "- [x] <!-- recheck:do keep");
    expect(ticked).not.toBe(body);
    await it.local.asPerson("PATCH", `/issues/${issue}`, { body: ticked });
    await it.settled();
    expect(await it.stored((store) => store.answers())).toHaveLength(1);
    expect((await it.local.asPerson<LocalIssue>("GET", `/issues/${issue}`)).body).not.toContain(
      "- [x] <!-- recheck:do",
    );
  });
});

describe("a box whose webhook got lost", () => {
  const tick = async (issue: number, box: string) => {
    const { body } = await it.local.asPerson<LocalIssue>("GET", `/issues/${issue}`);
    const ticked = body.replace(`- [ ] <!-- recheck:do ${box}`, `- [x] <!-- recheck:do ${box}`);
    expect(ticked).not.toBe(body);
    it.local.loseWebhooks(true);
    await it.local.asPerson("PATCH", `/issues/${issue}`, { body: ticked });
    await it.settled();
    it.local.loseWebhooks(false);
  };
  const body = async (issue: number) => (await it.local.asPerson<LocalIssue>("GET", `/issues/${issue}`)).body;

  test("is found by the daily sweep, done once, and empty again", async () => {
    it.lists.add("alpha", "one");
    await it.serve(it.config());
    const [recheck] = await rechecks();
    const overview = (await issues()).find(({ title }) => title === "Recheck overview")?.number ?? 0;
    await tick(recheck?.number ?? 0, "keep");
    await tick(overview, "check");
    await it.run();
    expect(await it.stored((store) => store.answers())).toEqual([]);
    it.pass(day);
    const asked = it.lists.asked.length;
    await it.run();
    expect(await it.stored((store) => store.answers())).toMatchObject([{ rating: "speed", verdict: "keep" }]);
    expect(it.lists.asked.length).toBeGreaterThan(asked);
    expect(await body(recheck?.number ?? 0)).not.toContain("- [x] <!-- recheck:do");
    expect(await body(overview)).not.toContain("- [x] <!-- recheck:do");
    it.pass(day);
    await it.run();
    expect(await it.stored((store) => store.answers())).toHaveLength(1);
  });
});

describe("GitHub does not accept the App's key any more", () => {
  test("it is tried ever more seldom, said once, and gone on with", async () => {
    it.lists.add("alpha", "one");
    await it.serve(it.config());
    const [recheck] = await rechecks();
    it.local.expireTokens();
    it.local.fault({
      match: /\/(?:app|repos)\/.*/,
      status: 401,
      message: "Bad credentials",
      when: "before",
      times: 9_999,
    });
    const from = it.local.requests.length;
    it.pass(day);
    await it.local.send("issues", { action: "closed", repository: { id: await id(), full_name: it.local.repo } });
    for (let count = 0; count < 40; count++) {
      await it.run();
      it.pass(5 * 60_000);
    }
    expect(it.local.requests.length - from).toBeLessThan(40);
    expect(it.log().match(/does not accept the token or the App's key/g)?.length).toBeLessThan(4);
    const health = await (await fetch(new URL("/health", it.webhooks))).json();
    expect(health).toMatchObject({ ok: true, says: expect.stringContaining("does not accept") });
    it.local.mend();
    it.lists.add("beta", "two", true);
    it.pass(2 * day);
    await it.run();
    expect((await rechecks()).map(({ number }) => number)).toEqual([recheck?.number, expect.any(Number)]);
  });
});

describe("a check run", () => {
  interface Run {
    readonly conclusion: string;
    readonly output: { readonly title: string; readonly summary: string; readonly annotations_count: number };
  }
  const runs = async (ref: string) =>
    (await it.local.asPerson<{ check_runs: Run[] }>("GET", `/commits/${encodeURIComponent(ref)}/check-runs`))
      .check_runs;
  const branch = async (name: string, files: Record<string, string | undefined>) => {
    const { object } = await it.local.asPerson<{ object: { sha: string } }>("GET", "/git/ref/heads/main");
    await it.local.asPerson("POST", "/git/refs", { ref: `refs/heads/${name}`, sha: object.sha });
    await it.push(files, name);
  };

  test("shows a pushed change's mistakes on their lines, or its effect, and fetches nothing", async () => {
    await it.serve(it.config());
    const asked = it.lists.asked.length;
    const good = it.config();
    await branch("broken", { "triggers/alpha.yaml": `${good["triggers/alpha.yaml"]}levle: 1\n` });
    expect(await runs("broken")).toMatchObject([{ conclusion: "failure", output: { annotations_count: 1 } }]);
    await branch("good", { "triggers/beta.yaml": (good["triggers/beta.yaml"] ?? "").replace("awaited", "expected") });
    const [run] = await runs("good");
    expect(run).toMatchObject({ conclusion: "success", output: { annotations_count: 0 } });
    expect(it.lists.asked).toHaveLength(asked);
    expect(await it.stored(async (_, state) => state?.broken)).toBeUndefined();
  });

  test("that was begun when the server died is found by the next one, and completed", async () => {
    await it.serve(it.config());
    const wrong = Array.from({ length: 60 }, (_, index) => `wrong${index}: 1\n`).join("");
    it.local.fault({ match: /^PATCH .*\/check-runs\//, when: "before" });
    await branch("broken", { "triggers/alpha.yaml": `${it.config()["triggers/alpha.yaml"]}${wrong}` });
    expect(await runs("broken")).toMatchObject([{ conclusion: null, output: { annotations_count: 50 } }]);
    await it.stop();
    await it.serve();
    expect(await runs("broken")).toMatchObject([{ conclusion: "failure", output: { annotations_count: 60 } }]);
  });

  describe("is written for every head of a branch from its first that touched config on:", () => {
    const head = async (name: string) =>
      (await it.local.asPerson<{ object: { sha: string } }>("GET", `/git/ref/heads/${name}`)).object.sha;
    const same = [{ conclusion: "neutral", output: { title: "Valid, and the same as before" } }];
    let good: string;

    beforeEach(async () => {
      await it.serve(it.config());
      good = it.config()["triggers/alpha.yaml"] ?? "";
      await branch("edit", { "triggers/alpha.yaml": `${good}levle: 1\n` });
    });

    test("one that returns to the config in use", async () => {
      await it.push({ "triggers/alpha.yaml": good }, "edit");
      expect(await runs("edit")).toMatchObject(same);
    });

    test("one that was forced back to it", async () => {
      const before = await head("edit");
      await it.commit({ "README.md": "# Other" }, "main");
      const sha = await head("main");
      await it.settled();
      await it.local.asPerson("PATCH", "/git/refs/heads/edit", { sha, force: true });
      const repository = { id: await id(), full_name: it.local.repo };
      await it.local.send("push", {
        repository,
        ref: "refs/heads/edit",
        before,
        after: sha,
        forced: true,
        commits: [],
      });
      await it.settled();
      expect(await runs("edit")).toMatchObject(same);
    });

    test("one that touches other files, and mends nothing", async () => {
      await it.push({ "README.md": "# Other" }, "edit");
      expect(await runs("edit")).toMatchObject([{ conclusion: "failure" }]);
    });

    test("one that is pushed to another repository", async () => {
      const before = await head("edit");
      await it.commit({ "README.md": "# Other" }, "main");
      const sha = await head("main");
      const repository = { id: await id(), full_name: it.local.repo };
      const pull_request = { number: 9, head: { ref: "theirs", sha, repo: { id: 99 } } };
      const news = { action: "synchronize", repository, before, after: sha, pull_request };
      await it.local.send("pull_request", news);
      await it.settled();
      expect(await runs(sha)).toMatchObject(same);
    });

    test("but not on the default branch, nor on one that never touched it", async () => {
      await it.push({ "triggers/alpha.yaml": `${good}# More.\n` }, "main");
      expect(await runs("main")).toHaveLength(1);
      await it.commit({ "README.md": "# Other" }, "main");
      await branch("never", { "README.md": "# Another" });
      await it.push({ "README.md": "# A third" }, "never");
      expect([await runs("main"), await runs("never")]).toEqual([[], []]);
    });
  });

  test("shows which questions a dropped source would lose, and that nothing is watched without config", async () => {
    it.lists.add("alpha", "one");
    it.lists.add("alpha", "two");
    await it.serve(it.config());
    const good = it.config();
    const sources = good["sources.yaml"]?.replace(/ {2}alpha: .*\n/, "");
    await branch("dropped", { "triggers/alpha.yaml": undefined, "sources.yaml": sources });
    expect(await runs("dropped")).toMatchObject([
      {
        conclusion: "success",
        output: { title: expect.stringContaining("+0, −1 recheck in 1 day; 1 source dropped; 1 trigger dropped") },
      },
    ]);
    const moved = good["sources.yaml"]?.replace(/ {2}alpha: (.*)"(http[^"]*)"/, '  alpha: $1"$2?all"');
    await branch("moved", { "sources.yaml": moved });
    const [{ output } = { output: undefined }] = await runs("moved");
    expect(output?.title).toBe("Valid: +0, −0 rechecks in 1 day, without what is new or moved; 1 source changed");
    expect(output?.summary).toContain("Not included, because they are new or moved: `alpha`.");
    await branch("without", { "sources.yaml": undefined });
    expect(await runs("without")).toMatchObject([
      { conclusion: "neutral", output: { title: expect.stringMatching(/^No config/) } },
    ]);
    await branch("other", { "README.md": "# Nothing of config" });
    expect(await runs("other")).toEqual([]);
  });
});

describe("a repository without config", () => {
  const report = () => {
    const [alpha = "", beta = ""] = [...(it.config()["sources.yaml"] ?? "").matchAll(/http:[^"]+/g)].map(String);
    return `# A report\n\nLast audited: 2026-05-16.\n\n| area | speed |\n|---|---|\n| engine | High |\n| wheels | Low |\n\n## References\n\n1. Alpha. ${alpha}\n2. Beta. ${beta}\n`;
  };
  interface LocalPull {
    readonly number: number;
    readonly title: string;
    readonly state: string;
    readonly body: string;
  }
  const pulls = () => it.local.asPerson<LocalPull[]>("GET", "/pulls?state=all");
  const setUp = () => it.stored(async (_, state) => state?.setUp);

  test("gets one pull request with a draft that was checked, which follows its branch", async () => {
    await it.serve({ "README.md": report() });
    const [pull, ...more] = await pulls();
    expect([pull?.title, more]).toEqual(["Set up Recheck", []]);
    expect(pull?.body).toContain("2 references");
    expect(await issues()).toEqual([]);
    await it.commit({ "sources.yaml": "report: { title: Mine, audited: 2026-05-16 }\nratngs: {}\n" }, "recheck/set-up");
    await it.run();
    expect((await pulls())[0]?.body).toContain("What is wrong");
    await it.commit(it.config(), "recheck/set-up");
    it.lists.add("alpha", "one");
    it.pass(2 * day);
    await it.run();
    expect((await pulls())[0]?.body).toContain("Since the audit of 2026-05-16");
    expect((await pulls())[0]?.body).toContain("1 for your information");
    const writes = it.local.requests.filter(({ method }) => method !== "GET").length;
    await it.run();
    expect(it.local.requests.filter(({ method }) => method !== "GET")).toHaveLength(writes);
  });

  test.each(["at once", "after GitHub failed"])(
    "merging starts the watch: the past goes into one issue, contrary events into its own, %s",
    async (when) => {
      it.lists.add("alpha", "one");
      it.lists.add("beta", "two", true);
      await it.serve({ "README.md": report() });
      await it.commit(it.config(), "recheck/set-up");
      await it.run();
      const [pull] = await pulls();
      const isLater = when !== "at once";
      if (isLater) it.local.fault({ match: /^GET .*\/issues$/, status: 502, when: "before", times: 99 });
      await it.local.asPerson("PUT", `/pulls/${pull?.number}/merge`, {});
      await it.run();
      if (isLater) {
        it.local.mend();
        it.pass(3_600_000);
        await it.run();
      }
      const open = (await issues()).filter(({ number }) => number !== pull?.number).map(({ title }) => title);
      expect(open.toSorted()).toEqual([
        expect.stringMatching(/^Catch up: \d+ events? since/),
        "Recheck overview",
        expect.stringContaining("“About beta”"),
      ]);
      expect(await setUp()).not.toHaveProperty("catchUp");
    },
  );

  test("whose people write their own has the draft closed, which says why", async () => {
    await it.serve({ "README.md": report() });
    await it.commit(it.config());
    await it.run();
    expect(await pulls()).toMatchObject([
      { title: "Set up Recheck", state: "closed", body: expect.stringContaining("now has its own config") },
    ]);
    expect(new Set(it.lists.asked)).toEqual(new Set(["alpha", "beta"]));
    it.lists.add("alpha", "one");
    it.pass(2 * day);
    await it.run();
    expect(await rechecks()).toHaveLength(1);
  });

  test("and without a report gets nothing until one is written, which its status says", async () => {
    await it.serve({ "README.md": "# Hello" });
    expect(await pulls()).toEqual([]);
    const said = await it.stored(async (_, state) => state && standingSays(state, 0));
    expect(said).toBe("is served, but has no config, and no report that cites or rates anything to draft one from");
    await it.commit({ "README.md": report() });
    await it.run();
    expect(await pulls()).toMatchObject([{ title: "Set up Recheck" }]);
    const proposed = await it.stored(async (_, state) => state && standingSays(state, 0));
    expect(proposed).toBe("is served, but waits for its set-up pull request to be merged");
  });

  test("is left to its people if the App may not write, and is not tried again and again", async () => {
    it.local.fault({ match: /^POST .*\/git\/trees$/, status: 403, message: "Resource not accessible", when: "before" });
    await it.serve({ "README.md": report() });
    const says = await it.stored(async (_, state) => state?.says);
    expect(says).toContain('it needs "contents: write"');
    await it.run();
    expect([await pulls(), await issues()]).toEqual([[], []]);
    await it.commit(it.config());
    await it.run();
    expect(new Set(it.lists.asked)).toEqual(new Set(["alpha", "beta"]));
  });

  test("closing it opts out, and reopening comes back", async () => {
    await it.serve({ "README.md": report() });
    await it.commit(it.config(), "recheck/set-up");
    await it.run();
    const [pull] = await pulls();
    await it.local.asPerson("PATCH", `/pulls/${pull?.number}`, { state: "closed" });
    await it.run();
    expect(await setUp()).toHaveProperty("optedOut");
    const asked = it.lists.asked.length;
    await it.commit({ "README.md": `${report()}\nMore.\n` });
    it.pass(2 * day);
    await it.run();
    expect(it.lists.asked).toHaveLength(asked);
    expect(await pulls()).toHaveLength(1);
    expect(await it.stored(async (_, state) => state?.unwatched)).toBe(true);
    await it.local.asPerson("PATCH", `/pulls/${pull?.number}`, { state: "open" });
    await it.run();
    expect(it.lists.asked.length).toBeGreaterThan(asked);
    expect(await it.stored(async (_, state) => state?.unwatched)).toBeUndefined();
  });
});

describe("webhooks", () => {
  test("are answered while a scan runs, and worked off once", async () => {
    it.lists.add("alpha", "one");
    await it.serve(it.config());
    const [issue] = await rechecks();
    const release = it.lists.hold();
    it.pass(2 * day);
    const scanning = it.run();
    await expect.poll(() => it.lists.asked.length).toBe(4);
    await it.local.asPerson("PATCH", `/issues/${issue?.number}`, { state: "closed" });
    const closing = () => it.local.sent.find(({ payload }) => payload.action === "closed");
    await expect.poll(closing).toBeDefined();
    await it.local.settled();
    release();
    await scanning;
    const closed = closing();
    await it.local.send("issues", closed?.payload ?? {}, closed?.id);
    await it.settled();
    const states = await it.stored(async (store) => (await store.rechecks()).map(({ state }) => state));
    expect(states).toEqual(["closed"]);
  });

  test("that come while GitHub's list of repositories is read are not undone by it", async () => {
    it.local.fault({ match: /^GET \/installation\/repositories$/, when: "after", hold: 400 });
    it.local.fault({ match: /^POST .*\/git\/trees$/, status: 403, message: "Resource not accessible", when: "before" });
    await it.start();
    await expect.poll(() => it.local.requests.at(-1)?.path).toBe("/installation/repositories");
    await it.push({ "README.md": "# A report\n\n1. One. https://one.example/\n2. Two. https://two.example/\n" });
    const says = () => it.stored(async (_, state) => state?.says);
    expect(await says()).toContain('it needs "contents: write"');
    await it.run();
    expect(await says()).toContain('it needs "contents: write"');
  });

  test("bring a repository's new state, and nothing is done in a repository that forbids it", async () => {
    await it.serve(it.config());
    const repository = { id: await it.stored(async (_, state) => state?.id ?? 0), full_name: it.local.repo };
    const asked = it.lists.asked.length;
    const quiet = async (event: string, payload: object, then: string) => {
      await it.local.send(event, payload);
      await it.settled();
      expect(await standing()).toBe(then);
      it.pass(2 * day);
    };
    await quiet("installation", { action: "suspend" }, "suspended");
    await quiet("installation", { action: "unsuspend" }, "active");
    await it.run();
    // At once, and two days later.
    expect(it.lists.asked.length).toBe(asked + 4);
    await quiet("repository", { action: "archived", repository: { ...repository, archived: true } }, "archived");
    await quiet("installation_repositories", { action: "removed", repositories_removed: [repository] }, "removed");
    await quiet("installation_repositories", { action: "added", repositories_added: [repository] }, "active");
    await quiet("installation", { action: "deleted" }, "removed");
  });
});
