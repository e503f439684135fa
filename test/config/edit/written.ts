import fc from "fast-check";

/** A `sources.yaml` in pieces: what stands before the ratings, each rating with its comments, what stands after. */
export interface Written {
  readonly head: string;
  readonly entries: readonly { readonly id: string; readonly text: string; readonly comments: readonly string[] }[];
  readonly tail: string;
}

export const levels = ["Low", "Medium", "High", "Not yet", "yes"];

export function textOf({ head, entries, tail }: Written): string {
  return head + entries.map(({ text }) => text).join("") + tail;
}

function quoted(level: string): fc.Arbitrary<string> {
  return fc.constantFrom(level, `"${level}"`, `'${level}'`);
}

const level = fc.constantFrom(...levels).chain(quoted);
const reviewed = fc.constantFrom("reviewed: 2026-01-02", 'reviewed: "2026-12-31"', "reviewed: '2026-11-20'");
const others = fc.subarray(["basis: judgement", "volatility: High", 'owners: [a, "b c"]', "owners: []"], {
  maxLength: 2,
});
const comment = fc.constantFrom("", " # why", "  # { level: High }");

/** The pairs of the long form, in any order. */
const pairs = fc
  .tuple(level, fc.option(reviewed, { nil: undefined }), others)
  .filter(([, , more]) => more.filter((one) => one.startsWith("owners")).length < 2)
  .chain(([word, date, more]) =>
    fc
      .shuffledSubarray([`level: ${word}`, ...(date ? [date] : []), ...more], { minLength: 1 })
      .map((some) => (some.some((pair) => pair.startsWith("level")) ? some : [`level: ${word}`, ...some])),
  );

const body = fc.oneof(
  fc.tuple(level, comment).map(([word, why]) => ` ${word}${why}\n`),
  level.map((word) => `\n    ${word}\n`),
  fc.tuple(pairs, comment).map(([all, why]) => ` { ${all.join(", ")} }${why}\n`),
  pairs.map((all) => ` {${all.join(", ")},}\n`),
  pairs.map((all) => ` {\n      ${all.join(",\n      ")}\n    }\n`),
  fc
    .tuple(pairs, fc.array(comment, { minLength: 9, maxLength: 9 }), fc.constantFrom("    ", "      "))
    .map(([all, why, indent]) => `${why[8]}\n${all.map((pair, i) => `${indent}${pair}${why[i]}\n`).join("")}`),
);

const above = fc.constantFrom("", "", "\n", "  # of this one\n", "\n  # two\n  # lines\n");

const entry = fc.tuple(above, fc.constantFrom("", " "), body);

/** Any way to write ratings in a block. */
export function written(): fc.Arbitrary<Written> {
  const entries = fc.array(entry, { minLength: 1, maxLength: 6 }).map((all) =>
    all.map(([before, space, text], i) => {
      const id = `p${i}/area`;
      const whole = `${before}  ${id}${space}:${text}`;
      return { id, text: whole, comments: [...whole.matchAll(/# [^\n]*/g)].map(([found]) => found) };
    }),
  );
  const head = fc.constantFrom(
    'report: { title: T, audited: 2026-05-16 }\nlevels: [Low, Medium, High, Not yet, "yes"]\nratings:\n',
    "# first\nlevels: [Low, Medium, High, Not yet, 'yes'] # l\nreport:\n  title: \"T: {x}\"\n  audited: 2026-05-16\n\n\nratings: # r\n",
  );
  const tail = fc.constantFrom("", "# end", "\nnames:   {p0: 'One'}\n", "sources: # none\n  {}\n");
  const feeds = fc.constantFrom("\n", "\r\n");
  return fc.tuple(head, entries, tail, feeds).map(([first, middle, last, feed]) => {
    const fed = (text: string) => text.replaceAll("\n", feed);
    return { head: fed(first), entries: middle.map((one) => ({ ...one, text: fed(one.text) })), tail: fed(last) };
  });
}
