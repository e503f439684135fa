import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { GitHubWrite } from "../../../src/adapters/github/call.ts";
import type { Auth } from "../../../src/adapters/github/client.ts";
import { createGitHub, type GitHubOptions, type RepositoryGitHub } from "../../../src/adapters/github/index.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { GitHubProblem, type Sending } from "../../../src/model/ports/index.ts";
import { createCommentOnce } from "../../../src/recheck/create-once.ts";
import { hasMarker } from "../../../src/recheck/issue/marker.ts";
import { violations } from "../../github/openapi.ts";
import { type LocalGitHub, startGitHub } from "../../github/server.ts";
import { freePort } from "../../support/free-port.ts";

let local: LocalGitHub;
let now = Date.now();
const clock = { now: () => now };

beforeEach(async () => {
  now = Date.now();
  local = await startGitHub();
});

afterEach(async () => {
  const wrong = local.requests.flatMap(violations);
  await local.close();
  expect(wrong).toEqual([]);
});

function github(
  auth: Auth = { token: local.token },
  baseUrl = local.url,
  more: Pick<GitHubOptions, "audit" | "fetch"> = {},
): RepositoryGitHub {
  return createGitHub({ repo: local.repo, auth, baseUrl, clock, patience: false, ...more });
}

const draft = { title: "Recheck TPU", body: "<!-- marker-one --> text", labels: ["recheck", "platform: tpu"] };
const posts = (path: RegExp) => local.requests.filter(({ method, path: at }) => method === "POST" && path.test(at));
const problem = async (work: Promise<unknown>): Promise<GitHubProblem> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(GitHubProblem);
  return error as GitHubProblem;
};

describe.each([
  ["a token", (): Auth => ({ token: local.token })],
  ["an installation", (): Auth => ({ appId: local.app.id, privateKey: local.app.privateKey })],
  ["a named installation", (): Auth => ({ ...local.app, appId: local.app.id, installationId: local.app.installation })],
])("with %s", (_, auth) => {
  test.each(["", "/api/v3"])("opens, updates and finds an issue again at the base address %j", async (suffix) => {
    const hub = github(auth(), local.url + suffix);
    await hub.ensureLabels(draft.labels.map((name) => ({ name, color: "0e8a16", description: "why" })));
    const opened = await hub.createIssue(draft);
    await hub.updateIssue(opened.number, { body: "<!-- marker-one --> other text" });
    await hub.addLabels(opened.number, ["contrary"]);
    await hub.createComment(opened.number, "<!-- comment-one --> a person must act");

    const found = await hub.findIssue(hasMarker("marker-one"));
    expect(found).toMatchObject({ number: opened.number, state: "open", body: "<!-- marker-one --> other text" });
    expect([...(found?.labels ?? [])].sort()).toEqual(["contrary", "platform: tpu", "recheck"]);
    expect(await hub.findComment(opened.number, (body) => body.includes("comment-one"))).toBe("there");
    expect(await hub.findComment(opened.number, (body) => body.includes("comment-two"))).toBe("absent");
    expect(await hub.findIssue(hasMarker("marker-two"))).toBeUndefined();
    expect(await hub.issue(opened.number)).toEqual(found);
  });

  test("marker forgery: takes no copy of an issue for its own", async () => {
    const hub = github(auth());
    const title = "A report";
    const ours = await hub.createIssue({ title, body: "<!-- marker-copied -->", labels: [] });
    await local.asPerson("POST", "/issues", { title, body: "<!-- marker-copied -->" }, "reader");
    expect((await hub.findIssue(hasMarker("marker-copied")))?.number).toBe(ours.number);
  });

  test("marker forgery: takes no copy of the same moment for its own, in any order of the list", async () => {
    const hub = github(auth());
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const ours = await hub.createIssue({ title: "A report", body: "<!-- marker-twin -->", labels: [] });
      await local.asPerson("POST", "/issues", { title: "A report", body: "<!-- marker-twin -->" }, "reader");
      expect((await hub.findIssue(hasMarker("marker-twin")))?.number).toBe(ours.number);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("an issue has its type if the repository knows it, which is asked once a day", async () => {
  const hub = github();
  const asked = () => local.requests.filter(({ path }) => path === "/repos/example/report/issue-types").length;
  const types = () => posts(/\/issues$/).map(({ body }) => (body as { type?: string }).type);
  await hub.createIssue({ ...draft, type: "Recheck" });
  local.defineTypes("Bug", "Recheck");
  await hub.createIssue({ ...draft, type: "Recheck" });
  await hub.createIssue(draft);
  expect([types(), asked()]).toEqual([[undefined, undefined, undefined], 1]);
  now += 86_400_000;
  await hub.createIssue({ ...draft, type: "Recheck" });
  await hub.createIssue({ ...draft, type: "Other" });
  expect([types().slice(3), asked()]).toEqual([["Recheck", undefined], 2]);
  now += 86_400_000;
  local.fault({ match: /issue-types$/, status: 502, when: "before" });
  await hub.createIssue({ ...draft, type: "Recheck" });
  await hub.createIssue({ ...draft, type: "Recheck" });
  expect([types().slice(5), asked()]).toEqual([[undefined, "Recheck"], 4]);
});

test("an issue whose type is gone since it was listed is opened without it; any other that is refused is not sent again", async () => {
  const hub = github();
  const sent = () => posts(/\/issues$/).map(({ body }) => (body as { type?: string }).type);
  const refuse = () =>
    local.fault({ match: /^POST .*\/issues$/, status: 422, message: "Validation Failed", when: "before" });
  local.defineTypes("Bug", "Recheck");
  await hub.createIssue({ ...draft, type: "Recheck" });
  local.defineTypes("Bug");
  refuse();
  expect((await hub.createIssue({ ...draft, type: "Recheck" })).number).toBe(2);
  await hub.createIssue({ ...draft, type: "Recheck" });
  expect(sent()).toEqual(["Recheck", "Recheck", undefined, undefined]);
  now += 86_400_000;
  local.defineTypes("Recheck");
  refuse();
  expect((await problem(hub.createIssue({ ...draft, type: "Recheck" }))).kind).toBe("invalid");
  expect(sent().slice(4)).toEqual(["Recheck"]);
});

test("all open issues that carry the label are listed, and no pull request or other issue", async () => {
  for (let count = 1; count <= 3; count++) {
    await local.asPerson("POST", "/issues", { title: `issue ${count}`, labels: ["recheck"] });
  }
  await local.asPerson("POST", "/issues", { title: "of a person" });
  await local.asPerson("PATCH", "/issues/2", { state: "closed" });
  const found = await github().openIssues();
  // Those of one second come in any order.
  const listed = found.toSorted((a, b) => a.number - b.number);
  expect(listed.map(({ number, state }) => [number, state])).toEqual([
    [1, "open"],
    [3, "open"],
  ]);
  expect(local.requests.map(({ query }) => query.page)).toEqual(["1"]);
});

describe("an issue that was moved to another repository", () => {
  /** As GitHub's redirect leads there: the issue is told with the repository that it is in now. */
  const moved = (home: string, name = "example/report") => {
    const send = async (input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> => {
      const response = await fetch(input, init);
      if (!String(input).includes("/example/report")) return response;
      const body = { ...((await response.json()) as object), repository_url: home, full_name: name };
      return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
    };
    return createGitHub({
      repo: local.repo,
      auth: { token: local.token },
      baseUrl: local.url,
      clock,
      patience: false,
      fetch: send,
    });
  };

  test("is no more, and is not taken for one of ours", async () => {
    await local.asPerson("POST", "/issues", { title: "moved" });
    const refused = await problem(moved("https://api.github.com/repos/example/elsewhere").issue(1));
    expect(refused).toMatchObject({ kind: "deleted", message: "issue #1 was moved to another repository" });
  });

  test("is not mistaken for one of a repository that was renamed, or written in capitals", async () => {
    await local.asPerson("POST", "/issues", { title: "there" });
    const home = "https://api.github.com/repos/example/renamed";
    expect(await moved(home, "example/renamed").issue(1)).toMatchObject({ number: 1, title: "there" });
    expect((await moved("https://github.example/api/v3/repos/Example/Report").issue(1)).number).toBe(1);
  });
});

test("a private key that is none is said, and sent nowhere", async () => {
  const hub = github({ appId: local.app.id, privateKey: "-----BEGIN nothing" });
  const refused = await problem(hub.issue(1));
  expect(refused.kind).toBe("unauthorized");
  expect(refused.message).toBe("the App's private key is no key in PEM");
  expect(local.requests).toEqual([]);
});

describe("an installation's token", () => {
  const app = (): Auth => ({ appId: local.app.id, privateKey: local.app.privateKey.replaceAll("\n", "\\n") });
  const minted = () => posts(/access_tokens$/);

  test("is for this repository only, asked for once, and again before it ends", async () => {
    const hub = github(app());
    const [first, second] = await Promise.all([hub.installationToken(), hub.installationToken()]);
    expect(second).toBe(first);
    expect(minted().map(({ body }) => body)).toEqual([{ repositories: ["report"] }]);
    now += 56 * 60_000;
    expect(await hub.installationToken()).not.toBe(first);
    expect(minted()).toHaveLength(2);
  });

  test("is replaced once GitHub no longer takes it", async () => {
    const hub = github(app());
    await hub.createIssue(draft);
    local.expireTokens();
    expect((await problem(hub.issue(1))).kind).toBe("unauthorized");
    expect((await hub.issue(1)).number).toBe(1);
  });

  test("is refused to another key", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    const hub = github({ appId: local.app.id, privateKey: String(other.export({ type: "pkcs1", format: "pem" })) });
    expect((await problem(hub.installationToken())).kind).toBe("unauthorized");
  });
});

test("labels that exist are left as they are", async () => {
  await local.asPerson("POST", "/labels", { name: "recheck", color: "123456" });
  const labels = [{ name: "recheck", color: "0e8a16", description: "ours" }];
  await github().ensureLabels(labels);
  expect(posts(/\/labels$/)).toHaveLength(0);
  expect(await local.asPerson("GET", "/labels/recheck")).toMatchObject({ color: "123456" });
});

test("an issue without labels is found too, and one on a later page", async () => {
  const hub = github();
  await local.asPerson("POST", "/issues", { title: "no label", body: "marker-bare" });
  await local.asPerson("POST", "/labels", { name: "recheck" });
  await local.asPerson("POST", "/issues", { title: "old", body: "marker-old", labels: ["recheck"] });
  for (let count = 0; count < 100; count++) {
    await local.asPerson("POST", "/issues", { title: `other ${count}`, body: "", labels: ["recheck"] });
  }
  expect((await hub.findIssue(hasMarker("marker-old")))?.title).toBe("old");
  await local.asPerson("PATCH", "/issues/2", { state: "closed" });
  expect(await hub.findIssue(hasMarker("marker-old"))).toMatchObject({ title: "old", state: "closed" });
});

test("a person is refused by GitHub's answer about them, not while it hides the repository", async () => {
  const hub = github();
  expect([await hub.permission("author"), await hub.permission("nobody")]).toEqual(["admin", "none"]);
  local.fault({ match: /./, status: 404, message: "Not Found", when: "before", times: 2 });
  expect(await problem(hub.permission("author"))).toMatchObject({ kind: "not-found" });
});

describe("a creation is sent once", () => {
  test.each([
    ["a 502 before it", { status: 502, when: "before" }, "unavailable", 0],
    ["a 502 after it", { status: 502, when: "after" }, "unavailable", 1],
    ["a cut connection before it", { when: "before" }, "lost", 0],
    ["a cut connection after it", { when: "after" }, "lost", 1],
  ] as const)("%s", async (_, fault, kind, made) => {
    local.fault({ match: /^POST .*\/issues$/, ...fault });
    // With Octokit's own patience, which must not repeat what may have been done; it spaces writes by 3 s.
    const patience = fault.when === "after";
    const hub = createGitHub({ repo: local.repo, auth: { token: local.token }, baseUrl: local.url, clock, patience });
    const failed = await problem(hub.createIssue(draft));
    expect(failed).toMatchObject({ kind, uncertain: true });
    expect(posts(/\/issues$/)).toHaveLength(1);
    expect(await local.asPerson("GET", "/issues")).toHaveLength(made);
    expect((await hub.findIssue(hasMarker("marker-one"))) !== undefined).toBe(made === 1);
  });

  test("half an answer is as good as none", async () => {
    local.fault({ match: /^POST .*\/issues$/, status: 200, when: "after" });
    expect(await problem(github().createIssue(draft))).toMatchObject({ kind: "lost" });
  });
});

describe("the work right before a creation is sent", () => {
  const creations = {
    "an issue": (hub: RepositoryGitHub, sending: Sending) => hub.createIssue({ ...draft, type: "Recheck" }, sending),
    "a comment": (hub: RepositoryGitHub, sending: Sending) => hub.createComment(1, "text", sending),
    "a pull request": (hub: RepositoryGitHub, sending: Sending) =>
      hub.createPull({ title: "Edit", body: "why", branch: "edit", base: "main" }, sending),
  };
  const sent = () => posts(/\/(?:issues|comments|pulls)$/).length;

  test.each(Object.entries(creations))("is done once its turn has come, of %s", async (group, create) => {
    await github().createIssue(draft);
    const before = sent();
    const hub = createGitHub({ repo: local.repo, auth: { token: local.token }, baseUrl: local.url, clock, group });
    const begun = performance.now();
    const done: string[] = [];
    const first = hub.updateIssue(1, { title: "Another" });
    const second = create(hub, async () => {
      // The other write comes first, and then a pause.
      expect(local.requests.some(({ method }) => method === "PATCH")).toBe(true);
      expect(performance.now() - begun).toBeGreaterThan(900);
      expect(sent()).toBe(before);
      done.push("noted");
    }).catch((error: GitHubProblem) => expect(error.kind).toBe("invalid"));
    await Promise.all([first, second]);
    expect([done, sent()]).toEqual([["noted"], before + 1]);
  });

  test.each(Object.entries(creations))(
    "keeps %s from being sent if it fails, and the failure is reported as it is",
    async (_, create) => {
      await github().createIssue(draft);
      const before = sent();
      const lost = new TypeError("this is another process's by now");
      await expect(create(github(), () => Promise.reject(lost))).rejects.toBe(lost);
      expect(sent()).toBe(before);
    },
  );

  test("is not done once the program stops: nothing is sent then", async () => {
    const hangUp = AbortSignal.abort();
    const hub = createGitHub({ repo: local.repo, auth: { token: local.token }, baseUrl: local.url, clock, hangUp });
    const done: string[] = [];
    expect((await problem(hub.createIssue(draft, async () => void done.push("noted")))).kind).toBe("lost");
    expect(done).toEqual([]);
  });
});

describe("a refusal of GitHub is reported", () => {
  const says = async (fault: { status: number; message?: string; headers?: Record<string, string> }) => {
    local.fault({ match: /^POST .*\/issues$/, when: "before", ...fault });
    return problem(github().createIssue(draft));
  };

  test("401 for a token that does not exist", async () => {
    const refused = await problem(github({ token: "nobody" }).createIssue(draft));
    expect(refused.kind).toBe("unauthorized");
    expect(refused.message).toBe("GitHub does not accept the token or the App's key (401)");
    expect(JSON.stringify({ ...refused, message: refused.message })).not.toContain("nobody");
  });

  test("403 for a missing permission", async () => {
    const refused = await says({ status: 403, message: "Resource not accessible by integration" });
    expect(refused.kind).toBe("forbidden");
    expect(refused.message).toBe(
      'the token or App may not open an issue in example/report (403): it needs "issues: write"',
    );
  });

  test.each([403, 451])("%i for a repository that was taken down, which no permission changes", async (status) => {
    const refused = await says({ status, message: "Repository access blocked" });
    expect([refused.kind, refused.message]).toEqual([
      "unavailable",
      `GitHub blocks all access to example/report (${status})`,
    ]);
  });

  test("403 for an IP allow list, which no permission changes", async () => {
    const message =
      "Although you appear to have the correct authorization credentials, the `example` organization has an IP allow list enabled, and 192.0.2.7 is not permitted to access this resource.";
    const refused = await says({ status: 403, message });
    expect([refused.kind, refused.needs]).toEqual(["blocked", undefined]);
    expect(refused.message).toBe("the IP allow list of the owner of example/report does not let this server in (403)");
  });

  test.each([
    [
      "a secondary limit with its time",
      403,
      "You have exceeded a secondary rate limit",
      { "retry-after": "90" },
      90_000,
    ],
    ["a secondary limit without", 403, "You have exceeded a secondary rate limit", {}, 60_000],
    ["a limit of what is created, which has no code of its own", 422, "was submitted too quickly", {}, 60_000],
    ["429", 429, "slow down", {}, 60_000],
    ["an endless pause", 429, "slow down", { "retry-after": "999999999" }, 3_600_000],
  ])("%s", async (_, status, message, headers, wait) => {
    const refused = await says({ status, message, headers: headers as Record<string, string> });
    expect(refused.kind).toBe("slow-down");
    expect(refused.resumeAt).toBe(now + wait);
    expect(refused.uncertain).toBe(false);
  });

  test("429 is not tried again at once", async () => {
    local.fault({ match: /^GET .*\/issues$/, status: 429, message: "slow down", when: "before", times: 9 });
    const from = local.requests.length;
    const auth = { token: local.token };
    const hub = createGitHub({ repo: local.repo, auth, baseUrl: local.url, clock, patience: true });
    expect((await problem(hub.openIssues())).kind).toBe("slow-down");
    expect(local.requests).toHaveLength(from + 1);
    local.mend();
  });

  test("nothing for all the time of a request: that is waited for once", async () => {
    const timeout = vi
      .spyOn(AbortSignal, "timeout")
      .mockReturnValue(AbortSignal.abort(new DOMException("", "TimeoutError")));
    const asked = vi.fn<typeof fetch>(async (_, init) => Promise.reject(init?.signal?.reason));
    const options = { repo: local.repo, auth: { token: local.token }, baseUrl: local.url, clock, fetch: asked };
    const silent = await problem(createGitHub(options).openIssues());
    timeout.mockRestore();
    expect(silent.message).toBe("no answer from GitHub when asked to list issues: timed out after 30 s");
    expect(silent).toMatchObject({ kind: "lost", uncertain: true });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test("nothing, if nobody listens: why, too", async () => {
    const unanswered = await problem(github(undefined, `http://127.0.0.1:${await freePort()}`).openIssues());
    expect(unanswered).toMatchObject({ kind: "lost" });
    expect(unanswered.message).toBe("no answer from GitHub when asked to list issues: no connection: refused");
  });

  test("nothing, if it hangs while the server stops: reads end, and nothing more is asked", async () => {
    const stopping = new AbortController();
    const auth = { token: local.token };
    const hangUp = stopping.signal;
    const hub = createGitHub({ repo: local.repo, auth, baseUrl: local.url, clock, patience: true, hangUp });
    local.fault({ match: /^GET .*\/issues$/, when: "after", hold: 20_000 });
    const from = local.requests.length;
    const asked = problem(hub.openIssues());
    await expect.poll(() => local.requests.length).toBe(from + 1);
    stopping.abort();
    expect((await asked).kind).toBe("lost");
    expect((await problem(hub.createIssue(draft))).kind).toBe("lost");
    expect(local.requests).toHaveLength(from + 1);
  });

  test("an exhausted quota, until it is reset", async () => {
    const reset = Math.ceil(now / 1000) + 600;
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset) };
    expect((await says({ status: 403, message: "API rate limit exceeded", headers })).resumeAt).toBe(reset * 1000);
  });

  test.each([
    [404, "Not Found", "not-found"],
    [410, "Issues are disabled for this repo", "disabled"],
    [410, "This issue was deleted", "deleted"],
    [422, "Validation Failed", "invalid"],
    [500, "", "unavailable"],
    [503, "", "unavailable"],
  ])("%i %s", async (status, message, kind) => {
    expect((await says({ status, message })).kind).toBe(kind);
  });

  test("a repository that is not there, and one without the App", async () => {
    const elsewhere = (auth: Auth) =>
      createGitHub({ repo: "example/other", auth, baseUrl: local.url, clock, patience: false }).createIssue(draft);
    expect((await problem(elsewhere({ token: local.token }))).kind).toBe("not-found");
    expect((await problem(elsewhere({ appId: local.app.id, privateKey: local.app.privateKey }))).kind).toBe(
      "not-found",
    );
  });

  test("a text that is too long, with GitHub's reason", async () => {
    const refused = await problem(github().createIssue({ ...draft, body: "𝔸".repeat(65_537) }));
    expect(refused.kind).toBe("invalid");
    expect(refused.message).toContain("body is too long (maximum is 65536 characters)");
    expect((await github().createIssue({ ...draft, body: "𝔸".repeat(65_536) })).number).toBe(1);
  });

  test("an answer that is no issue", async () => {
    const hub = createGitHub({
      repo: local.repo,
      auth: { token: local.token },
      clock,
      patience: false,
      fetch: async () => new Response("<html>", { status: 200, headers: { "content-type": "text/html" } }),
    });
    expect((await problem(hub.issue(1))).kind).toBe("lost");
  });
});

test("reads are tried again if patience is on", async () => {
  const hub = createGitHub({ repo: local.repo, auth: { token: local.token }, baseUrl: local.url, clock });
  await local.asPerson("POST", "/issues", { title: "there" });
  local.fault({ match: /^GET .*\/issues\/1$/, status: 502, when: "before" });
  expect((await hub.issue(1)).title).toBe("there");
});

test("an App knows its own text by its author, even if somebody wrote the same before", async () => {
  const hub = github({ appId: local.app.id, privateKey: local.app.privateKey });
  const before = await local.asPerson<{ number: number }>(
    "POST",
    "/issues",
    { title: "Mine", body: "<!-- m -->" },
    "reader",
  );
  await local.asPerson("POST", `/issues/${before.number}/comments`, { body: "<!-- comment-copied -->" }, "reader");
  const ours = await hub.createIssue({ title: "Ours", body: "<!-- m -->", labels: [] });
  expect((await hub.findIssue(({ body }) => body === "<!-- m -->"))?.number).toBe(ours.number);
  expect(await hub.findComment(before.number, (body) => body.includes("comment-copied"))).toBe("absent");
  await hub.createComment(before.number, "<!-- comment-copied -->");
  expect(await hub.findComment(before.number, (body) => body.includes("comment-copied"))).toBe("there");
});

test("the rest of the quota in each answer is reported, with its owner", async () => {
  const told: unknown[] = [];
  const answering: typeof fetch = async () =>
    new Response('{"permission":"write"}', {
      headers: { "content-type": "application/json", "x-ratelimit-remaining": "41", "x-ratelimit-reset": "1800000000" },
    });
  const hub = createGitHub({
    ...{ repo: local.repo, auth: { token: local.token }, baseUrl: local.url, clock, patience: false },
    ...{ fetch: answering, group: "100", onQuota: (...quota) => told.push(quota) },
  });
  await hub.permission("author");
  expect(told).toEqual([[41, 1_800_000_000_000, "100"]]);
});

test("each write is noted for the audit log before it is sent, and with its outcome; reads are not", async () => {
  const written: GitHubWrite[] = [];
  const hub = github(undefined, undefined, { audit: (write) => written.push(write) });
  const { number } = await hub.createIssue(draft);
  await hub.issue(number);
  local.fault({ match: /comments$/, status: 403, message: "no", when: "before" });
  await problem(hub.createComment(number, "text"));
  const common = { at: new Date(now).toISOString(), repository: local.repo, as: "token" };
  const opening = {
    ...common,
    action: "open an issue",
    route: "POST /repos/{owner}/{repo}/issues",
    about: draft.title,
  };
  const commenting = {
    ...common,
    action: "write a comment",
    route: "POST /repos/{owner}/{repo}/issues/{issue_number}/comments",
    about: `#${number}`,
  };
  expect(written).toEqual([
    { ...opening, state: "sent" },
    { ...opening, state: 201 },
    { ...commenting, state: "sent" },
    { ...commenting, state: 403 },
  ]);
});

test("a comment that GitHub counts and does not list yet is late, and no second one is written", async () => {
  let isListLate = true;
  const late: typeof fetch = async (address, init) => {
    const isList = String(address).includes("/comments") && (init?.method ?? "GET") === "GET";
    return isList && isListLate ? Response.json([]) : await fetch(address, init);
  };
  const hub = github(undefined, undefined, { fetch: late });
  const { number } = await hub.createIssue(draft);
  expect(await hub.findComment(number, (body) => body.includes("<!-- m -->"))).toBe("absent");
  await hub.createComment(number, "<!-- m --> text");
  expect(await hub.findComment(number, (body) => body.includes("<!-- m -->"))).toBe("late");
  const database = await openStore(":memory:");
  const store = database.repository("example/report");
  const comment = { id: 1, marker: "<!-- m -->", body: "<!-- m --> text", attempted: now - 3_600_000, done: false };
  await store.commit((tx) => tx.say({ ...comment, issue: number }));
  const write = () => createCommentOnce(comment, number, { github: hub, store, clock: { now: () => now }, cap: 20 });
  expect(await write()).toEqual({ kind: "waits", because: "GitHub does not list all comments of the issue yet" });
  isListLate = false;
  expect(await write()).toEqual({ kind: "found", made: true });
  expect(await local.asPerson("GET", `/issues/${number}/comments`)).toHaveLength(1);
  await database.close();
});
