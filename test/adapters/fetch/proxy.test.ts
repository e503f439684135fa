import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { inspect } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { proxiedFetch } from "../../../src/adapters/fetch/routes.ts";
import { closeAll, failure, fetching, page, response, tcp, text, web } from "./local-web.ts";

afterEach(closeAll);

/** Resolves every name to this machine, as a proxy does out of our sight; forwards http. */
const proxy = (status?: number) =>
  web((request, answer) => {
    if (status !== undefined) return answer.writeHead(status).end();
    const { port, pathname } = new URL(request.url ?? "");
    httpRequest({ host: "127.0.0.1", port, path: pathname, headers: request.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    }).end();
  });

/** Opens tunnels, and remembers what it was told. */
async function tunnels(status = 200) {
  const asked: string[] = [];
  const local = await tcp((socket) =>
    socket.once("data", (head) => {
      asked.push(head.toString("latin1"));
      const port = Number(/^CONNECT [^ ]+:(\d+) /.exec(asked[0] ?? "")?.[1]);
      if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      const far = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        socket.pipe(far).pipe(socket);
      });
      far.on("error", () => socket.destroy());
      socket.on("close", () => far.destroy());
    }),
  );
  return { ...local, asked };
}

const nobody = { allowAddresses: undefined };

describe("a proxy", () => {
  it("is used for http, with its credentials, and resolves names itself", async () => {
    const local = await web((_, answer) => page(answer, "from afar", { etag: '"a"' }));
    const via = await proxy();
    const HTTP_PROXY = `http://name:secret@127.0.0.1:${via.port}`;
    const fetch = fetching({ ...nobody, proxy: { HTTP_PROXY } });
    const got = await response(fetch, `http://far.example:${local.port}/page`);
    expect(text(got.response.body)).toBe("from afar");
    expect(got.response.url).toBe(`http://far.example:${local.port}/page`);
    const told = Buffer.from("name:secret").toString("base64");
    expect(via.seen[0]?.headers["proxy-authorization"]).toBe(`Basic ${told}`);
    expect(local.seen[0]?.headers.host).toBe(`far.example:${local.port}`);
  });

  it("is asked for a tunnel for https", async () => {
    const local = await web((_, answer) => page(answer));
    const via = await tunnels();
    const fetch = fetching({ ...nobody, proxy: { HTTPS_PROXY: via.origin } });
    // The far end speaks no TLS: that it is a TLS failure shows that the tunnel stood.
    expect((await failure(fetch, `https://far.example:${local.port}/`)).kind).toBe("tls");
    expect(via.asked[0]).toContain(`CONNECT far.example:${local.port} HTTP/1.1`);
  });

  it.each(["127.0.0.1", "0x7f.1", "[::ffff:10.0.0.1]", "169.254.169.254", "localhost", "metadata.google.internal"])(
    "does not open the way to %s",
    async (host) => {
      const via = await proxy();
      const fetch = fetching({ ...nobody, proxy: { HTTP_PROXY: via.origin, HTTPS_PROXY: via.origin } });
      expect((await failure(fetch, `http://${host}/`)).kind).toBe("refused-address");
      expect((await failure(fetch, `https://${host}/`)).kind).toBe("refused-address");
      expect(via.seen).toHaveLength(0);
    },
  );

  it("is passed by for NO_PROXY and for a local web, so that the guard sees all", async () => {
    const local = await web((_, answer) => page(answer, "straight"));
    const via = await proxy();
    const settings = { HTTP_PROXY: via.origin, NO_PROXY: "near.example" };
    const straight = await response(fetching({ proxy: settings }), `http://near.example:${local.port}/`);
    expect(text(straight.response.body)).toBe("straight");
    expect((await failure(fetching({ ...nobody, proxy: settings }), `http://near.example:${local.port}/`)).kind).toBe(
      "refused-address",
    );
    const mapped = fetching({ proxy: { HTTP_PROXY: via.origin }, origin: () => local.origin });
    expect(text((await response(mapped, "http://far.example/")).response.body)).toBe("straight");
    expect(via.seen).toHaveLength(0);
  });

  it("that refuses is no connection, and its password is not revealed", async () => {
    const told = Buffer.from("name:secret").toString("base64");
    for (const status of [407, 502]) {
      const via = await tunnels(status);
      const HTTPS_PROXY = `http://name:secret@127.0.0.1:${via.port}`;
      const failed = await failure(fetching({ proxy: { HTTPS_PROXY } }), "https://far.example/");
      expect(failed.message).toBe(
        status === 407
          ? "no connection: the proxy needs a name and password (407)"
          : "no connection: the proxy refuses (502)",
      );
      expect(via.asked[0]).toContain(told);
      const all = inspect(failed, { depth: 20, showHidden: true });
      expect(all).not.toContain("secret");
      expect(all).not.toContain(told);
    }
    const forward = await proxy(407);
    expect((await failure(fetching({ proxy: { HTTP_PROXY: forward.origin } }), "http://far.example/")).kind).toBe(
      "connect",
    );
    const gone = fetching({ proxy: { HTTP_PROXY: "http://name:secret@127.0.0.1:1" } });
    const failed = await failure(gone, "http://far.example/");
    expect(failed.message).toBe("no connection: the proxy cannot be reached");
    expect(inspect(failed, { depth: 20, showHidden: true })).not.toContain("secret");
  });

  it("whose name does not resolve is no connection, and no source is blamed as gone", async () => {
    // Longer than a name may be, so that no server is asked.
    const proxy = `${"a".repeat(64)}.example:3128`;
    const settings = fetching({ proxy: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } });
    for (const scheme of ["http", "https"]) {
      const failed = await failure(settings, `${scheme}://far.example/`);
      expect(failed.message).toBe("no connection: the name of the proxy did not resolve");
    }
  });

  it.each(["end", "destroy"] as const)("that closes a tunnel without an answer (%s) is asked once", async (how) => {
    let asked = 0;
    const via = await tcp((socket) =>
      socket.once("data", () => {
        asked++;
        socket[how]();
      }),
    );
    const failed = await failure(fetching({ proxy: { HTTPS_PROXY: via.origin } }), "https://far.example/");
    expect([failed.message, asked]).toEqual(["no connection: the proxy closes the connection without an answer", 1]);
    const operators = proxiedFetch({ HTTPS_PROXY: via.origin });
    await expect(operators?.("https://far.example/")).rejects.toThrow("no connection");
    expect(asked).toBe(2);
  });

  it("that never answers is a timeout", async () => {
    const via = await tcp(() => {});
    const fetch = fetching({ proxy: { HTTPS_PROXY: via.origin }, timeout: 200 });
    expect((await failure(fetch, "https://far.example/")).kind).toBe("timeout");
  });

  it.each(["ftp://name:secret@host", "http://name:secret@ho st"])(
    "is not at %s, and that is said without it",
    (value) => {
      let said = "";
      try {
        fetching({ proxy: { HTTPS_PROXY: value } });
      } catch (error) {
        said = inspect(error, { depth: 20, showHidden: true });
      }
      expect(said).toContain("HTTPS_PROXY is not the address of an HTTP proxy");
      expect(said).not.toContain("secret");
    },
  );

  it("is not taken from the environment by itself", async () => {
    const via = await proxy();
    const local = await web((_, answer) => page(answer));
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = via.origin;
    try {
      await response(fetching(), local.origin);
      await response(fetching({ proxy: { HTTPS_PROXY: via.origin } }), local.origin);
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
    expect(via.seen).toHaveLength(0);
  });
});

describe("calls to GitHub", () => {
  it("go through the same proxies", async () => {
    const local = await web((request, answer) => answer.end(`${request.method} ${request.url}`));
    const via = await proxy();
    const through = proxiedFetch({ HTTP_PROXY: via.origin });
    // undici asks a proxy for a tunnel unless told otherwise: what counts is that the proxy was asked.
    await through?.(`http://far.example:${local.port}/repos`).catch(() => {});
    expect(via.seen.length).toBeGreaterThan(0);
  });

  it.each([
    [403, "no connection: the proxy refuses (403)"],
    [407, "no connection: the proxy needs a name and password (407)"],
  ])("say of a proxy that answers %i what it refuses", async (status, says) => {
    const via = await tunnels(status);
    const through = proxiedFetch({ HTTPS_PROXY: `http://127.0.0.1:${via.port}` });
    await expect(through?.("https://api.github.example/repos")).rejects.toThrow(says);
  });

  it("go straight if no proxy is named", () => {
    expect(proxiedFetch({})).toBeUndefined();
  });
});
