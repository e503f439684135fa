import { FolderProblem, writeFolder } from "../../adapters/files/folder.ts";
import { closing } from "../../model/closing.ts";
import type { Message } from "../../model/message.ts";
import { pluralize } from "../../model/words.ts";
import { publish } from "../../publish/index.ts";
import { loadConfig } from "../../wire/config.ts";
import { editionFrom, messengerFor } from "../../wire/program.ts";
import type { Settings } from "../../wire/settings.ts";
import { answer } from "./answers/index.ts";
import { commandToType, exits, type Terminal, WrongUsage } from "./terminal.ts";

export interface PublishOptions {
  readonly json?: boolean;
  readonly out: string;
}

/** `recheck publish --out DIR`: writes the pages for readers from the store. Makes no request. */
export async function publishCommand(settings: Settings, options: PublishOptions, out: Terminal): Promise<number> {
  if (options.out.trim() === "")
    throw new WrongUsage(`--out needs a folder: ${commandToType("publish", "--out", "DIR")}`);
  const edition = await editionFrom(settings);
  const files = publish(edition);
  try {
    const { written, unchanged, removed } = await writeFolder(options.out, files);
    if (options.json) answer("publish", { command: "publish", out: options.out, written, unchanged, removed }, out);
    else {
      const counts = [`wrote ${pluralize(written.length, "file")} to ${options.out}`, `${unchanged.length} unchanged`];
      out.line([...counts, ...(removed.length > 0 ? [`${removed.length} removed`] : [])].join(", "));
      if (edition.status.lastCheck === undefined) out.note(`nothing was checked yet: run ${commandToType("scan")}`);
    }
    return exits.done;
  } catch (error) {
    if (error instanceof FolderProblem) throw new WrongUsage(error.message, { cause: error });
    throw error;
  }
}

export interface NotifyOptions {
  readonly json?: boolean;
  readonly test?: boolean;
}

/** `recheck notify --test`: sends a message to each channel of `notify`, and says what became of it. Stores nothing. */
export async function notifyCommand(settings: Settings, options: NotifyOptions, out: Terminal): Promise<number> {
  if (!options.test) throw new WrongUsage("notify sends only test messages: add --test");
  const config = await loadConfig(settings.config);
  if (config.channels.size === 0) throw new WrongUsage("sources.yaml has no notify: there is no channel to test");
  await using courier = closing(await messengerFor(settings, config));
  const channels: { channel: string; sent: boolean; says?: string }[] = [];
  for (const channel of config.channels.values()) {
    const unready = courier.unready(channel);
    const id = `msg_test_${channel.id}_${settings.clock.now()}`;
    const carried = unready === undefined ? await courier.send(channel, testMessage(config), id) : undefined;
    const says = unready ?? carried?.says;
    channels.push({ channel: channel.id, sent: carried?.kind === "sent", says });
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
    link: url,
  };
}
