import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareItems, type ItemMemory } from "../../src/compare/items.ts";
import type { Item } from "../../src/model/reading.ts";

const hour = 3_600_000;
const day = 24 * hour;
const audited = Date.UTC(2026, 4, 16);

type Form = (entry: Item, check: number) => Item;

/** Checks posts in the forms that they have at each check, six times a day; says what each check reported. */
function checks(forms: readonly (readonly [posts: readonly number[], form: Form])[], dated: boolean): string[][] {
  let memory: ItemMemory | undefined;
  return forms.map(([posts, form], index) => {
    const items = posts.map((n): Item => {
      const url = `http://blog.example/${n}`;
      const at = dated ? audited - 100 * day + n * day : undefined;
      return form({ id: url, title: `Post ${n}`, url, ...(at !== undefined && { at }) }, index);
    });
    const at = audited + 30 * day + index * 4 * hour;
    const result = compareItems(memory, items, { at, confirmAfter: 6 * hour, structured: true, audited });
    memory = JSON.parse(JSON.stringify(result.memory));
    return result.changes.map(({ change }) => `${change.kind} ${change.item.title}`);
  });
}

const plain: Form = (entry) => entry;
const to =
  (change: (address: string, check: number) => string): Form =>
  (entry, check) => ({ ...entry, id: change(entry.id, check), url: change(entry.url ?? "", check) });
const secure = to((address) => address.replace("http:", "https:"));

describe.each([
  ["dated", true],
  ["undated", false],
])("%s entries that are listed under another id", (_, dated) => {
  test.each<[string, Form]>([
    ["that leads to the same by https", secure],
    ["with www.", to((address) => address.replace("//", "//www."))],
    ["with a slash at the end", to((address) => `${address}/`)],
    ["with a campaign", to((address) => `${address}?utm_source=rss&utm_medium=feed`)],
    ["with a campaign that is another at each check", to((address, check) => `${address}?utm_campaign=${check}`)],
    ["by another program, at the same addresses", (entry) => ({ ...entry, id: `id ${entry.title}` })],
  ])("%s are not new, and those that come meanwhile are", (_, form) => {
    const forms: (readonly [number[], Form])[] = [
      [[4, 3, 2, 1], plain],
      [[5, 4, 3, 2], form],
      [[5, 4, 3, 2], form],
      [[6, 5, 4, 3], form],
    ];
    expect(checks(forms, dated).flat()).toEqual(["item-added Post 5", "item-added Post 6"]);
  });

  test("and come back into the list are not new", () => {
    const forms: (readonly [number[], Form])[] = [
      [[4, 3, 2, 1], plain],
      [[5, 4, 3, 2], plain],
      [[5, 4, 3, 2], secure],
      [[4, 3, 2, 1], secure],
      [[4, 3, 2, 1], secure],
      [[4, 3, 2, 1], secure],
    ];
    expect(
      checks(forms, dated)
        .flat()
        .filter((said) => said.startsWith("item-added")),
    ).toEqual(["item-added Post 5"]);
  });

  test("by a mirror, to and fro, are not new", () => {
    const turns = Array.from({ length: 6 }, (_, i) => [[3, 2, 1], i % 2 === 0 ? plain : secure] as const);
    expect(checks(turns, dated).flat()).toEqual([]);
  });

  test("at another part of one page are new", () => {
    const parts: Form = (entry) => {
      const address = `http://blog.example/log#${entry.title}`;
      return { ...entry, id: address, url: address };
    };
    const forms: (readonly [number[], Form])[] = [
      [[3, 2, 1], parts],
      [[6, 5, 4], parts],
      [[6, 5, 4], parts],
      [[6, 5, 4], parts],
    ];
    expect(checks(forms, dated).flat().toSorted()).toEqual([4, 5, 6].map((n) => `item-added Post ${n}`));
  });
});

test("entries with other ids and other dates are not new if several have their titles and addresses", () => {
  const anew: Form = (entry) => ({ ...entry, id: `id ${entry.title}`, at: (entry.at ?? 0) + hour });
  const all = [
    [[3, 2, 1], plain],
    [[3, 2, 1], anew],
  ] as const;
  expect(checks(all, true).flat()).toEqual([]);
});

test("entries with other ids and other titles are not new if time and address are the same", () => {
  const anew: Form = (entry) => ({ ...entry, id: `id ${entry.title}`, title: `${entry.title} | Blog` });
  const all = [
    [[3, 2, 1], plain],
    [[4, 3, 2, 1], anew],
  ] as const;
  const added = checks(all, true)
    .flat()
    .filter((said) => said.startsWith("item-added"));
  expect(added).toEqual(["item-added Post 4 | Blog"]);
});

describe("an entry whose id and address follow its edited headline", () => {
  const said = "The mill was opened on Monday, after two years of work.";
  const post = (n: number, title: string, text: string, on = n): Item => ({
    id: `https://blog.example/${title.replaceAll(" ", "-")}`,
    url: `https://blog.example/${title.replaceAll(" ", "-")}`,
    title,
    at: audited + on * day,
    ...(text !== "" && { blocks: [{ path: [], kind: "paragraph", text }] }),
  });
  const changesOf = (...lists: readonly (readonly Item[])[]) => {
    let memory: ItemMemory | undefined;
    return lists.flatMap((items, index) => {
      const at = audited + 30 * day + index * 7 * hour;
      const result = compareItems(memory, items, { at, confirmAfter: 6 * hour, structured: true, audited });
      memory = JSON.parse(JSON.stringify(result.memory));
      return index === 0 ? [] : result.changes.map(({ change }) => `${change.kind} ${change.item.title}`);
    });
  };

  test("is the same if its date and text are", () => {
    const before = [post(3, "Mill opened", said), post(2, "Sled", "A sled was built in the yard behind the house.")];
    const after = [post(3, "New mill opened at last", said), ...before.slice(1)];
    expect(changesOf(before, after, after)).toEqual(["item-edited New mill opened at last"]);
  });

  test("is another one with another date, without a text, or if several have that text", () => {
    const old = post(1, "Kite", "A kite was flown over the hill, and came down again.");
    for (const [was, is] of [
      [[post(3, "Mill opened", said)], [post(3, "New mill", said, 4)]],
      [[post(3, "Mill opened", "")], [post(3, "New mill", "")]],
      [[post(3, "Mill opened", said)], [post(3, "New mill", said), post(3, "Old mill", said)]],
    ] as const) {
      const added = changesOf([...was, old], [...is, old]).filter((one) => one.startsWith("item-added"));
      expect(added).toEqual(is.map(({ title }) => `item-added ${title}`));
    }
  });
});

test("entries with other ids, addresses and dates are not new if their titles and texts are the same", () => {
  const written: Form = (entry) => ({
    ...entry,
    blocks: [{ path: [], kind: "paragraph", text: `All of ${entry.title}.` }],
  });
  const anew: Form = (entry, check) => ({
    ...written(entry, check),
    id: `new ${entry.title}`,
    url: undefined,
    at: audited - day,
  });
  const all = [
    [[4, 3, 2, 1], written],
    [[5, 4, 3, 2], anew],
    [[5, 4, 3, 2], anew],
  ] as const;
  expect(checks(all, true).flat()).toEqual(["item-added Post 5"]);
});

test("one entry alone with another id and another date is another edition", () => {
  const edition: Form = (entry, check) =>
    entry.title === "Post 3" ? { ...entry, id: `edition ${check}`, at: audited - day + check * hour } : entry;
  const all = [0, 1, 2].map(() => [[3, 2, 1], edition] as const);
  expect(checks(all, true)).toEqual([[], ["item-added Post 3"], ["item-added Post 3"]]);
});

test("entries that share one title and one address are distinguished by their ids", () => {
  const log: Form = (entry) => ({ ...entry, id: entry.title, title: "Update", url: "http://blog.example/log" });
  const all = [
    [[4, 3, 2, 1], log],
    [[8, 7, 6, 5], log],
    [[8, 7, 6, 5], log],
    [[8, 7, 6, 5], log],
  ] as const;
  expect(checks(all, false).flat()).toHaveLength(4);
});

test("for any forms of addresses, one after the other, each entry that comes is reported once, and no other", () => {
  const address = fc.record({ https: fc.boolean(), www: fc.boolean(), slash: fc.boolean(), campaign: fc.nat(3) });
  const steps = fc.array(fc.record({ came: fc.nat(2), address }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(steps, fc.boolean(), (history, dated) => {
      let newest = 6;
      const window = () => Array.from({ length: 6 }, (_, i) => newest - i);
      const first: readonly [readonly number[], Form] = [window(), plain];
      const later = history.map(({ came, address: { https, www, slash, campaign } }) => {
        newest += came;
        const form = to((plainly) =>
          [https ? "https://" : "http://", www ? "www." : "", plainly.slice(7), slash ? "/" : ""]
            .concat(campaign > 0 ? `?utm_source=${campaign}` : "")
            .join(""),
        );
        return [window(), form] as const;
      });
      const told = checks([first, ...later], dated).flat();
      expect(told.toSorted()).toEqual(
        Array.from({ length: newest - 6 }, (_, i) => `item-added Post ${7 + i}`).toSorted(),
      );
    }),
  );
});
