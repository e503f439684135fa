import { expect, test } from "vitest";
import { builtIn } from "../../src/model/firing.ts";
import { findingsFirst, firstFindings } from "../../src/recheck/first-check.ts";
import { issueTitle } from "../../src/recheck/issue/title.ts";
import { configOf } from "../support/config-of.ts";
import { evidence, firing } from "./samples.ts";

const configWith = (price: string) =>
  configOf(`
report: { title: Tools, audited: 2026-05-01 }
sources:
  kite:
    page: https://kite.example/pricing
    title: Kite pricing
    cites: [2]
    claims:
      team: { says: The Team plan costs ${price} per month, value: ${price}, of: Team plan }
      seats: { says: The Team plan has 5 seats, value: 5 seats, of: Team plan }
`);
const otherwise = (claim: string, after: string) =>
  firing(builtIn.notFound, `kite/${claim} not found`, {
    evidence: [
      evidence("kite", {
        part: "claim",
        claim: `kite/${claim}`,
        change: { kind: "claim", claim: `kite/${claim}`, from: "supported", to: "not found", after, otherwise: true },
      }),
    ],
  });
const firings = [
  otherwise("team", "The Team plan costs $39 per month"),
  otherwise("seats", "The Team plan has 8 seats"),
];

test("a corrected sentence is no longer out of date, and no source contradicts it", () => {
  const asked = { id: builtIn.notFound, name: "Out of date", ratings: [] };
  const told = (price: string) => {
    const config = configWith(price);
    const title = issueTitle(
      { ...config.triggers.get(builtIn.notFound), ...asked } as never,
      findingsFirst(firings, config),
      config,
    );
    return [title, ...firstFindings(firings, config).findings.map(({ says }) => says)];
  };
  const seats = "says 8; the report says 5";
  expect(told("$29")).toEqual([
    "2 things in this report are out of date: Kite pricing [2] says $39; the report says $29",
    "says $39; the report says $29",
    seats,
  ]);
  expect(told("$39")).toEqual([`Kite pricing [2] ${seats}`, seats]);
});
