import type { Message } from "../../model/message.ts";
import { loadConfig } from "../../wire/config.ts";
import { messengerFor } from "../../wire/program.ts";
import type { Settings } from "../../wire/settings.ts";
import { answer } from "./answers/index.ts";
import { exits, type Terminal, WrongUsage } from "./terminal.ts";

export interface NotifyOptions {
  readonly json?: boolean;
  /** Sends one message to each channel. */
  readonly test?: boolean;
}

/** `recheck notify --test`: sends a message to each channel of `notify`, and says what became of it. Stores nothing. */
export async function notifyCommand(settings: Settings, options: NotifyOptions, out: Terminal): Promise<number> {
  if (!options.test) throw new WrongUsage("notify sends only test messages: add --test");
  const config = await loadConfig(settings.config);
  if (config.channels.size === 0) throw new WrongUsage("sources.yaml has no notify: there is no channel to test");
  const courier = await messengerFor(settings, config);
  const channels: { channel: string; sent: boolean; says?: string }[] = [];
  try {
    for (const channel of config.channels.values()) {
      const unready = courier.unready(channel);
      const id = `msg_test_${channel.id}_${settings.clock.now()}`;
      const carried = unready === undefined ? await courier.send(channel, testMessage(config), id) : undefined;
      const says = unready ?? carried?.says;
      channels.push({ channel: channel.id, sent: carried?.kind === "sent", ...(says !== undefined && { says }) });
    }
  } finally {
    await courier.close();
  }
  if (options.json) answer("notify", { command: "notify", channels }, out);
  else
    for (const { channel, sent, says } of channels)
      out.line(`${sent ? "✔" : "✗"} ${channel}  ${sent ? "sent" : "not sent"}${says === undefined ? "" : `: ${says}`}`);
  return channels.every(({ sent }) => sent) ? exits.done : exits.wrong;
}

function testMessage({ report: { title, url } }: Parameters<typeof messengerFor>[1]): Message {
  return {
    kind: "test",
    report: title,
    title: "this is a test",
    lead: "A person ran recheck notify --test. Messages about this report will arrive here.",
    sections: [],
    ...(url !== undefined && { link: url }),
  };
}
