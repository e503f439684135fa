import * as z from "zod";
import { instantOf } from "../../language/dates.ts";
import { wordSet } from "../../model/cache.ts";
import type { Response } from "../../model/ports/index.ts";
import type { Facts, Reading } from "../../model/reading.ts";
import { aDay } from "../../model/time.ts";
import { pluralize } from "../../model/words.ts";
import { type CitedHere, type CitedState, type Recognised, readerOf } from "../reader.ts";
import { pathParts } from "../shared/address.ts";
import { jsonAt, limitItems, parseJson, parseShape } from "../shared/body.ts";
import { factsFrom, versionItem } from "../shared/given.ts";

const ofMaintained = " maintained";
const ofEnd = " end";

/**
 * A product of endoflife.date: the newest version of each release cycle as items; as facts whether a cycle is
 * maintained (`3.9 maintained`), and the day on which that ends, if known (`3.9 end`).
 */
export const endoflife = readerOf({
  kind: "endoflife",
  spec: "https://endoflife.date/docs/api/v1/",
  noun: "lifecycle",
  cadence: "12h",
  example: "python",
  address: z.string().regex(/^[a-z\d][a-z\d.+-]{0,80}$/, "needs the name of a product in its address, e.g. python"),
  recognises,
  gives: () => ({ items: true, values, suchAs: [`3.9${ofMaintained}`, `3.9${ofEnd}`] }),
  current: true,
  version: 1,
  request: ({ address }) => jsonAt(`https://endoflife.date/api/v1/products/${address}/`),
  read,
  page: ({ address }) => `https://endoflife.date/${address}`,
  titleOf: (_, { title }) => title && `${title} at endoflife.date`,
  versionsOf: (address) => address,
  statesNow,
});

/** First parts of paths that are no products. */
const ofSite = wordSet("about api assets calendar categories contribute docs recommendations release-policies tags");

function recognises(url: URL): Recognised | undefined {
  const { host, parts } = pathParts(url);
  const [product, ...more] = parts;
  if (host !== "endoflife.date" || product === undefined || more.length > 0 || ofSite.has(product)) return undefined;
  return { address: product };
}

function values(fact: string): readonly string[] | undefined {
  if (fact.endsWith(ofMaintained)) return ["yes", "no"];
  return fact.endsWith(ofEnd) ? [] : undefined;
}

const shape = z.object({
  result: z.object({
    label: z.string(),
    releases: z.array(
      z.object({
        name: z.string().min(1),
        isMaintained: z.boolean().nullish(),
        eolFrom: z.string().nullish(),
        latest: z.object({ name: z.string().min(1), date: z.string().nullish(), link: z.string().nullish() }).nullish(),
      }),
    ),
  }),
});

type Cycle = z.infer<typeof shape>["result"]["releases"][number];

function read(response: Response): Reading {
  const { label, releases } = parseShape(shape, parseJson(response), "product of endoflife.date").result;
  const items = limitItems(releases).flatMap(({ latest }) =>
    latest ? [versionItem(label, latest.name, { url: latest.link, at: latest.date })] : [],
  );
  return {
    title: label,
    items: [...new Map(items.map((item) => [item.id, item])).values()],
    facts: Object.assign({}, ...releases.map(factsOf)),
  };
}

function factsOf({ name, isMaintained, eolFrom }: Cycle): Facts {
  return factsFrom({ [`${name}${ofMaintained}`]: isMaintained, [`${name}${ofEnd}`]: eolFrom });
}

/** An end that is at most this far ahead is reported before it comes. */
const soon = 90 * aDay;

/** The state of the cycles that the report names after the product's name: `Python 3.9`. */
function statesNow({ title, facts = {} }: Pick<Reading, "title" | "facts">, { words, at }: CitedHere): CitedState[] {
  const cycles = Object.keys(facts).flatMap((fact) => /^(.+) (?:end|maintained)$/.exec(fact)?.[1] ?? []);
  return [...cyclesNamed(words, title ?? "", new Set(cycles))].flatMap((cycle): CitedState[] => {
    const end = facts[`${cycle}${ofEnd}`];
    const on = instantOf(end);
    const evidence = `${title} ${cycle}${end === undefined ? "" : `, ${end}`}`;
    const maintained = facts[`${cycle}${ofMaintained}`];
    // Extended support may continue after that day.
    const isOver = maintained === undefined ? on !== undefined && on <= at : maintained === "no";
    if (isOver) return [{ says: `says that ${cycle} is no longer maintained`, evidence, ended: true }];
    if (on === undefined || on <= at || on - at > soon) return [];
    const says = `says that ${cycle} ends in ${pluralize(Math.ceil((on - at) / aDay), "day")}`;
    return [{ says, evidence, ended: false }];
  });
}

function cyclesNamed(words: string, product: string, cycles: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  const key = product.toLowerCase();
  const text = words.toLowerCase();
  for (let from = key === "" ? -1 : text.indexOf(key); from >= 0; from = text.indexOf(key, from + 1)) {
    const behind = text.slice(from + key.length, from + key.length + 60);
    const version = /^[\s|:]{1,3}(?:(?:version|release)\s+)?v?(\d+(?:\.\d+){0,3})/.exec(behind)?.[1] ?? "";
    const own = [...cycles].filter((cycle) => `${version}.`.startsWith(`${cycle}.`));
    const [longest] = own.sort((a, b) => b.length - a.length);
    if (longest !== undefined) names.add(longest);
  }
  return names;
}
