import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A web on this machine that changes by hours: in each, some addresses change and some fail. */
export interface LivingWeb {
  /** Goes on to this hour. */
  turn(hour: number): void;
  /** `sources.yaml` and triggers for all its addresses, by path. */
  config(): Readonly<Record<string, string>>;
  /** The answers that were given so far. */
  readonly served: Readonly<Record<"same" | "changed" | "faults" | "robots", number>>;
  close(): Promise<void>;
}

export interface Living {
  readonly sources: number;
  /** The part of the addresses that change in an hour, and the part that fail. */
  readonly changes: number;
  readonly faults: number;
}

/** How many addresses share a host. */
const onOneHost = 5;
/** One source in this many has a trigger that asks about it. */
const triggered = 50;
const kinds = ["page", "json", "feed"] as const;
type Kind = (typeof kinds)[number];

export async function startLivingWeb({ sources, changes, faults }: Living): Promise<LivingWeb> {
  const revisions = new Array<number>(sources).fill(0);
  const served = { same: 0, changed: 0, faults: 0, robots: 0 };
  let hour = 0;
  const server = createServer((request, response) => {
    const [, kind, number] = /^\/(page|json|feed)\/(\d+)$/.exec(request.url ?? "") ?? [];
    if (!kind) {
      served.robots += 1;
      response.writeHead(404).end();
      return;
    }
    const at = Number(number);
    if (hour > 0 && chance(at, hour, 2) < faults) {
      served.faults += 1;
      fail(response, Math.floor(chance(at, hour, 3) * ways.length));
      return;
    }
    const etag = `"${revisions[at]}"`;
    const isSame = request.headers["if-none-match"] === etag;
    served[isSame ? "same" : "changed"] += 1;
    if (isSame) response.writeHead(304, { etag }).end();
    else
      response
        .writeHead(200, { etag, "content-type": types[kind as Kind] })
        .end(bodies[kind as Kind](at, revisions[at] ?? 0));
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    served,
    turn(next) {
      for (; hour < next; hour++)
        for (let at = 0; at < sources; at++)
          if (chance(at, hour + 1, 1) < changes) revisions[at] = (revisions[at] ?? 0) + 1;
    },
    config: () => configOf(sources, port),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The same for the same three numbers, from 0 to 1. */
function chance(a: number, b: number, c: number): number {
  let x = (a * 0x9e3779b1) ^ (b * 0x85ebca6b) ^ (c * 0xc2b2ae35);
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
}

const kindOf = (at: number): Kind => kinds[at % kinds.length] ?? "page";

function configOf(sources: number, port: number): Record<string, string> {
  const numbers = Array.from({ length: sources }, (_, at) => at);
  const listed = numbers.map((at) => {
    const kind = kindOf(at);
    const address = `http://127.0.${Math.floor(at / onOneHost / 200)}.${(Math.floor(at / onOneHost) % 200) + 1}:${port}/${kind}/${at}`;
    const more = kind === "json" ? ", items: entries, item: { id: id, title: id, date: date }" : "";
    return `  s${at}: { ${kind}: "${address}"${more} }\n`;
  });
  const report = "report: { title: A soak, audited: 2026-01-01 }\nratings: { speed: fast }\n";
  const schedule = `schedule: { ${kinds.map((kind) => `${kind}: 1h`).join(", ")} }\n`;
  const asking = numbers.filter((at) => at % triggered === 1);
  return {
    "sources.yaml": `${report}${schedule}sources:\n${listed.join("")}`,
    ...Object.fromEntries(
      asking.map((at) => [
        `triggers/s${at}.yaml`,
        `name: About s${at}\nratings: [speed]\non:\n  - ${kindOf(at) === "page" ? "change" : "item"}: s${at}\nask: Does it still hold?\n`,
      ]),
    ),
  };
}

const types: Readonly<Record<Kind, string>> = {
  page: "text/html; charset=utf-8",
  json: "application/json",
  feed: "application/atom+xml",
};

const words = "alder birch cedar elm fir hazel ivy juniper larch maple oak pine rowan spruce willow yew".split(" ");

function sentence(at: number, n: number, revision: number): string {
  const said = Array.from(
    { length: 18 },
    (_, w) => words[Math.floor(chance(at * 64 + n, revision, w + 10) * words.length)],
  );
  return `Section ${n} of ${at} says: ${said.join(" ")}.`;
}

const dateOf = (revision: number): string => new Date(Date.UTC(2026, 0, 1) + revision * 3_600_000).toISOString();
const newest = (revision: number): number[] =>
  Array.from({ length: Math.min(20, revision + 1) }, (_, n) => revision - n);

const bodies: Readonly<Record<Kind, (at: number, revision: number) => string>> = {
  page(at, revision) {
    // One paragraph of forty is another one in each revision.
    const parts = Array.from({ length: 40 }, (_, n) => {
      const last = revision - ((((revision - n) % 40) + 40) % 40);
      return `<h2>Part ${n}</h2><p>${sentence(at, n, Math.max(0, last))}</p>`;
    });
    return `<!doctype html><html lang="en"><title>Page ${at}</title><main><h1>Page ${at}</h1>${parts.join("")}</main></html>`;
  },
  json: (at, revision) =>
    JSON.stringify({ entries: newest(revision).map((n) => ({ id: `entry ${at}.${n}`, date: dateOf(n) })) }),
  feed(at, revision) {
    const entries = newest(revision).map(
      (n) =>
        `<entry><id>urn:s:${at}:${n}</id><title>Entry ${n} of ${at}</title><updated>${dateOf(n)}</updated></entry>`,
    );
    return `<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:s:${at}</id><title>Feed ${at}</title><updated>${dateOf(revision)}</updated>${entries.join("")}</feed>`;
  },
};

/** How an address may fail. */
const ways: readonly ((response: ServerResponse) => void)[] = [
  (response) => response.writeHead(500).end("no"),
  (response) => response.writeHead(503, { "retry-after": "60" }).end("later"),
  (response) => response.writeHead(403, { "content-type": "text/html" }).end("<title>Forbidden</title>"),
  (response) => response.writeHead(404).end("not here"),
  (response) => void response.socket?.resetAndDestroy(),
  (response) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "5000" }).write("<p>It ends ");
    response.socket?.end();
  },
  (response) => response.writeHead(200, { "content-type": "application/octet-stream" }).end(Buffer.alloc(2_000, 7)),
];

function fail(response: ServerResponse, way: number): void {
  ways[way]?.(response);
}
