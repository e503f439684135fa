import { words } from "./offer.ts";

/** The content of a mark: its sign, the name and state of its subject, further sentences, and links as label and address. */
export type Note = readonly [sign: string, label: string, says: string, links: readonly (readonly [string, string])[]];
/** Names and level are in the form that `words` returns. */
export type Rating = readonly [note: Note, names: readonly string[], level: string];
export type Reference = readonly [note: Note, number: unknown, url: string];

type Fields = Readonly<Record<string, unknown>>;

/** Each state with its sign, the most pressing first. Without the sign, only the colour would show the state. */
export const signs = "outdated\u2717changed\u27f3not checkable\u25cbup to date\u00b7";

/** The sign of "up to date". */
export const fresh = "\u00b7";

/**
 * `hasStopped`: there was no check for too long, so that all notes say only this.
 * @throws if the file has another format, or a field that is read has another type
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

/** @throws TypeError if the value is no text */
const text = (value: unknown): string => (value as string).trim().slice(0, 300);
