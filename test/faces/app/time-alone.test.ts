import { expect, test } from "vitest";
import { anHour } from "../../../src/model/time.ts";
import { startInstance } from "../../support/instance.ts";

test("events that time alone brings come, however many webhooks a repository has", async () => {
  const it = await startInstance("alpha");
  // The only entry is of New Year's Day: the silence is long enough within an hour, so that the check of the next day sees it.
  const hours = Math.ceil((it.now() - Date.UTC(2026, 0, 1)) / anHour);
  const files = Object.entries(it.config()).map(([path, text]): [string, string] => [
    path,
    path.startsWith("triggers/") ? text.replace("on:\n", `on:\n  - { silence: alpha, for: ${hours}h }\n`) : text,
  ]);
  await it.serve(Object.fromEntries(files));
  for (let push = 0; push < 30; push++) {
    it.pass((5 * anHour) / 6);
    await it.commit({ "notes.txt": `note ${push}` }, "main");
    await it.run();
  }
  const fired = await it.stored(async (store) => (await store.firings()).length);
  await it.close();
  expect(fired).toBe(1);
});
