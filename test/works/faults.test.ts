import { expect, test } from "vitest";
import { createRegistries, type RegistryAnswer } from "../../src/works/registries.ts";
import { citedWorksOf } from "../../src/works/split.ts";
import { type Kept, registryOf } from "./registry.ts";
import { verify } from "./verify.ts";

/** Each way in which a service fails, for each service: the verdicts are the same, or there is none. */

const works: readonly Kept[] = [
  {
    title: "Long flights of small kites over the sea",
    authors: ["Vilnia, Ash"],
    year: 2018,
    venue: "Lift",
    doi: "10.5555/kite.1",
  },
  {
    title: "Knots that hold wet lines under load",
    authors: ["Drava, Ida"],
    year: 2015,
    venue: "Lift",
    doi: "10.5555/kite.2",
  },
  {
    title: "Slow echoes of wet sand over the coast",
    authors: ["Narew, Ute"],
    year: 2017,
    venue: "Lift",
    doi: "10.5555/kite.3",
  },
  { title: "Sails of woven paper after forty winters", authors: ["Warta, Eli"], year: 2017, arxiv: "1706.00001" },
  {
    title: "Kites that steer by their noise alone",
    authors: ["Bug, Ola"],
    year: 2019,
    venue: "Lift",
    doi: "10.5555/kite.5",
    isRetracted: true,
  },
];
const entry = (title: string, author: string, year: number, more: string) =>
  `@article{k, title = {${title}}, author = {${author}}, journal = {Lift}, year = ${year}${more}}\n`;
const bib = [
  entry("Long flights of small kites over the sea", "Vilnia, Ash", 2018, ", doi = {10.5555/kite.1}"),
  entry("Knots that hold wet lines under load", "Drava, Ida", 2015, ""),
  entry("Long flights of small kites over the sea", "Vilnia, Ash", 2018, ", doi = {10.5555/kite.2}"),
  entry("Slow echoes of wet sand over the coast", "Vilnia, Ash", 2017, ", doi = {10.5555/kite.3}"),
  entry("Slow echoes of wet sand over the coast", "Vilnia, Ash", 2017, ""),
  entry("A theory of knots that untie themselves in fog", "Bug, Ola", 2019, ", doi = {10.5555/kite.404}"),
  entry("A theory of knots that untie themselves in fog", "Bug, Ola", 2019, ""),
  entry("Sails of woven paper after forty winters", "Warta, Eli", 2017, ", eprint = {1706.00001}"),
  entry("Kites that steer by their noise alone", "Bug, Ola", 2019, ", doi = {10.5555/kite.5}"),
].join("");
const registry = registryOf(works, ["Lift"]);
const right = [
  ...["ok", "ok", "other-work", "differs", "differs"],
  ...["not-found", "not-found", "ok", "retracted"],
] as const;

const endless = { DOI: "10.1/x", doi: "10.1/x", title: "Sand", titles: [{ title: "Sand" }] };
const record = { DOI: "10.5555/kite.9", title: ["Another work of nobody's choice"], author: [{ family: "Oder" }] };
const json = (body: unknown, status = 200): RegistryAnswer => ({ status, body: JSON.stringify(body) });
const faults: Readonly<Record<string, RegistryAnswer>> = {
  "a page of HTML": { status: 200, body: "<!doctype html><title>Sorry</title>" },
  "an error with 200": json({ status: "failed", "message-type": "error", message: [{ type: "error" }] }),
  "nothing with 200": { status: 200, body: "" },
  "an empty list": json({ message: { items: [] }, results: "none" }),
  "429": { status: 429, body: "slow down" },
  "403": { status: 403, body: "" },
  "500": { status: 500, body: "" },
  "503": json({ message: "later" }, 503),
  "a timeout": { status: 0, body: "" },
  "an endless list": json({
    message: { items: Array.from({ length: 5_000 }, () => ({ ...endless, title: ["Sand"] })) },
    results: Array.from({ length: 5_000 }, () => ({ ...endless, authorships: [] })),
  }),
  "another work": json({ message: record, data: { attributes: { doi: record.DOI, titles: [{ title: "Oder" }] } } }),
};
const services = ["api.crossref.org", "api.openalex.org", "api.datacite.org", "doi.org", "export.arxiv.org"];

async function verdictsIf(fault: RegistryAnswer | undefined, service: string): Promise<string[]> {
  const ask = async (url: string) => (fault && new URL(url).host === service ? fault : await registry(url));
  const verdicts = await verify(citedWorksOf("a.bib", bib), createRegistries(ask), Date.UTC(2026, 10, 26));
  return verdicts.map(({ finding, isUnanswered }) => (isUnanswered ? "not checked" : finding));
}

test("without a fault", async () => {
  expect(await verdictsIf(undefined, "")).toEqual(right);
});

test("of nine verdicts, so many are the same if a service fails; the others are no accusation", async () => {
  const table = await Promise.all(
    Object.entries(faults).map(async ([name, fault]) => {
      const cells = services.map(async (service) => {
        const verdicts = await verdictsIf(fault, service);
        const others = verdicts.filter((one, i) => one !== right[i]);
        expect(others.filter((one) => !["not checked", "unknown", "ok"].includes(one))).toEqual([]);
        return String(verdicts.length - others.length);
      });
      return `${name}: ${(await Promise.all(cells)).join(" ")}`;
    }),
  );
  expect([`service: ${services.join(" ")}`, ...table].join("\n")).toMatchInlineSnapshot(`
    "service: api.crossref.org api.openalex.org api.datacite.org doi.org export.arxiv.org
    403: 3 7 8 8 8
    429: 3 7 8 8 8
    500: 3 7 8 8 8
    503: 3 7 8 8 8
    a page of HTML: 3 7 8 8 8
    an error with 200: 3 7 8 8 8
    nothing with 200: 3 7 8 8 8
    an empty list: 3 7 8 8 8
    a timeout: 3 7 8 8 8
    an endless list: 3 9 8 8 8
    another work: 3 7 8 8 8"
  `);
});
