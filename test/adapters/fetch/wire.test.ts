import { afterEach, describe, expect, test } from "vitest";
import { closeAll, failure, fetching, response, tcp, text } from "./local-web.ts";

afterEach(closeAll);

/** A server that says this to whoever asks. */
const saying = (head: string, body: string | Buffer) =>
  tcp((socket) =>
    socket.once("data", () =>
      socket.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`), Buffer.from(body)])),
    ),
  );

describe("lengths that are wrong are the source's fault", () => {
  test.each([
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: 5, 6",
    "Content-Length: 5\r\nTransfer-Encoding: chunked",
    "Content-Length: 5.0",
    "Content-Length: 1e3",
    "Content-Length: abc",
    "Content-Length: -1",
    "Content-Length: 99999999999999999999999",
  ])("%s", async (head) => {
    const local = await saying(head, "hello");
    expect((await failure(fetching(), local.origin)).kind).toBe("malformed");
  });
});

describe("a body in chunks of one byte", () => {
  const chunks = (count: number, extension = "") => Buffer.from(`1${extension}\r\na\r\n`.repeat(count));

  test("is read as it is, and takes no more memory than it holds", async () => {
    const local = await saying(
      "Transfer-Encoding: chunked",
      Buffer.concat([chunks(150_000), Buffer.from("0\r\n\r\n")]),
    );
    const { body } = (await response(fetching({ timeout: 60_000 }), local.origin)).response;
    expect(text(body)).toBe("a".repeat(150_000));
    expect(body.buffer.byteLength).toBeLessThan(400_000);
  });

  test("that has no end is too large long before ten megabytes of it have come", async () => {
    const local = await saying("Transfer-Encoding: chunked", chunks(250_000, ";a=b"));
    expect((await failure(fetching({ timeout: 60_000 }), local.origin)).kind).toBe("too-large");
  });
});
