import type { CompiledQuery, Kysely } from "kysely";
import { makeOnce } from "../../model/make-once.ts";
import type { Tables } from "./schema.ts";
import type { Scope } from "./tables.ts";

/** A value that is only known when the statement runs. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

const places = new Proxy({} as { repository: string }, { get: (_, name) => new Place(String(name)) });

interface Statement<Row> {
  compile(database: Kysely<Tables>): CompiledQuery<Row>;
}

/**
 * A statement whose text is always the same: it is built once for each database, as that takes longer than SQLite needs to run
 * it. `build` may only pass its values on.
 */
export function prepareOnce<Values extends object, Row>(
  build: (scope: Scope, values: Values) => Statement<Row>,
): (scope: Scope, values: Values) => Promise<Row[]> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return async ({ db, repository }, values) => {
    const { adapter } = db.getExecutor();
    const query = makeOnce(compiled, adapter, () =>
      build({ db, repository: places.repository }, places as Values).compile(db),
    );
    const given = { ...values, repository } as Readonly<Record<string, unknown>>;
    const parameters = query.parameters.map((value) => (value instanceof Place ? given[value.name] : value));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
