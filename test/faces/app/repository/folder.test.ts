import { afterEach, beforeEach, expect, test } from "vitest";
import { headOf, type Instance, startInstance } from "../../../support/instance.ts";

let it: Instance;

beforeEach(async () => {
  it = await startInstance("alpha", "beta");
});
afterEach(() => it.close());

const folder = ".github/recheck";
const issues = () => it.local.asPerson<{ title: string; body: string }[]>("GET", "/issues?state=all");
const bodyOf = async (title: RegExp) => (await issues()).find((one) => title.test(one.title))?.body ?? "";
const inFolder = (files: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

test("if config lives in a folder, every file of it is reported with that", async () => {
  it.lists.add("alpha", "one");
  await it.serve(inFolder(it.config()));
  const recheck = await bodyOf(/“About alpha”/);
  expect(recheck).toContain(`Opened because of \`${folder}/triggers/alpha.yaml\` (`);
  const overview = await bodyOf(/^Recheck overview$/);
  expect(overview).toContain(`| About alpha (\`${folder}/triggers/alpha.yaml\`) |`);
  expect(overview).toContain(`To have no such issue, write \`overview: no\` into \`${folder}/sources.yaml\`.`);
  for (const body of [recheck, overview]) expect(body).not.toMatch(/`(?:triggers\/\w+|sources)\.yaml`/);

  const sha = await headOf(it, "main");
  await it.local.asPerson("POST", "/git/refs", { ref: "refs/heads/change", sha });
  await it.push(inFolder({ "triggers/beta.yaml": undefined }), "change");
  const found = await it.local.asPerson<{ check_runs: { output: { summary: string } }[] }>(
    "GET",
    "/commits/change/check-runs",
  );
  expect(found.check_runs.map(({ output }) => output.summary)).toEqual([expect.stringContaining("1 trigger dropped.")]);

  await it.commit(inFolder({ "sources.yaml": `${it.config()["sources.yaml"]}overview: no\n` }));
  await it.run();
  expect(await bodyOf(/^Recheck overview$/)).toContain(`\`overview: no\` is set in \`${folder}/sources.yaml\`.`);
});
