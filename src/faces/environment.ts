import { appendFileSync, readFileSync } from "node:fs";
import * as z from "zod";
import { parseRanges } from "../adapters/fetch/address.ts";
import { type ProxySettings, proxyAddresses } from "../adapters/fetch/proxy.ts";
import { unwritableBecause } from "../adapters/files/refused.ts";
import type { GitHubWrite } from "../adapters/github/call.ts";
import type { Auth } from "../adapters/github/client.ts";
import { keepSecret } from "../adapters/secrets.ts";
import { isAddress } from "../adapters/store/problem.ts";
import { nearestWord } from "../language/nearest.ts";
import { aDay, type Duration } from "../model/time.ts";
import { decodePart } from "../read/shared/address.ts";
import { type Settings, systemClock, usualKeep, WrongSetting } from "../wire/settings.ts";

/** The environment variables by name; `docs/` lists those that Recheck reads. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable of spaces alone is not set. */
export function withoutBlanks(variables: Environment): Environment {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value?.trim() || undefined]));
}

/** @throws WrongSetting */
export function settingsFrom(
  variables: Environment,
  options: { config?: string; repo?: string; data?: string } = {},
): Settings {
  const env = withoutBlanks(variables);
  keepSecretsOf(env);
  const repo = options.repo ?? env.RECHECK_REPO;
  if (repo !== undefined && !/^[\w.-]+\/[\w.-]+$/.test(repo)) {
    throw new WrongSetting("the repository (--repo or RECHECK_REPO) must be written owner/name");
  }
  const auditLog = env.RECHECK_AUDIT_LOG;
  const address = env.DATABASE_URL;
  const database = address === undefined ? undefined : databaseFrom("DATABASE_URL", address);
  return {
    config: options.config ?? ".",
    data: database ?? env.RECHECK_DATA ?? options.data ?? ".recheck",
    repo,
    auth: authFrom(env),
    githubApi: env.GITHUB_API_URL?.replace(/\/+$/, ""),
    githubComToken: env.GITHUB_COM_TOKEN,
    clock: systemClock,
    archive: archiveFrom(env),
    browser: checkSetting(
      env.RECHECK_BROWSER,
      (text) => /^(?:wss?|https?):$/.test(URL.parse(text)?.protocol ?? ""),
      "RECHECK_BROWSER must be an address that begins with ws:, wss:, http: or https:",
    ),
    run: runFrom(env),
    keep: {
      removed: daysFrom("RECHECK_KEEP_REMOVED", env.RECHECK_KEEP_REMOVED) ?? usualKeep.removed,
      names: daysFrom("RECHECK_KEEP_NAMES", env.RECHECK_KEEP_NAMES),
    },
    ...(auditLog !== undefined && {
      github: { audit: auditLogTo(auditLog, env.GITHUB_RUN_ID ? { run: env.GITHUB_RUN_ID } : {}) },
    }),
    receivers: receiversFrom(env),
    heartbeat: heartbeatFrom(env),
    contact: checkSetting(
      env.RECHECK_CONTACT,
      (text) => /^[\w.+-]{1,64}@[\w.-]{1,200}$/.test(text),
      "RECHECK_CONTACT must be a mail address, such as name@example.org",
    ),
    notifiable: env.RECHECK_NOTIFY_REPOSITORIES?.split(/[\s,]+/) ?? [],
    fetch: { allowAddresses: allowedRanges(env.RECHECK_ALLOW_ADDRESSES), proxy: proxyFrom(env) },
  };
}

/** A number of days. @throws WrongSetting */
function daysFrom(name: string, text: string | undefined): Duration | undefined {
  const days = checkSetting(
    text,
    (digits) => /^\d{1,4}$/.test(digits),
    `${name} must be a number of days from 0 to 9999`,
  );
  return days === undefined ? undefined : Number(days) * aDay;
}

/** A valid value, if there is one. The error does not repeat it: it may be a token. @throws WrongSetting */
function checkSetting(text: string | undefined, fits: (text: string) => boolean, says: string): string | undefined {
  if (text !== undefined && !fits(text)) throw new WrongSetting(says);
  return text;
}

/** Overrides the place of the store: the address of a database, or a folder. @throws WrongSetting */
export function placeFrom(name: string, written: string): string {
  const place = written.trim();
  if (place === "" || place === ":memory:") throw new WrongSetting(`${name} must name a database or a folder`);
  if (!isAddress(place) && !place.includes("://")) return place;
  keepSecretsOf({ DATABASE_URL: place });
  return databaseFrom(name, place);
}

/** The checked address of a database. Errors do not repeat it: it may contain a password. */
function databaseFrom(name: string, address: string): string {
  const url = isAddress(address) ? URL.parse(address) : null;
  if (!url) throw new WrongSetting(`${name} must be an address such as postgres://user:password@host:5432/name`);
  // The password contains a slash: the rest would count as the path, and be shown as the database's name.
  if (url.pathname.includes("@")) throw new WrongSetting(`${name} has a / in its password: write it as %2F`);
  if (url.pathname.length < 2) throw new WrongSetting(`${name} must end with the name of a database`);
  return withTlsMode(name, address, url.searchParams);
}

const ofTls = ["sslmode", "sslrootcert", "sslcert", "sslkey"];
const tlsModes = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

/**
 * The address with the intended TLS mode. The driver ignores misspelt parameters, so that nothing would be encrypted.
 * It treats the modes between as `verify-full`, and warns each time.
 */
function withTlsMode(name: string, address: string, parameters: URLSearchParams): string {
  const misspelt = [...parameters.keys()]
    .map((key) => nearestWord(key, ofTls))
    .find((key) => key && !parameters.has(key));
  if (misspelt)
    throw new WrongSetting(`${name} has a misspelt parameter, which has no effect; did you mean ${misspelt}?`);
  const mode = parameters.get("sslmode");
  if (mode !== null && !tlsModes.includes(mode))
    throw new WrongSetting(`${name}: sslmode must be one of ${tlsModes.join(", ")}`);
  if (parameters.has("uselibpqcompat")) return address;
  return address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

/** The addresses of message receivers, and nothing else, from the environment. */
function receiversFrom(env: Environment): Settings["receivers"] {
  const places = Object.entries(env).filter(([name, place]) => name.startsWith("RECHECK_NOTIFY_") && place);
  return {
    places: Object.fromEntries(places) as Record<string, string>,
    smtpUrl: env.RECHECK_SMTP_URL,
    smtpFrom: env.RECHECK_SMTP_FROM,
  };
}

function heartbeatFrom(env: Environment): URL | undefined {
  const isWeb = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? "");
  const address = checkSetting(env.RECHECK_HEARTBEAT, isWeb, "RECHECK_HEARTBEAT must be an http or https address");
  return address === undefined ? undefined : new URL(address);
}

/** The workflow run: https://docs.github.com/en/actions/reference/workflows-and-actions/variables */
function runFrom(env: Environment): Settings["run"] {
  const attempt = Number(env.GITHUB_RUN_ATTEMPT);
  return {
    id: env.GITHUB_RUN_ID,
    ...(Number.isSafeInteger(attempt) && attempt > 0 && { attempt }),
    event: env.GITHUB_EVENT_NAME,
    ref: env.GITHUB_REF,
    branch: env.GITHUB_REF?.match(/^refs\/heads\/(.+)$/)?.[1],
    defaultBranch: defaultBranchFrom(env.GITHUB_EVENT_PATH),
  };
}

const eventShape = z.object({ repository: z.object({ default_branch: z.string() }) });

/** The repository's default branch, by the payload of the event. Spec: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
function defaultBranchFrom(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return eventShape.parse(JSON.parse(readFileSync(path, "utf8"))).repository.default_branch;
  } catch {
    // Other systems that run actions have other payloads, or none.
    return undefined;
  }
}

const wayback = { timegate: "https://web.archive.org/web/", save: "https://web.archive.org/save/" };

function archiveFrom(env: Environment): Settings["archive"] {
  const written = env.RECHECK_ARCHIVE ?? wayback.timegate;
  if (written === "none") return undefined;
  // The page's address is appended.
  const timegate = /[/=]$/.test(written) ? written : `${written}/`;
  if (!/^https?:$/.test(URL.parse(timegate)?.protocol ?? ""))
    throw new WrongSetting("RECHECK_ARCHIVE must be the address of a TimeGate, or none");
  const address = saveAddress(env.RECHECK_ARCHIVE_SAVE);
  if (address === undefined) return { timegate };
  const [accessKey, secretKey] = [env.ARCHIVE_ACCESS_KEY, env.ARCHIVE_SECRET_KEY];
  if (accessKey === undefined || secretKey === undefined)
    throw new WrongSetting("RECHECK_ARCHIVE_SAVE needs ARCHIVE_ACCESS_KEY and ARCHIVE_SECRET_KEY");
  return { timegate, save: { address, accessKey, secretKey } };
}

function saveAddress(written: string | undefined): string | undefined {
  if (written === undefined || written === "no") return undefined;
  if (written === "yes") return wayback.save;
  if (URL.parse(written)?.protocol === "https:") return written;
  throw new WrongSetting("RECHECK_ARCHIVE_SAVE must be yes, no or an address that begins with https:");
}

function proxyFrom(env: Environment): ProxySettings {
  const proxy = {
    HTTP_PROXY: env.HTTP_PROXY ?? env.http_proxy,
    HTTPS_PROXY: env.HTTPS_PROXY ?? env.https_proxy,
    NO_PROXY: env.NO_PROXY ?? env.no_proxy,
  };
  orWrong(() => proxyAddresses(proxy));
  return proxy;
}

function authFrom(env: Environment): Auth | undefined {
  const appId = env.APP_ID;
  const privateKey = env.PRIVATE_KEY;
  if (appId && privateKey) return { appId, privateKey };
  if (appId || privateKey) throw new WrongSetting("APP_ID and PRIVATE_KEY need each other: set both or neither");
  const token = env.GITHUB_TOKEN;
  return token ? { token } : undefined;
}

function allowedRanges(ranges: string | undefined): ReturnType<typeof parseRanges> | undefined {
  return ranges === undefined ? undefined : orWrong(() => parseRanges(ranges), "RECHECK_ALLOW_ADDRESSES: ");
}

/** The result of a parser; its error becomes one of a setting. @throws WrongSetting */
function orWrong<T>(parse: () => T, before = ""): T {
  try {
    return parse();
  } catch (error) {
    throw new WrongSetting(before + (error instanceof Error ? error.message : String(error)));
  }
}

/**
 * Appends each write to GitHub to a file as a line of JSON. Several processes may share the file. A write that cannot
 * be logged is not sent. The file is created with the first entry. @throws WrongSetting if it cannot be written
 */
export function auditLogTo(path: string, run: { readonly run?: string } = {}): (write: GitHubWrite) => void {
  const why = unwritableBecause(path);
  if (why !== undefined) throw new WrongSetting(`RECHECK_AUDIT_LOG cannot be written: ${why}`);
  return (write) => {
    try {
      appendFileSync(path, `${JSON.stringify({ ...write, ...run })}\n`, { mode: 0o600 });
    } catch (error) {
      // The write was sent, and its first entry is in the log.
      if (write.state === "sent") throw error;
    }
  };
}

const secretVariables = [
  "GITHUB_TOKEN",
  "GITHUB_COM_TOKEN",
  "WEBHOOK_SECRET",
  "WEBHOOK_SECRET_PREVIOUS",
  "ARCHIVE_ACCESS_KEY",
  "ARCHIVE_SECRET_KEY",
  "RECHECK_METRICS_TOKEN",
  "INPUT_TOKEN",
  "PGPASSWORD",
];
const variablesWithPassword = [
  "DATABASE_URL",
  "RECHECK_SMTP_URL",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "http_proxy",
  "https_proxy",
];
/** Secret addresses: anybody who has one can send messages there, or use the browser. */
const secretAddresses = /^RECHECK_(?:NOTIFY_.+|HEARTBEAT|BROWSER)$/;

export function keepSecretsOf(env: Environment): void {
  for (const [name, value = ""] of Object.entries(env)) {
    const text = value.trim();
    if (secretVariables.includes(name) || /^RECHECK_NOTIFY_.+_SECRET$/.test(name)) keepSecret(text);
    else if (variablesWithPassword.includes(name)) keepPassword(text);
    else if (name === "PRIVATE_KEY") keepKey(text);
    else if (secretAddresses.test(name)) keepAddress(text);
  }
}

/** Registers a password in all encodings: in an address, in plain text, and as HTTP and SMTP send it. */
function keepPassword(address: string): void {
  const { username = "", password = "" } = URL.parse(address) ?? {};
  const [user, meant] = [decodePart(username), decodePart(password)];
  for (const form of [password, meant]) keepSecret(form);
  if (meant !== "") for (const form of [`${user}:${meant}`, meant]) keepSecret(Buffer.from(form).toString("base64"));
}

/** Registers a key line by line: other programs may break its lines elsewhere. */
function keepKey(pem: string): void {
  for (const line of pem.split(/\s+|\\n/)) if (/^[A-Za-z0-9+/=]{16,}$/.test(line)) keepSecret(line);
}

/** Registers the path of a web address; other addresses (of mail) are no secrets. */
function keepAddress(text: string): void {
  const url = URL.parse(text);
  if (url && /^(?:https?|wss?):$/.test(url.protocol)) keepSecret(url.pathname + url.search);
}
