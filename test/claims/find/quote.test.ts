import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { denialOfPassage } from "../../../src/claims/find/denial.ts";
import { findQuote, isOnPage } from "../../../src/claims/find/quote.ts";
import { anySign } from "../../support/any-sign.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { inputSize } from "../../support/runs.ts";
import { pageOf } from "./page.ts";

const find = (page: string, exact: string, around: { prefix?: string; suffix?: string } = {}) =>
  findQuote(pageOf(page), { exact, ...around });

describe("the same passage", () => {
  it.each([
    ["case, punctuation and quotes", 'The "fast" path: it is EXPERIMENTAL.', "the “fast” path, it is experimental"],
    ["white space and line breaks", "It  is\u00a0an early\u2028prototype", "It is an early prototype"],
    ["zero-width and soft hyphens", "Py\u200bTorch proto\u00adtype", "PyTorch prototype"],
    ["dashes", "end‑to‑end — network", "end-to-end - network"],
    ["compatibility forms", "ﬁrst ＴＰＵ", "first TPU"],
    ["signs of trade marks", "Forge® Anvil™ holds 64 GB.", "Forge Anvil holds 64 GB"],
    ["figures", "It holds 95GiB of memory at 1200 GB/s.", "It holds 95 GiB of memory at 1,200 GB/s."],
    ["times", "4.7× the compute", "4.7x the compute"],
    ["a word that a line's end parts", "It is fully sup- ported here.", "It is fully supported here"],
    ["a compound that a line's end joined", "A lowlatency path for all.", "A low-latency path for all"],
    ["one word for two", "Made for data centers of any size.", "Made for datacenters of any size"],
    ["apostrophes in numbers", "It has 1'024 cores.", "It has 1,024 cores"],
    ["signs of money behind", "It costs 20 € today.", "It costs €20 today"],
    ["times of payment", "It costs $20/month now.", "It costs $20 per month now"],
    ["users and times", "It costs $20 / user / mo now.", "It costs $20 per user per month now"],
    ["contractions", "It isn't supported and can't be.", "It is not supported and cannot be."],
    ["footnotes", "Up to 512GB¹ of unified memory [3] is offered.", "Up to 512GB of unified memory is offered"],
    ["decomposed letters", "Café réseau", "Cafe\u0301 re\u0301seau"],
    ["kinds of dash, quote and mu", "‚A’ „B” « C » − 5 µs ″", "'A' \"B\" C - 5 us"],
    ["a cedilla for a comma", "Doar clienţi noi şi elevi.", "Doar clienți noi și elevi"],
    ["digits of mathematics", "It lifts 𝟣𝟨 kg and 𝟘 𝟿 𝟏", "It lifts 16 kg and 0 9 1"],
    ["digits of another script", "المدة ١٥ يوما و ۲۰ دقيقة", "المدة 15 يوما و 20 دقيقة"],
    ["percent in words", "Úrok činí 3,5 procenta.", "Úrok činí 3,5 %"],
    ["a raised power", "10² × 3 mm³ (m²)", "10² × 3 mm³ m"],
    ["odd contractions", "It won't, doesn't and can't.", "It will not, does not and can not"],
    ["plurals of y and possessives", "The chip's memories stay.", "the chip's memories stay"],
    ["scripts without spaces", "これは試作品です。", "試作品"],
    ["names in scripts without spaces", "サーバーはKiteに対応しています。", "Kiteに対応"],
    ["a sign that lengthens", "サーバーは動きます。", "は動きます"],
  ])("is exact in spite of %s", (_, page, quote) => {
    expect(find(page, quote)).toMatchObject({ status: "exact", similarity: 1 });
  });

  it("is found across blocks, and quoted as the page has it", () => {
    const found = find("# Use\nTo use it you must use GKE.\nYou can use the JAX framework.", "use gke you can use");
    expect(found).toMatchObject({ status: "exact", text: "use GKE. You can use" });
  });
});

it("is there or not: no search for one like it", () => {
  const parts = fc.constantFrom("The chip ", "has ", "96 GiB ", "of memory. ", "It isn't ", "supported ");
  const text = fc.array(parts, { maxLength: 12 }).map((some) => some.join(""));
  const quote = fc.oneof(text, fc.constant("..."));
  fc.assert(
    fc.property(text, quote, (page, exact) => {
      expect(isOnPage(pageOf(page), exact)).toBe(find(page, exact).status === "exact");
    }),
  );
});

describe("a passage that leaves words out", () => {
  const page =
    "# Engines\nAll users must use the new engine from May on.\nNobody else may.\n## Other\nThe new engine is red.";
  const status = (quote: string, there = page) => findQuote(pageOf(there), { exact: quote }).status;

  it.each(["[…]", "…", "[...]", "(…)", "..."])("is found by what it has: %s", (sign) => {
    expect(findQuote(pageOf(page), { exact: `all users ${sign} new engine` })).toMatchObject({
      status: "exact",
      text: "All users must use the new engine",
    });
  });

  it("is found over blocks of one section, in order, with nothing much between", () => {
    expect(status("All users […] new engine […] Nobody else")).toBe("exact");
    expect(status("new engine […] All users")).not.toBe("exact");
    expect(status("Nobody else […] engine is red")).not.toBe("exact");
    expect(status("all users […] new engine", `All users ${"may or may not ".repeat(30)} the new engine`)).not.toBe(
      "exact",
    );
    expect(status("all users […] old engine")).not.toBe("exact");
    expect(status("all […] engine")).not.toBe("exact");
  });

  it("is taken back by words before or behind a part", () => {
    const says = (text: string) => denialOfPassage(pageOf(text), "all users […] use the new engine");
    expect(says("All users must use the new engine.")).toBe(undefined);
    expect(says("All users must not use the new engine.")).toBe("not use the new engine");
    expect(says("All users must use the new engine except on Windows.")).toContain("except on Windows");
  });
});

describe("an altered passage", () => {
  it.each([
    ["one figure", "The chip has 96 GiB of memory.", "The chip has 95 GiB of memory.", "The chip has 96 GiB of memory"],
    ["a unit", "The chip has 95 GB of memory.", "The chip has 95 GiB of memory.", "The chip has 95 GB of memory"],
    ["a version", "Wheels need PyTorch 2.10 now.", "Wheels need PyTorch 2.1 now.", "Wheels need PyTorch 2.10 now"],
    ["a letter at the end", "A fast engines.", "A fast engine.", "A fast engines"],
    ["numbers that are parted", "It needs 1 2 chips now.", "It needs 12 chips now.", "It needs 1 2 chips now"],
    ["a time of payment", "Costs $20 a year now.", "Costs $20 per month now.", "Costs $20 a year now"],
    ["who pays", "Costs $20/user/month now.", "Costs $20 per seat per month now.", "Costs $20/user/month now"],
    ["a plural", "Needs many libraries.", "Needs many library.", "Needs many libraries"],
    [
      "a number without a unit",
      "Tested on 8 chips at once.",
      "Tested on 4 chips at once.",
      "Tested on 8 chips at once",
    ],
    ["a negation put in", "Eager mode is not supported.", "Eager mode is supported.", "Eager mode is not supported"],
    ["a negation taken out", "Eager mode is supported.", "Eager mode isn't supported.", "Eager mode is supported"],
    [
      "no longer",
      "It is no longer an early prototype.",
      "It is an early prototype.",
      "It is no longer an early prototype",
    ],
    ["a sign", "Runs at −40 °C.", "Runs at 40 °C.", "Runs at −40 °C"],
    ["< for >", "Needs batch < 8 to win.", "Needs batch > 8 to win.", "Needs batch < 8 to win"],
    [
      "a prefix",
      "It is asynchronous by default there.",
      "It is synchronous by default there.",
      "It is asynchronous by default there",
    ],
  ])("is altered by %s", (_, page, quote, text) => {
    const found = find(`# A\nAnother thing stands here first.\n${page}\nAnd more follows.`, quote);
    expect(found).toMatchObject({ status: "altered", text });
    expect(found.similarity).toBeLessThan(1);
  });

  it("is followed through rewriting, whole sentences at a time", () => {
    const page = `# Overview
      Google Cloud offers many machine types.
      # Frameworks
      You can use TPU7x with GKE or Compute Engine, and with the JAX and PyTorch frameworks. More follows.
      Contact your account team to learn about JAX.`;
    expect(find(page, "To use TPU7x you must use GKE. You can use the JAX framework.")).toMatchObject({
      status: "altered",
      text: "You can use TPU7x with GKE or Compute Engine, and with the JAX and PyTorch frameworks",
    });
  });

  it("is reported with the brackets that it opens", () => {
    const found = find("See the [guide](docs/b.md), please.", "See the [guide](docs/a.md)");
    expect(found).toMatchObject({ status: "altered", text: "See the [guide](docs/b.md)" });
    expect(find("(It is an early prototype) today", "is an early prototype")).toMatchObject({
      text: "is an early prototype",
    });
  });

  it("is followed to another section", () => {
    const page = "# A\nNothing.\n# B\nMore.\n# C\nThe backend is an early prototype and will probably fail often.";
    expect(find(page, "The backend is an early prototype and likely to fail.")).toMatchObject({ status: "altered" });
  });

  it("has a similarity close to 1 after a small edit of a long passage, and is altered all the same", () => {
    const words = Array.from({ length: 120 }, (_, i) => `word${i}`);
    const edited = words.with(60, "something").join(" ");
    const found = find(edited, words.join(" "));
    expect(found.status).toBe("altered");
    expect(found.similarity).toBeGreaterThan(0.98);
  });
});

it("is found behind many words before it, at the end of a long sentence", () => {
  const page = `${"so it goes and on it goes ".repeat(4)}and the backend is a late prototype that fails.`;
  expect(find(page, "The whole backend is an early prototype that fails")).toMatchObject({ status: "altered" });
});

describe("an absent passage", () => {
  it.each([
    ["something else", "Ray tracing cores double the frame rate.", "torch.compile on MPS is an early prototype"],
    ["the same function words", "It is to be what it is to you.", "It is what can be supported on a TPU"],
    ["nothing", "", "anything"],
    ["nothing asked", "Something is here.", "…"],
    ["only another figure", "It costs 96 GB.", "128 GB"],
    [
      "half the words, far apart",
      `Prototype ${"filler words everywhere. ".repeat(50)} fail network.`,
      "prototype likely to fail end-to-end network",
    ],
  ])("is absent if there is %s", (_, page, quote) => {
    expect(find(page, quote)).toMatchObject({ status: "absent" });
  });
});

describe("a passage that occurs three times", () => {
  const page = `# CUDA
    Compile mode: supported on all chips.
    # ROCm
    Compile mode: supported on ALL chips.
    # MPS
    Then comes this. Compile mode: supported on all CHIPS. And that.`;
  const found = (around: object) => find(page, "Compile mode: supported on all chips", around);

  it("is distinguished by prefix, suffix and heading, and else is the first", () => {
    expect(found({})).toMatchObject({ text: "Compile mode: supported on all chips" });
    expect(found({ prefix: "ROCm" })).toMatchObject({ text: "Compile mode: supported on ALL chips" });
    for (const around of [{ prefix: "MPS" }, { prefix: "then comes this" }, { suffix: "And that" }])
      expect(found(around)).toMatchObject({ text: "Compile mode: supported on all CHIPS" });
    expect(found({ prefix: "something unheard of" })).toMatchObject({ text: "Compile mode: supported on all chips" });
  });

  it("is altered if the one in its own place is, though the others are still there", () => {
    const edited = page.replace("supported on all CHIPS", "supported on some chips");
    const found = find(edited, "Compile mode: supported on all chips", {
      prefix: "Then comes this",
      suffix: "And that",
    });
    expect(found).toMatchObject({ status: "altered", text: "Compile mode: supported on some chips" });
    expect(find(edited, "Compile mode: supported on all chips").status).toBe("exact");
  });
});

describe("any passage", () => {
  const word = fc.constantFrom("tpu", "mode", "fast", "95 GiB", "is", "not", "the", "PyTorch", "2.12", "runs", "eager");
  const sentence = fc.array(word, { minLength: 3, maxLength: 12 }).map((w) => `${w.join(" ")}.`);
  const page = fc.array(sentence, { minLength: 1, maxLength: 12 });

  it("that was cut from a page is exact there, however it is wrapped", () => {
    fc.assert(
      fc.property(page, fc.nat(), fc.constantFrom("\n", " ", "  "), (sentences, pick, gap) => {
        const quote = sentences[pick % sentences.length] ?? "";
        expect(find(sentences.join(gap), quote.toUpperCase().replaceAll("GIB", "GiB")).status).toBe("exact");
      }),
    );
  });

  it("is found the same way twice, and its text is the page's own", () => {
    fc.assert(
      fc.property(page, sentence, (sentences, quote) => {
        const text = sentences.join("\n");
        const found = find(text, quote);
        expect(find(text, quote)).toEqual(found);
        if (found.status !== "absent") expect(sentences.join(" ")).toContain(found.text);
      }),
    );
  });

  it("never throws, for any page and passage", () => {
    const noise = fc.string({ unit: anySign, maxLength: 200 });
    fc.assert(fc.property(noise, noise, (text, quote) => void find(text, quote, { prefix: text, suffix: quote })));
  });
});

describe("a large page", () => {
  const passage = "The compile path for this backend is an early prototype with 95 GiB and likely to fail. "
    .repeat(11)
    .slice(0, 1000);
  it.each([
    ["prose", "Many words that differ a little stand on this page, number 12 GB. "],
    ["one word", "prototype "],
    ["near misses", "The compile path for that backend is a prototype with 96 GiB and fails. "],
    ["one long word", "x"],
    ["digits", "1,111"],
    ["signs", "$1."],
    ["combining marks", "e\u0301\u0301"],
    ["zero-width", "a\u200b"],
    ["spaces", " "],
    ["brackets", "[1"],
    ["han", "試作品"],
  ])("is searched in bounded time: %s", (_, unit) => {
    const page = pageOf(unit.repeat(inputSize(2_000_000, 200_000) / unit.length));
    const started = processorTime();
    findQuote(page, { exact: passage, prefix: "this", suffix: "that" });
    expectTime(processorTime() - started, inputSize(2_500, 500));
  });
});
