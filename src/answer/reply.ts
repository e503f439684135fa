import type { Store, Transaction } from "../ports.ts";
import { replyMark } from "../recheck/comment.ts";

/**
 * Words of ours on a recheck's issue; none where a reaction says it all. `occasion`: letters, digits and spaces; the
 * same one twice is answered once. `text`: Markdown of our own making.
 */
export function reply(tx: Transaction, recheck: number, occasion: string, text = ""): Promise<void> {
  const marker = replyMark(occasion);
  const body = text === "" ? "" : `${marker}\n\n${text}`;
  return tx.say({ recheck, marker, body, done: text === "" });
}

/** Whether an occasion was answered before. */
export function isAnsweredAlready(store: Pick<Store, "isSaid">, occasion: string): Promise<boolean> {
  return store.isSaid(replyMark(occasion));
}
