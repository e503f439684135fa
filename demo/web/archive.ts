import type { Config } from "../../src/model/config.ts";
import type { Source } from "../../src/model/source.ts";
import { anHour, type Instant } from "../../src/model/time.ts";
import type { Publication, Section, Story, Weather } from "../story.ts";
import type { SampleEntry } from "./samples.ts";
import { standIn } from "./stand-in.ts";

type Of<K extends Publication["kind"]> = Extract<Publication, { kind: K }>;
export type Dated<K extends Publication["kind"]> = Of<K> & { readonly at: Instant };

/** Things are published at four in the morning. */
const hour = 4 * anHour;

/** Everything that was ever published, and the part that could be seen at a time. */
export class Archive {
  readonly #all: readonly (Publication & { readonly at: Instant })[];
  readonly #days: Story["days"];
  readonly #config: Config;

  constructor({ past, days }: Story, config: Config) {
    const dated = (date: string, publication: Publication) => ({ ...publication, at: Date.parse(date) + hour });
    this.#all = [
      ...past.map(([date, publication]) => dated(date, publication)),
      ...days.flatMap(({ date, publishes = [] }) => publishes.map((publication) => dated(date, publication))),
    ].sort((a, b) => a.at - b.at);
    this.#days = days;
    this.#config = config;
  }

  /** Oldest first. */
  published<K extends Publication["kind"]>(kind: K, at: Instant, where: (one: Of<K>) => boolean): Dated<K>[] {
    return this.#all.filter(
      (one): one is Dated<K> => one.kind === kind && one.at <= at && where(one as unknown as Of<K>),
    );
  }

  /** The entries of a list, oldest first. */
  entries(source: string, at: Instant): SampleEntry[] {
    return this.published("entry", at, (one) => one.source === source).map(
      ({ kind, pre = false, at: on, ...entry }) => ({
        ...entry,
        on,
        pre,
        draft: false,
      }),
    );
  }

  facts(source: string, at: Instant): Readonly<Record<string, string>> {
    const told = this.published("facts", at, (one) => one.source === source);
    return Object.assign({}, ...told.map(({ facts }) => facts));
  }

  versions(source: string, at: Instant): string[] {
    return this.published("version", at, (one) => one.source === source).map((one) => one.version);
  }

  /**
   * The text of a page: the published one, else one with the basis of its claims. @throws Error for an edit of a text that is
   * not there
   */
  sections(source: string, at: Instant): readonly Section[] {
    const declared = this.#config.sources.get(source);
    const whole = this.published("text", at, (one) => one.source === source).at(-1)?.sections;
    const sections = whole ?? (declared ? standIn(declared) : []);
    const edits = this.published("edit", at, (one) => one.source === source);
    return edits.reduce((now, { from, to }) => edited(now, from, to, source), sections);
  }

  /** The state of the web: lasting changes, and those of one day. */
  weather(at: Instant): Weather {
    const date = new Date(at).toISOString().slice(0, 10);
    const past = this.#days.filter((one) => one.date <= date);
    const lasting = (name: "redesign" | "rewrap" | "shuffle") => past.some(({ weather }) => weather?.[name]);
    const { walls, hangs, offline } = past.find((one) => one.date === date)?.weather ?? {};
    return {
      redesign: lasting("redesign"),
      rewrap: lasting("rewrap"),
      shuffle: lasting("shuffle"),
      walls,
      hangs,
      offline,
    };
  }

  /** Leaves out everything that another source of the same address calls not public. */
  isHidden({ address }: Source, at: Instant): boolean {
    const same = [...this.#config.sources.values()].filter((one) => one.address === address);
    return same.some(({ id }) => this.facts(id, at).public === "no");
  }
}

function edited(sections: readonly Section[], from: string, to: string, source: string): readonly Section[] {
  const before = JSON.stringify(sections);
  const after = before.replace(JSON.stringify(from).slice(1, -1), () => JSON.stringify(to).slice(1, -1));
  if (before === after) throw new Error(`the story edits "${from}", which ${source} does not say`);
  return JSON.parse(after) as Section[];
}
