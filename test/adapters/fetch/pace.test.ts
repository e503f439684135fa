import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { closeAll, failure, fetching, HandClock, hostMemory, page, response, tcp, web } from "./local-web.ts";

afterEach(closeAll);

describe("pace", () => {
  it("is one request at a time per host, with a pause, for 304s and failures too", async () => {
    const times: { start: number; end: number }[] = [];
    const local = await web((request, answer) => {
      const time = { start: performance.now(), end: 0 };
      times.push(time);
      setTimeout(() => {
        time.end = performance.now();
        answer.writeHead(request.url === "/1" ? 304 : 500).end();
      }, 30);
    });
    const fetch = fetching({ pause: 100 });
    const checks = [1, 2, 3].map((n) => fetch.get({ url: `${local.origin}/${n}` }, { validators: { etag: '"a"' } }));
    await Promise.allSettled(checks);
    expect(local.seen.map(({ url }) => url)).toEqual(["/1", "/2", "/3"]);
    for (let n = 1; n < 3; n++)
      expect((times[n]?.start ?? 0) - (times[n - 1]?.end ?? Number.POSITIVE_INFINITY)).toBeGreaterThan(95);
  });

  it("is as slow as the service of a request asks for", async () => {
    const starts: number[] = [];
    const local = await web((_, answer) => {
      starts.push(performance.now());
      page(answer);
    });
    const fetch = fetching({ pause: 10 });
    await fetch.get({ url: `${local.origin}/a`, pause: 200 }, {});
    await fetch.get({ url: `${local.origin}/b` }, {});
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(195);
  });

  it("is kept by the hops of a redirect", async () => {
    const starts: number[] = [];
    const local = await web((request, answer) => {
      starts.push(performance.now());
      if (request.url === "/a") answer.writeHead(301, { location: "/b" }).end();
      else page(answer);
    });
    await response(fetching({ pause: 100 }), `${local.origin}/a`);
    expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(95);
  });

  it("does not hold up other hosts", async () => {
    // Nobody is answered before eleven have asked.
    const open: ServerResponse[] = [];
    const local = await web((_, answer) => {
      open.push(answer);
      if (open.length > 10) for (const one of open) if (!one.headersSent) page(one);
    });
    const fetch = fetching({ pause: 10_000 });
    await Promise.all(Array.from({ length: 20 }, (_, n) => response(fetch, `http://h${n}.example:${local.port}/`)));
    expect(open).toHaveLength(20);
  });

  it("lets two hosts that redirect to each other through", async () => {
    const local = await web((request, answer) => {
      const other = request.headers.host?.startsWith("a.") ? "b" : "a";
      if (request.url === "/end") page(answer);
      else answer.writeHead(302, { location: `http://${other}.example:${local.port}/end` }).end();
    });
    const fetch = fetching();
    const checks = ["a", "b", "a", "b"].map((host) => response(fetch, `http://${host}.example:${local.port}/`));
    expect(await Promise.all(checks)).toHaveLength(4);
  });
});

describe("the next run", () => {
  it("waits for its turn at a host that was asked just before the last one ended", async () => {
    const times: number[] = [];
    const local = await web((_, answer) => {
      times.push(performance.now());
      page(answer);
    });
    const hosts = await hostMemory();
    const first = fetching({ pause: 200, hosts });
    await response(first, `${local.origin}/1`);
    await first.close();
    expect(await hosts.turns()).toMatchObject([{ host: `127.0.0.1:${local.port}` }]);
    await response(fetching({ pause: 200, hosts }), `${local.origin}/2`);
    expect((times[1] ?? 0) - (times[0] ?? Infinity)).toBeGreaterThan(195);
  });

  it("waits for no turn that lies far ahead: the clock was wrong", async () => {
    const clock = new HandClock();
    const hosts = await hostMemory();
    const local = await web((_, answer) => page(answer));
    await hosts.saveTurns([{ host: `127.0.0.1:${local.port}`, at: clock.time + 3_600_000 }]);
    await response(fetching({ clock, hosts, pause: 1 }), local.origin);
    expect(local.seen).toHaveLength(1);
  });
});

describe("a host that asks to be left alone", () => {
  const busy = (headers: Record<string, string> = {}) => web((_, answer) => answer.writeHead(429, headers).end());

  it("is left alone for a quarter of an hour if it does not say for how long", async () => {
    const clock = new HandClock();
    const local = await busy();
    const fetch = fetching({ clock });
    expect((await failure(fetch, `${local.origin}/a`)).facts).toEqual({ status: 429, retryAfter: 900_000 });
    expect((await failure(fetch, `${local.origin}/b`)).facts).toEqual({
      status: 429,
      retryAfter: 900_000,
      unasked: "yes",
    });
    expect(local.seen.map(({ url }) => url)).toEqual(["/a"]);
    clock.time += 900_000;
    await failure(fetch, `${local.origin}/b`);
    expect(local.seen.map(({ url }) => url)).toEqual(["/a", "/b"]);
  });

  it("is left alone by the next run, too", async () => {
    const clock = new HandClock();
    const hosts = await hostMemory();
    const local = await busy({ "retry-after": "7200" });
    await failure(fetching({ clock, hosts }), `${local.origin}/a`);
    expect(await hosts.rests(clock.time)).toEqual([
      { host: `127.0.0.1:${local.port}`, until: clock.time + 7_200_000, status: 429 },
    ]);
    clock.time += 3_600_000;
    const again = await failure(fetching({ clock, hosts }), `${local.origin}/a`);
    expect(again.facts).toEqual({ status: 429, retryAfter: 3_600_000, unasked: "yes" });
    clock.time += 3_600_000;
    await failure(fetching({ clock, hosts }), `${local.origin}/a`);
    expect(local.seen).toHaveLength(2);
  });

  it.each([
    [429, "7200"],
    [503, "86400"],
  ])("by a %i is left alone for a short time where a page of another host led there", async (status, seconds) => {
    const clock = new HandClock();
    const hosts = await hostMemory();
    const local = await web((request, answer) => {
      const { port } = local;
      if (request.headers.host?.startsWith("leads"))
        answer.writeHead(302, { location: `http://led.example:${port}/no` });
      else answer.writeHead(request.url === "/no" ? status : 200, { "retry-after": seconds });
      answer.end("x");
    });
    const fetch = fetching({ clock, hosts });
    const led = await failure(fetch, `http://leads.example:${local.port}/`);
    expect(led).toMatchObject({ kind: "rate-limited", facts: { status, retryAfter: Number(seconds) * 1_000 } });
    const host = `led.example:${local.port}`;
    expect(await hosts.rests(clock.time)).toEqual([{ host, until: clock.time + 900_000, status }]);
    expect((await failure(fetch, `http://${host}/page`)).facts).toEqual({
      status,
      retryAfter: 900_000,
      unasked: "yes",
    });
    clock.time += 900_000;
    await response(fetch, `http://${host}/page`);
  });

  it("is left alone for all that it asks if a page of its own led there", async () => {
    const clock = new HandClock();
    const local = await web((request, answer) =>
      request.url === "/"
        ? answer.writeHead(302, { location: "/no" }).end()
        : answer.writeHead(429, { "retry-after": "7200" }).end(),
    );
    const fetch = fetching({ clock });
    expect((await failure(fetch, `${local.origin}/`)).facts.retryAfter).toBe(7_200_000);
    clock.time += 900_000;
    expect((await failure(fetch, `${local.origin}/page`)).facts.retryAfter).toBe(6_300_000);
  });

  it("is asked if its rest is longer than any that is granted: the clock was wrong", async () => {
    const clock = new HandClock();
    const hosts = await hostMemory();
    const local = await web((_, answer) => page(answer));
    await hosts.saveRest({ host: `127.0.0.1:${local.port}`, until: clock.time + 90_000_000, status: 429 }, clock.time);
    await response(fetching({ clock, hosts }), local.origin);
  });
});

describe("a silent host", () => {
  it("is waited for twice; then other requests to it fail at once, until it may have come back", async () => {
    const clock = new HandClock();
    let asked = 0;
    let isSilent = true;
    const local = await tcp((socket) => {
      socket.on("data", () => {
        asked++;
        if (!isSilent) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok");
      });
    });
    const other = await web((_, answer) => page(answer));
    const fetch = fetching({ clock, timeout: 400 });
    const failures = await Promise.all(Array.from({ length: 9 }, (_, n) => failure(fetch, `${local.origin}/${n}`)));
    expect(failures.map(({ kind }) => kind)).toEqual(Array(9).fill("timeout"));
    expect(asked).toBe(2);
    expect(failures[1]?.message).toBe("timed out after 0 s");
    expect(failures[8]?.message).toBe(
      "timed out after 0 s (not requested: an earlier request to this host failed in the same way)",
    );
    await response(fetch, other.origin);
    isSilent = false;
    clock.time += 600_000;
    await response(fetch, local.origin);
    await response(fetch, local.origin);
    expect(asked).toBe(4);
  });

  it("is not one that answers now and then", async () => {
    const local = await web((request, answer) => (request.url === "/slow" ? undefined : page(answer)));
    const fetch = fetching({ timeout: 400 });
    for (const path of ["/slow", "/", "/slow", "/", "/slow"]) {
      if (path === "/") await response(fetch, local.origin);
      else await failure(fetch, `${local.origin}${path}`);
    }
    expect(local.seen).toHaveLength(5);
  });
});
