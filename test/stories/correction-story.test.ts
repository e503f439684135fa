import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseRanges } from "../../src/adapters/fetch/address.ts";
import { sync } from "../../src/recheck/sync.ts";
import { scan } from "../../src/watch/scan.ts";
import { wire } from "../../src/wire/program.ts";
import { startGitHub } from "../github/server.ts";
import { endInstance, type Instance, issuesOf, startInstance } from "../support/instance.ts";

/** A price changes. The correction of the report's sentence and of its claim is one answer. */

const day = 86_400_000;
let price = "";
let address = "";
const web = createServer((_, response) => {
  response.writeHead(200, { "content-type": "text/html" });
  response.end(
    `<!doctype html><title>Pricing</title><main><h1>Pricing</h1><p>The Team plan costs ${price} per month.</p><p>All plans have a calendar.</p></main>`,
  );
});

beforeEach(async () => {
  price = "$29";
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/pricing`;
});

afterEach(() => web.close());

const files = () => ({
  "README.md": "# Tools\n\nThe Team plan costs **$29** per month [2]. That is little.\n",
  "sources.yaml": `report: { title: Tools, audited: 2026-05-16, text: README.md }
levels: [Low, Medium, High]
axes: [tool, area]
names: { kite: Kite, price: Price }
ratings: { kite/price: Low }
sources:
  kite-pricing:
    page: "${address}"
    title: Kite pricing
    cites: [2]
    claims:
      team-price: { says: The Team plan costs $29 per month, value: $29, of: Team plan, ratings: [kite/price] }
`,
  "triggers/price.yaml": "name: Price\nratings: [kite/price]\non:\n  - change: kite-pricing\n",
});
const title = "Kite pricing [2] now says $39; the report says $29";

test("accepted on GitHub and merged, report, claim and page say the same, and the rating is asked about once", async () => {
  const it: Instance = await startInstance();
  const say = async (issue: number, body: string) => {
    await it.local.asPerson("POST", `/issues/${issue}/comments`, { body }, "author");
    await it.settled();
  };
  const pulls = () => it.local.asPerson<{ number: number; body: string }[]>("GET", "/pulls?state=open");
  const merge = async () => {
    const [pull] = await pulls();
    await it.local.asPerson("PUT", `/pulls/${pull?.number}/merge`, {});
    await it.run();
  };
  const text = async (path: string) => {
    const { content } = await it.local.asPerson<{ content: string }>("GET", `/contents/${path}`);
    return Buffer.from(content, "base64").toString();
  };
  const questions = async () => (await issuesOf(it)).filter((one) => one.title !== "Recheck overview");
  const later = async (days: number) => {
    for (let passed = 0; passed < days; passed++) {
      it.pass(day);
      await it.run();
    }
  };
  await it.serve(files());
  price = "$39";
  await later(3);

  const [question, ...others] = await questions();
  if (!question) throw new Error("nothing was asked");
  expect([question.title, others]).toEqual([title, []]);
  expect(question.body).toContain(
    "**Is this sentence still right?** `README.md:3`: “The Team plan costs \\$29 per month”;",
  );
  expect(question.body).toContain("- The Team plan costs **$29** per month\n+ The Team plan costs **$39** per month\n");

  await say(question.number, "/recheck accept");
  await say(question.number, "/recheck accept");
  const comments = await it.local.asPerson<{ body: string }[]>("GET", `/issues/${question.number}/comments`);
  expect(comments.at(-1)?.body).toMatch(/Nothing was changed\. The correction is accepted already: merge #\d+\.$/);
  await merge();
  const written = await Promise.all(["README.md", "sources.yaml"].map(text));
  expect(written).toEqual([files()["README.md"], files()["sources.yaml"]].map((one) => one.replaceAll("$29", "$39")));

  await later(3);
  const [rating, ...more] = await questions();
  expect([rating?.number, rating?.state, more]).toEqual([question.number, "open", []]);
  expect(rating?.title).toBe(
    "Kite pricing [2] changed; the report was corrected to “The Team plan costs $39 per month”",
  );
  expect(rating?.body).not.toContain("Is this sentence still right?");
  expect(rating?.body).toContain("**Is this rating still right?** Kite · Price **Low**");
  const [claim] = await it.stored((store) => store.claims());
  expect(claim).toMatchObject({ status: "supported" });

  await say(question.number, "/recheck keep");
  await merge();
  await later(5);
  expect((await questions()).map(({ number, state }) => [number, state])).toEqual([[question.number, "closed"]]);

  // A page that changes between the answer and its merge is asked about in the same issue.
  const open = async () => (await questions()).filter(({ state }) => state === "open");
  price = "$45";
  await later(2);
  const [next] = await open();
  await say(next?.number ?? 0, "/recheck accept");
  price = "$50";
  await later(2);
  await merge();
  await later(2);
  expect((await open()).map(({ number, title }) => [number, title])).toEqual([
    [next?.number, "Kite pricing [2] says $50; the report says $45"],
  ]);
  await endInstance(it);
});

test("applied by git, nothing is asked again either", async () => {
  const folder = mkdtempSync(join(tmpdir(), "recheck-correction-"));
  const github = await startGitHub({ repo: "example/tools" });
  const git = (args: readonly string[], input?: string) => execFileSync("git", args, { cwd: folder, input });
  for (const [path, content] of Object.entries(files())) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  git(["init", "--quiet"]);
  let now = Date.parse("2026-06-01T06:00:00Z");
  const run = async () => {
    now += day;
    const settings = {
      auth: { token: github.token },
      githubApi: github.url,
      github: { patience: false, fetch: github.fetch },
    };
    const program = await wire({
      ...{ config: folder, data: join(folder, "data"), repo: github.repo, clock: { now: () => now }, ...settings },
      fetch: { allowAddresses: parseRanges("127.0.0.0/8"), pause: 0 },
    });
    await scan(program.world);
    await sync({ ...program.outbox, github: program.github });
    await program.close();
  };
  const issues = () =>
    github.asPerson<{ number: number; title: string; body: string; state: string }[]>("GET", "/issues?state=all");
  await run();
  price = "$39";
  await run();
  await run();

  const [question] = await issues();
  expect(question?.title).toBe(title);
  expect(question?.body).toMatch(/edit \[`README\.md:3`\]\(\S+README\.md#L3\) and \[`sources\.yaml:\d+`\]/);
  const patchIn = (body = "") => /````diff\n(diff --git a\/README[\s\S]*?)\n````/.exec(body)?.[1];
  const patch = patchIn(question?.body);
  // The report changes: git refuses the patch as a whole, and the next scan says why none is offered.
  const [readme, sources] = ["README.md", "sources.yaml"].map((path) => join(folder, path)) as [string, string];
  writeFileSync(readme, files()["README.md"].replace("$29", "$28"));
  expect(() => git(["apply", "-"], `${patch}\n`)).toThrow("patch does not apply");
  expect(readFileSync(sources, "utf8")).toBe(files()["sources.yaml"]);
  await run();
  const [changed] = await issues();
  expect(patchIn(changed?.body)).toBeUndefined();
  expect(changed?.body).toContain("No edit is offered, because no sentence of `README.md` has the words of the claim");
  writeFileSync(readme, files()["README.md"]);
  await run();
  expect(patchIn((await issues())[0]?.body)).toBe(patch);
  git(["apply", "-"], `${patch}\n`);
  for (const path of ["README.md", "sources.yaml"] as const)
    expect(readFileSync(join(folder, path), "utf8")).toBe(files()[path].replaceAll("$29", "$39"));
  await run();
  expect((await issues())[0]?.body).not.toContain("Is this sentence still right?");
  expect((await issues())[0]?.body).not.toContain("; the report says \\$39");
  await github.asPerson("PATCH", `/issues/${question?.number}`, { state: "closed" });
  await run();
  await run();
  expect((await issues()).map(({ number, state }) => [number, state])).toEqual([[question?.number, "closed"]]);
  await github.close();
  rmSync(folder, { recursive: true });
});
