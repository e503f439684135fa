import { expect, test } from "vitest";
import { nextJudgement } from "../../src/compare/index.ts";
import { empty } from "../../src/compare/page/memory.ts";
import { type Days, day, page, told } from "../support/story.ts";

/** A place whose texts pass, until one of them stays. */

const address = "https://example.org/manual";
const changes = {
  sources: `sources:\n  manual: { page: "${address}" }\n`,
  triggers: { t: "name: T\nratings: [a]\non: [{ change: manual }]" },
};
const said = (text: string) => ({ [address]: page(`<p>${text}</p>`) });

const passing = [
  "Engines cool slowly.",
  "Oil every valve.",
  "Close its lid.",
  "Count all bolts.",
  "Read both labels.",
  "Never lift it alone.",
  "Fuel burns blue.",
  "Keep children away.",
];
const often: Days = Object.fromEntries(passing.map((text, n) => [n / 6, said(text)]));

test("a text that stays is accepted, although the server sends the same bytes each time", async () => {
  const days = { ...often, 2: said("Wear gloves."), 20: said("This manual was withdrawn.") };
  expect(await told(changes, days)).toEqual(["20 t: Wear gloves. → This manual was withdrawn."]);
});

test("the time at which it is accepted is found among very many held texts", () => {
  const pending = Array.from({ length: 200_000 }, (_, n) => ({
    name: `${n}`,
    side: "added" as const,
    since: n,
    place: "",
  }));
  expect(nextJudgement({ page: { ...empty, accepted: [], pending } })).toBe(2 * day);
});
