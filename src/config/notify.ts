import * as z from "zod";
import { type Channel, channelKinds, type MessageKind, messageKinds, type QuietHours } from "../model/message.ts";
import { keyed } from "../model/options.ts";
import { byId } from "./ids.ts";
import { oneOrMore } from "./words.ts";

/** `notify:`, the channels to people besides GitHub. It holds no secrets: addresses are in the environment. */

const needsQuiet = 'needs hours and a time zone such as "22:00-07:00 Europe/Berlin"';

const quiet = z
  .string({ error: needsQuiet })
  .regex(/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d [A-Za-z][\w+/-]{0,60}$/, { error: needsQuiet, abort: true })
  .refine((written) => isZone(written.slice(12)), { error: "needs an existing time zone, such as Europe/Berlin" })
  .transform((written): QuietHours => {
    const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
    return { from: minutes(written.slice(0, 5)), to: minutes(written.slice(6, 11)), zone: written.slice(12) };
  });

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const tell: z.ZodType<MessageKind[]> = oneOrMore(z.enum(messageKinds));

const channel = keyed({
  ...(Object.fromEntries(
    channelKinds.map((kind) => [
      kind,
      tell.optional().describe(`By ${kind}: contrary (against the report, at once), weekly, monthly.`),
    ]),
  ) as Record<(typeof channelKinds)[number], z.ZodOptional<typeof tell>>),
  quiet: quiet.optional().describe('When nothing is sent: "22:00-07:00 Europe/Berlin"; it is sent afterwards.'),
})
  .check(({ value, issues }) => {
    const named = channelKinds.filter((kind) => value[kind] !== undefined);
    const [only] = named;
    const messages = only ? (value[only] ?? []) : [];
    if (only && messages.includes("weekly") && messages.includes("monthly")) {
      const message = "has two digests; keep weekly or monthly";
      issues.push({ code: "custom", message, path: [only], input: value });
    }
    if (named.length === 1) return;
    const has = named.length > 0 ? `holds ${named.join(" and ")}; it ` : "";
    const message = `${has}needs one of ${channelKinds.join(", ")}`;
    issues.push({ code: "custom", message, input: value });
  })
  .transform((written): Omit<Channel, "id"> => {
    const by = channelKinds.find((kind) => written[kind] !== undefined) ?? "webhook";
    return { by, tell: [...new Set(written[by])], ...(written.quiet && { quiet: written.quiet }) };
  });

export const notifySchema: z.ZodType<Record<string, Omit<Channel, "id">>> = byId(channel);
