import { readFileSync } from "node:fs";
import * as z from "zod";
import { parseRanges } from "../adapters/fetch/address.ts";
import { type ProxySettings, proxyAddresses } from "../adapters/fetch/proxy.ts";
import type { Auth } from "../adapters/github/client.ts";
import { isAddress } from "../adapters/store/address.ts";
import { nearest } from "../language/nearest.ts";
import { aDay, type Duration } from "../model/time.ts";
import { type Settings, systemClock, usualKeep } from "../wire/settings.ts";
import { auditLogTo } from "./audit-log.ts";
import { keepSecretsOf } from "./secrets.ts";
import { WrongSetting } from "./wrong-setting.ts";

/** The variables of the environment that Recheck reads; `docs/` has the same list for people. */
export interface Environment {
  readonly RECHECK_DATA?: string;
  readonly DATABASE_URL?: string;
  readonly RECHECK_REPO?: string;
  readonly RECHECK_ALLOW_ADDRESSES?: string;
  readonly RECHECK_BROWSER?: string;
  readonly RECHECK_CONTACT?: string;
  readonly GITHUB_TOKEN?: string;
  readonly GITHUB_API_URL?: string;
  readonly GITHUB_COM_TOKEN?: string;
  readonly APP_ID?: string;
  readonly PRIVATE_KEY?: string;
  readonly GITHUB_EVENT_NAME?: string;
  readonly GITHUB_REF?: string;
  readonly GITHUB_EVENT_PATH?: string;
  readonly GITHUB_RUN_ID?: string;
  readonly GITHUB_RUN_ATTEMPT?: string;
  readonly RECHECK_AUDIT_LOG?: string;
  readonly RECHECK_KEEP_REMOVED?: string;
  readonly RECHECK_KEEP_NAMES?: string;
  readonly RECHECK_ARCHIVE?: string;
  readonly RECHECK_ARCHIVE_SAVE?: string;
  readonly ARCHIVE_ACCESS_KEY?: string;
  readonly ARCHIVE_SECRET_KEY?: string;
  readonly HTTP_PROXY?: string;
  readonly HTTPS_PROXY?: string;
  readonly NO_PROXY?: string;
  readonly [name: string]: string | undefined;
}

/** @throws WrongSetting */
export function settingsFrom(
  env: Environment,
  given: { config?: string; repo?: string; data?: string } = {},
): Settings {
  keepSecretsOf(env);
  const repo = given.repo ?? nonEmpty(env.RECHECK_REPO);
  if (repo !== undefined && !/^[\w.-]+\/[\w.-]+$/.test(repo)) {
    throw new WrongSetting("the repository (--repo or RECHECK_REPO) is written owner/name");
  }
  const auditLog = nonEmpty(env.RECHECK_AUDIT_LOG);
  const address = nonEmpty(env.DATABASE_URL);
  const database = address === undefined ? undefined : databaseFrom("DATABASE_URL", address);
  return {
    config: given.config ?? ".",
    data: database ?? nonEmpty(env.RECHECK_DATA) ?? given.data ?? ".recheck",
    repo,
    auth: authFrom(env),
    githubApi: nonEmpty(env.GITHUB_API_URL)?.replace(/\/+$/, ""),
    githubComToken: nonEmpty(env.GITHUB_COM_TOKEN),
    clock: systemClock,
    archive: archiveFrom(env),
    browser: browserFrom(env),
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
    contact: contactFrom(env),
    notifiable: nonEmpty(env.RECHECK_NOTIFY_REPOSITORIES)?.split(/[\s,]+/) ?? [],
    fetch: { allowAddresses: allowed(env.RECHECK_ALLOW_ADDRESSES), proxy: proxyFrom(env) },
  };
}

/** A number of days. @throws WrongSetting */
function daysFrom(name: string, written: string | undefined): Duration | undefined {
  const text = nonEmpty(written);
  if (text === undefined) return undefined;
  if (!/^\d{1,4}$/.test(text)) throw new WrongSetting(`${name} is a number of days, from 0 to 9999`);
  return Number(text) * aDay;
}

/** Another place for the store than the configured one: the address of a database, or a folder. @throws WrongSetting */
export function placeFrom(name: string, written: string): string {
  const place = nonEmpty(written);
  if (place === undefined || place === ":memory:") throw new WrongSetting(`${name} names a database or a folder`);
  if (!isAddress(place) && !place.includes("://")) return place;
  keepSecretsOf({ DATABASE_URL: place });
  return databaseFrom(name, place);
}

/** The address of a database, checked. Errors repeat nothing of it: it may hold a password. */
function databaseFrom(name: string, address: string): string {
  const url = isAddress(address) ? URL.parse(address) : null;
  if (!url) throw new WrongSetting(`${name} is an address: postgres://user:password@host:5432/name`);
  // The password contains a slash: the rest would count as the path, and be shown as the database's name.
  if (url.pathname.includes("@")) throw new WrongSetting(`${name} has a password whose / is to be written %2F`);
  if (url.pathname.length < 2) throw new WrongSetting(`${name} ends with the name of a database`);
  return encrypted(name, address, url.searchParams);
}

const ofTls = ["sslmode", "sslrootcert", "sslcert", "sslkey"];
const tlsModes = ["disable", "no-verify", "prefer", "require", "verify-ca", "verify-full"];

/**
 * The address with the intended TLS mode. The driver ignores misspelt parameters, so that nothing would be encrypted.
 * It treats the modes between as `verify-full`, and warns each time.
 */
function encrypted(name: string, address: string, asked: URLSearchParams): string {
  const misspelt = [...asked.keys()].map((key) => nearest(key, ofTls)).find((key) => key && !asked.has(key));
  if (misspelt) throw new WrongSetting(`${name} has a parameter that is nearly ${misspelt}, and says nothing`);
  const mode = asked.get("sslmode");
  if (mode !== null && !tlsModes.includes(mode))
    throw new WrongSetting(`${name}: sslmode is one of ${tlsModes.join(", ")}`);
  if (asked.has("uselibpqcompat")) return address;
  return address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

/** The addresses of message receivers, and nothing else, from the environment. */
function receiversFrom(env: Environment): Settings["receivers"] {
  const entries = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    const place = nonEmpty(value);
    return name.startsWith("RECHECK_NOTIFY_") && place !== undefined ? [[name, place]] : [];
  });
  const smtpUrl = nonEmpty(env.RECHECK_SMTP_URL);
  const smtpFrom = nonEmpty(env.RECHECK_SMTP_FROM);
  return {
    places: Object.fromEntries(entries),
    ...(smtpUrl !== undefined && { smtpUrl }),
    ...(smtpFrom !== undefined && { smtpFrom }),
  };
}

function heartbeatFrom(env: Environment): URL | undefined {
  const written = nonEmpty(env.RECHECK_HEARTBEAT);
  if (written === undefined) return undefined;
  const address = URL.parse(written);
  if (!address || !/^https?:$/.test(address.protocol))
    throw new WrongSetting("RECHECK_HEARTBEAT is an http or https address");
  return address;
}

/** The address is not repeated: it may hold a token. */
function browserFrom(env: Environment): string | undefined {
  const written = nonEmpty(env.RECHECK_BROWSER);
  if (written !== undefined && !/^(?:wss?|https?):$/.test(URL.parse(written)?.protocol ?? ""))
    throw new WrongSetting("RECHECK_BROWSER is an address that begins with ws:, wss:, http: or https:");
  return written;
}

function contactFrom(env: Environment): string | undefined {
  const contact = nonEmpty(env.RECHECK_CONTACT);
  if (contact !== undefined && !/^[\w.+-]{1,64}@[\w.-]{1,200}$/.test(contact))
    throw new WrongSetting("RECHECK_CONTACT is a mail address: name@example.org");
  return contact;
}

/**
 * The workflow run; a tag or a pull request is no branch. Spec:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/variables
 */
function runFrom(env: Environment): Settings["run"] {
  const attempt = Number(nonEmpty(env.GITHUB_RUN_ATTEMPT));
  return {
    id: nonEmpty(env.GITHUB_RUN_ID),
    ...(Number.isSafeInteger(attempt) && attempt > 0 && { attempt }),
    event: nonEmpty(env.GITHUB_EVENT_NAME),
    ref: nonEmpty(env.GITHUB_REF),
    branch: nonEmpty(env.GITHUB_REF)?.match(/^refs\/heads\/(.+)$/)?.[1],
    defaultBranch: defaultBranchFrom(nonEmpty(env.GITHUB_EVENT_PATH)),
  };
}

const eventShape = z.object({ repository: z.object({ default_branch: z.string() }) });

/** The repository's default branch, by the payload of the event. Spec: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
function defaultBranchFrom(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return eventShape.parse(JSON.parse(readFileSync(path, "utf8"))).repository.default_branch;
  } catch {
    // Other systems that run actions write other payloads, or none.
    return undefined;
  }
}

/** The archive that is used unless another one is named. */
const wayback = { timegate: "https://web.archive.org/web/", save: "https://web.archive.org/save/" };

function archiveFrom(env: Environment): Settings["archive"] {
  const written = nonEmpty(env.RECHECK_ARCHIVE) ?? wayback.timegate;
  if (written === "none") return undefined;
  // The page's address is appended.
  const timegate = /[/=]$/.test(written) ? written : `${written}/`;
  if (!/^https?:$/.test(URL.parse(timegate)?.protocol ?? ""))
    throw new WrongSetting("RECHECK_ARCHIVE must be the address of a TimeGate, or none");
  const address = saveAddress(nonEmpty(env.RECHECK_ARCHIVE_SAVE));
  if (address === undefined) return { timegate };
  const [accessKey, secretKey] = [nonEmpty(env.ARCHIVE_ACCESS_KEY), nonEmpty(env.ARCHIVE_SECRET_KEY)];
  if (accessKey === undefined || secretKey === undefined)
    throw new WrongSetting("RECHECK_ARCHIVE_SAVE wants ARCHIVE_ACCESS_KEY and ARCHIVE_SECRET_KEY");
  return { timegate, save: { address, accessKey, secretKey } };
}

/** Keys are not sent unencrypted. */
function saveAddress(written: string | undefined): string | undefined {
  if (written === undefined || written === "no") return undefined;
  if (written === "yes") return wayback.save;
  if (URL.parse(written)?.protocol === "https:") return written;
  throw new WrongSetting("RECHECK_ARCHIVE_SAVE is yes, no or an address that begins with https:");
}

function proxyFrom(env: Environment): ProxySettings {
  const proxy = {
    HTTP_PROXY: nonEmpty(env.HTTP_PROXY ?? env.http_proxy),
    HTTPS_PROXY: nonEmpty(env.HTTPS_PROXY ?? env.https_proxy),
    NO_PROXY: nonEmpty(env.NO_PROXY ?? env.no_proxy),
  };
  try {
    proxyAddresses(proxy);
  } catch (error) {
    throw new WrongSetting(error instanceof Error ? error.message : "a proxy has no address");
  }
  return proxy;
}

function authFrom(env: Environment): Auth | undefined {
  const appId = nonEmpty(env.APP_ID);
  const privateKey = nonEmpty(env.PRIVATE_KEY);
  if (appId && privateKey) return { appId, privateKey };
  if (appId || privateKey) throw new WrongSetting("APP_ID and PRIVATE_KEY are given together or not at all");
  const token = nonEmpty(env.GITHUB_TOKEN);
  return token ? { token } : undefined;
}

function allowed(ranges: string | undefined): ReturnType<typeof parseRanges> | undefined {
  const text = nonEmpty(ranges);
  if (!text) return undefined;
  try {
    return parseRanges(text);
  } catch (error) {
    throw new WrongSetting(
      `RECHECK_ALLOW_ADDRESSES: ${error instanceof Error ? error.message : "not a list of ranges"}`,
    );
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === "" ? undefined : text.trim();
}
