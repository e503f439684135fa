import { describe, expect, test } from "vitest";
import { openStore } from "../../../src/adapters/store/open.ts";
import { readers } from "../../../src/read/index.ts";
import { play } from "../../../src/watch/replay/play.ts";
import { configOf } from "../../support/config-of.ts";

const sources = `report: { title: Kites, audited: 2026-01-01 }
levels: [Low, High]
ratings: { lift: Low, price: Low }
sources:
  limits:
    text: "https://example.org/limits.md"
    claims: { payload: { says: It lifts 100 g, quote: The kite lifts 100 g in a light wind, ratings: [price] } }
`;
const trigger = "name: Delta\nratings: [lift]\non:\n  - change: limits\n";

/** Shows a text from each day on, and says what fired on which. */
async function fired(shown: readonly (readonly [day: string, text: string])[]): Promise<string[]> {
  const config = configOf(sources, { delta: trigger });
  const source = config.sources.get("limits");
  if (!source) throw new Error("no source");
  const frames = shown.map(([date, text]) => {
    const body = Buffer.from(
      `# Payload\n\nWhat a kite lifts in the air depends on the wind and on its sail.\n\n${text}\n`,
    );
    return { at: Date.parse(date), response: { url: source.address, status: 200, headers: {}, body } };
  });
  const database = await openStore(":memory:");
  try {
    const store = database.repository("test");
    const { firings } = await play([{ source, frames }], { config, readers, store });
    return firings.map(
      ({ event, fired }) => `${event.key.split(" ")[1]} ${new Date(fired).toISOString().slice(0, 10)}`,
    );
  } finally {
    await database.close();
  }
}

const lifts = (grams: number) => `The kite lifts ${grams} g in a light wind.`;

describe("a change that comes again after months is reported again", () => {
  test("an edit that was undone meanwhile", async () => {
    const told = await fired([
      ["2026-01-02", "Twelve kites were tried."],
      ["2026-02-05", "Sixteen kites were tried."],
      ["2026-06-05", "Twelve kites were tried."],
      ["2026-11-05", "Sixteen kites were tried."],
    ]);
    expect(told.filter((one) => one.startsWith("changed"))).toEqual([
      ...["changed 2026-02-05", "changed 2026-06-05", "changed 2026-11-05"],
    ]);
  });

  test("the altered text of a claim that was altered to something else meanwhile, and its end", async () => {
    const told = await fired([
      ["2026-01-02", lifts(100)],
      ["2026-02-05", lifts(200)],
      ["2026-04-10", lifts(300)],
      ["2026-06-15", lifts(200)],
      ["2026-08-20", "Nobody knows any more."],
      ["2026-10-25", lifts(200)],
      ["2026-12-30", "Nobody knows any more."],
    ]);
    expect(told.filter((one) => !one.startsWith("changed"))).toEqual([
      ...["altered 2026-02-05", "altered 2026-04-10", "altered 2026-06-15", "gone 2026-08-20"],
      ...["altered 2026-10-25", "gone 2026-12-30"],
    ]);
  });

  test("any altered text, however often it was supported or altered meanwhile", async () => {
    const values = [100, 200, 100, 300, 200, 300, 200, 100, 200, 300, 100, 300];
    const shown = values.map((grams, i) => {
      return [new Date(Date.UTC(2020, 0, 2 + i * 65)).toISOString().slice(0, 10), lifts(grams)] as const;
    });
    const told = await fired(shown);
    const altered = shown.flatMap(([day, text], i) => (i > 0 && text !== lifts(100) ? [`altered ${day}`] : []));
    expect(told.filter((one) => one.startsWith("altered"))).toEqual(altered);
  });

  test("but not within days", async () => {
    const told = await fired([
      ["2026-01-02", lifts(100)],
      ["2026-02-05", lifts(200)],
      ["2026-02-08", lifts(300)],
      ["2026-02-11", lifts(200)],
    ]);
    expect(told.filter((one) => !one.startsWith("changed"))).toEqual(["altered 2026-02-05", "altered 2026-02-08"]);
  });
});
