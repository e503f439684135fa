import { expect, test } from "vitest";
import { type Days, page, told } from "../support/story.ts";

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
