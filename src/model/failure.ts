/** Every way a look can fail. A kind is data; the message is one sentence for people; `cause` is for operators. */

/** No response came back: ours or the network's, until shown otherwise. */
const noResponse = ["dns", "connect", "tls", "timeout", "reset"] as const;

export const failureKinds = [
  ...noResponse,
  "status", // an answer that is no reading: { status }
  "not-found", // 404 or 410: { status }
  "rate-limited", // 429, or GitHub's quota: { status, retryAfter? } in milliseconds
  "refused-address", // the guard: { address }
  "robots", // robots.txt asks us not to
  "redirects", // too many, or in a circle
  "too-large", // { limit } in bytes, compressed or not
  "too-many", // { limit, found } items or blocks
  "empty",
  "truncated",
  "wrong-type", // HTML where a feed was expected: { expected, found }
  "malformed", // { expected } XML, JSON, PDF … that does not parse
  "no-match", // a selector or path that finds nothing: { selector }
  "charset", // bytes that are not the text they say they are
  "bot-wall",
  "consent-wall",
  "login-wall",
  "error-page", // 200, and yet an error or "not found" page
  "half-loaded", // most of what the page held before is missing
  "shell", // a single-page application without content
  "language", // another language or region than before: { expected, found }
  "too-new", // a format of a later program: { expected, found }
  "stopped", // a monitor that nobody runs any more: { last } a day
  "deferred", // left for later: an hourly allowance is used up
  "internal", // our own defect
] as const;

export type FailureKind = (typeof failureKinds)[number];

export class Failure extends Error {
  readonly kind: FailureKind;
  /** Facts for the sentence: never a secret, never text of the source beyond a host or a status. */
  readonly facts: Readonly<Record<string, string | number>>;

  constructor(kind: FailureKind, facts: Record<string, string | number> = {}, cause?: unknown) {
    super(sentence(kind, facts), { cause });
    this.name = "Failure";
    this.kind = kind;
    this.facts = facts;
  }
}

/** Whether no response came back. An answer, even 503, never counts. */
export function isNoResponse(kind: FailureKind): boolean {
  return (noResponse as readonly string[]).includes(kind);
}

/** One sentence fragment a person understands: `403`, `timed out after 20 s`, `bot wall`. */
function sentence(kind: FailureKind, facts: Readonly<Record<string, string | number>>): string {
  switch (kind) {
    case "dns":
      return "the host name did not resolve";
    case "connect":
      return "no connection";
    case "tls":
      return "TLS failed";
    case "timeout":
      return facts.after ? `timed out after ${Math.round(Number(facts.after) / 1000)} s` : "timed out";
    case "reset":
      return "the connection broke off";
    case "status":
      return `${facts.status}`;
    case "not-found":
      return `${facts.status}, not found`;
    case "rate-limited":
      return `${facts.status ?? 429}, asked to slow down`;
    case "refused-address":
      return `refused to connect to ${facts.address}: ${facts.why ?? "not a public address"}`;
    case "robots":
      return "robots.txt asks not to read it";
    case "redirects":
      return "too many redirects";
    case "too-large":
      return `larger than ${Math.round(Number(facts.limit) / 1_000_000)} MB`;
    case "too-many":
      return `more than ${facts.limit} entries`;
    case "empty":
      return "an empty answer";
    case "truncated":
      return "the answer broke off";
    case "wrong-type":
      return `${facts.found} where ${facts.expected} was expected`;
    case "malformed":
      return `not well-formed ${facts.expected}`;
    case "no-match":
      return `nothing matches ${facts.selector}`;
    case "charset":
      return "unreadable character encoding";
    case "bot-wall":
      return "bot wall";
    case "consent-wall":
      return "consent page";
    case "login-wall":
      return "login page";
    case "error-page":
      return "an error page";
    case "half-loaded":
      return "only part of the page came";
    case "shell":
      return "a page without content (it needs a browser)";
    case "language":
      return `in ${facts.found}, before in ${facts.expected}`;
    case "too-new":
      return `written by a newer Recheck: format ${facts.found}, this one reads ${facts.expected}`;
    case "stopped":
      return `that report's monitor has stopped: last look ${facts.last}`;
    case "deferred":
      return `left for later: ${facts.why ?? "the hourly allowance is used up"}`;
    case "internal":
      return "a defect of Recheck (see the log)";
  }
}
