import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

interface Entry {
  readonly id: string;
  readonly date: string;
}

/** A web on this machine for tests of the whole program: each source is a list of entries at a host of its own. */
export interface Lists {
  /** An entry that asks to check again; with `awaited` one that the report waits for. */
  add(source: string, id: string, awaited?: boolean): void;
  /** Takes all entries of a source away. */
  clear(source: string): void;
  /** The sources that were asked for, in order. */
  readonly asked: readonly string[];
  /** Nothing is answered from now on until what it returns is called. */
  hold(): () => void;
  /** Writes `sources.yaml` and a trigger for each source to this folder. `host`: another name of this machine. */
  configure(folder: string, host?: string): void;
  close(): Promise<void>;
}

export async function startLists(...sources: string[]): Promise<Lists> {
  const entries = new Map(sources.map((source): [string, Entry[]] => [source, [{ id: "old", date: "2026-01-01" }]]));
  const asked: string[] = [];
  let held = Promise.resolve();
  const servers = await Promise.all(
    sources.map(async (source) => {
      const server = createServer((_, response) => {
        asked.push(source);
        const body = JSON.stringify({ entries: entries.get(source) });
        void held.then(() => response.writeHead(200, { "content-type": "application/json" }).end(body));
      });
      await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
      return { source, server, port: (server.address() as AddressInfo).port };
    }),
  );
  return {
    asked,
    add: (source, id, awaited = false) =>
      entries.get(source)?.push({ id: `${id}${awaited ? " awaited" : ""}`, date: new Date().toISOString() }),
    clear: (source) => void entries.get(source)?.splice(0),
    hold() {
      let release = (): void => {};
      held = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
    configure(folder, host = "127.0.0.1") {
      mkdirSync(join(folder, "triggers"), { recursive: true });
      const listed = servers.map(
        ({ source, port }) =>
          `  ${source}: { json: "http://${host}:${port}/", items: entries, item: { id: id, title: id, date: date } }`,
      );
      const report = "report: { title: A report, audited: 2026-05-16 }\nratings: { speed: fast }";
      writeFileSync(join(folder, "sources.yaml"), `${report}\nsources:\n${listed.join("\n")}\n`);
      for (const source of sources) {
        const on = `on:\n  - item: ${source}\n  - { item: ${source}, matches: awaited, awaited: true }`;
        writeFileSync(
          join(folder, "triggers", `${source}.yaml`),
          `name: About ${source}\nratings: [speed]\n${on}\nask: Does it still hold?\n`,
        );
      }
    },
    async close() {
      for (const { server } of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
