import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { afterAll, beforeAll, describe } from "vitest";
import { openPostgres } from "../../../src/adapters/store/postgres/open.ts";
import { asking, noServer, type PostgresServer, startPostgres } from "../../support/postgres.ts";
import { type Place, storeContract } from "./contract.ts";

let schemas = 0;

/** Each place is a schema of its own in one database. */
function placeIn(address: string, most?: number): Place {
  const schema = `place ${++schemas}`;
  return {
    open: () => openPostgres(address, { schema, most }),
    remove: () => asking(address, (client) => client.query(`drop schema if exists "${schema}" cascade`)).then(() => {}),
  };
}

describe("PostgreSQL in WebAssembly", () => {
  let database: PGlite;
  let server: PGLiteSocketServer;
  let address: string;
  beforeAll(async () => {
    database = await PGlite.create();
    server = new PGLiteSocketServer({ db: database, port: 0, host: "127.0.0.1", maxConnections: 9 });
    await server.start();
    address = `postgres://postgres@${server.getServerConn()}/postgres`;
  });
  afterAll(async () => {
    await server.stop();
    await database.close();
  });
  storeContract("PGlite", true, async () => placeIn(address, 1), 5);
});

describe.skipIf(noServer)(`PostgreSQL${noServer}`, () => {
  let server: PostgresServer;
  let address: string;
  beforeAll(async () => {
    server = await startPostgres();
    address = await server.database();
  });
  afterAll(() => server.stop());
  storeContract("PostgreSQL", true, async () => placeIn(address), 10);
});
