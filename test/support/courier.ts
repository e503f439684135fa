import type { Courier } from "../../src/model/ports/index.ts";

/** Carries nothing: no channel is set. */
export const noCourier: Courier = {
  unready: () => "not set",
  send: async () => ({ kind: "refused", says: "not set" }),
  close: async () => {},
};
