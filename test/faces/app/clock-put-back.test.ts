import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endInstance, type Instance, issuesOf, startServed } from "../../support/instance.ts";

/** The clock of the server's machine was far ahead for a while, and is right again. */

const hour = 3_600_000;
const wrong = 20 * 24 * hour;
let it: Instance;

beforeEach(async () => {
  it = await startServed("alpha", "gamma");
  it.pass(3 * hour);
});

afterEach(() => endInstance(it));

const about = async (source: string) => (await issuesOf(it)).find(({ title }) => title.includes(`“About ${source}”`));

describe("times noted by a clock that was days ahead hold nothing up once it is right", () => {
  test("a pause after GitHub refused everything", async () => {
    it.pass(wrong);
    it.lists.add("alpha", "one");
    it.local.fault({ match: /./, when: "before", status: 401, message: "Bad credentials", times: 1_000 });
    await it.run();
    it.local.mend();
    it.pass(-wrong);
    it.lists.add("gamma", "two");
    for (let passed = 0; passed < 3; passed++) {
      it.pass(13 * hour);
      await it.run();
    }
    expect((await about("alpha"))?.body).toContain("one");
    expect((await about("gamma"))?.body).toContain("two");
  });

  test("a command whose webhook got lost meanwhile", async () => {
    it.lists.add("alpha", "one");
    it.pass(24 * hour);
    await it.run();
    const recheck = await about("alpha");
    it.pass(wrong);
    await it.run();
    it.pass(-wrong);
    it.local.loseWebhooks(true);
    await it.local.asPerson("POST", `/issues/${recheck?.number}/comments`, { body: "/recheck help" });
    await it.local.settled();
    it.local.loseWebhooks(false);
    it.pass(2 * hour);
    await it.run();
    expect(it.local.reactions).toHaveLength(1);
  });
});
