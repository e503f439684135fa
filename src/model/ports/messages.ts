import type { Channel, Message } from "../message.ts";
import type { Duration, Instant } from "../time.ts";

/** Carries messages to people. */
export interface Courier {
  /** Why a channel cannot be used: its variable is not set, or has no valid address. */
  unready(channel: Channel): string | undefined;
  /** Tries once. `id` is the same at each try. Never throws. */
  send(channel: Channel, message: Message, id: string): Promise<Carried>;
  close(): Promise<void>;
}

/**
 * The outcome of one try. *refused*: certainly not delivered. *unheard*: sent, but the outcome is unknown. *gone*: the receiver
 * wants no more messages.
 */
export type Carried =
  | { readonly kind: "sent"; readonly says?: string }
  | { readonly kind: "refused"; readonly says: string; readonly wait?: Duration }
  | { readonly kind: "unheard" | "gone"; readonly says: string };

export interface StoredMessage {
  readonly id: number;
  readonly channel: string;
  /** Unique within its channel, so that nothing is sent twice. */
  readonly key: string;
  readonly planned: Instant;
  readonly next: Instant;
  readonly state: MessageState;
  /** When a try began whose outcome was not noted. */
  readonly attempted?: Instant;
  readonly tries: number;
  /** Why it is not delivered yet, or never will be. */
  readonly says?: string;
  readonly firings: readonly number[];
  readonly message: Message;
}

/** *dead*: given up. *unheard*: perhaps delivered, and not sent again. */
export const messageStates = ["waiting", "sent", "dead", "unheard"] as const;
export type MessageState = (typeof messageStates)[number];

export type NewMessage = Pick<StoredMessage, "channel" | "key" | "planned" | "firings" | "message">;
export type MessageChange = Partial<Pick<StoredMessage, "next" | "state" | "attempted" | "tries" | "says">>;

/** The outbox of messages to people outside GitHub. */
export interface MessageStore {
  /** Messages to people, oldest first. */
  messages(): Promise<StoredMessage[]>;
  /** Stores messages to send. A message whose key its channel already has is left out. */
  addMessages(messages: readonly NewMessage[]): Promise<void>;
  /** Sets the fields of the change; undefined empties a field. */
  updateMessage(id: number, change: MessageChange): Promise<void>;
}
