import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BodyLimits, createGate } from "../../../src/faces/app/bodies.ts";
import { expectTime } from "../../support/expect-time.ts";
import { startInstance } from "../../support/instance.ts";
import { processorTime } from "../../support/processor-time.ts";

const path = "/hooks";
/** What the gate lets through, by its body; undefined where it has none. */
let through: (string | undefined)[];
let server: Server;

beforeEach(() => {
  through = [];
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** `slow`: what came through is not answered before. */
async function listen(room: Partial<BodyLimits>, slow?: Promise<void>): Promise<void> {
  const gate = createGate(path, () => true, { maxBytes: 1_000, maxBytesTogether: 10_000, maxTime: 60_000, ...room });
  server = createServer(async (asked: IncomingMessage & { rawBody?: Uint8Array }, response) => {
    if (await gate(asked, response)) return;
    through.push(asked.rawBody && Buffer.from(asked.rawBody).toString("latin1"));
    await slow;
    response.end("taken");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

interface Sending {
  write(text: string | Buffer): void;
  end(): void;
  breakOff(): void;
  /** The status; "lost" where the connection ended without one. */
  readonly answer: Promise<number | "lost">;
  /** Once the server has ended the connection. */
  readonly ended: Promise<void>;
}

function send(headers: OutgoingHttpHeaders = {}, to = path, method = "POST"): Sending {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: "127.0.0.1", path: to, method, headers, agent: false });
  const answer = new Promise<number | "lost">((resolve) => {
    asked.on("response", (response) => resolve(response.resume().statusCode ?? 0));
    asked.on("error", () => resolve("lost"));
  });
  const ended = new Promise<void>((resolve) => asked.on("close", resolve));
  asked.flushHeaders();
  return { write: (text) => asked.write(text), end: () => asked.end(), breakOff: () => asked.destroy(), answer, ended };
}

/** Sends so much of the body of the newest request, and waits until it came. */
async function arrival(one: Sending, length: number, heard?: (asked: IncomingMessage) => void): Promise<void> {
  const came = new Promise<void>((resolve) => {
    server.once("request", (asked: IncomingMessage) => {
      let left = length;
      asked.on("data", (chunk: Buffer) => {
        left -= chunk.length;
        if (left === 0) resolve();
      });
      heard?.(asked);
    });
  });
  one.write("x".repeat(length));
  await came;
}

describe("a body", () => {
  test("is let through whole, however it comes", async () => {
    await listen({});
    const bytes = Buffer.from(Array.from({ length: 1_000 }, (_, i) => ((i * 7) % 256) ^ (i >> 8)));
    const told = send({ "content-length": 1_000 });
    told.write(bytes);
    expect(await told.answer).toBe(200);
    const parts = send();
    for (let i = 0; i < 10; i++) parts.write(bytes.subarray(i * 100, i * 100 + 100));
    parts.end();
    expect(await parts.answer).toBe(200);
    expect(through).toEqual([bytes.toString("latin1"), bytes.toString("latin1")]);
  });

  test("that says it is too large is refused before any of it came", async () => {
    await listen({});
    const large = send({ "content-length": 1_001 });
    expect(await large.answer).toBe(413);
    await large.ended;
    expect(through).toEqual([]);
  });

  test("that does not say so is refused with the first byte too many, and its connection ended", async () => {
    await listen({});
    const large = send({ "transfer-encoding": "chunked" });
    large.write("x".repeat(1_000));
    large.write("x");
    expect(await large.answer).toBe(413);
    await large.ended;
    expect(through).toEqual([]);
  });

  test("that does not come to an end is given up in time", async () => {
    await listen({ maxTime: 30 });
    const slow = send({ "content-length": 1_000 });
    slow.write("x");
    expect(await slow.answer).toBe(408);
    await slow.ended;
    expect(through).toEqual([]);
  });

  test("that is broken off leaves its room to others", async () => {
    await listen({ maxBytesTogether: 1_000 });
    const { promise: gone, resolve } = Promise.withResolvers<void>();
    const first = send({ "content-length": 1_000 });
    await arrival(first, 400, (asked) => asked.once("close", resolve));
    first.breakOff();
    await gone;
    const next = send({ "content-length": 900 });
    next.write("y".repeat(900));
    expect(await next.answer).toBe(200);
  });

  test("is taken nowhere else", async () => {
    await listen({});
    expect(await send({ "content-length": 1 }, "/reports/example/report/").answer).toBe(413);
    expect(await send({ "transfer-encoding": "chunked" }, "/health", "GET").answer).toBe(413);
    expect(await send({ "content-length": 1 }, path, "PUT").answer).toBe(413);
    expect(through).toEqual([]);
    const without = send({}, "/health", "GET");
    without.end();
    expect(await without.answer).toBe(200);
    expect(through).toEqual([undefined]);
  });

  test.each(["/hooks/", "/hooks//?a=b/c", "/hooks?/x"])("is taken at %s as well: it is the same place", async (to) => {
    await listen({});
    const one = send({ "content-length": 1 }, to);
    one.write("x");
    expect(await one.answer).toBe(200);
  });

  test.each(["/hooks/x", "/hooksx", "//hooks", "/hooks//x?y"])("is not taken at %s", async (to) => {
    await listen({});
    expect(await send({ "content-length": 1 }, to).answer).toBe(413);
  });

  test.each([
    ["slashes", `${"/".repeat(15_900)}x`],
    ["slashes behind the path", `${path}${"/".repeat(15_900)}x`],
    ["question marks", `${path}x${"?".repeat(15_900)}`],
  ])("holds nothing up by an address of %s", async (_, to) => {
    await listen({});
    const begun = processorTime();
    for (let i = 0; i < 10; i++) expect(await send({ "content-length": 1 }, to).answer).toBe(413);
    expectTime(processorTime() - begun, 1_000);
  });
});

test("if all bodies together are too much, the largest gives way and a small one goes through", async () => {
  await listen({ maxBytes: 1_000, maxBytesTogether: 2_500 });
  const floods: Sending[] = [];
  for (const length of [900, 950, 600]) {
    const flood = send({ "content-length": 1_000 });
    await arrival(flood, length);
    floods.push(flood);
  }
  const small = send({ "content-length": 100 });
  small.write("x".repeat(100));
  expect(await small.answer).toBe(200);
  expect(through).toEqual(["x".repeat(100)]);
  // 900 + 950 + 600 and 100 are 50 too many.
  expect(await floods[1]?.answer).toBe(503);
});

test("a body that came through takes its room until it is answered", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await listen({ maxBytes: 1_000, maxBytesTogether: 1_500 }, promise);
  const first = send({ "content-length": 1_000 });
  await arrival(first, 1_000);
  const second = send({ "content-length": 600 });
  second.write("x".repeat(600));
  expect(await second.answer).toBe(503);
  resolve();
  expect(await first.answer).toBe(200);
  const third = send({ "content-length": 600 });
  third.write("x".repeat(600));
  expect(await third.answer).toBe(200);
});

test("the App's server refuses bodies above GitHub's own limit, with any signature", async () => {
  const it = await startInstance("alpha");
  try {
    await it.start();
    const hook = (headers: OutgoingHttpHeaders, body?: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = request(it.webhooks, { method: "POST", agent: false, headers }, ({ statusCode }) => {
          resolve(statusCode);
          asked.destroy();
        });
        asked.on("error", reject).flushHeaders();
        if (body !== undefined) asked.end(body);
      });
    const signed = (body: string) => ({
      "content-type": "application/json",
      "x-github-event": "ping",
      "x-github-delivery": randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", "a-secret-of-webhooks").update(body).digest("hex")}`,
    });
    expect(await hook({ ...signed(""), "content-length": 30_000_000 })).toBe(413);
    expect(await hook(signed('{"zen":"ä"}'), '{"zen":"ä"}')).toBe(200);
    expect(await hook(signed("{}"), '{"zen":"ä"}')).toBe(400);
    server = createServer();
  } finally {
    await it.close();
  }
});
