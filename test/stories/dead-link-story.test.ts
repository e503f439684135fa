import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endInstance, type Instance, issuesOf, startInstance } from "../support/instance.ts";
import { page } from "../support/story.ts";

/** A report cites a page that was dead before anybody watched it, in each way in which pages are dead. */

const soft = "<!doctype html><title>Page not found</title><h1>Page not found</h1><p>We checked everywhere.</p>";

const day = 86_400_000;
let it: Instance;
let server: Server;
let site = "";

beforeEach(async () => {
  server = createServer(({ url }, response) => {
    if (url === "/soft/terms") response.writeHead(200, { "content-type": "text/html" }).end(soft);
    else if (url === "/home/terms") response.writeHead(302, { location: "/" }).end();
    else if (url === "/") response.writeHead(200, { "content-type": "text/html" }).end(page("<p>Welcome.</p>"));
    else response.writeHead(404).end("Not Found");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  it = await startInstance("alpha");
});

afterEach(async () => {
  await endInstance(it);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const titles = async () => (await issuesOf(it)).map(({ title }) => title).filter((title) => !/overview/.test(title));
const overview = async () => (await issuesOf(it)).find(({ title }) => /overview/.test(title))?.body ?? "";

test.each([
  ["/terms", "404, not found"],
  ["/soft/terms", "a page that says it does not exist"],
  ["/home/terms", "it leads to the home page"],
])(
  "%s is asked about at the first check and not again, and ratings that rest on it are not called up to date",
  async (path, says) => {
    const claim = "claims: { free: { says: It is free of charge., quote: free of charge, ratings: [price] } }";
    const config = it.config();
    await it.serve({
      ...config,
      "sources.yaml": `${config["sources.yaml"]?.replace("speed: fast", "speed: fast, price: low")}  terms:\n    page: ${site}${path}\n    ${claim}\n`,
    });
    const [question, ...others] = (await issuesOf(it)).filter(({ title }) => !/overview/.test(title));
    expect([question?.title, others]).toEqual([expect.stringMatching(/was not found/), []]);
    expect(question?.body).toMatch(new RegExp(`^\\*\\*1\\..* · ${says}`, "m"));
    for (const _ of [1, 2, 3, 4]) {
      it.pass(1.5 * day);
      await it.run();
    }
    expect(await titles()).toHaveLength(1);
    expect(await overview()).toMatch(/\| price \| low.✗ \|/);
    expect(await overview()).toContain(`**gone**: ${says}`);
  },
);
