import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { scanCommand } from "../../src/faces/cli/scan.ts";
import { statusCommand } from "../../src/faces/cli/status.ts";
import { markOf } from "../../src/recheck/issue/marker.ts";
import { violations } from "../github/openapi.ts";
import { recheckHere } from "../support/command.ts";
import { linesOut } from "../support/lines-out.ts";
import { closeAll, environment, github, issuesOf, listsOf, passTime } from "./ground.ts";
import { hasty } from "./hasty.ts";

afterAll(closeAll);

/** The whole `scan` command, in this process and without pauses. */
async function scanned(folder: string, env: Readonly<Record<string, string>>): Promise<{ code: number; out: string }> {
  const { out, lines } = linesOut();
  const code = await scanCommand(hasty(env, folder), {}, out);
  return { code, out: lines.map((line) => `${line}\n`).join("") };
}

test("`scan` says what people did with its issues", async () => {
  const { lists, folder } = await listsOf("alpha", "beta", "gamma");
  const local = await github();
  const env = environment(folder, local);
  for (const source of ["alpha", "beta", "gamma"]) lists.add(source, "one");
  expect(await scanned(folder, env)).toMatchObject({ code: 0, out: expect.stringMatching(/opened {3}#3 /) });
  const asked = await local.asPerson<{ number: number; title: string }[]>("GET", "/issues");
  const [alpha, beta, gamma] = ["alpha", "beta", "gamma"].map(
    (name) => asked.find(({ title }) => title.toLowerCase().includes(name))?.number,
  );
  await local.asPerson("PATCH", `/issues/${alpha}`, { state: "closed" });
  await local.asPerson("PATCH", `/issues/${beta}`, { state: "closed" });
  const gone = new RegExp(`^GET .*/issues/${beta}$`);
  local.fault({ match: gone, status: 404, message: "Not Found", when: "before", times: 9 });
  rmSync(join(folder, "triggers", "gamma.yaml"));
  const second = await scanned(folder, env);
  expect(second.code).toBe(0);
  expect(second.out).toContain(`  closed   #${alpha} by hand\n`);
  const lost = "not found on GitHub; if it is still missing in an hour, it counts as closed";
  expect(second.out).toContain(`  left     #${beta} unchanged: ${lost}\n`);
  expect(second.out).toContain(`  left     #${gamma} unchanged: its trigger is no longer in triggers/\n`);
  await local.asPerson("PATCH", `/issues/${alpha}`, { state: "open" });
  expect((await scanned(folder, env)).out).toContain(`  reopened #${alpha} by a person\n`);
  expect(local.requests.flatMap(violations)).toEqual([]);
});

describe("when GitHub does not do it, `scan`", () => {
  const lost = { when: "after" } as const;
  const refused = (status: number, message = "") => ({ status, message, when: "before" }) as const;

  test.each([
    ["a 502 although it was opened", { ...lost, status: 502 }, undefined],
    ["a connection cut although it was opened", lost, undefined],
    ["a 502", refused(502), "GitHub could not open an issue (502)"],
    [
      "a connection cut before",
      { when: "before" } as const,
      "no answer from GitHub when asked to open an issue: the connection broke off",
    ],
    ["401", refused(401, "Bad credentials"), "GitHub does not accept the token or the App's key (401)"],
    [
      "403",
      refused(403, "Resource not accessible by personal access token"),
      'the token or App may not open an issue in example/report (403): it needs "issues: write"',
    ],
    ["404", refused(404, "Not Found"), "example/report is not there, or not open to this token or App (404)"],
    ["410", refused(410, "Issues are disabled for this repo"), "example/report has issues switched off (410)"],
    ["451", refused(451, "Repository access blocked"), "GitHub blocks all access to example/report (451)"],
    ["422", refused(422, "Validation Failed"), "GitHub refused to open an issue (422): Validation Failed"],
    ["500", refused(500), "GitHub could not open an issue (500)"],
  ] as const)("says so: %s; the next time exactly one issue is there", async (_, fault, says) => {
    const { lists, folder } = await listsOf("alpha");
    const local = await github();
    const env = environment(folder, local);
    lists.add("alpha", "one");
    local.fault({ match: /^POST .*\/issues$/, ...fault });
    const first = await scanned(folder, env);
    if (says === undefined) {
      expect(first.code).toBe(0);
      expect(first.out).toContain("opened   #1 ");
    } else {
      expect(first.code).toBe(4);
      expect(first.out).toContain(`  ✗ ${says}\n`);
      if (!says.includes("(422)")) expect(first.out).toContain(`  waits    issue of About alpha: ${says}\n`);
      expect(await issuesOf(local)).toEqual([]);
    }
    await passTime(folder, local);
    const second = await scanned(folder, env);
    expect(second.code).toBe(0);
    if (says !== undefined) expect(second.out).toContain("opened   #1 ");
    const issues = await issuesOf(local);
    expect(issues).toHaveLength(1);
    expect(markOf(issues[0]?.body ?? "")?.events).toEqual([expect.stringContaining("one")]);
    expect(local.requests.flatMap(violations)).toEqual([]);
  });

  test("and `status` say until when a text that was refused is left", async () => {
    const { lists, folder } = await listsOf("alpha");
    const local = await github();
    const env = environment(folder, local);
    lists.add("alpha", "one");
    local.fault({ match: /^POST .*\/issues$/, ...refused(422, "Validation Failed"), times: 9 });
    await scanned(folder, env);
    const says = "GitHub rejects its new text; the next try is on 20";
    const second = await scanned(folder, env);
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining(`  waits    issue of About alpha: ${says}`) });
    const { out, lines } = linesOut();
    await statusCommand(hasty(env, folder), {}, out);
    expect(lines.join("\n")).toContain(`About alpha  its issue is not written yet  alpha, new entry one: ${says}`);
  });

  test("says until when a limit holds", async () => {
    const { lists, folder } = await listsOf("alpha");
    const local = await github();
    lists.add("alpha", "one");
    const headers = { "retry-after": "60" };
    local.fault({ match: /^POST .*\/issues$/, status: 403, message: "secondary rate limit", headers, when: "before" });
    const { code, out, err } = await recheckHere(["scan", "--all", "--config", folder], environment(folder, local));
    expect({ code, err }).toEqual({ code: 4, err: "" });
    expect(out).toMatch(/✗ GitHub asks to slow down; Recheck continues at \d{4}-\d\d-\d\d \d\d:\d\d UTC\n/);
    expect(await issuesOf(local)).toEqual([]);
  });
});
