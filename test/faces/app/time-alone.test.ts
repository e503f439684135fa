import { expect, test } from "vitest";
import { anHour } from "../../../src/model/time.ts";
import { startInstance } from "../../support/instance.ts";

test("what time alone brings comes, however many webhooks a repository has", async () => {
  const it = await startInstance("alpha");
  const files = Object.entries(it.config()).map(([path, text]): [string, string] => [
    path,
    path.startsWith("triggers/") ? text.replace("on:\n", "on:\n  - { silence: alpha, for: 332d }\n") : text,
  ]);
  await it.commit(Object.fromEntries(files));
  await it.start();
  await it.run();
  for (let push = 0; push < 90; push++) {
    it.pass((5 * anHour) / 6);
    await it.commit({ "notes.txt": `note ${push}` }, "main");
    await it.run();
  }
  const fired = await it.stored(async (store) => (await store.firings()).length);
  await it.close();
  expect(fired).toBe(1);
});
