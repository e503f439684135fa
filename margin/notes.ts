import { words } from "./offer.ts";

/** The content of a mark: its sign, what it is beside and how that stands, further sentences, and words with an address. */
export type Note = readonly [sign: string, label: string, says: string, links: readonly (readonly [string, string])[]];
/** Names and level as `words` has them. */
export type Rating = readonly [note: Note, names: readonly string[], level: string];
export type Reference = readonly [note: Note, number: unknown, url: string];

type Fields = Readonly<Record<string, unknown>>;

/** After each state its sign, the most pressing first: nobody needs a colour. */
export const signs = "outdated\u2717changed\u27f3not checkable\u25cbup to date\u00b7";

/** The sign of what nothing speaks against. */
export const fresh = "\u00b7";

/**
 * `hasStopped`: nobody has looked for too long; then nothing is said but that.
 * @throws where it is of another format, or what is read of it is not as it must be
 */
export function notes(file: Fields, address: string): readonly [Rating[], Reference[], hasStopped: boolean] {
  const ends = Date.parse(text(file.staleAfter));
  if (file.format !== 2 || !ends) throw 0;
  const hasStopped = ends <= Date.now();
  const said = (word: string, words: unknown) => (words ? word + text(words) : "");
  const day = (word: string, time: unknown) => (time ? word + text(time).slice(0, 10) : "");
  const note = (
    name: string,
    state: unknown,
    before: string,
    time: unknown,
    says: readonly unknown[],
    to: Fields,
  ): Note => {
    if (hasStopped) [state, before, time, says] = ["not checkable", " since ", file.lastCheck, ["Recheck has stopped"]];
    return [
      (signs.split(text(state) || "?")[1] as string)[0] as string,
      `${name}: ${state}${day(before, time)}`,
      [...says.map(text), day("as of ", file.lastCheck)].filter(Boolean).join("\n"),
      Object.entries(to).flatMap(([called, path]) => {
        const href = path ? new URL(text(path), address).href : "";
        return /^http/.test(href) ? [[called, href]] : [];
      }),
    ];
  };
  return [
    (file.ratings as Fields[]).map(({ names, level, state, reason, at, because, recheck, page }) => {
      const called = (names as unknown[]).map(text);
      const says = (because as unknown[]).slice(0, 3);
      return [
        note(
          called.join(", "),
          state,
          reason === "fresh" ? " until " : reason === "due" ? ", due since " : " since ",
          at,
          says,
          { recheck, Details: page },
        ),
        called.map(words),
        words(text(level)),
      ];
    }),
    (file.references as Fields[]).map(({ number, state, since, says = "", before, after, url = "", page }) => [
      note(`Reference ${number}`, state, " since ", since, [says, said("before: ", before), said("now: ", after)], {
        "Open source": url,
        Details: page,
      }),
      number,
      text(url),
    ]),
    hasStopped,
  ];
}

/** @throws TypeError where it is none */
const text = (value: unknown): string => (value as string).trim().slice(0, 300);
