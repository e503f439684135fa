import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A delivery of a webhook, as GitHub sends it. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Between GitHub and the server: here webhooks get lost, or arrive twice, late, in another order or from somebody else. */
export interface Post {
  /** The address that GitHub sends them to. */
  readonly url: string;
  readonly past: readonly Delivery[];
  /** Decides on new ones (default: they are passed on at once). */
  how: (delivery: Delivery) => readonly Delivery[] | "kept";
  /** Those that are kept, in order. */
  readonly kept: Delivery[];
  readonly busy: number;
  /** Passes on to the server, if there is one. Returns its answer. */
  bring(delivery: Delivery): Promise<number>;
  close(): Promise<void>;
}

export async function openPost(target: () => string | undefined): Promise<Post> {
  const past: Delivery[] = [];
  const kept: Delivery[] = [];
  let busy = 0;
  const bring = async ({ headers, body }: Delivery): Promise<number> => {
    const url = target();
    if (url === undefined) return 0;
    busy++;
    try {
      return (await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(5_000) })).status;
    } catch {
      return 0;
    } finally {
      busy--;
    }
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      response.writeHead(202).end();
      const names = ["content-type", "x-github-event", "x-github-delivery", "x-hub-signature-256"];
      const delivery = {
        headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])),
        body,
      };
      past.push(delivery);
      const become = post.how(delivery);
      if (become === "kept") kept.push(delivery);
      else for (const one of become) void bring(one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const post: Post = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    past,
    how: (delivery) => [delivery],
    kept,
    get busy() {
      return busy;
    },
    bring,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return post;
}

/** Signed by somebody who knows this secret. */
export function signed({ headers, body }: Delivery, secret: string): Delivery {
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  return { headers: { ...headers, "x-hub-signature-256": signature }, body };
}
