import type { Generated } from "kysely";

/**
 * The tables of a store, for both databases. New stores are made from them, and `Tables` is derived from them. Existing stores
 * change by the steps of `migrations.ts`, so a change of a table needs a step, too. Columns serve to find, order and join rows.
 * All other data is JSON in `rest`. Times are integers, in milliseconds since 1970 UTC. Rows have a repository, so that one
 * store serves many: its number if an App serves it, else its name. A table comes after those that it refers to.
 */
const schema = {
  // id: GitHub's own, which stays the same after renames. config: the texts, apart from frequent changes. next: when the
  // repository is due. attend: when it is to be compared with GitHub.
  repository: {
    columns: {
      id: "key integer",
      name: "ordered",
      config: "text?",
      rest: "text",
      next: "integer default 0",
      attend: "integer default 0",
    },
    indexes: { repository_of_name: "lower(name)", repository_due: "next" },
  },
  // Processed in the order of number. A finished delivery stays for a while, to recognise it if it is sent again.
  delivery: {
    columns: {
      number: "numbered",
      id: "text unique",
      repository: "integer?",
      news: "text",
      received: "integer",
      done: "integer",
      installation: "integer default 0",
    },
    indexes: {
      delivery_waiting: "number where done = 0",
      delivery_of_repository: "repository, installation, number where done = 0",
    },
  },
  // Hosts that asked for a pause: until when, and with which status.
  host_rest: { columns: { host: "key text", until: "integer", status: "integer" } },
  // Written twice for each request. Turns may be lost if the server restarts.
  host_turn: { columns: { host: "key text", at: "integer" }, unlogged: true, fillfactor: 50 },
  // The rules of robots.txt with their validators.
  robots: {
    columns: { product: "text", origin: "text", rules: "text", read: "integer", etag: "text?", modified: "text?" },
    primary: ["product", "origin"],
  },
  // Answers of registries of works, for all reports. question: a digest of it.
  registry_answer: { columns: { question: "key text", read: "integer", answer: "text" } },
  // looked: when the last check began. hurried: when a check was requested that has not happened yet; else 0. past: when an
  // archive is to be asked for a watch's past, or null. audit: when its first audit is due; null once that is done.
  watch: {
    columns: {
      repository: "text",
      source: "ordered",
      subject: "text",
      next: "integer",
      forgotten: "integer",
      looked: "integer",
      hurried: "integer default 0",
      rest: "text",
      past: "integer?",
      audit: "integer?",
    },
    primary: ["repository", "source"],
    indexes: {
      watch_due: "repository, forgotten, next",
      watch_looked: "repository, forgotten, looked",
      watch_past: "repository, past where past is not null",
      watch_audit: "repository, audit where audit is not null",
    },
    fillfactor: 80,
  },
  // digest: of the sources of a config that all have a watch.
  roster: { columns: { repository: "key text", digest: "text" } },
  // Separate from watch, because an unchanged check rewrites the watch but not the texts. memory: JSON, compressed.
  memory: {
    columns: { repository: "text", source: "ordered", subject: "text", memory: "text" },
    primary: ["repository", "source"],
  },
  // Running checks. died: the program that began them has ended since.
  attempt: {
    columns: { repository: "text", source: "ordered", began: "integer", died: "integer" },
    primary: ["repository", "source"],
  },
  // body: decompressed by us, compressed again with Brotli.
  snapshot: {
    columns: {
      id: "number",
      repository: "text",
      source: "ordered",
      at: "integer",
      hash: "text",
      reader: "integer",
      url: "text",
      status: "integer",
      headers: "text",
      body: "bytes",
    },
    indexes: { snapshot_of_source: "repository, source, at" },
  },
  // A row for each check that brought news.
  look: {
    columns: { id: "number", repository: "text", source: "ordered", at: "integer", outcome: "text", rest: "text" },
    indexes: { look_at_source: "repository, source, at" },
  },
  claim: {
    columns: { repository: "text", claim: "ordered", status: "text", rest: "text" },
    primary: ["repository", "claim"],
    indexes: { claim_status: "repository, status" },
  },
  event_sighting: {
    columns: {
      repository: "text",
      key: "ordered",
      source: "ordered",
      product: "text?",
      seen: "integer",
      baseline: "integer",
      event: "text",
    },
    primary: ["repository", "key", "source"],
    indexes: {
      event_in_source: "repository, source",
      event_of_product: "repository, product where product is not null",
    },
  },
  // Copies of pages in a web archive that show a change. seen: when the change was first seen in the source.
  archived_change: {
    columns: { repository: "text", source: "ordered", seen: "integer", rest: "text" },
    primary: ["repository", "source", "seen"],
  },
  // titled: the title at the issue's creation. written: digest of the last written body; reported: its hidden line.
  // refused: why GitHub does not let us write, as JSON. verdict: one person's answer to the whole issue, as JSON. command:
  // the number of the last command that was carried out. gone: 1 if the issue was deleted or moved. pull: the pull
  // request with the answers, as JSON.
  recheck: {
    columns: {
      id: "numbered",
      repository: "text",
      trigger: "text",
      state: "text",
      marker: "text",
      issue: "integer?",
      attempted: "integer?",
      titled: "text?",
      opened: "integer",
      closed: "integer?",
      written: "text?",
      reported: "text?",
      refused: "text?",
      previous: "integer? references recheck",
      snoozed: "text?",
      verdict: "text?",
      command: "integer?",
      gone: "integer?",
      pull: "text?",
    },
    unique: ["repository", "marker"],
    indexes: { recheck_previous: "previous where previous is not null" },
  },
  // `reported`: the weight that the firing had when it last joined a recheck.
  firing: {
    columns: {
      id: "numbered",
      repository: "text",
      trigger: "text",
      key: "ordered",
      weight: "text",
      seen: "integer",
      fired: "integer",
      event: "text",
      recheck: "integer? references recheck",
      reported: "text?",
      joined: "integer?",
    },
    unique: ["repository", "trigger", "key"],
    indexes: { firing_of_event: "repository, key", firing_of_recheck: "recheck where recheck is not null" },
  },
  // digest: SHA-256 of the change and the part, so that one change seen twice is one piece of evidence.
  evidence: {
    columns: {
      id: "number",
      repository: "text",
      firing: "integer references firing",
      source: "ordered",
      digest: "text",
      seen: "integer",
      rest: "text",
    },
    unique: ["firing", "source", "digest"],
    indexes: { evidence_in_source: "repository, source, seen" },
  },
  // comment: number of the comment with the answer. pull: number of the pull request that held it when it was closed
  // unmerged.
  answer: {
    columns: {
      id: "numbered",
      repository: "text",
      recheck: "integer references recheck",
      rating: "text",
      verdict: "text",
      level: "text?",
      because: "text?",
      by: "text",
      at: "integer",
      settled: "integer?",
      comment: "integer?",
      pull: "integer?",
    },
    indexes: { answer_of_recheck: "recheck", answer_in: "repository" },
  },
  // On the issue of a recheck, or on another issue or pull request of ours, whose number is in `issue`. planned: the
  // time from which it may be written; null if that was not stored yet.
  comment: {
    columns: {
      id: "numbered",
      repository: "text",
      recheck: "integer? references recheck",
      issue: "integer?",
      marker: "text",
      body: "text",
      attempted: "integer?",
      done: "integer",
      planned: "integer?",
    },
    unique: ["repository", "marker"],
    indexes: { comment_of_recheck: "recheck where recheck is not null" },
  },
  creation: {
    columns: { id: "number", repository: "text", at: "integer" },
    indexes: { creation_at: "repository, at" },
  },
  // Messages to people, through each channel that config names. state: waiting, sent, dead or unheard.
  message: {
    columns: {
      id: "numbered",
      repository: "text",
      channel: "text",
      key: "text",
      state: "text",
      next: "integer",
      attempted: "integer?",
      rest: "text",
    },
    unique: ["repository", "channel", "key"],
    indexes: { message_waiting: "repository, next where state = 'waiting'" },
  },
} as const satisfies Readonly<Record<string, Table>>;

interface Table {
  readonly columns: Readonly<Record<string, Column>>;
  /** Columns that identify a row, if there is more than one. */
  readonly primary?: readonly string[];
  readonly unique?: readonly string[];
  /** Indexes by name: columns or an expression, and the rows that are included. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** For PostgreSQL: an unlogged table, which a crash of the server empties, and its fill factor. */
  readonly unlogged?: true;
  readonly fillfactor?: number;
}

/** `numbered` keys are never reused, unlike a `number`. `ordered` text is sorted by bytes. `?`: it may be missing. */
type Kind = "integer" | "text" | "ordered" | "bytes";
type Column =
  | "number"
  | "numbered"
  | `key ${"integer" | "text"}`
  | `${Kind}${"" | "?"}${"" | " unique" | ` references ${string}` | ` default ${number}`}`;

type Value<Of extends string> = Of extends "integer" ? number : Of extends "bytes" ? Uint8Array : string;
type ValueOf<Of extends string> = Of extends "number" | "numbered" | `${string} default ${string}`
  ? Generated<number>
  : Of extends `key ${infer Type}`
    ? Value<Type>
    : Of extends `${infer Type}?${string}`
      ? Value<Type> | null
      : Of extends `${infer Type} ${string}`
        ? Value<Type>
        : Value<Of>;

type Schema = typeof schema;

/** The row types for kysely. */
export type Tables = {
  [T in keyof Schema]: { [C in keyof Schema[T]["columns"] & string]: ValueOf<Schema[T]["columns"][C] & string> };
};

export const tableNames = Object.keys(schema) as (keyof Tables)[];

/** Tables whose rows carry the key of their repository. */
export type OwnedTable = { [T in keyof Tables]: Tables[T] extends { repository: string } ? T : never }[keyof Tables];

export const ownedTables = tableNames.filter((name): name is OwnedTable =>
  /^(?:key )?text$/.test(specs(name).repository ?? ""),
);

export const numberedTables = tableNames.filter((name) =>
  Object.values(specs(name)).some((spec) => /^number/.test(spec)),
);

function specs(name: keyof Tables): Table["columns"] {
  return schema[name].columns;
}

/** The columns that identify a row. */
export function keyOf(name: keyof Tables): readonly string[] {
  const { columns, primary }: Table = schema[name];
  return primary ?? Object.keys(columns).filter((column) => /^(?:number|numbered|key .*)$/.test(columns[column] ?? ""));
}

/** How a database writes the parts of a table. */
export interface Dialect {
  readonly kinds: Readonly<Record<Kind | "number" | "numbered", string>>;
  /** A table's name in statements, except that of `create index`. */
  readonly place: (table: string) => string;
  readonly create: (table: Table) => string;
  readonly options: (table: Table) => string;
  /** Further clauses of a column. */
  readonly beside: (table: string, column: string, spec: Column) => string;
}

export const sqlite: Dialect = {
  kinds: {
    integer: "integer",
    text: "text",
    ordered: "text",
    bytes: "blob",
    number: "integer primary key",
    numbered: "integer primary key autoincrement",
  },
  place: (table) => table,
  create: () => "table",
  options: () => " strict",
  beside: () => "",
};

/** `place`: the schema, in quotes. */
export function postgres(place: string): Dialect {
  const number = "bigint generated by default as identity primary key";
  return {
    kinds: { integer: "bigint", text: "text", ordered: `text collate "C"`, bytes: "bytea", number, numbered: number },
    place: (table) => `${place}.${table}`,
    create: ({ unlogged }) => (unlogged ? "unlogged table" : "table"),
    options: ({ fillfactor }) => (fillfactor === undefined ? "" : ` with (fillfactor = ${fillfactor})`),
    // These bytes are already compressed.
    beside: (table, column, spec) =>
      spec === "bytes" ? `alter table ${place}.${table} alter column ${column} set storage external;\n` : "",
  };
}

/** Statements that make all tables of a new store. */
export function creation(dialect: Dialect): string {
  const { create, options, place, beside } = dialect;
  return Object.entries<Table>(schema)
    .map(([name, table]) => {
      const columns = Object.entries(table.columns);
      const lines = [
        ...columns.map(([column, spec]) => `"${column}" ${columnSql(spec, dialect)}`),
        ...(table.primary ? [`primary key (${quoteColumns(table.primary)})`] : []),
        ...(table.unique ? [`unique (${quoteColumns(table.unique)})`] : []),
      ];
      const indexes = Object.entries(table.indexes ?? {}).map(([index, on]) => {
        const [by, only] = on.split(" where ");
        return `create index ${index} on ${place(name)} (${by})${only ? ` where ${only}` : ""};\n`;
      });
      const more = columns.map(([column, spec]) => beside(name, column, spec));
      return `create ${create(table)} ${place(name)} (\n  ${lines.join(",\n  ")}\n)${options(table)};\n${[...more, ...indexes].join("")}`;
    })
    .join("\n");
}

function quoteColumns(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

/** A column's kind and constraints: `integer? references recheck`. */
function columnSql(spec: Column, { kinds, place }: Dialect): string {
  if (spec === "number" || spec === "numbered") return kinds[spec];
  if (spec.startsWith("key ")) return `${kinds[spec === "key integer" ? "integer" : "text"]} primary key`;
  const [kind = "", ...more] = spec.split(" ");
  const type = kinds[kind.replace("?", "") as Kind];
  const holds = more.join(" ").replace(/(?<=^references )\w+/, place);
  return `${type}${kind.endsWith("?") ? "" : " not null"}${holds && ` ${holds}`}`;
}
