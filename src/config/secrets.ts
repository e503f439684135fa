/** Whether an address holds a user name or password before its host. */
export function hasCredentials(address: string): boolean {
  return userInfo.test(address);
}

/** A text of config for messages, without credentials in addresses and without text that looks like a secret. */
export function withoutSecrets(text: string): string {
  return text.replace(/(?<=[\\/]{2})[^\\/?#]*@/g, "…@").replace(new RegExp(secret, "g"), "…");
}

export function secretIn(text: string): number | undefined {
  const at = text.search(secret);
  return at < 0 ? undefined : at;
}

const userInfo = /^([a-z][a-z0-9+.-]{0,30}:)?[\\/]{2}[^\\/?#]*@/i;

/**
 * Tokens of GitHub, GitLab, Slack and AWS, a signing secret of Standard Webhooks, incoming webhooks of Slack and
 * Discord, a private key in PEM. Each begins with distinctive characters, so that ordinary text never matches. Spec:
 * https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
const secret = new RegExp(
  [
    /\bgh[pousr]_[A-Za-z0-9]{20,255}/,
    /\bgithub_pat_\w{20,255}/,
    /\bglpat-[\w-]{16,255}/,
    /\bxox[abeprs]-[\w-]{10,255}/,
    /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
    /\bwhsec_[\w+/=-]{20,255}/,
    /\bhooks\.slack\.com\/services\/[\w/]{8,255}/,
    /\bdiscord(?:app)?\.com\/api\/webhooks\/[\w/-]{8,255}/,
    /-----BEGIN (?:[A-Z]{2,9} ){0,2}PRIVATE KEY-----/,
  ]
    .map(({ source }) => source)
    .join("|"),
);
