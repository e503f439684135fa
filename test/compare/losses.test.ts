import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareFacts } from "../../src/compare/facts.ts";
import type { Memory } from "../../src/compare/index.ts";
import { compareItems, type ItemMemory } from "../../src/compare/items.ts";
import { lossesSince, withoutLost } from "../../src/compare/losses.ts";
import { comparePage } from "../../src/compare/page/index.ts";
import { languageOf } from "../../src/language/detect.ts";
import type { Block, Facts, Item, Reading } from "../../src/model/reading.ts";

const english =
  "The driver is loaded when the service starts, and it stays in memory for as long as the service is running. You can see its version in the log of the service and in the settings, which are kept with your profile.";
const german =
  "Der Treiber wird mit dem Dienst geladen und bleibt im Speicher, solange der Dienst läuft. Sie sehen die Version des Treibers im Protokoll und in den Einstellungen, die mit dem Profil gespeichert werden und für alle gelten.";
const french =
  "Le pilote est chargé avec le service et reste en mémoire pour toute la durée de la session. Vous pouvez voir la version dans le journal et dans les réglages, qui sont conservés avec votre profil sur le serveur.";

const blocks = (...texts: string[]): Block[] => texts.map((text) => ({ path: [], kind: "paragraph", text }));
const many = (text: string, count: number) => blocks(...Array.from({ length: count }, (_, i) => `${i}. ${text}`));
const known = (accepted: Block[], language?: string) => ({
  language,
  page: comparePage(undefined, accepted, { at: 0, confirmAfter: 0 }).memory,
});
const lostText = (memory: Memory | undefined, reading: Reading) =>
  lossesSince(memory, reading, { mayBeHalf: true })[0]?.failure;

describe("half-loaded", () => {
  const whole = many(english, 10);

  it("is a page that is mostly missing", () => {
    expect(lostText(known(whole), { blocks: whole.slice(0, 3) })).toMatchObject({ kind: "half-loaded" });
    const placeholder = blocks("We are fetching the rest of this document.");
    expect(lostText(known(whole), { blocks: placeholder })).toMatchObject({ kind: "half-loaded" });
  });

  it("is recognised by the last reading, not by content that still holds text on its way out", () => {
    const shorter = whole.slice(0, 3);
    const { page } = known(whole);
    const waits = { page: { ...page, latest: shorter } };
    expect(lostText(waits, { blocks: shorter })).toBeUndefined();
    expect(lostText(waits, { blocks: shorter.slice(0, 1) })).toMatchObject({ kind: "half-loaded" });
  });

  it("is not a page that lost a section, was rewritten, or was short", () => {
    expect(lostText(known(whole), { blocks: whole.slice(0, 7) })).toBeUndefined();
    expect(lostText(known(whole), { blocks: many(`${english} And more.`, 9) })).toBeUndefined();
    expect(lostText(known(whole), { blocks: [...whole, ...blocks("One more.")] })).toBeUndefined();
    expect(lostText(known(blocks("One.", "Two.", "Three.")), { blocks: blocks("One.") })).toBeUndefined();
  });

  it("is not a page whose rest was cut by those who edited what is left, or say that it is over", () => {
    const now = (text: string) => ({ blocks: [...whole.slice(0, 2), ...blocks(text)] });
    const edited = whole[2]?.text.replace("stays in memory", "leaves the memory again") ?? "";
    expect(lostText(known(whole), now(edited))).toBeUndefined();
    expect(lostText(known(whole), { blocks: blocks("This guide is deprecated. See the new one.") })).toBeUndefined();
    expect(lostText(known(whole), { blocks: blocks("The guide has moved to docs.example.") })).toBeUndefined();
  });

  it("is one that says so of what it is checked with", () => {
    for (const text of [
      "Your browser is obsolete.",
      "Ihr Internet Explorer ist veraltet.",
      "JavaScript support is deprecated.",
    ])
      expect(lostText(known(whole), { blocks: blocks(text) })).toMatchObject({ kind: "half-loaded" });
  });

  it("is one that was cut within a sentence, or counts what is missing", () => {
    const cut = (text: string) => ({ blocks: [...whole.slice(0, 2), ...blocks(text)] });
    expect(lostText(known(whole), cut(whole[2]?.text.slice(0, 90) ?? ""))).toMatchObject({ kind: "half-loaded" });
    const counted = [...whole, ...blocks("There are 57 drivers for the machines that you chose.")];
    const none = cut("There are 0 drivers for the machines that you chose.");
    expect(lostText(known(counted), none)).toMatchObject({ kind: "half-loaded" });
  });

  it("is the first half of the text, and nothing else", () => {
    expect(lostText(known(whole), { blocks: whole.slice(0, 5) })).toMatchObject({ kind: "half-loaded" });
    const others = [...whole.slice(0, 2), ...whole.slice(7)];
    expect(lostText(known(whole), { blocks: others })).toBeUndefined();
  });

  it("is one that lacks its end, and is not closed any more", () => {
    const cut = {
      blocks: [...whole.slice(0, 8), ...blocks(whole[8]?.text.slice(0, 50) ?? "")],
      unclosed: true as const,
    };
    expect(lostText(known(whole), cut)).toMatchObject({ kind: "half-loaded" });
    expect(lostText(known(whole), { blocks: cut.blocks })).toBeUndefined();
    expect(lostText({ ...known(whole), unclosed: true }, cut)).toBeUndefined();
    const within = { ...cut, blocks: [...whole.slice(0, 7), ...whole.slice(9)] };
    expect(lostText(known(whole), within)).toBeUndefined();
    const more = { ...cut, blocks: [...whole.slice(0, 8), ...blocks(german)] };
    expect(lostText(known(whole), more)).toBeUndefined();
  });

  it("needs a page before it", () => {
    expect(lostText(undefined, { blocks: whole })).toBeUndefined();
    expect(lostText({}, { blocks: whole })).toBeUndefined();
  });
});

describe("the accepted text, if another waited to take its place", () => {
  const { page } = known(many(english, 10));

  it.each([
    ["in another language", many(german, 2)],
    ["of another page, with a title of its own", many(`The zebra eats grass in ${"warm lands"}`, 40)],
    ["that held much more", [...many(english, 10), ...many(french.toUpperCase(), 40)]],
  ])("is no loss of one %s", (_, latest) => {
    const waits = { title: "Zebras", page: { ...page, latest } };
    expect(lostText(waits, { title: "Drivers", blocks: many(english, 10) })).toBeUndefined();
    expect(lostText(waits, { title: "Drivers", blocks: many(english, 9) })).toBeUndefined();
  });

  it("is not there again in another encoding", () => {
    const text = (of: string) => [...many(english, 10), ...blocks(of)];
    const { page } = known(text("Geprüft wird täglich."));
    const waits = { page: { ...page, latest: text("Geprüft wird oft.") } };
    expect(lostText(waits, { blocks: text("GeprÃ¼ft wird tÃ¤glich.") })).toMatchObject({ kind: "charset" });
  });

  it("is not there again by a part of it", () => {
    const waits = { page: { ...page, latest: many(german, 10) } };
    expect(lostText(waits, { blocks: [...many(english, 3), ...many(french, 10)] })).toMatchObject({ kind: "language" });
  });
});

describe("text that a source gives no more", () => {
  it("is lost, even if other text comes, and once that lasts the source is one without text", () => {
    const memory = known(many(english, 10));
    expect(lossesSince(memory, { items: [] }, {})).toMatchObject([
      { failure: { message: "it no longer gives its text" }, now: "a source without text" },
    ]);
    const [loss] = lossesSince(memory, { items: [] }, {});
    expect(lossesSince(withoutLost(memory, loss ? [loss] : []), { items: [] }, {})).toEqual([]);
    expect(lostText(known([]), { items: [] })).toBeUndefined();
  });
});

describe("another language", () => {
  it.each([
    ["de", german],
    ["fr", french],
  ])("is known by the text: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
    expect(lostText(known(many(english, 5), "en"), { blocks: many(text, 5), language: "en" })).toMatchObject({
      kind: "language",
      facts: { expected: "en", found: language },
    });
  });

  it.each([
    ["ja", "このドライバーはサービスの開始時に読み込まれ、サービスが動いている間はメモリに残ります。".repeat(6)],
    ["zh", "驱动程序在服务启动时加载，并在服务运行期间保留在内存中。版本可以在日志中查看。".repeat(6)],
    ["ko", "드라이버는 서비스가 시작될 때 로드되며 서비스가 실행되는 동안 메모리에 남아 있습니다.".repeat(6)],
    ["ru", "Драйвер загружается при запуске службы и остаётся в памяти, пока служба работает. ".repeat(4)],
    [
      "es",
      "El controlador se carga con el servicio y permanece en la memoria para toda la sesión de los usuarios. ".repeat(
        3,
      ),
    ],
  ])("is known: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it("is not a different word for the same language, nor a quotation", () => {
    expect(lostText(known(many(english, 5), "en"), { blocks: many(english, 5), language: "en-US" })).toBeUndefined();
    expect(lostText(known(many(english, 5), "en"), { blocks: many(english, 5), language: "de" })).toBeUndefined();
    const quoting = [...many(english, 5), ...blocks(german)];
    expect(lostText(known(many(english, 5)), { blocks: quoting })).toBeUndefined();
    expect(languageOf("short")).toBeUndefined();
    expect(languageOf("npm install x && x --help ; cd build ; make -j8 ; ".repeat(8))).toBeUndefined();
  });

  it("is not concluded from the output of a program", () => {
    const prints = (output: string): Block => ({ path: [], kind: "code", text: output });
    const text = blocks("Reads the heap of an anvil, and gives a list of its parts to you. It is sorted by weight.");
    const tables = "do w NA 1.40\nto w NA NA\nna z NA 2.10\n".repeat(20);
    expect(languageOf(tables)).toBe("pl");
    const found = { blocks: [...text, prints(tables)] };
    expect(lostText(known(many(english, 2)), found)?.kind).not.toBe("language");
    expect(lostText(known(many(english, 2)), { blocks: [...many(german, 2), prints(tables)] })).toMatchObject({
      kind: "language",
      facts: { expected: "en", found: "de" },
    });
  });

  it("or another region, if most of the text differs", () => {
    const prices = (currency: string) => many(`The plan costs ${currency}10 a month and has all that you need.`, 12);
    const found = { blocks: prices("€"), language: "en-IE" };
    expect(lostText(known(prices("$"), "en-US"), found)).toMatchObject({
      kind: "language",
      facts: { expected: "en-US", found: "en-IE" },
    });
    expect(lostText(known(prices("$"), "en-US"), { ...found, language: "en-US" })).toBeUndefined();
    expect(lostText(known(prices("$"), "en-US"), { blocks: prices("$"), language: "en-IE" })).toBeUndefined();
  });
});

describe("a list", () => {
  const day = 86_400_000;
  const check = (at: number) => ({ at, confirmAfter: 0, structured: true, audited: 0 });
  const entry = (n: number, more: Partial<Item> = {}): Item => ({
    ...{ id: `v2.${n}.0`, title: `Engine 2.${n}`, version: `v2.${n}.0`, at: n * day },
    ...more,
  });
  const entries = (from: number, to: number, more: (n: number) => Partial<Item> = () => ({})) =>
    Array.from({ length: to - from }, (_, i) => entry(to - 1 - i, more(to - 1 - i)));
  const lostOf = (lists: readonly (readonly Item[])[], now: readonly Item[]) => {
    const items = lists.reduce<ItemMemory | undefined>(
      (memory, list, i) => compareItems(memory, list, check(100 * day + i)).memory,
      undefined,
    );
    return lossesSince({ items }, { items: now }, {}).map(({ failure, now }) => [failure.message, now]);
  };
  const known = entries(1, 9);

  it.each<[string, readonly Item[], string, string]>([
    ["that holds nothing", [], "any of its 8 entries", "an empty list"],
    [
      "whose entries have no dates",
      known.map((item) => ({ ...item, at: undefined })),
      "dates for its entries",
      "a list without dates",
    ],
    [
      "whose versions are words",
      known.map((item) => ({ ...item, version: "latest" })),
      "versions for its entries",
      "a list without versions",
    ],
    [
      "of something else",
      ["About", "Team", "Contact"].map((id) => ({ id, title: id })),
      "an entry like the 8 before",
      "another list",
    ],
    [
      "that is all older",
      entries(1, 9, (n) => ({ id: `1.${n}`, title: `1.${n}`, at: n })),
      "an entry like the 8 before",
      "another list",
    ],
    [
      "of another site",
      entries(20, 24, (n) => ({ id: `https://kites.example/${n}` })),
      "an entry like the 8 before",
      "another list",
    ],
  ])("%s is not seen", (_, now, what, is) => {
    expect(lostOf([known], now)).toEqual([[`it no longer gives ${what}`, is]]);
  });

  it("of one entry is called that", () => {
    expect(lostOf([[entry(8)]], [])).toEqual([["it no longer gives its entry", "an empty list"]]);
    const word = { id: "latest", title: "latest", version: "latest" };
    expect(lostOf([[entry(8)]], [word])).toEqual([["it no longer gives an entry like the one before", "another list"]]);
  });

  it("may be empty if it was so before", () => {
    expect(lostOf([[], known], [])).toEqual([]);
    expect(lostOf([known], known.slice(3))).toEqual([]);
  });

  it("may lose one entry, or the date of one", () => {
    expect(lostOf([known], known.slice(1))).toEqual([]);
    expect(lostOf([known], [entry(9, { at: undefined }), ...known])).toEqual([]);
    expect(lostOf([known], [entry(8, { at: undefined }), ...known.slice(1)])).toEqual([]);
    expect(lostOf([[entry(8)]], [entry(7)])).toEqual([]);
  });

  it("may name the same entries otherwise", () => {
    expect(
      lostOf(
        [known],
        entries(1, 9, (n) => ({ id: `tag:engine.example,2026:${n}` })),
      ),
    ).toEqual([]);
  });

  it("is never blind because its window slid, however far", () => {
    const forms: ((n: number) => string)[] = [
      (n) => `v${n >> 3}.${n & 7}.0`,
      (n) => `https://engine.example/${n % 2 ? "news" : "blog"}/${n}`,
      (n) => `tag:engine.example,2026:${n}`,
      (n) => String(1_000 + n),
      (n) => `Notes of ${["spring", "summer", "autumn", "winter"][n % 4]} number ${n}`,
    ];
    const window = fc.record({
      form: fc.constantFrom(...forms),
      size: fc.integer({ min: 1, max: 30 }),
      slides: fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 5 }),
      dated: fc.boolean(),
      versioned: fc.boolean(),
    });
    fc.assert(
      fc.property(window, ({ form, size, slides, dated, versioned }) => {
        const at = (start: number) =>
          entries(start, start + size, (n) => ({
            ...{ id: form(n), title: form(n), version: versioned ? `${n}.0` : undefined },
            at: dated ? n * day : undefined,
          }));
        let start = 1;
        let items = compareItems(undefined, at(start), check(1_000 * day)).memory;
        slides.forEach((slide, i) => {
          start += slide;
          expect(lossesSince({ items }, { items: at(start) }, {})).toEqual([]);
          items = compareItems(items, at(start), check((1_001 + i) * day)).memory;
        });
      }),
    );
  });
});

describe("facts", () => {
  const check = { at: 0, confirmAfter: 0, structured: true };
  const facts = compareFacts(
    undefined,
    { license: "MIT", home: "https://engine.example", retracted: "" },
    check,
  ).memory;

  it("that go together are not seen; one that goes is a change", () => {
    const lost = (now: Facts, partial?: true) =>
      lossesSince({ facts }, { facts: now, partial }, {}).map((one) => one.failure.message);
    expect(lost({})).toEqual(["it no longer gives any of its 2 facts"]);
    expect(lost({ license: "MIT" })).toEqual([]);
    expect(lost({ public: "no" }, true)).toEqual([]);
  });
});

describe("behind another address", () => {
  const item = (id: string): Item => ({ id, title: `Engine ${id}`, version: id, at: Number(id.slice(3)) });
  const items = compareItems(undefined, [item("v1.1"), item("v1.2")], {
    ...{ at: 9, confirmAfter: 0, structured: true, audited: 0 },
  }).memory;
  const facts = compareFacts(
    undefined,
    { license: "MIT", topics: "kites", archived: "no" },
    {
      ...{ at: 9, confirmAfter: 0, structured: true },
    },
  ).memory;
  const lost = (now: Reading, elsewhere?: "led" | "left") => lossesSince({ items, facts }, now, { elsewhere });
  const says = (now: Reading, elsewhere?: "led" | "left") => lost(now, elsewhere).map(({ failure }) => failure.message);

  it("is another list or source, which resembles the one before", () => {
    const other = { items: [item("v2.7"), item("v2.8")], facts: { license: "MIT", topics: "boats", archived: "yes" } };
    expect(says(other, "led")).toEqual(["another list is in its place", "another source is in its place"]);
    expect(lost(other, "led").map(({ now }) => now)).toEqual([undefined, undefined]);
    expect(lost(other, "left").map(({ now }) => now)).toEqual(["another list", "another source"]);
    expect(says(other)).toEqual([]);
  });

  it("is the same one, renamed, with a release more", () => {
    const same = { items: [item("v1.2"), item("v1.3")], facts: { license: "MIT", topics: "kites", archived: "yes" } };
    expect(says(same, "led")).toEqual([]);
  });

  it("is no other source if the answer lacks some facts", () => {
    for (const elsewhere of ["led", "left"] as const)
      expect(lossesSince({ facts }, { facts: { public: "no" }, partial: true }, { elsewhere })).toEqual([]);
  });
});

describe("another page", () => {
  const memory = (region: string) => ({
    page: comparePage(undefined, many(english, 3), { at: 0, confirmAfter: 0 }, { region }).memory,
  });
  const other = many("The finest kites for the whole family.", 3);

  it("is one with another text in another part", () => {
    const lost = (blocks: Block[], region: string) =>
      lossesSince(memory("main"), { blocks, region }, {}).map(({ now }) => now);
    expect(lost(other, "page")).toEqual(["another page"]);
    expect(lost(other, "main")).toEqual([]);
    expect(lost([...many(english, 3), ...other], "page")).toEqual([]);
  });

  const titled = (title: string, texts: Block[]): Block[] => [
    { path: [title], kind: "heading", text: title },
    ...texts,
  ];
  const lost = (before: Block[], after: Block[], title = "Kites - Acme") =>
    lossesSince({ ...known(before), title: "The driver - Acme" }, { blocks: after, title }, {}).map(
      ({ failure, now }) => [failure.message, now],
    );
  const driver = titled("The driver", many(english, 3));
  const kites = titled(
    "Kites",
    blocks(
      "Our kites are sewn by hand from the lightest cloth, and each of them was flown before it is sold to you.",
      "In a light wind a large kite is the better choice; in a storm you leave it at home with its string.",
    ),
  );

  it("has another title, and shares nothing with the one before", () => {
    expect(lost(driver, kites)).toEqual([["another page is in its place", "another page"]]);
  });

  it("is not there if the title is the same, nor if text of the old one is still there", () => {
    expect(lost(driver, titled("The driver", kites.slice(1)))).toEqual([]);
    const renamed = titled("Kites", many(english.replaceAll("service", "daemon"), 3));
    expect(lost(driver, renamed)).toEqual([]);
    expect(lost(driver, [...kites, ...driver])).toEqual([]);
  });

  it("is not there if its title is the page's, with any text above it", () => {
    expect(lost(driver, kites, "The driver - Acme")).toEqual([]);
    expect(lost(driver, titled("Driver of Acme 2.0", kites.slice(1)))).toEqual([]);
    expect(lost(driver, titled("Kites", [...titled("The driver", []), ...kites]), "Kites")).toEqual([]);
    expect(lossesSince(known(driver), { blocks: kites, title: "Kites" }, {})).toEqual([]);
  });

  it("is not asked for if the text before was short", () => {
    expect(lost(titled("Sizes", blocks("Up to 128 GB.")), kites)).toEqual([]);
  });
});

describe("the same text in other letters", () => {
  const text = blocks("Für 12 € im Monat – „alles“ drin, auch Käse.", "Plain words of the page stay as they are.");
  const misread = text.map((block) => ({
    ...block,
    text: new TextDecoder("windows-1252").decode(Buffer.from(block.text)),
  }));
  const kinds = (before: Block[], after: Block[]) =>
    lossesSince(known(before), { blocks: after }, {}).map(({ failure, now }) => [failure.kind, now]);

  it("is not seen while it is misread, nor reported when it is put right", () => {
    expect(misread[0]?.text).toContain("FÃ¼r 12 â‚¬");
    expect(kinds(text, misread)).toEqual([["charset", "in another encoding"]]);
    expect(kinds(misread, text)).toEqual([["charset", "in another encoding"]]);
  });

  it("is seen if most of the text is new", () => {
    expect(kinds(text, [...misread, ...many(english, 2)])).toEqual([]);
    expect(kinds(text, [...text, ...many(english, 2)])).toEqual([]);
  });
});
