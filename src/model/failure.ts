/** Every way in which a check can fail: its kind, one sentence for people, and a `cause` for operators. */

/** No response: our network or theirs may be at fault. */
const noResponse = ["dns", "connect", "tls", "timeout", "reset"] as const; // the first three may say { why }

export const failureKinds = [
  ...noResponse,
  "status", // a response with a status that is an error: { status }
  "not-found", // 404 or 410: { status }
  "home-page", // a redirect to the home page in place of a page
  "rate-limited", // 429, or GitHub's quota: { status, retryAfter? } in milliseconds
  "refused-address", // the guard: { address }
  "robots", // robots.txt asks us not to
  "redirects", // too many, or in a circle
  "too-large", // { limit } in bytes, compressed or not
  "too-many", // { limit, found } items or blocks
  "too-deep", // nested deeper than can be followed
  "empty",
  "truncated", // half a response; { after } if the rest did not come in time
  "wrong-type", // HTML instead of a feed: { expected, found }
  "malformed", // { expected } XML, JSON, PDF … that does not parse
  "no-match", // a selector or path that finds nothing: { selector }
  "charset", // bytes that do not fit their charset: may say { why }
  "bot-wall",
  "consent-wall",
  "login-wall",
  "missing-page", // 200, but a page that says that it does not exist, or a name that is for sale
  "error-page", // 200, but another error page
  "lost", // a part that the source no longer gives: { what }
  "half-loaded", // most of the page's earlier text is missing
  "another-page", // the response is about something else than before: { what? } a list, a source
  "shell", // a single-page application without content; { text } the address of its text, if it names one
  "no-browser", // it needs a browser, and there is none
  "browser", // a browser could not show it: { why }
  "no-text", // pictures alone: { found }
  "language", // another language or region than before: { expected, found }
  "too-new", // a format of a later program: { expected, found }
  "stopped", // a monitor that nobody runs any more: { last } a day
  "processor", // reading it took too long: { after } in milliseconds of processor time
  "memory", // reading it took too much: { limit } in bytes
  "died", // the program ended during the check
  "deferred", // left for later: an hourly allowance is used up
  "internal", // our own defect
] as const;

export type FailureKind = (typeof failureKinds)[number];

export class Failure extends Error {
  readonly kind: FailureKind;
  /** Facts for the sentence and the next step: never a secret, and no text of the source beyond an address or a status. */
  readonly facts: FailureFacts;

  constructor(kind: FailureKind, facts: Record<string, string | number> = {}, cause?: unknown) {
    super(sentence(kind, facts), { cause });
    this.name = "Failure";
    this.kind = kind;
    this.facts = facts;
  }
}

/** For work that is not begun any more. */
export function stopping(cause?: unknown): Failure {
  return new Failure("deferred", { why: "Recheck is stopping" }, cause);
}

/** The system's code of an error: `ENOENT`; empty if it has none. https://nodejs.org/api/errors.html#errorcode_1 */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** For `catch`: no result for a failure. Any other error is a defect, and is thrown on. */
export function ignoreFailure(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

/** Whether no response came back. A response, even 503, never counts. */
export function isNoResponse(kind: string): boolean {
  return (noResponse as readonly string[]).includes(kind);
}

/** Whether the next check may succeed: there was no response, half a response, or a server's error. */
export function mayPass({ kind, facts }: Failure): boolean {
  if (isNoResponse(kind) || kind === "deferred" || kind === "truncated" || kind === "rate-limited") return true;
  return kind === "status" && Number(facts.status) >= 500;
}

const goneKinds: ReadonlySet<string> = new Set<FailureKind>(["not-found", "home-page", "missing-page"]);

/** Whether a lasting failure means that a source is gone. An unreachable resolver says nothing about the name. */
export function saysGone({ kind, facts }: Failure): boolean {
  return goneKinds.has(kind) || (kind === "dns" && facts.code !== "EAI_AGAIN");
}

const refusalKinds: ReadonlySet<string> = new Set<FailureKind>([
  "robots",
  "too-large",
  "charset",
  "bot-wall",
  "consent-wall",
  "login-wall",
  "shell",
  "no-browser",
  "no-text",
]);

/** Authentication and payment required, forbidden, unavailable for legal reasons. */
const refusingStatus = /^(?:401|402|403|451)\b/;

/** The start of content types that no reader parses: images, recordings, archives and office files. */
const fileTypes = [
  /^(?:image|audio|video|font)\/|^application\/(?:zip|gzip|wasm)\b/,
  /^application\/x-(?:tar|gtar|gzip|bzip2?|xz|7z-compressed|zip-compressed|rar-compressed|msdownload)\b/,
  /^application\/(?:msword|vnd\.(?:ms-|openxmlformats-|oasis\.|rar|debian\.|android\.))/,
];

/** Whether a content type belongs to a file that cannot be parsed, so that only its existence can be checked. */
export function isFileType(type: string): boolean {
  return fileTypes.some((types) => types.test(type));
}

/** Whether a retry is useless: the host responds but refuses. `says`: its sentence. */
export function refusesToBeRead({ kind, says }: { readonly kind: string; readonly says: string }): boolean {
  if (kind === "wrong-type") return isFileType(says);
  return refusalKinds.has(kind) || (kind === "status" && refusingStatus.test(says));
}

/** By name, in the unit of the kind. */
export type FailureFacts = Readonly<Record<string, string | number>>;

/**
 * One sentence fragment for people: `403`, `timed out after 20 s`, `bot wall`. `robots`: robots.txt had this failure.
 * `unasked`: another request to the host had it just before, so this one was not sent. `said`: the sentence of a stored
 * failure.
 */
function sentence(kind: FailureKind, facts: FailureFacts): string {
  if (facts.said !== undefined) return String(facts.said);
  const says = sentences[kind];
  const said = typeof says === "string" ? says : says(facts);
  const of = facts.robots ? `robots.txt: ${said}` : said;
  return facts.unasked ? `${of} (not requested: an earlier request to this host failed in the same way)` : of;
}

const sentences: Readonly<Record<FailureKind, string | ((facts: FailureFacts) => string)>> = {
  dns: (facts) => withReason("the host name did not resolve", facts),
  connect: (facts) => withReason("no connection", facts),
  tls: (facts) => withReason("TLS failed", facts),
  timeout: ({ after }) => (after ? `timed out after ${inSeconds(after)}` : "timed out"),
  reset: "the connection broke off",
  // A redirect that can be followed is no failure.
  status: ({ status }) => `${status}${/^30[12378]$/.test(`${status}`) ? " without an address to go to" : ""}`,
  "not-found": ({ status }) => `${status}, not found`,
  "home-page": "it leads to the home page",
  "rate-limited": ({ status = 429 }) => `${status}, asked to slow down`,
  "refused-address": ({ address, why = "not a public address" }) => `refused to connect to ${address}: ${why}`,
  robots: "robots.txt asks not to read it",
  redirects: ({ limit }) => (limit === undefined ? "it redirects to itself" : `more than ${limit} redirects`),
  "too-large": ({ limit }) => `larger than ${Math.round(Number(limit) / 1_000_000)} MB`,
  "too-many": ({ limit }) => `more than ${limit} entries`,
  "too-deep": "nested too deep to be read",
  empty: "an empty answer",
  truncated: ({ after }) => (after ? `the answer was incomplete after ${inSeconds(after)}` : "the answer broke off"),
  // A page may become a PDF at the same address: then another kind reads it.
  "wrong-type": ({ expected, found }) =>
    `${found} where ${expected} was expected${found === "application/pdf" ? " (`pdf:` reads it)" : ""}`,
  malformed: ({ expected }) => `not well-formed ${expected}`,
  "no-match": ({ selector }) => `nothing matches ${selector}`,
  charset: (facts) => withReason("unreadable character encoding", facts),
  "bot-wall": "bot wall",
  "consent-wall": "consent page",
  "login-wall": "login page",
  "missing-page": "a page that says it does not exist",
  "error-page": "an error page",
  lost: ({ what }) => `it no longer gives ${what}`,
  "half-loaded": "only part of the page arrived",
  "another-page": ({ what = "page" }) => `another ${what} is in its place`,
  shell: "a page that only shows its text in a browser",
  "no-browser": "it needs a browser: set RECHECK_BROWSER to the address of one",
  browser: (facts) => withReason("a browser could not show it", facts),
  "no-text": ({ found }) => `${found} with only pictures: its text cannot be read`,
  language: ({ expected, found }) => `in ${found}, before in ${expected}`,
  "too-new": ({ expected, found }) => `written by a newer Recheck: format ${found}, this one reads ${expected}`,
  stopped: ({ last }) => `that report's monitor has stopped: last check ${last}`,
  processor: ({ after = 0 }) => `reading it took more than ${inSeconds(after)} of processor time`,
  memory: ({ limit }) => `reading it took more than ${Math.round(Number(limit) / 1_000_000)} MB of memory`,
  died: "the program ended while it read this source",
  deferred: ({ why = "the hourly allowance is used up" }) => `left for later: ${why}`,
  internal: "a defect of Recheck (see the log)",
};

function inSeconds(milliseconds: string | number): string {
  return `${Math.round(Number(milliseconds) / 1000)} s`;
}

function withReason(said: string, { why }: FailureFacts): string {
  return why ? `${said}: ${why}` : said;
}
