import { expect, test } from "vitest";
import { linesOf } from "../../../src/faces/cli/explain/index.ts";
import type { Firing } from "../../../src/model/firing.ts";
import { renderIssue } from "../../../src/recheck/issue/body.ts";
import { markOf } from "../../../src/recheck/issue/marker.ts";
import { groupReleases } from "../../../src/recheck/issue/question.ts";
import { headline } from "../../../src/recheck/issue/title.ts";
import { explain } from "../../../src/status/explain/index.ts";
import { begin, configOf, day, hour } from "../../support/story.ts";
import { openWorld } from "../../support/world-of.ts";
import { at, config, evidence, firing } from "../samples.ts";

function released(version: string, on: string, more: Partial<Firing> = {}) {
  const item = { id: version, title: `Loom ${version}`, url: `https://loom.example/${version}`, at: at(on) };
  return firing("tensor", `loom ${version}`, {
    event: { key: `loom ${version}`, product: "loom", version, at: at(on) },
    evidence: [evidence("loom-releases", { change: { kind: "item-added", item } })],
    ...more,
  });
}

const three = [released("2.12.1", "2026-07-01"), released("2.14.0", "2026-07-08"), released("2.13.0", "2026-07-05")];

test("releases of one product that one check saw first are one entry, the newest first", () => {
  const [one, ...others] = groupReleases(three);
  expect(others).toEqual([]);
  expect(one && headline(one, config).text).toBe("Loom 2.14.0, 2.13.0 and 2.12.1 released");
  const { title, body } = renderIssue({
    ...{ config, trigger: "tensor", marker: "m", firings: three, claims: [] },
    link: ({ address }) => address,
  });
  expect(title).toBe("Loom 2.14.0, 2.13.0 and 2.12.1 released; is “Tensor” still right?");
  expect(body.match(/^\*\*\d+\. /gm)).toEqual(["**1. "]);
  expect(body).toMatch(/^Together with \[`Loom 2\.13\.0`\]\(.*\) and \[`Loom 2\.12\.1`\]\(.*\)$/m);
  expect(markOf(body)?.events.toSorted()).toEqual(["loom 2.12.1", "loom 2.13.0", "loom 2.14.0"]);
});

test("the contrary one leads, and of many the number is reported", () => {
  const many = Array.from({ length: 9 }, (_, i) => released(`2.${i}.0`, `2026-07-0${i + 1}`));
  const [one] = groupReleases([released("1.0.0", "2026-06-01", { weight: "contrary" }), ...many]);
  expect(one).toMatchObject({ weight: "contrary", event: { version: "1.0.0" } });
  expect(one && headline(one, config).text).toBe("Loom 1.0.0, 2.8.0, 2.7.0, 2.6.0, 2.5.0, 2.4.0 and 4 more released");
});

test("another check, product, trigger or pre-release is reported on its own", () => {
  const [first] = three;
  const other = released("2.15.0", "2026-07-09");
  const item = { id: "x", title: "x", pre: true };
  const apart = [
    { ...other, fired: other.fired + 1 },
    { ...other, event: { ...other.event, product: "spindle" } },
    { ...other, trigger: "vector" },
    { ...other, evidence: [evidence("loom-releases", { change: { kind: "item-added", item } })] },
    { ...other, evidence: [evidence("loom-blog")] },
  ];
  for (const one of apart) expect(first && groupReleases([first, one])).toHaveLength(2);
});

const releases = (...versions: string[]) =>
  `<feed xmlns="http://www.w3.org/2005/Atom">${versions
    .map(
      (version) =>
        `<entry><id>${version}</id><title>Engine ${version}</title><updated>2026-05-01T00:00:00Z</updated></entry>`,
    )
    .join("")}</feed>`;

test("seen at once they are reported once, and not again if another source lists them", async () => {
  const told = configOf({
    sources: `products: { engine: { name: Engine } }
sources:
  one: { feed: "https://example.org/one", announces: engine }
  two: { feed: "https://example.org/two", announces: engine }
`,
    triggers: { t: "name: T\nratings: [a]\non:\n  - release: engine\n" },
  });
  const web = new Map([
    ["https://example.org/one", releases("1.0")],
    ["https://example.org/two", releases("1.0")],
  ]);
  const world = await openWorld(told, web);
  await world.scanAt(begin);
  web.set("https://example.org/one", releases("1.2", "1.1.1", "1.1", "1.0"));
  await world.scanAt(begin + day);
  web.set("https://example.org/two", releases("1.2", "1.1.1", "1.1", "1.0"));
  await world.scanAt(begin + 2 * day);
  const firings = await world.store.firings();
  expect(firings.map(({ event, evidence }) => [event.version, evidence.map(({ source }) => source)])).toEqual([
    ["1.2", ["one", "two"]],
    ["1.1.1", ["one", "two"]],
    ["1.1", ["one", "two"]],
  ]);
  expect(groupReleases(firings)).toHaveLength(1);
  const [story] = (await explain("t", { config: told, store: world.store, at: begin + 2 * day + hour })) ?? [];
  const lines = story ? linesOf(story, told, begin + 2 * day + hour) : [];
  expect(lines).toContain("Not asked yet, because of t, with 3 events:");
  expect(lines.filter((line) => line.startsWith("  ● for your information"))).toEqual([
    "  ● for your information  2026-05-01  Engine 1.2, 1.1.1 and 1.1 released  · event engine 1.2.0, engine 1.1.1, engine 1.1.0",
  ]);
  await world.close();
});
