import { connect, isIP, type Socket } from "node:net";
import { digest } from "../../model/digest.ts";
import { Failure } from "../../model/failure.ts";
import type { Message } from "../../model/message.ts";
import type { SendOutcome } from "../../model/ports/index.ts";
import { guardedLookup, isOpen } from "../fetch/address.ts";
import type { CourierSettings } from "./courier.ts";
import { messageLine, plainText } from "./formats.ts";
import { outcomeWords } from "./post.ts";

/** Milliseconds, for each step of the conversation. */
const maxStepTime = 15_000;
const maxSubjectCharacters = 150;
const maxReportCharacters = 50;
const maxRecipients = 50;

/** Sends mail by the operator's SMTP server, whose address is checked like every other. */
export function createMailer({ receivers, allowAddresses, lookup, timeout = maxStepTime }: CourierSettings) {
  const server = URL.parse(receivers.smtpUrl ?? "");
  const login = server && loginOf(server);
  const from = receivers.smtpFrom ?? "";

  async function send(recipients: string, message: Message, id: string): Promise<SendOutcome> {
    if (!server || !login) return { kind: "refused", says: "RECHECK_SMTP_URL is not set" };
    const secure = server.protocol === "smtps:";
    const host = server.hostname.replace(/^\[|\]$/g, "");
    const port = Number(server.port) || (secure ? 465 : 587);
    let isTextSent = false;
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({
      debug: true,
      logger: listener((command) => (isTextSent ||= command === "DATA")),
      host,
      port,
      secure,
      // A password is never sent over an unencrypted connection.
      requireTLS: login.user !== "",
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(login.user !== "" && { auth: login }),
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      getSocket: (_, callback) => openSocket({ host, port, timeout, allowAddresses, lookup }, callback),
    });
    try {
      const { rejected } = await transport.sendMail({
        from,
        to: addressesIn(recipients),
        subject: subjectOf(message),
        text: plainText(message),
        messageId: `<${id}@${host}>`,
        headers: { "Auto-Submitted": "auto-generated", "List-Id": listId(message, from) },
      });
      if (rejected.length === 0) return { kind: "sent" };
      return { kind: "sent", says: `the mail server refused ${rejected.length} of its recipients` };
    } catch (error) {
      return ofError(error, isTextSent);
    } finally {
      transport.close();
    }
  }

  return {
    unready(recipients: string, name: string) {
      if (!server || !/^smtps?:$/.test(server.protocol)) return "RECHECK_SMTP_URL is not set to smtp:// or smtps://";
      if (!login) return "RECHECK_SMTP_URL holds a % that begins no escape in its user or password: write %25";
      if (from === "") return "RECHECK_SMTP_FROM is not set: there is no sender";
      const all = addressesIn(recipients);
      if (all.length > maxRecipients) return `${name} names ${all.length} recipients; at most ${maxRecipients}`;
      return all.every((one) => /^[^\s@<>]+@[^\s@<>]+$/.test(one))
        ? undefined
        : `${name} contains something that is not a mail address`;
    },
    send,
  };
}

interface SocketSettings extends Pick<CourierSettings, "allowAddresses" | "lookup"> {
  readonly host: string;
  readonly port: number;
  /** Milliseconds without a byte after which the socket is closed. */
  readonly timeout: number;
}

type Opened = (error: Error | null, options: false | { readonly connection: Socket }) => void;

function openSocket({ host, port, timeout, allowAddresses, lookup }: SocketSettings, opened: Opened): void {
  if (isIP(host) !== 0 && !isOpen(host, allowAddresses)) {
    opened(new Failure("refused-address", { address: host }), false);
    return;
  }
  const socket = connect({ host, port, lookup: guardedLookup(allowAddresses, lookup) });
  socket.setTimeout(timeout, () => socket.destroy(new Failure("timeout", { after: timeout })));
  socket.once("error", (error) => opened(error, false));
  socket.once("connect", () => opened(null, { connection: socket }));
}

/** The user and password of an address. Undefined if a `%` in it begins no escape. */
function loginOf({ username, password }: URL): { readonly user: string; readonly pass: string } | undefined {
  try {
    return { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** Encoded words (RFC 2047) stay encoded: decoded, they might show characters that `messageLine` removes. */
export function subjectOf(message: Message): string {
  const report = messageLine(message.report, maxReportCharacters);
  return messageLine(`${report}: ${message.title}`, maxSubjectCharacters).replaceAll("=?", "= ?");
}

/** One list for each report, at the sender's host, so that people can filter: https://www.rfc-editor.org/rfc/rfc2919 */
function listId({ report }: Message, from: string): string {
  const host = /@([A-Za-z0-9.-]+)/.exec(from)?.[1] ?? "localhost";
  return `<${digest(report)}.recheck.${host}>`;
}

function addressesIn(recipients: string): string[] {
  return recipients.split(/[\s,;]+/).filter(Boolean);
}

/** If the text was sent but got no response, the outcome is unknown. The error message may contain the text. */
function ofError(error: unknown, isTextSent: boolean): SendOutcome {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  if (error instanceof Failure) return { kind: "refused", says: `the mail server: ${outcomeWords(error)}` };
  if (code === "ETLS")
    return {
      kind: "refused",
      says: "the mail server offers no encryption, so the password was not sent: use smtps://",
    };
  if (responseCode !== undefined) return { kind: "refused", says: `the mail server answered ${responseCode}` };
  const why = `the mail server: ${code ?? "no answer"}`;
  return { kind: isTextSent ? "unheard" : "refused", says: why };
}

/** A log of the conversation. Only our own commands are passed on, and nothing is written. */
function listener(onCommand: (command: string) => void) {
  const nothing = () => {};
  const debug = (entry: unknown, text: unknown) => {
    if ((entry as { tnx?: string }).tnx === "client") onCommand(String(text));
  };
  return { debug, level: nothing, trace: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };
}
