import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endInstance, type Instance, issuesOf, startInstance } from "../support/instance.ts";

/** A report cites a page that was dead before anybody watched it. */

const day = 86_400_000;
let it: Instance;
let server: Server;
let site = "";

beforeEach(async () => {
  server = createServer((_, response) => response.writeHead(404).end("Not Found"));
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

test("it is asked about once it was dead for three days, and what rests on it is not called up to date", async () => {
  const claim = "claims: { free: { says: It is free of charge., quote: free of charge, ratings: [price] } }";
  const config = it.config();
  await it.commit({
    ...config,
    "sources.yaml": `${config["sources.yaml"]?.replace("speed: fast", "speed: fast, price: low")}  terms:\n    page: ${site}/terms\n    ${claim}\n`,
  });
  await it.start();
  await it.run();
  for (const _ of [1, 2]) {
    expect(await titles()).toEqual([]);
    it.pass(1.5 * day);
    await it.run();
  }
  expect(await titles()).toEqual([expect.stringMatching(/gone/)]);
  for (const _ of [1, 2, 3]) {
    it.pass(1.5 * day);
    await it.run();
  }
  expect(await titles()).toHaveLength(1);
  expect(await overview()).toMatch(/\| price \| low.✗ \|/);
  expect(await overview()).toContain("**gone**: 404, not found");
});
