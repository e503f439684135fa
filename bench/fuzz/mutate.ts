import { pieces, random } from "../hostile/texts.ts";

/** Numbers that are the same for the same seed. */
export type Pick = (below: number) => number;

export { random };

/** Texts that some parser of ours, of GitHub or of a browser obeys. */
const orders: readonly string[] = [
  ...["@maintainer", "@org/team", "#12", "owner/repo#3", "GH-4", "https://evil.example/x", "www.evil.example"],
  ...["a@evil.example", "mailto:a@evil.example", "closes #1", "fixes owner/repo#2", "resolve\u200bs #3", "Fixed: #4"],
  ...["<!--", "-->", "<!-- recheck:end -->", "\n<!-- recheck:end -->\n", "\n<!-- recheck:begin {} -->\n"],
  ...[
    '<!-- recheck:begin {"marker":"a","trigger":"b"} -->',
    "<!-- recheck:do keep -->",
    "\n- [x] <!-- recheck:do check -->",
  ],
  ...[
    "\n- [x] <!-- recheck:do retry a -->all",
    "<!-- recheck:answer a -->",
    "\n### To decide\n",
    "<!-- recheck:ended -->",
  ],
  ...[
    "/recheck keep",
    "\n/recheck dismiss because x",
    "because ",
    "until-next-event",
    "2026-12-24",
    "High",
    "maturity",
  ],
  ...[
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    '" onload="',
    "' onload='",
    "</title>",
  ],
  ...["[a](https://evil.example)", "![a](https://evil.example/i.png)", "<https://evil.example>", "[^1]", "[^1]: a\n"],
  ...[
    "*a",
    "&a",
    "!!js/function a",
    "!!binary a",
    "<<: *a",
    "&a [*a]",
    "? a\n: b",
    "%YAML 1.1\n---\n",
    "{{",
    "$" + "{{ a }}",
    "__proto__",
  ],
  ...[
    "constructor",
    "toString",
    "\ufeff",
    "\u0000",
    "\ud800",
    "\udc00",
    "\u202e",
    "\u2028",
    "\u0085",
    "\u001b[2J",
    "\r",
    "::set-env name=A::b",
  ],
  ...[
    "null",
    "~",
    "-1",
    "1e999",
    "9007199254740993",
    ".inf",
    "0x10",
    "[]",
    "{}",
    "''",
    '"\\u0000"',
    ": ",
    "  ",
    "\t- ",
  ],
];

const nasty = [...orders, ...pieces];

/** A base text, altered in one to six places. */
export function altered(bases: readonly string[], pick: Pick): string {
  const base = () => bases[pick(bases.length)] ?? "";
  let text = base();
  for (let left = 1 + pick(6); left > 0; left--) {
    const from = pick(text.length + 1);
    const to = Math.min(text.length, from + pick(pick(4) === 0 ? 80 : 6));
    text = text.slice(0, from) + put(pick, base, text.slice(from, to)) + text.slice(to);
  }
  return text;
}

function put(pick: Pick, base: () => string, taken: string): string {
  const one = nasty[pick(nasty.length)] ?? "";
  const ways = [one, "", taken + taken, one.repeat(1 + pick(20)), String.fromCharCode(pick(65_536)), taken + one];
  const way = pick(ways.length + 1);
  if (way < ways.length) return ways[way] ?? "";
  const other = base();
  const from = pick(other.length);
  return other.slice(from, from + pick(60));
}

/** Texts of only nasty characters. */
export function hostileText(pick: Pick): string {
  return Array.from({ length: 1 + pick(8) }, () => nasty[pick(nasty.length)]).join(pick(3) === 0 ? " " : "");
}

/** Plain data, altered in one to four places. */
export function alteredData(bases: readonly unknown[], texts: readonly string[], pick: Pick): unknown {
  const data = structuredClone(bases[pick(bases.length)]);
  for (let left = 1 + pick(4); left > 0; left--) {
    let holder = data as Record<string, unknown>;
    for (;;) {
      const names = Object.keys(holder);
      const name = names[pick(names.length)];
      if (name === undefined) break;
      const below = holder[name];
      if (typeof below === "object" && below !== null && pick(3) > 0) {
        holder = below as Record<string, unknown>;
        continue;
      }
      const values = [
        null,
        undefined,
        true,
        -1,
        1e21,
        Number.NaN,
        "",
        [],
        {},
        [[]],
        altered(texts, pick),
        hostileText(pick),
        below,
        [below],
      ];
      const other = pick(8) === 0 ? hostileText(pick) : name;
      if (pick(8) === 0) delete holder[name];
      else if (other !== "__proto__") holder[other] = values[pick(values.length)];
      break;
    }
  }
  return data;
}
