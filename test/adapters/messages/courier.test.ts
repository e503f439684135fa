import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseRanges } from "../../../src/adapters/fetch/address.ts";
import { createCourier } from "../../../src/adapters/messages/courier.ts";
import { messageLine, plainText } from "../../../src/adapters/messages/formats.ts";
import type { Channel, ChannelKind, Message } from "../../../src/model/message.ts";
import type { Courier } from "../../../src/model/ports/index.ts";

const secret = `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`;
const clock = { now: () => Date.now() };
const attack = `<!channel> @everyone <@U1> [x](https://evil.example) **b** <b>\u202e\u0007 ${"y".repeat(10_000)}`;

const message: Message = {
  kind: "contrary",
  report: "State of the Boards",
  title: "TorchTPU is public",
  lead: "Seen 2026-09-21. 2 of 20 ratings are in doubt.",
  sections: [
    {
      items: [{ says: "TorchTPU is public", link: "https://github.com/tester/report/issues/2" }, { says: attack }],
      more: 3,
    },
  ],
  link: "https://github.com/tester/report/issues",
};
const channel = (by: ChannelKind): Channel => ({ id: "the-team", by, tell: ["contrary"] });

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

describe("over HTTP", () => {
  let server: Server;
  let received: Received[];
  let connections: number;
  let answer: (response: ServerResponse) => void;
  let couriers: Courier[];
  beforeEach(async () => {
    [received, connections, couriers] = [[], 0, []];
    answer = (response) => response.end("ok");
    server = createServer(async (request, response) => {
      const body = (await buffer(request)).toString("utf8");
      received.push({ path: request.url ?? "", headers: request.headers, body });
      answer(response);
    });
    server.on("connection", () => connections++);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(async () => {
    server.closeAllConnections();
    await Promise.all([new Promise((done) => server.close(done)), ...couriers.map((one) => one.close())]);
  });

  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/services/T0/B0`;
  function courier(allow = "127.0.0.0/8", place = address()): Courier {
    const receivers = { places: { RECHECK_NOTIFY_THE_TEAM: place, RECHECK_NOTIFY_THE_TEAM_SECRET: secret } };
    const made = createCourier({
      clock,
      userAgent: "Recheck/0",
      receivers,
      allowAddresses: parseRanges(allow),
      timeout: 2_000,
    });
    couriers.push(made);
    return made;
  }

  test("a webhook is signed as Standard Webhooks wants it", async () => {
    expect(await courier().send(channel("webhook"), message, "msg_1")).toEqual({ kind: "sent" });
    const [{ body, headers, path } = { body: "", headers: {}, path: "" }] = received;
    expect(path).toBe("/services/T0/B0");
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: "recheck.contrary",
      data: { report: message.report, title: message.title, sections: [{ more: 3 }] },
    });
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow();
    expect(headers["webhook-id"]).toBe("msg_1");
  });

  test.each([
    ["slack", "text"],
    ["discord", "content"],
    ["teams", "attachments"],
  ] as const)("%s gets what it takes, in which no text of a source is alive", async (by, key) => {
    expect(await courier().send(channel(by), message, "msg_1")).toEqual({ kind: "sent" });
    const [{ body } = { body: "" }] = received;
    const sent = JSON.parse(body);
    expect(sent).toHaveProperty(key);
    expect(body).toContain("https://github.com/tester/report/issues/2");
    expect(body).not.toMatch(/\u202e|\\u202e|\\u0007/);
    expect(body.length).toBeLessThan(6_000);
    if (by === "slack") {
      expect(sent.text).toContain("&lt;!channel&gt;");
      expect(sent.text.match(/<[^>]*>/g)).toEqual([
        "<https://github.com/tester/report/issues/2|open>",
        "<https://github.com/tester/report/issues|State of the Boards>",
      ]);
    }
    if (by === "discord") {
      expect(sent).toMatchObject({ allowed_mentions: { parse: [] } });
      expect(sent.content.length).toBeLessThanOrEqual(2_000);
      expect(sent.content).not.toMatch(/(?<!\\)\[x/);
    }
    if (by === "teams") expect(sent.attachments[0].content).toMatchObject({ type: "AdaptiveCard", version: "1.4" });
  });

  test.each(["slack", "discord", "teams"] as const)("an address leads to the same place in %s", async (by) => {
    const link = "https://kite.example/a%2Fb_(c)?q=1&r=é#:~:text=costs%20%2439";
    await courier().send(channel(by), { ...message, sections: [], link }, "msg_1");
    await courier().send(channel(by), { ...message, sections: [{ items: [{ says: "x", link }], more: 0 }] }, "msg_2");
    const sent = received.map(({ body }) => body.replaceAll("&amp;", "&"));
    const written = sent.join(" ").match(/https:\/\/kite[^\s<>|")]*(?:\)[^\s<>|")]+)*/g) ?? [];
    expect(written).toHaveLength(2);
    for (const one of written) expect(decodeURIComponent(one)).toBe(decodeURIComponent(link));
    expect(sent[1]).not.toMatch(/\]\([^<][^)"]*\([^)"]*\)/);
  });

  test.each(["証", "x"])("Teams gets no more of %s than it takes, and how many items are left out", async (sign) => {
    const items = Array.from({ length: 12 }, () => ({ says: sign.repeat(300) }));
    const sections = ["Events", "Answers"].map((heading) => ({ heading, items, more: 1 }));
    await courier().send(channel("teams"), { ...message, sections: [...sections, ...sections] }, "msg_1");
    const [{ body } = { body: "" }] = received;
    for (const encoding of ["utf8", "utf16le"] as const)
      expect(Buffer.byteLength(body, encoding)).toBeLessThanOrEqual(28_000);
    const shown = body.match(new RegExp(`"${sign}`, "g"))?.length ?? 0;
    expect(shown).toBeGreaterThanOrEqual(24);
    expect(body.match(/and \d+ more/g)).toEqual(sections.concat(sections).map(() => `and ${13 - shown / 4} more`));
  });

  test.each([
    [410, { kind: "gone", says: "the receiver answered 410: it accepts no more messages" }],
    [500, { kind: "refused", says: "the receiver answered 500" }],
    [302, { kind: "refused", says: "the receiver answered 302; redirects are not followed" }],
  ] as const)("an answer of %d", async (status, carried) => {
    answer = (response) => response.writeHead(status, { location: "http://127.0.0.1:1/" }).end();
    expect(await courier().send(channel("slack"), message, "msg_1")).toEqual(carried);
    expect(received).toHaveLength(1);
  });

  test("Retry-After is passed on", async () => {
    answer = (response) => response.writeHead(429, { "retry-after": "120" }).end();
    expect(await courier().send(channel("webhook"), message, "msg_1")).toMatchObject({
      kind: "refused",
      wait: 120_000,
    });
  });

  test("a receiver that never answers, or breaks off, was perhaps reached", async () => {
    answer = () => {};
    expect(await courier().send(channel("slack"), message, "msg_1")).toMatchObject({ kind: "unheard" });
    answer = (response) => response.destroy();
    expect(await courier().send(channel("slack"), message, "msg_1")).toEqual({
      kind: "unheard",
      says: "the receiver: the connection broke off",
    });
  });

  test.each(["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]", "2130706433"])(
    "a private address is not connected to: %s",
    async (host) => {
      const { port } = server.address() as AddressInfo;
      const carried = await courier("10.9.9.9/32", `http://${host}:${port}/`).send(
        channel("webhook"),
        message,
        "msg_1",
      );
      expect(carried).toEqual({ kind: "refused", says: "the receiver: its address is refused: not a public one" });
      expect(connections).toBe(0);
    },
  );

  test("missing variables are named, and the content of others is never shown", () => {
    const of = (places: Record<string, string>, smtp = {}) =>
      createCourier({ clock, userAgent: "Recheck/0", receivers: { places, ...smtp } });
    expect(of({}).unready(channel("slack"))).toBe(
      "RECHECK_NOTIFY_THE_TEAM is not set in the environment: nothing is sent",
    );
    expect(of({ RECHECK_NOTIFY_THE_TEAM: "hunter2" }).unready(channel("slack"))).toBe(
      "RECHECK_NOTIFY_THE_TEAM is not an http or https address: nothing is sent",
    );
    const place = { RECHECK_NOTIFY_THE_TEAM: "https://example.org/" };
    expect(of({ ...place, RECHECK_NOTIFY_THE_TEAM_SECRET: "hunter2" }).unready(channel("webhook"))).toMatch(
      /_SECRET is not set to a secret that begins with whsec_/,
    );
    expect(of({ ...place, RECHECK_NOTIFY_THE_TEAM_SECRET: secret }).unready(channel("webhook"))).toBeUndefined();
    expect(of({ RECHECK_NOTIFY_THE_TEAM: "a@example.org" }).unready(channel("email"))).toMatch(/RECHECK_SMTP_URL/);
    const mail = { smtpUrl: "smtp://user:hunter2@example.org", smtpFrom: "r@example.org" };
    const unreadable = { ...mail, smtpUrl: "smtp://user:50%off@example.org" };
    expect(of({ RECHECK_NOTIFY_THE_TEAM: "a@example.org" }, unreadable).unready(channel("email"))).toBe(
      "RECHECK_SMTP_URL holds a % that begins no escape in its user or password: write %25",
    );
    expect(of({ RECHECK_NOTIFY_THE_TEAM: "a@example.org nobody" }, mail).unready(channel("email"))).toBe(
      "RECHECK_NOTIFY_THE_TEAM contains something that is not a mail address",
    );
    expect(
      of({ RECHECK_NOTIFY_THE_TEAM: "a@example.org, b@example.org" }, mail).unready(channel("email")),
    ).toBeUndefined();
  });
});

describe("over SMTP", () => {
  let mails: { to: string[]; text: string }[];
  let server: SMTPServer | undefined;
  afterEach(() => new Promise<void>((done) => (server ? server.close(() => done()) : done())));

  interface Manners {
    readonly refuses?: (address: string) => boolean;
    readonly data?: "ok" | "refuse" | "hang up";
  }
  async function start({ refuses = () => false, data = "ok" }: Manners = {}): Promise<number> {
    mails = [];
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      logger: false,
      onRcptTo: ({ address }, _, callback) =>
        callback(refuses(address) ? Object.assign(new Error("no"), { responseCode: 550 }) : null),
      async onData(stream, session, callback) {
        const text = (await buffer(stream)).toString("utf8");
        if (data === "hang up") return hangUp();
        if (data === "refuse") return callback(Object.assign(new Error("full"), { responseCode: 452 }));
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        callback();
      },
    });
    const sockets = new Set<Socket>();
    const hangUp = () => {
      for (const socket of sockets) socket.destroy();
    };
    server.server.on("connection", (socket: Socket) => sockets.add(socket));
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    return (server.server.address() as AddressInfo).port;
  }
  const mail = (port: number, to = "a@example.org, b@example.org", allow = "127.0.0.0/8", login = "", title = "") =>
    createCourier({
      ...{ clock, userAgent: "Recheck/0", timeout: 2_000, allowAddresses: parseRanges(allow) },
      receivers: {
        places: { RECHECK_NOTIFY_THE_TEAM: to },
        smtpUrl: `smtp://${login}127.0.0.1:${port}`,
        smtpFrom: "recheck@example.org",
      },
    }).send(channel("email"), { ...message, title: title || `${message.title}\r\nBcc: c@example.org` }, "msg_1");

  test("a mail is plain text for all recipients, and its title cannot add headers", async () => {
    expect(await mail(await start())).toEqual({ kind: "sent" });
    expect(mails).toHaveLength(1);
    expect(mails[0]?.to).toEqual(["a@example.org", "b@example.org"]);
    expect(mails[0]?.text).toMatch(/^Subject: State of the Boards: TorchTPU is public Bcc: c@example.org\r$/m);
    expect(mails[0]?.text).toMatch(/^Message-ID: <msg_1@127.0.0.1>\r$/m);
    expect(mails[0]?.text).toMatch(/^List-Id:\s+<[0-9a-f]+\.recheck\.example\.org>\r$/im);
    expect(mails[0]?.text).not.toMatch(/^Bcc:/m);
    expect(plainText(message)).toContain("- TorchTPU is public\n  https://github.com/tester/report/issues/2");
  });

  test("a password is not sent without encryption", async () => {
    expect(await mail(await start(), undefined, undefined, "name:secret@")).toEqual({
      kind: "refused",
      says: "the mail server offers no encryption, so the password was not sent: use smtps://",
    });
    expect(mails).toEqual([]);
  });

  test("a title of encoded words is not decoded by mail clients", async () => {
    await mail(await start(), undefined, undefined, "", "=?utf-8?q?=E2=80=AE?=");
    expect(mails[0]?.text).toMatch(/^Subject: State of the Boards: = \?utf-8/m);
  });

  test("a server that refuses half of the recipients sends to the others, and that is said", async () => {
    const port = await start({ refuses: (address) => address.startsWith("b@") });
    expect(await mail(port)).toEqual({ kind: "sent", says: "the mail server refused 1 of its recipients" });
    expect(mails[0]?.to).toEqual(["a@example.org"]);
  });

  test("a server that refuses all, or the text, refuses", async () => {
    expect(await mail(await start({ refuses: () => true }))).toEqual({
      kind: "refused",
      says: "the mail server answered 550",
    });
    await new Promise<void>((done) => server?.close(() => done()));
    expect(await mail(await start({ data: "refuse" }))).toEqual({
      kind: "refused",
      says: "the mail server answered 452",
    });
  });

  test("one that hangs up after the text was perhaps reached", async () => {
    expect(await mail(await start({ data: "hang up" }))).toMatchObject({ kind: "unheard" });
  });

  test("one at a private address is not connected to unless that is allowed", async () => {
    let connections = 0;
    const port = await start();
    server?.server.on("connection", () => connections++);
    expect(await mail(port, "a@example.org", "10.9.9.9/32")).toEqual({
      kind: "refused",
      says: "the mail server: its address is refused: not a public one",
    });
    expect(connections).toBe(0);
  });
});

test("a text of 10,000 characters with controls is one short line", () => {
  expect(messageLine(attack).length).toBeLessThanOrEqual(401);
  expect(messageLine(attack)).not.toMatch(/\p{Cc}|\p{Bidi_C}/u);
});
