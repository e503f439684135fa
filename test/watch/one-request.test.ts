import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { begin, configOf, day, hour, page } from "../support/story.ts";
import { type Answer, openWorld, type World } from "../support/world-of.ts";

const url = "https://example.org/manual";
const table = (cost: number) => `<div id="cost"><h2>Cost</h2><p>The engine costs ${cost} guilders a day.</p></div>`;
const two = {
  sources: `sources:
  whole: { page: "${url}", ignore: "#cost" }
  cost: { page: "${url}", select: "#cost" }
`,
  triggers: {
    whole: "name: Whole\nratings: [a]\non:\n  - change: whole\n",
    cost: "name: Cost\nratings: [a]\non:\n  - change: cost\n",
  },
};
const one = {
  sources: `sources:\n  whole: { page: "${url}", ignore: "#cost" }\n`,
  triggers: { whole: two.triggers.whole },
};

/** Answers, and how often each address was asked for. */
class CountingWeb extends Map<string, Answer> {
  asked = 0;
  override get(address: string): Answer | undefined {
    this.asked++;
    return super.get(address);
  }
}

let web: CountingWeb;
let world: World;
beforeEach(async () => {
  web = new CountingWeb();
  world = await openWorld(configOf(two), web);
});
afterEach(() => world.close());

async function outcomes(at: number): Promise<string[]> {
  const before = web.asked;
  const { checks } = await world.scanAt(begin + at);
  return [`${web.asked - before} asked`, ...checks.map(({ source, outcome }) => `${source} ${outcome}`).sort()];
}

describe("two readings of one address", () => {
  test("are checked by one request, and each gives its own content", async () => {
    web.set(url, page(table(5)));
    expect(await outcomes(0)).toEqual(["1 asked", "cost first", "whole first"]);
    expect(await outcomes(day)).toEqual(["1 asked", "cost unchanged", "whole unchanged"]);
    web.set(url, page(table(7)));
    expect(await outcomes(2 * day)).toEqual(["1 asked", "cost unchanged", "whole unchanged"]);
    expect(await outcomes(2 * day + 6 * hour)).toEqual(["1 asked", "cost changed", "whole unchanged"]);
    expect((await world.store.firings()).map(({ trigger }) => trigger)).toEqual(["cost"]);
  });

  test("fail together, and are seen again together", async () => {
    web.set(url, page(table(5)));
    await outcomes(0);
    web.set(url, new Failure("status", { status: 503 }));
    expect(await outcomes(day)).toEqual(["1 asked", "cost unknown", "whole unknown"]);
    const troubles = (await world.store.watches()).map(({ source, trouble }) => `${source}: ${trouble?.says}`);
    expect(troubles.sort()).toEqual(["cost: 503", "whole: 503"]);
    web.set(url, page(table(5)));
    expect(await outcomes(2 * day)).toEqual(["1 asked", "cost unchanged", "whole unchanged"]);
  });

  test("with one of them new: the whole answer is asked for, once", async () => {
    world.reconfigure(configOf(one));
    web.set(url, page(table(5)));
    expect(await outcomes(0)).toEqual(["1 asked", "whole first"]);
    world.reconfigure(configOf(two));
    expect(await outcomes(hour)).toEqual(["1 asked", "cost first", "whole unchanged"]);
  });
});
