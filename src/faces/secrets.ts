import { keepSecret } from "../adapters/secrets.ts";
import { decoded } from "../read/shared/address.ts";
import type { Environment } from "./environment.ts";

/** Variables whose whole value is secret. */
const whole = [
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
/** Addresses that may hold a password. */
const withPassword = ["DATABASE_URL", "RECHECK_SMTP_URL", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
/** Secret addresses: anybody who has one can send messages there, or use the browser. */
const secretAddresses = /^RECHECK_(?:NOTIFY_.+|HEARTBEAT|BROWSER)$/;

/** Registers all secrets of an environment, so that they are never printed. */
export function keepSecretsOf(env: Environment): void {
  for (const [name, value = ""] of Object.entries(env)) {
    const text = value.trim();
    if (whole.includes(name) || /^RECHECK_NOTIFY_.+_SECRET$/.test(name)) keepSecret(text);
    else if (withPassword.includes(name)) keepPassword(text);
    else if (name === "PRIVATE_KEY") keepKey(text);
    else if (secretAddresses.test(name)) keepAddress(text);
  }
}

/** Registers a password in all encodings: in an address, in plain text, and as HTTP and SMTP send it. */
function keepPassword(address: string): void {
  const { username = "", password = "" } = URL.parse(address) ?? {};
  const [user, meant] = [decoded(username), decoded(password)];
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
