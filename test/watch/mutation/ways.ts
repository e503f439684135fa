/** Ways in which a source stops giving what it gave: each makes another body of one that was read. Pure. */

/** One body that no longer gives what the source gave. */
export interface Mutant {
  /** The kind of mishap: `a key renamed`. */
  readonly way: string;
  /** The mishap and where it happened: `a key renamed: releases.*.version`. */
  readonly name: string;
  readonly body: string | Uint8Array;
  /** `Content-Type`, where it is another one than before. */
  readonly type?: string;
}

/** All mutants of a text, by its format. */
export function mutantsOf(body: Uint8Array, format: "json" | "lines" | "xml" | "html" | "text" | "binary"): Mutant[] {
  const text = new TextDecoder().decode(body);
  const own = {
    json: () => inJson(JSON.parse(text), (value) => JSON.stringify(value)),
    lines: () => inJson(text.trim().split("\n").map(parsed), (value) => linesOf(value)),
    xml: () => inMarkup(text),
    html: () => inMarkup(text),
    text: () => inText(text),
    binary: () => [],
  }[format]();
  const all = [...own, ...inPlaceOf, ...ofBytes(body)];
  return [...new Map(all.toReversed().map((one) => [String(one.body), one])).values()].toReversed();
}

const parsed = (line: string): unknown => JSON.parse(line);

function linesOf(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => `${JSON.stringify(one)}\n`).join("") : `${JSON.stringify(value)}\n`;
}

// ── Something else in its place ────────────────────────────────────────────────────────────────

const html = "text/html; charset=utf-8";
const json = "application/json";
const document = (head: string, body: string) =>
  `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`;

const inPlaceOf: readonly Mutant[] = [
  ...Object.entries({
    "an application shell": document(
      '<title>Loading</title><script type="module" src="/app.js"></script>',
      '<div id="root"></div>',
    ),
    "a login page": document(
      "<title>Sign in</title>",
      '<h1>Sign in</h1><form action="/login"><input name="user"><input type="password" name="word"></form>',
    ),
    "a consent page": document(
      "<title>Before you continue</title>",
      "<p>We use cookies and data. Accept all cookies or manage your privacy preferences.</p><button>Accept all</button>",
    ),
    "a bot wall": document(
      "<title>Just a moment...</title>",
      "<h1>Checking your browser</h1><p>Enable JavaScript and cookies to continue</p>",
    ),
    "an error page": document("<title>404 Not Found</title>", "<h1>Not Found</h1><p>The page was not found.</p>"),
    "the page of a new owner": document(
      "<title>Kites and more</title>",
      "<main><h1>Kites and more</h1><p>The finest kites for the whole family, now at half the price.</p></main>",
    ),
  }).map(([name, body]) => ({ way: "HTML of another page", name, body, type: html })),
  ...["[]", "{}", "null", '""', "0"].map((body) => ({
    way: "an empty value",
    name: `the value ${body}`,
    body,
    type: json,
  })),
  ...["", " \n\n"].map((body) => ({ way: "nothing", name: `${body.length} characters`, body })),
  ...Object.entries({
    "an error as JSON": '{"message":"API rate limit exceeded","status":"403"}',
    "an error in a list": '{"errors":[{"code":"denied"}]}',
    "a pointer to a newer interface": '{"version":2,"documentation":"https://engine.example/v2"}',
  }).map(([name, body]) => ({ way: "an error that says 200", name, body, type: json })),
  { way: "an error that says 200", name: "a line of text", body: "Service unavailable", type: "text/plain" },
  ...Object.entries({
    "a feed without entries":
      '<?xml version="1.0"?><rss version="2.0"><channel><title>Engine News</title></channel></rss>',
    "metadata without versions":
      "<metadata><groupId>a</groupId><artifactId>b</artifactId><versioning></versioning></metadata>",
    "a record that does not exist": '<OAI-PMH><error code="idDoesNotExist">No such record</error></OAI-PMH>',
  }).map(([name, body]) => ({ way: "an empty list", name, body, type: "application/xml" })),
];

// ── The bytes ──────────────────────────────────────────────────────────────────────────────────

function ofBytes(body: Uint8Array): Mutant[] {
  const noise = Uint8Array.from({ length: 400 }, (_, i) => (i * 73 + 41) % 256);
  const zeros = new Uint8Array(body.length * 2).map((_, i) => (i % 2 === 0 ? 0 : (body[i >> 1] ?? 0) | 0x80));
  return [
    ...[0.3, 0.6, 0.9].map((share) => ({
      way: "the answer broke off",
      name: `after ${share * 100} %`,
      body: body.slice(0, Math.floor(body.length * share)),
    })),
    { way: "bytes of another encoding", name: "random bytes", body: noise },
    { way: "bytes of another encoding", name: "the high bits set, two bytes each", body: zeros },
  ];
}

// ── JSON ───────────────────────────────────────────────────────────────────────────────────────

type Change = (value: unknown) => unknown;

/** Makes of a document others, in which all that stands at one place (`releases.*.version`) is something else. */
function inJson(root: unknown, written: (value: unknown) => string): Mutant[] {
  const places = placesIn(root);
  const at = (place: string, change: Change) => written(changedAt(root, place, change));
  const mutant = (way: string, place: string, body: string): Mutant => ({ way, name: `${way}: ${place || "$"}`, body });
  return [...places].flatMap(([place, sample]) => {
    const isList = Array.isArray(sample);
    const isObject = typeof sample === "object" && sample !== null && !isList;
    const isKey = place !== "" && !place.endsWith("*");
    return [
      ...(isKey ? [mutant("a key renamed", place, written(renamedAt(root, place)))] : []),
      mutant(
        "nested deeper",
        place,
        at(place, (value) => ({ data: value })),
      ),
      mutant(
        "null",
        place,
        at(place, () => null),
      ),
      ...(isList
        ? [
            mutant(
              "a list as an object",
              place,
              at(place, (value) => Object.fromEntries(membersOf(value))),
            ),
          ]
        : []),
      ...(isObject
        ? [
            mutant(
              "an object as a list",
              place,
              at(place, (value) => membersOf(value).map(([, one]) => one)),
            ),
          ]
        : []),
      ...(isList
        ? [
            mutant(
              "an empty list",
              place,
              at(place, () => []),
            ),
          ]
        : []),
      ...(isObject
        ? [
            mutant(
              "an empty object",
              place,
              at(place, () => ({})),
            ),
          ]
        : []),
      ...(typeof sample === "string"
        ? [
            mutant(
              "a number for a string",
              place,
              at(place, () => 7),
            ),
            mutant(
              "a word for a value",
              place,
              at(place, () => "see below"),
            ),
            mutant(
              "an empty string",
              place,
              at(place, () => ""),
            ),
          ]
        : []),
      ...(typeof sample === "number"
        ? [
            mutant(
              "a string for a number",
              place,
              at(place, () => "many"),
            ),
          ]
        : []),
    ];
  });
}

/** Every place of a document with a value that stands there: elements of lists, and members by versions, are one place. */
function placesIn(value: unknown, place = "", found = new Map<string, unknown>()): Map<string, unknown> {
  if (!found.has(place) || found.get(place) === null) found.set(place, value);
  for (const [key, below] of membersOf(value)) placesIn(below, placeOf(place, key, value), found);
  return found;
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function placeOf(place: string, key: string, value: unknown): string {
  const step = Array.isArray(value) || /\d/.test(key) ? "*" : key;
  return place === "" ? step : `${place}.${step}`;
}

function changedAt(value: unknown, wanted: string, change: Change, place = ""): unknown {
  if (place === wanted) return change(value);
  if (typeof value !== "object" || value === null) return value;
  const members = membersOf(value).map(([key, below]) => [
    key,
    changedAt(below, wanted, change, placeOf(place, key, value)),
  ]);
  return Array.isArray(value) ? members.map(([, below]) => below) : Object.fromEntries(members);
}

function renamedAt(value: unknown, wanted: string, place = ""): unknown {
  if (typeof value !== "object" || value === null) return value;
  const members = membersOf(value).map(([key, below]) => {
    const at = placeOf(place, key, value);
    return [at === wanted ? `${key}_v2` : key, renamedAt(below, wanted, at)];
  });
  return Array.isArray(value) ? members.map(([, below]) => below) : Object.fromEntries(members);
}

// ── Markup and text ────────────────────────────────────────────────────────────────────────────

/** Makes of markup others, in which all elements of one name are called otherwise, are empty or left out. */
function inMarkup(markup: string): Mutant[] {
  const names = new Set([...markup.matchAll(/<([a-z][\w:-]*)/gi)].map(([, name = ""]) => name));
  return [...names].flatMap((name): Mutant[] => {
    const whole = new RegExp(`<${name}(?=[\\s>/])[^>]*>[\\s\\S]*?</${name}>`, "g");
    return [
      {
        way: "an element renamed",
        name: `an element renamed: ${name}`,
        body: markup.replaceAll(new RegExp(`(</?)${name}(?=[\\s>/])`, "g"), "$1x-other"),
      },
      {
        way: "an element emptied",
        name: `an element emptied: ${name}`,
        body: markup.replaceAll(whole, `<${name}></${name}>`),
      },
      { way: "an element left out", name: `an element left out: ${name}`, body: markup.replaceAll(whole, "") },
    ];
  });
}

function inText(text: string): Mutant[] {
  const paragraphs = text.split(/\n{2,}/);
  return [
    { way: "a slogan", name: "the first paragraph alone", body: `${paragraphs[0]}\n` },
    { way: "a slogan", name: "one line", body: "The fastest engine there is.\n" },
    { way: "another format", name: "JSON of the same text", body: JSON.stringify({ text }) },
    { way: "another format", name: "HTML of the same text", body: document("", `<pre>${text}</pre>`) },
    { way: "another format", name: "a listing", body: text.replaceAll(/^/gm, "    ") },
    { way: "a pointer", name: "moved elsewhere", body: "This document has moved to https://engine.example/new.\n" },
  ];
}
