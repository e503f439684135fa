import { afterAll, expect, test } from "vitest";
import { sync } from "../../src/recheck/sync.ts";
import { scan } from "../../src/watch/scan.ts";
import { type Program, wire } from "../../src/wire/program.ts";
import { closeAll, environment, github, issuesOf, listsOf, opened } from "./ground.ts";
import { hasty } from "./hasty.ts";

afterAll(closeAll);

test("two workflows with a store each on one repository ask in one issue, and write each comment once", async () => {
  const { lists, folder } = await listsOf("alpha");
  const local = await github();
  const other = { ...environment(folder, local, "other"), GITHUB_TOKEN: "reviewer-token" };
  const both = [await opened(folder, local, "own"), await wire(hasty(other, folder))];
  const check = async ({ world, outbox }: Program) => {
    await scan(world, { all: true });
    await outbox.recover?.();
    const result = await sync({ ...outbox, cap: 100 });
    return [...result.opened, ...result.updated, ...result.commented];
  };
  for (const one of both) await check(one);
  for (const entry of ["one", "two"]) {
    lists.add("alpha", entry, true);
    for (const one of both) await check(one);
    for (const one of both) expect(await check(one)).toEqual([]);
  }
  const [issue, ...others] = await issuesOf(local);
  expect(others).toEqual([]);
  for (const entry of ["one", "two"]) expect(issue?.body).toContain(`new entry \`${entry} awaited\``);
  const comments = await local.asPerson<{ body: string }[]>("GET", `/issues/${issue?.number}/comments`);
  expect(comments.map(({ body }) => /new entry `(.*?)`/.exec(body)?.[1])).toEqual(["two awaited"]);
  for (const one of both) await one.close();
});
