import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CommandContext, type ParsedCommand, parseComment } from "../../../src/recheck/answer/command.ts";
import { help } from "../../../src/recheck/answer/names.ts";
import { expectTime } from "../../support/expect-time.ts";
import { processorTime } from "../../support/processor-time.ts";
import { runs } from "../../support/runs.ts";
import { hostile } from "../issue/hostile.ts";
import { living, rendered } from "../issue/markdown.ts";
import { at, config } from "../samples.ts";

const asking: CommandContext = { config, asked: ["tensor/maturity", "tensor/compile"], at: at("2026-11-20T10:00:00Z") };

function parsed(body: string, more: Partial<CommandContext> = {}): ParsedCommand | undefined {
  return parseComment({ body, bot: false }, { ...asking, ...more });
}

function says(body: string, more: Partial<CommandContext> = {}): string {
  const result = parsed(body, more);
  return result && "says" in result ? result.says : `obeyed: ${JSON.stringify(result)}`;
}

describe("commands that are obeyed", () => {
  test.each<[string, unknown]>([
    ["/recheck keep", { kind: "keep", ratings: [] }],
    ["  /Recheck KEEP  ", { kind: "keep", ratings: [] }],
    ["\n\n/recheck keep\n\nBecause I checked.", { kind: "keep", ratings: [] }],
    ["/recheck: keep all", { kind: "keep", ratings: [] }],
    ["/recheck keep tensor/maturity", { kind: "keep", ratings: ["tensor/maturity"] }],
    ["/recheck keep Compile, `maturity`", { kind: "keep", ratings: ["tensor/compile", "tensor/maturity"] }],
    ["/recheck keep maturity and maturity", { kind: "keep", ratings: ["tensor/maturity"] }],
    ["/recheck keep because nothing moved", { kind: "keep", ratings: [], because: "nothing moved" }],
    ["/recheck keep because …", { kind: "keep", ratings: [] }],
    [
      "/recheck change tensor/maturity High because it is public, because we tried",
      { kind: "change", rating: "tensor/maturity", level: "High", because: "it is public, because we tried" },
    ],
    [
      "/recheck change maturity to `high` Because: it is public\r\nand more",
      { kind: "change", rating: "tensor/maturity", level: "High", because: "it is public" },
    ],
    [
      "/recheck keep Tensor Board · Compiler, and TENSOR/MATURITY.",
      { kind: "keep", ratings: ["tensor/compile", "tensor/maturity"] },
    ],
    ["/recheck keep all ratings", { kind: "keep", ratings: [] }],
    ...[
      "/recheck change Tensor Board · Maturity High because it is public",
      "/recheck change **Tensor Board** · Maturity: **High** because it is public",
      "/recheck change “tensor/maturity” “High” because it is public",
      "/recheck change 'maturity' → ‘high’, because — it is public",
      "/recheck change tensor / maturity — High — because it is public",
    ].map((body): [string, unknown] => [
      body,
      { kind: "change", rating: "tensor/maturity", level: "High", because: "it is public" },
    ]),
    ["/recheck dismiss because it is a typo", { kind: "dismiss", because: "it is a typo" }],
    ["/recheck snooze 14d", { kind: "snooze", until: at("2026-12-04T10:00:00Z") }],
    ["/recheck snooze for 2w", { kind: "snooze", until: at("2026-12-04T10:00:00Z") }],
    ["/recheck snooze 2026-11-21", { kind: "snooze", until: at("2026-11-21") }],
    ["/recheck snooze until 2028-02-29", { kind: "snooze", until: at("2028-02-29") }],
    ["/recheck snooze until-next-event", { kind: "snooze", until: "next-event" }],
    ["/recheck snooze until–next‑event", { kind: "snooze", until: "next-event" }],
    ["/recheck snooze 2026–12–04.", { kind: "snooze", until: at("2026-12-04") }],
    ["/recheck snooze until next event", { kind: "snooze", until: "next-event" }],
    ["/recheck check again now, please", { kind: "check" }],
    ["/recheck help", { kind: "help" }],
    ["> /recheck dismiss because x\n\n/recheck keep", { kind: "keep", ratings: [] }],
  ])("%j", (body, command) => {
    expect(parsed(body)).toEqual({ command });
  });

  test("a comment of two commands is answered: only the first counts", () => {
    expect(parsed("/recheck keep maturity\n/recheck keep compile")).toEqual({
      command: { kind: "keep", ratings: ["tensor/maturity"] },
      note: "Only the first line of a comment is read: write each command in its own comment.",
    });
    expect(parsed("/recheck keep\n```\n/recheck help\n```\n> /recheck check")).toEqual({
      command: { kind: "keep", ratings: [] },
    });
  });
});

describe("text that is not meant for us", () => {
  test.each([
    "",
    "I think /recheck keep",
    "Thanks!\n/recheck keep",
    "> /recheck keep",
    "> a quote that goes on\n/recheck keep",
    "    /recheck keep",
    "\t/recheck keep",
    "```\n/recheck keep\n```",
    "`/recheck keep`",
    "- /recheck keep",
    "/rechecked",
    "/recheck-me keep",
    "//recheck keep",
    "<!-- x -->\n/recheck keep",
  ])("%j", (body) => {
    expect(parsed(body)).toBeUndefined();
  });

  test("any text of an app", () => {
    expect(parseComment({ body: "/recheck keep", bot: true }, asking)).toBeUndefined();
  });
});

test("a rating that another question asks about exists all the same", () => {
  expect(says("/recheck keep maturity", { asked: ["tensor/compile"] })).toBe(
    "This recheck does not ask about `maturity`. This recheck asks about `tensor/compile`.",
  );
});

describe("a mistake is answered kindly, with the expected form", () => {
  const known =
    "`/recheck` needs one of `accept`, `keep`, `change`, `dismiss`, `snooze`, `check` or `help`; `/recheck help` explains them.";
  const asks = "This recheck asks about `tensor/maturity` and `tensor/compile`.";
  const write = "Write it as `/recheck change tensor/maturity High because …`, the reason on the same line.";
  const unclear = (words: string) =>
    `Cannot read \`${words}\` after the level: put the reason after the word \`because\`, and each rating into its own comment.`;
  const snooze =
    "`/recheck snooze` needs a date, a length of time or `until-next-event`, such as `/recheck snooze 2026-12-04` or `/recheck snooze 14d`.";

  test.each([
    ["/recheck", known],
    ["/recheck kepe", `\`kepe\` is not a command; did you mean \`keep\`? ${known}`],
    ["/recheck approve", `\`approve\` is not a command. ${known}`],
    ["/recheck keep maturty", `No rating is called \`maturty\`; did you mean \`maturity\`? ${asks}`],
    ["/recheck keep vector/maturity", `This recheck does not ask about \`vector/maturity\`. ${asks}`],
    [
      "/recheck keep it is all still true",
      `No rating is called \`it\`. ${asks} Put the reason after the word \`because\`.`,
    ],
    ["/recheck change", write],
    ["/recheck change maturity High", `The reason is missing. ${write}`],
    ["/recheck change maturity High because …", `The reason is missing. ${write}`],
    [
      "/recheck change maturity Hihg because x",
      `No level is called \`Hihg\`; did you mean \`High\`? The levels are \`Low\`, \`Medium\` and \`High\`. ${write}`,
    ],
    [
      "/recheck change maturity because x",
      `The new level is missing. The levels are \`Low\`, \`Medium\` and \`High\`. ${write}`,
    ],
    [
      "/recheck change maturity medium because x",
      "`tensor/maturity` is already `Medium`; to keep it, write `/recheck keep tensor/maturity`.",
    ],
    ["/recheck change maturity High it is public", `${unclear("it is public")} ${write}`],
    ["/recheck change maturity High, compile Low because x", `${unclear("compile Low")} ${write}`],
    ["/recheck keep Tensor", `No rating is called \`Tensor\`. ${asks}`],
    ["/recheck keep maturity-of-it", `No rating is called \`maturity-of-it\`. ${asks}`],
    ["/recheck dismiss", "The reason is missing: write it as `/recheck dismiss because …`, on the same line."],
    ["/recheck snooze", snooze],
    ["/recheck snooze 2026-11-20", `\`2026-11-20\` is not in the future; today is 2026-11-20. ${snooze}`],
    ["/recheck snooze 2026-02-30", `There is no day \`2026-02-30\`. ${snooze}`],
    [
      "/recheck snooze 99999d",
      `\`99999d\` is more than two years away: the last possible day is \`2028-11-19\`. ${snooze}`,
    ],
    [
      "/recheck snooze until 9999-12-31",
      `\`9999-12-31\` is more than two years away: the last possible day is \`2028-11-19\`. ${snooze}`,
    ],
    [
      "/recheck snooze 3m",
      `\`3m\` means 3 minutes, and the shortest snooze is an hour; for months, write \`90d\`. ${snooze}`,
    ],
    ["/recheck snooze 59m", `\`59m\` means 59 minutes, and the shortest snooze is an hour. ${snooze}`],
    ["/recheck snooze 2 weeks", `\`2 weeks\` is neither a date nor a length of time; did you mean \`2w\`? ${snooze}`],
    ["/recheck snooze a while", `\`a while\` is neither a date nor a length of time. ${snooze}`],
  ])("%j", (body, sentence) => {
    expect(says(body)).toBe(sentence);
  });

  test("the last part of an id that several have is not enough", () => {
    const asked = ["tensor/maturity", "vector/maturity"];
    expect(says("/recheck keep maturity", { asked })).toBe(
      "`maturity` can mean `tensor/maturity` or `vector/maturity`: give the whole id.",
    );
  });

  test("if no rating rests on the event, none can change", () => {
    expect(says("/recheck change maturity High because x", { asked: [] })).toBe(
      "No rating is affected here, so none can be changed.",
    );
    expect(parsed("/recheck keep", { asked: [] })).toEqual({ command: { kind: "keep", ratings: [] } });
  });
});

test("the longest and the shortest snooze", () => {
  expect(parsed("/recheck snooze 730d")).toMatchObject({ command: { until: at("2028-11-19T10:00:00Z") } });
  expect(parsed("/recheck snooze 2028-11-19")).toMatchObject({ command: { until: at("2028-11-19") } });
  expect(parsed("/recheck snooze 60m")).toMatchObject({ command: { until: at("2026-11-20T11:00:00Z") } });
});

test("without levels a text that no cell holds is none", () => {
  const free = { config: { ...config, levels: [] } };
  const change = (length: number) => `/recheck change maturity to ${"x".repeat(length)} because measured`;
  expect(parsed(change(300), free)).toMatchObject({ command: { kind: "change" } });
  expect(says(change(2_000), free)).toMatch(/^The new value has 2,000 characters; the limit is 300\. /);
});

test("without levels any text is one, as it is written", () => {
  const free = { config: { ...config, levels: [] } };
  expect(parsed("/recheck change maturity to 38.5 ms because measured", free)).toEqual({
    command: { kind: "change", rating: "tensor/maturity", level: "38.5 ms", because: "measured" },
  });
  expect(parsed('/recheck change maturity "Not Yet" because x', free)).toMatchObject({ command: { level: "Not Yet" } });
  expect(says("/recheck change maturity because x", free)).toContain("The new value is missing.");
});

describe("any comment", () => {
  const verb = fc.constantFrom(
    "",
    "keep ",
    "change ",
    "change maturity ",
    "change maturity High because ",
    "dismiss because ",
    "snooze ",
  );
  const line = fc.tuple(verb, hostile()).map(([word, rest]) => `/recheck ${word}${rest}`);

  test("gets an answer in which nothing of it comes alive", () => {
    fc.assert(
      fc.property(line, (body) => {
        const result = parsed(body);
        const text = result && ("says" in result ? result.says : (result.note ?? ""));
        if (!text) return;
        const { kinds, text: shown, html, links } = rendered(text);
        expect([...kinds].filter((kind) => kind !== "inlineCode").sort()).toEqual(["paragraph", "root", "text"]);
        expect([...living(shown), ...html, ...links]).toEqual([]);
        expect(text.length).toBeLessThan(1_500);
      }),
      { numRuns: runs(500) },
    );
  });

  test("is obeyed only within what the recheck asks about, on one line", () => {
    fc.assert(
      fc.property(line, (body) => {
        const result = parsed(body);
        if (!result || "says" in result) return;
        const { command } = result;
        if (command.kind === "keep") for (const rating of command.ratings) expect(asking.asked).toContain(rating);
        if (command.kind === "change") {
          expect(asking.asked).toContain(command.rating);
          expect(config.levels).toContain(command.level);
        }
        if ("because" in command && command.because !== undefined)
          expect(command.because).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}]{1,1000}$/u);
        if (command.kind === "snooze" && command.until !== "next-event")
          expect(command.until).toBeGreaterThan(asking.at);
      }),
      { numRuns: runs(500) },
    );
  });

  test("takes no long time", () => {
    const start = processorTime();
    for (const part of ["because ", "> ", "`", "/recheck\n", "\u200b", "a,", "- ", "until "]) {
      for (const word of ["keep", "change", "snooze", "dismiss"]) parsed(`/recheck ${word} ${part.repeat(200_000)}`);
      parsed(part.repeat(200_000));
    }
    expectTime(processorTime() - start, 5_000);
  });

  test("takes no long time if one of 300 ratings is named 2,000 times", () => {
    const ids = Array.from({ length: 300 }, (_, i) => `sled-${i % 20}/topic-number-${i}`);
    const level = { level: "Low" };
    const ratings = new Map([...ids, "p/x"].map((id) => [id, { ...level, id, conclusions: [] }]));
    const many = { config: { ...config, ratings } as unknown as typeof config, asked: [...ids, "p/x"] };
    const start = processorTime();
    expect(parsed(`/recheck keep ${"x ".repeat(1_990)}`, many)).toEqual({
      command: { kind: "keep", ratings: ["p/x"] },
    });
    expectTime(processorTime() - start, 1_000);
  });
});

test("help lists the commands with the ratings and levels at hand", () => {
  const { text, kinds, code } = rendered(help(asking.asked, config, "tensor"));
  expect(kinds).toContain("table");
  expect(code.split("\n")).toEqual(
    expect.arrayContaining([
      "/recheck change tensor/maturity High because …",
      "/recheck keep",
      "tensor/compile",
      "High",
    ]),
  );
  expect(living(text)).toEqual([]);
  for (const command of code.split("\n").filter((one) => one.startsWith("/recheck"))) {
    expect(parsed(command.replace("…", "it is so"))).toHaveProperty("command");
  }
  expect(help([], config, "tensor")).not.toContain("change");
});
