import { describe, expect, test } from "vitest";
import { configOf } from "../support/config-of.ts";
import { begin, day, hour, page } from "../support/story.ts";
import { type Answer, openWorld } from "../support/world-of.ts";

const each = 12;
const names = (kind: string) => Array.from({ length: each }, (_, index) => `${kind}-${index}`);
const all = [...names("often"), ...names("daily")];
const address = (id: string) => `https://${id}.example.org/`;
const config = configOf(
  `report: { title: Report, audited: 2026-05-16 }
ratings: { a: High }
sources:
${all.map((id) => `  ${id}: { page: "${address(id)}", every: ${id.startsWith("often") ? "6h" : "1d"} }`).join("\n")}
`,
  {
    t: `name: T\nratings: [a]\non: [${names("often")
      .map((id) => `{ change: ${id} }`)
      .join(", ")}]`,
  },
);

/** A cron as they are: every run starts late, each by another part of the pause, 25 minutes at most. */
function* runsOf(pause: number, days: number): Generator<number> {
  const latest = Math.min(pause / 4, (25 * hour) / 60);
  for (let run = 0; run * pause < days * day; run++) yield begin + run * pause + (((run * 7919) % 101) / 100) * latest;
}

const pageSaying = (text: string) => page(`<p>${text}</p>`);

/** The mean pause between two checks, in hours. */
async function meanPauses(pause: number): Promise<{ often: number; daily: number }> {
  const { scanAt, close } = await openWorld(config, new Map(all.map((id) => [address(id), pageSaying("It holds.")])));
  const checks = new Map<string, number[]>(all.map((id) => [id, []]));
  for (const at of runsOf(pause, 30)) for (const { source } of (await scanAt(at)).checks) checks.get(source)?.push(at);
  await close();
  const mean = (kind: string) => {
    const pauses = names(kind).map((id) => {
      const times = checks.get(id) ?? [];
      return ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1);
    });
    return pauses.reduce((sum, one) => sum + one, 0) / each / hour;
  };
  return { often: mean("often"), daily: mean("daily") };
}

/** How long a change waits for its second check, in hours: of every source, whenever it was edited. */
async function waits(pause: number): Promise<number[]> {
  const web = new Map<string, Answer>(all.map((id) => [address(id), pageSaying("It holds 128 GB.")]));
  const { store, scanAt, close } = await openWorld(config, web);
  for (const at of runsOf(pause, 8)) {
    for (const [i, id] of names("often").entries()) {
      if (at > begin + 3 * day + i * 5 * hour) web.set(address(id), pageSaying("It holds 192 GB."));
    }
    await scanAt(at);
  }
  const firings = await store.firings();
  await close();
  expect(firings).toHaveLength(each);
  return firings.map(({ seen, fired }) => (fired - seen) / hour);
}

/** Wanted: 6 h, 24 h, and 6 h for a second check. */
describe.each([
  ["every six hours", 6 * hour],
  ["every hour", hour],
  ["every ten minutes", hour / 6],
])("under a cron %s", (_, pause) => {
  test("sources are checked as often as they should be, over 30 days", async () => {
    const { often, daily } = await meanPauses(pause);
    expect(often).toBeGreaterThan(5.5);
    expect(often).toBeLessThan(6.2);
    expect(daily).toBeGreaterThan(22);
    expect(daily).toBeLessThan(24.5);
  });

  test("a change is confirmed when it should be", async () => {
    for (const wait of await waits(pause)) {
      expect(wait).toBeGreaterThan(5.3);
      expect(wait).toBeLessThan(7.2);
    }
  });
});
