import { z } from "zod";

/** An address that a browser opens. */
export const webAddress = z.url({ protocol: /^https?$/, error: "wants an address, e.g. https://example.org/feed.xml" });
