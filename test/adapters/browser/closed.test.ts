import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type RunningChromium, startChromium } from "../../support/chromium.ts";
import { closeAll, response, text } from "../fetch/local-web.ts";
import { app, localSite } from "./local-site.ts";
import { roadsTo } from "./roads.ts";

let chromium: RunningChromium;

beforeAll(async () => {
  chromium = await startChromium();
});
afterAll(() => chromium.close());
afterEach(closeAll);

/** Counts what comes to a closed address of this machine: connections, and packets of WebRTC and QUIC. */
async function closedPlace(host: string) {
  const came: string[] = [];
  const server = createServer((socket) => {
    came.push("a connection");
    socket.destroy();
  });
  await once(server.listen(0, host), "listening");
  const { port } = server.address() as { port: number };
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  socket.on("message", () => void came.push("a packet"));
  socket.bind(port, host);
  await once(socket, "listening");
  return {
    came,
    port,
    async close() {
      socket.close();
      await new Promise((done) => server.close(done));
    },
  };
}

/** A page that goes some roads, one after the other, and stays for a while. */
function pageOf(statements: readonly string[]): string {
  const each = statements.map(
    (statement) =>
      `try { await Promise.race([(async () => { ${statement} })(), new Promise((end) => setTimeout(end, 50))]); } catch {}`,
  );
  return app(`${each.join("\n")}\nsetTimeout(() => { root.textContent = "went every road"; }, 1_000);`);
}

it("reaches no closed address, on any road", async () => {
  const place = await closedPlace("127.0.0.2");
  try {
    const address = `http://127.0.0.2:${place.port}/`;
    const roads = roadsTo(address);
    expect(roads.length).toBeGreaterThan(60);
    const redirect = { status: 302, headers: { location: address } };
    for (let i = 0; i < roads.length; i += 15) {
      const files = { "app.example/": pageOf(roads.slice(i, i + 15)), [`app.example/redirect?${address}`]: redirect };
      const { fetch } = await localSite(chromium.address, files);
      const got = await response(fetch, { url: "https://app.example/", browser: { waitFor: "went every road" } });
      expect(text(got.response.body)).toContain("went every road");
    }
    expect(place.came).toEqual([]);
  } finally {
    await place.close();
  }
});
