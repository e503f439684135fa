import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** The secret that signs webhooks, and during a rotation the one before it. */
export interface WebhookSecrets {
  readonly secret: string;
  readonly previous?: string;
}

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
const header = "x-hub-signature-256";

/**
 * Probot supports one secret. A webhook signed with the previous secret gets a signature with the present one, so that
 * none is lost between the change at GitHub and the restart of the server.
 */
export function acceptPrevious(request: IncomingMessage, body: Uint8Array, { secret, previous }: WebhookSecrets): void {
  const signature = request.headers[header];
  if (previous === undefined || typeof signature !== "string") return;
  const [given, expected] = [Buffer.from(signature), Buffer.from(signed(body, previous))];
  if (given.length === expected.length && timingSafeEqual(given, expected))
    request.headers[header] = signed(body, secret);
}

function signed(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
