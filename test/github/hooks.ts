import { createHmac, randomUUID } from "node:crypto";
import type { Clock } from "../../src/model/ports/index.ts";

/**
 * Webhooks as GitHub sends them: `emulate` gives several the same id, does not say what a text was before an edit, and
 * knows nothing of installations, nor of the clock of tests. They pass through here on their way, and can be lost or come again.
 */

export interface Sent {
  readonly id: string;
  readonly event: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Target {
  readonly url: string;
  readonly secret: string;
}

export class Hooks {
  readonly sent: Sent[] = [];
  /** Deliveries are recorded and go nowhere. */
  lost = false;
  readonly #target: Target | undefined;
  readonly #clock: Clock;
  readonly #before = new Map<string, string>();
  #held: Promise<void> | undefined;
  readonly #under = new Set<Promise<void>>();

  constructor(target: Target | undefined, clock: Clock = Date) {
    this.#target = target;
    this.#clock = clock;
  }

  /** Notes an issue's text before the edit that is about to come. */
  remember(repo: string, issue: number, body: string): void {
    this.#before.set(`${repo}#${issue}`, body);
  }

  /** Passes on what `emulate` tells. */
  async relay(event: string, payload: Record<string, unknown>): Promise<void> {
    const { number } = (payload.issue ?? {}) as { number?: number };
    const { full_name: repo } = (payload.repository ?? {}) as { full_name?: string };
    const edited = event === "issues" && payload.action === "edited" && number !== undefined;
    const from = edited ? this.#before.get(`${repo}#${number}`) : undefined;
    const time = new Date(this.#clock.now()).toISOString();
    const { issue, comment } = payload;
    await this.deliver({
      id: randomUUID(),
      event,
      payload: {
        ...payload,
        ...(edited && { issue: { ...Object(issue), updated_at: time } }),
        ...(edited && { changes: from === undefined ? {} : { body: { from } } }),
        ...(payload.action === "created" &&
          comment !== undefined && { comment: { ...Object(comment), created_at: time } }),
      },
    });
  }

  /** Also the same one again. */
  async deliver(delivery: Sent): Promise<void> {
    this.sent.push(delivery);
    if (!this.#target || this.lost) return;
    const sending = this.#send(delivery, this.#target, this.#held);
    this.#under.add(sending);
    await sending.finally(() => this.#under.delete(sending));
  }

  /** Sends when it is over what came meanwhile: GitHub does at once what takes us several steps. */
  async hold<T>(work: () => Promise<T>, heard: () => Promise<void>): Promise<T> {
    let go = (): void => {};
    this.#held = new Promise((resolve) => {
      go = resolve;
    });
    try {
      return await work();
    } finally {
      // `emulate` sends a moment after it has answered.
      await heard();
      this.#held = undefined;
      go();
    }
  }

  /** Once all that was sent has been answered. */
  async settled(): Promise<void> {
    while (this.#under.size > 0) await Promise.all(this.#under);
  }

  async #send({ id, event, payload }: Sent, { url, secret }: Target, held: Promise<void> | undefined): Promise<void> {
    await held;
    const body = JSON.stringify(payload);
    const headers = {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": id,
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    };
    await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(10_000) }).catch(() => {});
  }
}
