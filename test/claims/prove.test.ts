import { describe, expect, it } from "vitest";
import { proveClaims, type TextClaim } from "../../src/claims/prove.ts";
import type { ClaimState } from "../../src/model/claim.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { blocksOf } from "./find/page.ts";

const claim = (proof: TextClaim["proof"]): TextClaim => ({
  id: "c",
  source: "s",
  says: "what the report says",
  proof,
  ratings: ["tpu/maturity"],
  cites: [],
  until: [],
});

/** Shows a source day after day, and tells what moved and how the claim stood. */
function days(proof: TextClaim["proof"], ...pages: string[]) {
  let known = new Map<string, ClaimState>();
  return pages.map((page, day) => {
    const earlier = blocksOf(pages[day - 1] ?? "");
    const { states, changes } = proveClaims([claim(proof)], blocksOf(page), known, day, earlier);
    known = new Map(states.map((state) => [state.claim, state]));
    return { state: states[0], changes };
  });
}

const told = (seen: ReturnType<typeof days>) =>
  seen.map(({ changes }) => changes.map((c) => `${c.from} → ${c.to}: ${c.before ?? "-"} → ${c.after ?? "-"}`).join());

describe("a quoted claim", () => {
  const quote = { quote: "MPS is an early prototype and likely to fail." };
  const old = "# A\nMPS is an early prototype, and likely to fail.";
  const now = "# A\nMPS is a mature backend and not likely to fail.";
  const later = "# A\nMPS is a mature backend and never likely to fail.";
  const gone = "# A\nNothing of the kind is here.";

  it("is supported in silence, and stays so through markup and moves", () => {
    const seen = days(quote, old, `# B\nNew words.\n${old}`, old.toUpperCase());
    expect(told(seen)).toEqual(["", "", ""]);
    expect(seen.at(-1)?.state).toMatchObject({ claim: "s/c", status: "supported", since: 0 });
  });

  it("is altered once, is followed, and is supported again when the words return", () => {
    const seen = days(quote, old, now, now, `${now}\nMore.`, later, old);
    expect(told(seen)).toEqual([
      "",
      "supported → altered: MPS is an early prototype, and likely to fail → MPS is a mature backend and not likely to fail",
      "",
      "",
      "altered → altered: MPS is a mature backend and not likely to fail → MPS is a mature backend and never likely to fail",
      "altered → supported: MPS is a mature backend and never likely to fail → MPS is an early prototype, and likely to fail",
    ]);
    expect(seen[3]?.state).toEqual({
      claim: "s/c",
      status: "altered",
      since: 1,
      found: "MPS is a mature backend and not likely to fail",
      before: "MPS is an early prototype, and likely to fail",
    });
    expect(seen[4]?.state).toMatchObject({ since: 4, before: "MPS is an early prototype, and likely to fail" });
    expect(seen[5]?.state).toEqual({
      claim: "s/c",
      status: "supported",
      since: 5,
      found: "MPS is an early prototype, and likely to fail",
    });
  });

  it.each([
    ["does not", "The engine does not support Macs of any kind."],
    ["doesn't yet", "The engine doesn't yet support Macs of any kind."],
    ["no longer officially", "The engine can no longer officially support Macs of any kind."],
    ["has no", "The engine has no support. Macs of any kind."],
  ])("of half a sentence is altered where the other half says %s before it, once, and supported without", (_, page) => {
    const proof = { quote: page.includes("no support.") ? "support. Macs of any kind" : "support Macs of any kind" };
    const was = page.replace(/does not|doesn't yet|can no longer officially|has no/, "does");
    const seen = days(proof, was, page, page, `More words.\n${page}`, was);
    expect(seen.map(({ changes }) => changes.map(({ from, to }) => `${from} → ${to}`).join())).toEqual([
      ...["", "supported → altered", "", "", "altered → supported"],
    ]);
    expect(seen[1]?.changes[0]?.after).toMatch(/^(?:no|not|doesn't) .*Macs of any kind$/);
  });

  it.each([
    ["lacks single sign-on", "The Team plan has no single sign-on.", "supported"],
    ["has no single sign-on", "The Team plan lacks single sign-on.", "supported"],
    ["single sign-on for all members", "The Team plan lacks single sign-on for all members.", "altered"],
  ])("%s: lacking something is having none of it", (quote, after, status) => {
    const before = `The Team plan ${quote}.`;
    const [, second] = days({ quote }, before, after);
    expect(second?.state?.status ?? "supported").toBe(status);
  });

  it.each([
    ["German", "läuft auf Arm", "Der Motor läuft auf Arm nicht mehr.", "Der Motor läuft auf Arm nicht langsamer."],
    ["German", "Zugriff auf das Netz", "Er hat keinen Zugriff auf das Netz.", "Er hat nicht nur Zugriff auf das Netz."],
    ["French", "Windows sur Arm", "Il ne gère pas Windows sur Arm.", "Il gère Windows sur Arm, pas Linux."],
    [
      "French",
      "toutes les cartes",
      "Il gère toutes les cartes sauf la plus vieille.",
      "Il a plus de toutes les cartes.",
    ],
    ["Spanish", "en Arm", "Ya no funciona en Arm.", "No solo funciona en Arm."],
    ["Italian", "su Arm", "Il motore non gira su Arm.", "Il motore gira su Arm e non solo lì."],
    ["Portuguese", "em Arm", "O motor não roda em Arm.", "O motor roda em Arm, não em PC."],
    ["Russian", "работает на Arm", "Движок больше не работает на Arm.", "Движок не только работает на Arm."],
    ["Chinese", "支持手机", "本引擎不再支持手机。", "本引擎不仅支持手机。"],
    ["Japanese", "スマホに対応", "スマホに対応していません。", "スマホに対応し、PCには対応していません。"],
    ["Japanese", "全機種", "全機種以外で動く。", "全機種しか動かない。"],
    ["English", "runs on Arm", "It never runs on Arm.", "It runs on Arm, and not only in rain."],
    ["English", "runs on Arm", "It no longer runs on Arm.", "It is not slow but runs on Arm."],
    ["English", "runs on Arm", "The engine never runs on Arm.", "It stops never, runs on Arm."],
    ["German", "läuft auf Arm", "Nie läuft auf Arm etwas.", "Es läuft auf Arm, nicht nur auf PC."],
    ["French", "sur Arm", "Il tourne sur Arm, à l’exception des vieux.", "Il tourne sur Arm, pas seulement sur PC."],
    ["French", "disponible", "Il n'est pas disponible.", "Il est disponible à moins de 20 €."],
    ["Spanish", "corre en Arm", "Nunca corre en Arm.", "Corre en Arm, no solo en PC."],
    ["Italian", "su Arm", "Non gira su Arm.", "Gira su Arm, non solo su PC."],
    ["Portuguese", "em Arm", "Não roda em Arm.", "Roda em Arm, não só em PC."],
    ["Dutch", "op Arm", "Het draait niet op Arm.", "Het draait op Arm, niet alleen op PC."],
    ["Polish", "na Arm", "Nie działa na Arm.", "Działa na Arm, nie tylko na PC."],
    ["Russian", "на Arm", "Не работает на Arm.", "Работает на Arm и не только на PC."],
    ["Russian", "на Arm", "Работает на Arm, кроме старых.", "Работает на Arm, кроме того, и на PC."],
    ["Chinese", "支持手机", "它不支持手机。", "它不得不支持手机。"],
    ["English", "keeps messages", "It keeps messages until 2027-05-01.", "It keeps messages until 1000 are there."],
    ["English", "keeps messages", "It keeps messages until May 1st.", "It keeps messages until 5 readers saw them."],
    ["German", "hier frei", "Es ist hier frei bis 31.12.2027.", "Es ist hier frei bis 64 Kerne."],
    ["Italian", "costa meno", "Costa meno fino al 31 dicembre.", "Costa meno fino al 20 per cento."],
    ["Portuguese", "cobre tudo", "Cobre tudo até 20 de maio.", "Cobre tudo até 20 de 30 casos."],
    ["Dutch", "draait snel", "Het draait snel tot 1 mei 2027.", "Het draait snel tot 16 kernen."],
    ["Polish", "działa szybko", "Kite działa szybko do 16 maja.", "Kite działa szybko do 16 rdzeni."],
    ["Russian", "работает быстро", "Кайт работает быстро до 16 мая.", "Кайт работает быстро до 16 ядер."],
    ["English", "free for schools", "It is free for schools until 1 May.", "It is free for schools until they close."],
    ["English", "free for schools", "It is free for schools, but until the end of 2027.", "It is free for schools."],
    [
      "German",
      "für Schulen frei",
      "Es ist für Schulen frei bis Ende 2027.",
      "Es ist für Schulen frei, bis sie schließen.",
    ],
    ["French", "gratuit ici", "Il est gratuit ici jusqu’au 1er mai.", "Il est gratuit ici jusqu’au bout."],
    ["Spanish", "gratis aquí", "Es gratis aquí hasta el 1 de mayo.", "Es gratis aquí hasta el final."],
    ["Italian", "gratis qui", "È gratis qui fino al 1 maggio.", "È gratis qui fino al fondo."],
    ["Portuguese", "grátis aqui", "É grátis aqui até o dia 1 de maio.", "É grátis aqui até o fim."],
    ["Dutch", "gratis hier", "Het is gratis hier tot en met 1 mei.", "Het is gratis hier tot hij sluit."],
    ["Polish", "za darmo", "Jest za darmo do 1 maja.", "Jest za darmo do woli."],
    ["Russian", "бесплатно", "Здесь бесплатно до 1 мая.", "Здесь бесплатно до конца."],
  ])("is altered if it is denied in %s: %s", (_, quote, denied, other) => {
    const was = `Er, il, el ${quote}.`;
    expect(days({ quote }, was, denied, denied, was).map(({ state }) => state?.status)).toEqual([
      ...["supported", "altered", "altered", "supported"],
    ]);
    expect(told(days({ quote }, was, other))).toEqual(["", ""]);
  });

  it.each([
    ["sail~=1.20", "It needs sail~=1.20 today.", "It needs sail==1.20 today.", "It needs sail ~=1.20 today."],
    ["wind: ^1.20", "wind: ^1.20", "wind: ~>1.20", "wind : ^1.20"],
    ["needs Kite 3.9+", "It needs Kite 3.9+.", "It needs Kite 3.9.", "It needs Kite 3.9+, or so."],
    ["needs Kite 3.9", "It needs Kite 3.9+.", "It needs Kite 3.9.", "It needs Kite 3.9 or newer."],
    ["braucht Kite 3.9", "Er braucht Kite 3.9+.", "Er braucht Kite 3.9 oder älter.", "Er braucht Kite 3.9 oder neuer."],
  ])("is altered if another sign is at its figure: %s", (quote, was, altered, other) => {
    const seen = days({ quote }, was, altered, altered, was);
    expect(seen.map(({ state }) => state?.status)).toEqual(["supported", "altered", "altered", "supported"]);
    expect(seen[1]?.changes[0]?.before).not.toBe(seen[1]?.changes[0]?.after);
    expect(told(days({ quote }, was, other))).toEqual(["", ""]);
  });

  it("of code is altered if another sign is in it", () => {
    const code = (text: string) => [{ path: [], kind: "code" as const, text }];
    const turned = (was: string, now: string) => {
      const proof = claim({ quote: was });
      const [first] = proveClaims([proof], code(was), new Map(), 0).states;
      const known = new Map(first ? [[first.claim, first]] : []);
      return proveClaims([proof], code(now), known, 1, code(was)).states[0]?.status;
    };
    expect(turned("if (ready) fly()", "if (!ready) fly()")).toBe("altered");
    expect(turned("wind = sun + rain", "wind = sun - rain")).toBe("altered");
    expect(turned("if (wind == 5)", "if (wind != 5)")).toBe("altered");
    expect(turned("if (ready) fly()", "if (ready) { fly(); }")).toBe("supported");
    expect(turned("ropes = 16", "ropes: 16")).toBe("supported");
    expect(turned("wind = sun+rain", "wind = sun + rain")).toBe("supported");
  });

  it("is altered if it moved from under the heading that its prefix names, until it is back", () => {
    const on = (...rest: string[]) => ["# Supported", "Wind", ...rest].join("\n");
    const was = on("Kites of cotton", "# Removed", "Rain");
    const is = on("# Removed", "Rain", "Kites of cotton");
    const seen = days({ quote: "Kites of cotton", prefix: "Supported" }, was, is, `${is}\nMore.`, was);
    expect(told(seen)).toEqual([
      "",
      "supported → altered: Kites of cotton → Removed: Kites of cotton",
      "",
      "altered → supported: Removed: Kites of cotton → Kites of cotton",
    ]);
  });

  it.each([
    ["its heading has another name", "# Supported\nKites of cotton", "# What flies\nKites of cotton"],
    ["its section was parted", "# Supported\nKites of cotton", "# Supported\n## Kites\nKites of cotton"],
    ["it stood elsewhere before", "# Supported\nNone.\n# Old\nKites of cotton", "# Supported\n# Old\nKites of cotton"],
  ])("with a prefix stays where %s", (_, was, is) => {
    expect(told(days({ quote: "Kites of cotton", prefix: "Supported" }, was, is, is))).toEqual(["", "", ""]);
  });

  it("of half a sentence that was denied when it was quoted is supported as it is, and when it comes back", () => {
    const page = "The engine does not support Macs of any kind.";
    const seen = days(
      { quote: "support Macs of any kind" },
      page,
      page,
      "It does not support PCs of any kind.",
      page,
      page,
    );
    expect(seen.map(({ state }) => state?.status)).toEqual([
      ...["supported", "supported", "altered", "supported", "supported"],
    ]);
  });

  it.each([
    "Engines support Macs of any kind except the oldest.",
    "Engines support Macs of any kind, but only with a licence.",
    "Engines support Macs of any kind of ours unless they are old.",
  ])("of half a sentence is altered where the other half takes a part of it back, once: %s", (page) => {
    const was = "Engines support Macs of any kind.";
    const seen = days({ quote: "support Macs of any kind" }, was, page, page, was);
    expect(seen.map(({ state }) => state?.status)).toEqual(["supported", "altered", "altered", "supported"]);
    expect(seen.map(({ changes }) => changes.length)).toEqual([0, 1, 0, 1]);
    expect(seen[1]?.changes[0]?.after).toBe(page.slice("Engines ".length, -1));
  });

  it.each([
    [
      "already was",
      "Engines support Macs of any kind except the oldest.",
      "Engines support Macs of any kind except old ones.",
    ],
    [
      "is said of more",
      "Engines support Macs of any kind.",
      "Engines support Macs of any kind, and only in rain they fail.",
    ],
    [
      "is said elsewhere",
      "Engines support Macs of any kind.",
      "Engines support Macs of any kind. PCs are left out unless old.",
    ],
  ])("stays if the text that is taken back %s", (_, before, after) => {
    expect(told(days({ quote: "support Macs of any kind" }, before, after))).toEqual(["", ""]);
  });

  it.each([
    ["elsewhere on the page", "Old engines do not support Macs of any kind.\nEngines support Macs of any kind."],
    ["of the text before a sign", "It does not cost much, engines support Macs of any kind."],
    ["further away", "It is not true of the cheapest ones that engines support Macs of any kind."],
    ["that is none", "Engines not only support Macs of any kind, but also PCs."],
    ["in the line before", "It does not\nsupport Macs of any kind."],
  ])("is not altered by a denial %s", (_, page) => {
    const seen = days({ quote: "support Macs of any kind" }, "Engines support Macs of any kind.", page);
    expect(told(seen)).toEqual(["", ""]);
  });

  it("is followed step by step to words that the first ones are not like", () => {
    const steps = [
      old,
      "# A\nThe MPS path is an early prototype and will fail on long networks.",
      "# A\nThe MPS path will fail on no long networks.",
    ];
    const seen = days(quote, ...steps);
    expect(seen.map(({ state }) => state?.status)).toEqual(["supported", "altered", "altered"]);
    expect(days(quote, ...steps.slice(0, 1), ...steps.slice(2)).at(-1)?.state?.status).toBe("gone");
  });

  it("is gone once, and comes back", () => {
    const nearly = "# A\nMPS is not an early prototype, nor likely to fail.";
    const seen = days(quote, old, gone, gone, nearly, gone, old);
    expect(told(seen)).toEqual([
      "",
      "supported → gone: MPS is an early prototype, and likely to fail → -",
      "",
      "gone → altered: - → MPS is not an early prototype, nor likely to fail",
      "altered → gone: MPS is not an early prototype, nor likely to fail → -",
      "gone → supported: - → MPS is an early prototype, and likely to fail",
    ]);
    expect(seen[2]?.state).toMatchObject({
      status: "gone",
      since: 1,
      found: "MPS is an early prototype, and likely to fail",
    });
  });

  it("that is gone does not come back in words that are hardly like it", () => {
    expect(days(quote, old, now).at(-1)?.state?.status).toBe("altered");
    expect(told(days(quote, old, gone, now, gone)).slice(2)).toEqual(["", ""]);
  });

  it("is not found, in silence, until it is", () => {
    const seen = days(quote, gone, now, gone, old, gone);
    expect(told(seen).slice(0, 4)).toEqual(["", "", "", ""]);
    expect(seen.map(({ state }) => state?.status)).toEqual([
      "not found",
      "not found",
      "not found",
      "supported",
      "gone",
    ]);
    expect(seen[2]?.state?.since).toBe(0);
    expect(seen[3]?.state?.since).toBe(3);
    expect(seen[1]?.state?.found).toBe("MPS is a mature backend and not likely to fail");
  });
});

describe("a claimed value", () => {
  const value = { value: "95 GiB", of: "v5p HBM" };
  const page = (memory: string, rest = "") => `# Chips${rest}\nChip | HBM | Disc\nv5p | ${memory} | 1 TB`;

  it("moves with its figure only", () => {
    const seen = days(
      value,
      page("95 GiB"),
      page("95GiB HBM", "\nMore words."),
      page("96 GiB"),
      page("96GiB HBM3"),
      page("97 GiB"),
      page("95 GiB"),
    );
    expect(told(seen)).toEqual([
      "",
      "",
      "supported → altered: v5p | 95GiB HBM → v5p | 96 GiB",
      "",
      "altered → altered: v5p | 96 GiB → v5p | 97 GiB",
      "altered → supported: v5p | 97 GiB → v5p | 95 GiB",
    ]);
  });

  it("is altered if its figure changed places with another, until it is back", () => {
    const before = "Kite A takes 16 GB and Kite B takes 24 GB.";
    const after = "Kite A takes 24 GB and Kite B takes 16 GB.";
    const seen = days({ value: "16 GB", of: "Kite A" }, before, after, `${after} It flies.`, before);
    expect(told(seen)).toEqual([
      "",
      `supported → altered: ${before.slice(0, -1)} → ${after.slice(0, -1)}`,
      "",
      `altered → supported: ${after.slice(0, -1)} → ${before.slice(0, -1)}`,
    ]);
  });

  it.each([
    ["Kite A takes 16 GB of rope.", "Kite A does not take 16 GB of rope."],
    ["Kite A takes 16 GB of rope.", "Kite A no longer takes 16 GB of rope."],
    ["Kite A takes 16 GB of rope.", "Kite A takes 16 GB of rope only with a licence."],
    ["Kite A utilise 16 GB.", "Kite A n'utilise plus 16 GB."],
    ["Kite A past bij 16 GB.", "Kite A is niet voor 16 GB."],
    ["Kite A takes at most 16 GB.", "Kite A takes at least 16 GB."],
    ["Kite A takes as much as 16 GB.", "Kite A takes upwards of 16 GB."],
    ["Kite A takes up to 16 GB of rope.", "Kite A takes 16 GB+ of rope."],
    ["Kite A takes no less than 16 GB.", "Kite A takes no more than 16 GB."],
    ["Kite A takes 16 GB or more.", "Kite A takes 16 GB or less."],
    ["Kite A takes more than 16 GB.", "Kite A takes less than 16 GB."],
    ["Kite A: 16 GB ropes at least.", "Kite A: 16 GB ropes at most."],
    ["Kite A nimmt mindestens 16 GB.", "Kite A nimmt höchstens 16 GB."],
    ["Kite A prend au plus 16 GB.", "Kite A prend au moins 16 GB."],
    ["Kite A usa como máximo 16 GB.", "Kite A usa 16 GB o más."],
    ["Kite A usa almeno 16 GB.", "Kite A usa non più di 16 GB."],
    ["Kite A usa até 16 GB.", "Kite A usa a partir de 16 GB."],
    ["Kite A: не более 16 GB.", "Kite A: не менее 16 GB."],
    ["Kite A is sold above 16 GB.", "Kite A is not sold above 16 GB."],
    ["Kite Aは16GB以上を使う。", "Kite Aは16GB以下を使う。"],
    ["Kite A最多16GB。", "Kite A至少16GB。"],
  ])("is altered where the opposite is said of its figure: %s %s", (before, after) => {
    const seen = days({ value: "16 GB", of: "Kite A" }, before, after, after, before);
    expect(seen.map(({ state }) => state?.status)).toEqual(["supported", "altered", "altered", "supported"]);
    expect(told(seen)[2]).toBe("");
  });

  it.each([
    ["Kite A takes 16 GB.", "Kite A takes up to 16 GB."],
    ["Kite A takes up to 16 GB.", "Kite A takes at most 16 GB."],
    ["Kite A takes 16 GB+ of rope.", "Kite A takes at least 16 GB of rope."],
    ["Kite A takes 16 GB.", "Kite A takes not only 16 GB."],
    ["Kite A takes up to 16 GB.", "Kite A takes no more than 16 GB."],
    ["Kite A takes 16 GB, not 12 GB.", "Kite A takes 16 GB, and never 12 GB."],
    ["Kite A does not take 16 GB.", "Kite A never took 16 GB."],
    ["Kite A: до 16 GB.", "Kite A: не более 16 GB."],
    ["Kite A usa fino a 16 GB.", "Kite A usa non più di 16 GB."],
    ["Kite A takes up to 16 GB.", "Kite A takes 16 GB, minimum 8 GB."],
    ["Kite A nimmt ab 16 GB.", "Kite A nimmt 16 GB oder mehr."],
    ["Kite A: at least 8 GB, at most 16 GB.", "Kite A: 8 GB minimum, 16 GB maximum."],
    ["Kite A usa 16 GB.", "Kite A usa 16 GB e lo salvo."],
    ["Kite A is not for less than 16 GB.", "Kite A wants at least 16 GB."],
    ["Kite A takes up to 16 GB.", "Kite A does not exceed 16 GB."],
    ["Kite A takes less than 16 GB.", "Kite A must not exceed 16 GB."],
    ["Kite A comes at 16 GB.", "Kite A does not come before 16 GB."],
    ["Kite A nimmt ab 16 GB.", "Kite A nimmt nicht unter 16 GB."],
    ["Kite A nimmt bis 16 GB.", "Kite A überschreitet nicht 16 GB."],
    ["Kite A prend au plus 16 GB.", "Kite A ne dépasse pas 16 GB."],
    ["Kite A prend 16 GB.", "Kite A n'est pas inférieur à 16 GB."],
    ["Kite A usa 16 GB.", "Kite A non supera 16 GB."],
    ["Kite A usa 16 GB.", "Kite A não ultrapassa 16 GB."],
    ["Kite A bierze 16 GB.", "Kite A bierze nie więcej niż 16 GB."],
    ["Kite A tar 16 GB.", "Kite A tar inte mer än 16 GB."],
    ["Kite A: от 16 GB.", "Kite A: не ниже 16 GB."],
    ["Kite A: до 16 GB.", "Kite A: не превышает 16 GB."],
    ["Kite A: 16 GB.", "Kite A: не более чем 16 GB."],
    ["Kite Aは16GBで動く。", "Kite Aは16GBでもかまいません。"],
    ["Kite A takes 16 GB.", "Kite A does not fly without 16 GB."],
    ["Kite A nimmt 16 GB.", "Kite A fliegt nicht ohne 16 GB."],
    ["Kite A: 16 GB.", "Kite A не летает без 16 GB."],
    ["Kite A takes up to 16 GB.", "Kite A takes 8 GB min / 16 GB max."],
    ["Kite A takes at least 16 GB.", "Kite A takes 16 GB (maximum 24 GB)."],
    ["Kite A takes at least 16 GB.", "Kite A takes 16 GB (24 GB maximum)."],
  ])("stays where its figure is only said otherwise: %s %s", (before, after) => {
    expect(told(days({ value: "16 GB", of: "Kite A" }, before, after))).toEqual(["", ""]);
  });

  it.each([
    ["row", "Kite | 16 GB\nWren | 24 GB", "Kite | 24 GB\nWren | 16 GB", "Kite | 24 GB"],
    ["line", "Kite: 16 GB\nWren: 24 GB", "Kite: 24 GB\nWren: 16 GB", "Kite: 24 GB"],
    ["sentence", "Kite has 16 GB. Wren flies.", "Kite has 24 GB. Wren has 16 GB.", "Kite has 24 GB"],
  ])("is altered where its own %s has another figure, and only a new one has its own", (_, was, now, text) => {
    const on = (rows: string) => `# Memory\n${rows.includes(" | ") ? "Name | Memory\n" : ""}${rows}`;
    const seen = days({ value: "16 GB", of: "memory" }, on(was), on(now), `${on(now)}\nMore.`, on(was));
    expect(seen.map(({ state }) => state?.status)).toEqual(["supported", "altered", "altered", "supported"]);
    expect(seen[1]?.changes[0]?.after).toBe(text);
    expect(told(seen)[2]).toBe("");
  });

  it.each([
    ["another place said so before", "Kite: 16 GB\nWren: 16 GB", "Kite: 24 GB\nWren: 16 GB"],
    ["another place said otherwise before", "Kite: 16 GB\nKite: 24 GB", "The Kite carries 16 GB\nKite: 24 GB"],
    ["it says so in other words", "Kite: 16 GB", "The Kite carries 16 GB. The Wren carries 24 GB."],
    ["it is a range by now", "Kite: 16 GB", "Kite: 16–24 GB\nWren: 16 GB"],
    ["it says no more than the figure", "Up to 16 GB", "Up to 24 GB\nKite: 16 GB"],
  ])("stays where %s", (_, was, now) => {
    expect(told(days({ value: "16 GB", of: "memory" }, `# Memory\n${was}`, `# Memory\n${now}`))).toEqual(["", ""]);
  });

  it("is looked for in bounded time if a long label is before many cells", () => {
    const started = processorTime();
    const row = `Kite ${"of cotton ".repeat(20_000)} | ${"16 GB | ".repeat(20_000)}`;
    const table = (text: string) => `# Memory\nName | Rope\n${text}`;
    expect(told(days({ value: "16 GB", of: "Kite" }, table("Kite | 16 GB"), table(row)))).toEqual(["", ""]);
    expectTime(processorTime() - started, 2500);
  });

  it("of a number alone stays if sections are numbered again", () => {
    const [was, is] = ["4.3 Taxes of kites\n4.4 Ropes", "4.4 Taxes of kites\n4.3 Sails"];
    expect(told(days({ value: "4.3" }, was, is))).toEqual(["", ""]);
    expect(told(days({ value: "4.3", of: "kites" }, was, is))[1]).toContain("4.4 Taxes of kites");
  });

  it("stays if other words or more figures came around it", () => {
    const seen = days(
      { value: "16 GB", of: "Kite A" },
      "Kite A takes 16 GB, Kite B takes 24 GB.",
      "Kite B takes 24 GB, Kite A takes 16 GB.",
      "Kite A and Kite B take 16 GB.",
      "Kite A takes 16 GB, Kite B takes 16 GB.",
      "Kite A takes 16 GB, Kite B takes 32 GB.",
    );
    expect(told(seen)).toEqual(["", "", "", "", ""]);
  });

  it.each([
    [
      "names with figures",
      "Model 100 takes 16 GB, Model 200 takes 24 GB.",
      "Model 200 takes 24 GB, Model 100 takes 16 GB.",
    ],
    ["sizes to choose from", "Model 100 comes with 16 GB or 24 GB.", "Model 100 comes with 24 GB or 16 GB."],
  ])("stays where %s come in another order", (_, before, after) => {
    expect(told(days({ value: "16 GB", of: "Model 100" }, before, after))).toEqual(["", ""]);
  });

  it("stays if it is one end of a range", () => {
    const seen = days({ value: "16 GB", of: "Kite A" }, "Kite A takes 16 GB.", "Kite A takes 16 to 24 GB.");
    expect(told(seen)).toEqual(["", ""]);
  });

  it("is gone with its place", () => {
    expect(told(days(value, page("95 GiB"), "# Chips\nSold out."))).toEqual(["", "supported → gone: v5p | 95 GiB → -"]);
  });

  it("that was never found shows what is nearest to it, if anything is", () => {
    const shows = (proof: Parameters<typeof claim>[0], text: string) =>
      proveClaims([claim(proof)], blocksOf(text), new Map(), 0).states[0]?.found;
    const text = "# Chips\nBuy it here.\nIt runs in the cluster service, by request only. Call us.\n# Memory\nLots.";
    expect(shows({ quote: "a request to the cluster service lets it run on two continents at once" }, text)).toBe(
      "It runs in the cluster service, by request only",
    );
    expect(shows({ value: "96 GiB", of: "cluster service" }, text)).toContain("It runs in the cluster service");
    expect(shows({ absent: "Jig", under: "Memory of boards" }, text)).toBe("Memory");
    expect(shows({ quote: "quite different words" }, text)).toBeUndefined();
  });

  it("that another figure replaced before the first check is not found, and shows that figure", () => {
    const [first] = days(value, page("96 GiB"));
    expect(first).toMatchObject({ state: { status: "not found", found: "v5p | 96 GiB" }, changes: [] });
  });
});

describe("a claimed absence", () => {
  const absent = { absent: "PyTorch", under: "Frameworks" };
  const without = "# Frameworks\nYou can use JAX.\n# Other\nPyTorch is named here.";
  const found = "# Frameworks\nYou can use JAX and PyTorch.";

  it("is contradicted by the words that must not be there, and supported again without them", () => {
    const seen = days(absent, without, found, found, without);
    expect(told(seen)).toEqual([
      "",
      "supported → contradicted: - → You can use JAX and PyTorch",
      "",
      "contradicted → supported: You can use JAX and PyTorch → -",
    ]);
    expect(seen[3]?.state).toEqual({ claim: "s/c", status: "supported", since: 3 });
  });

  it("is not found if it never held, or if its heading was never seen", () => {
    expect(days(absent, found, found)[1]?.state).toMatchObject({ status: "not found", since: 0 });
    expect(days(absent, "# Elsewhere\nWords.")[0]?.state?.status).toBe("not found");
    expect(told(days(absent, "# Elsewhere\nWords.", without, "# Elsewhere\nWords."))).toEqual(["", "", ""]);
  });
});

describe("a proof that the first check did not find", () => {
  const page = blocksOf(
    "The shop has 96 GB of unified memory in one size only. A Windows build is offered. It scales well on every board.",
  );
  const otherwise = (proof: TextClaim["proof"], earlier = blocksOf("")) =>
    proveClaims([claim(proof)], page, new Map(), 1, earlier).otherwise.size > 0;

  it("is contradicted by another figure in its place, and by words that must not be there", () => {
    expect(otherwise({ quote: "has 512 GB of unified memory" })).toBe(true);
    expect(otherwise({ value: "512 GB", of: "unified memory" })).toBe(true);
    expect(otherwise({ absent: "Windows build" })).toBe(true);
  });

  it("is contradicted, too, if its source was watched before the claim was written", () => {
    expect(otherwise({ value: "512 GB", of: "unified memory" }, page)).toBe(true);
  });

  it("is only not found if it may be mistyped, or is elsewhere", () => {
    expect(otherwise({ quote: "it scales very well on each board" })).toBe(false);
    expect(otherwise({ quote: "has 96 GB of unified memory in two sizes" })).toBe(false);
    expect(otherwise({ quote: "512 tiles are drawn at once" })).toBe(false);
    expect(otherwise({ value: "20 watts", of: "consumption" })).toBe(false);
    expect(otherwise({ absent: "Windows build", under: "Platforms" })).toBe(false);
  });

  it("is found in its place", () => {
    expect(otherwise({ quote: "has 96 GB of unified memory" })).toBe(false);
    expect(otherwise({ absent: "macOS build" })).toBe(false);
  });
});

describe("several claims", () => {
  it("are distinguished, in order, and those never found are named", () => {
    const claims = [
      { ...claim({ quote: "one thing stands" }), id: "a" },
      { ...claim({ quote: "quite different words" }), id: "b" },
    ];
    const { states } = proveClaims(claims, blocksOf("One thing stands."), new Map(), 7);
    expect(states.map((state) => [state.claim, state.status])).toEqual([
      ["s/a", "supported"],
      ["s/b", "not found"],
    ]);
    expect(states.filter(({ status }) => status === "not found")).toEqual([
      { claim: "s/b", status: "not found", since: 7 },
    ]);
    expect(proveClaims([], [], new Map(), 7)).toEqual({ states: [], changes: [], otherwise: new Set() });
  });
});
