import { cutLine, percentEncode } from "../../model/markdown.ts";
import { eventLines, type Message, type MessageItem } from "../../model/message.ts";
import { escapeHtml } from "../../read/shared/body.ts";

/** Formats a message for each receiver. It contains texts of sources, which must not act as a command, a mention or a link. */

/** Discord takes 2,000 characters. https://docs.discord.com/developers/resources/webhook#execute-webhook */
const maxDiscordCharacters = 1_990;
/** Slack recommends at most 4,000: https://docs.slack.dev/changelog/2018-truncating-really-long-messages */
const maxSlackCharacters = 3_900;
/**
 * Teams takes 28 KB: https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using It
 * does not say in which encoding; people were refused at half of that in UTF-8.
 */
const maxTeamsBytes = 27_500;
const maxTitleCharacters = 200;
const maxItemCharacters = 400;

export function plainText({ report, lead, sections, link }: Message): string {
  const parts = sections.map(({ heading, items, more }) => [
    ...(heading === undefined ? [] : [`${heading}:`]),
    ...items.map(({ says, link: its, event }) =>
      [
        `- ${messageLine(says)}`,
        ...(event ? eventLines(event) : []).map(([label, text]) => `  ${label}: ${messageLine(text)}`),
        ...(its === undefined ? [] : [`  ${event ? "Issue: " : ""}${its}`]),
      ].join("\n"),
    ),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ]);
  const end = link === undefined ? [] : [`All of it: ${link}`];
  return [
    messageLine(lead),
    ...parts.map((lines) => lines.join("\n")),
    ...end,
    `Recheck, for "${messageLine(report)}"`,
  ].join("\n\n");
}

/** One line, without control characters or characters that change its direction. */
export function messageLine(text: string, most = maxItemCharacters): string {
  return cutLine(text, most);
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping */
export function slackMessage(message: Message): object {
  const link = (words: string, address: string) => `<${escapeHtml(percentEncode(address, /[<>|]|[^!-~]/gu))}|${words}>`;
  return {
    text: markedText(message, { escaped: escapeHtml, link, bold: (text) => `*${text}*`, most: maxSlackCharacters }),
  };
}

/** https://docs.discord.com/developers/resources/message#allowed-mentions-object; flag 4 shows no previews of links. */
export function discordMessage(message: Message): object {
  const escaped = (text: string) => text.replace(/[\\*_~`|>#@<[\]():-]/g, "\\$&");
  const link = (words: string, address: string) => `[${words}](<${percentEncode(address, /[<>]|[^!-~]/gu)}>)`;
  const content = markedText(message, { escaped, link, bold: (text) => `**${text}**`, most: maxDiscordCharacters });
  return { content, allowed_mentions: { parse: [] }, flags: 4 };
}

/** An Adaptive Card, as workflows of Teams take it: https://adaptivecards.io/explorer/TextBlock.html */
export function teamsMessage(message: Message): object {
  const { sections } = message;
  for (let most = Math.max(0, ...sections.map(({ items }) => items.length)); ; most--) {
    const shown = sections.map(({ items, more, ...rest }) => {
      const first = items.slice(0, most);
      return { ...rest, items: first, more: more + items.length - first.length };
    });
    const card = teamsCard({ ...message, sections: shown });
    const json = JSON.stringify(card);
    const bytes = Math.max(Buffer.byteLength(json, "utf8"), Buffer.byteLength(json, "utf16le"));
    if (most <= 0 || bytes <= maxTeamsBytes) return card;
  }
}

function teamsCard({ report, title, lead, sections, link }: Message): object {
  const escaped = (text: string) => messageLine(text).replace(/[\\*_[\]()<>#`~-]/g, "\\$&");
  const block = (text: string, more: object = {}) => ({ type: "TextBlock", text, wrap: true, ...more });
  const opens = (words: string, address: string) => `[${words}](${percentEncode(address, /[()]|[^!-~]/gu)})`;
  const item = ({ says, link: its, event }: MessageItem) => [
    block(`${escaped(says)}${its === undefined ? "" : ` ${opens("open", its)}`}`),
    ...(event ? eventLines(event) : []).map(([label, text]) =>
      block(label === "Page" ? opens(label, text) : `${label}: ${escaped(text)}`, { spacing: "None", isSubtle: true }),
    ),
  ];
  const body = [
    block(escaped(title), { weight: "Bolder", size: "Medium" }),
    block(escaped(lead)),
    ...sections.flatMap(({ heading, items, more }) => [
      ...(heading === undefined ? [] : [block(heading, { weight: "Bolder", separator: true })]),
      ...items.flatMap(item),
      ...(more > 0 ? [block(`and ${more} more`)] : []),
    ]),
    block(escaped(report), { isSubtle: true }),
  ];
  const actions = link === undefined ? [] : [{ type: "Action.OpenUrl", title: "Open", url: link }];
  const content = {
    type: "AdaptiveCard",
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    version: "1.4",
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content: { ...content, body, actions } }],
  };
}

interface Markup {
  escaped(text: string): string;
  link(words: string, address: string): string;
  bold(text: string): string;
  /** Limit of characters; lines beyond it are counted. */
  readonly most: number;
}

function markedText(
  { report, title, lead, sections, link: fullText }: Message,
  { escaped, link, bold, most }: Markup,
): string {
  const item = ({ says, link: its, event }: MessageItem) => [
    `• ${escaped(messageLine(says))}${its === undefined ? "" : ` ${link("open", its)}`}`,
    ...(event ? eventLines(event) : []).map(
      ([label, text]) => `   ${label === "Page" ? link(label, text) : `${label}: ${escaped(messageLine(text))}`}`,
    ),
  ];
  const lines = sections.flatMap(({ heading, items, more }) => [
    ...(heading === undefined ? [] : [bold(heading)]),
    ...items.flatMap(item),
    ...(more > 0 ? [`• and ${more} more`] : []),
  ]);
  const head = [bold(escaped(messageLine(title, maxTitleCharacters))), escaped(messageLine(lead))];
  const end = fullText === undefined ? escaped(messageLine(report)) : link(escaped(messageLine(report)), fullText);
  const room = most - [...head, end].join("\n").length - 30;
  const parts: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > room) break;
    parts.push(line);
  }
  const left = lines.length - parts.length;
  return [...head, ...parts, ...(left > 0 ? [`• and ${left} more lines`] : []), end].join("\n");
}
