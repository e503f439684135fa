import { escapeHtml } from "../escape.ts";

/** What `|name|` stands for. */
export type Substitutions = ReadonlyMap<string, string>;

const markup = new RegExp(
  [
    /``(?<literal>[^`]+(?:`(?!`)[^`]+)*)``/,
    /(?::(?<role>[\w+.-]{1,30}(?::[\w+.-]{1,30})?):)?`(?<text>[^`]+)`(?::[\w+.:-]{1,60}:|__?)?/,
    /\*\*(?<strong>[^*]+)\*\*/,
    /\*(?<emphasis>[^*\s][^*]*)\*/,
    /\|(?<name>[^|\s][^|\n]{0,80})\|_{0,2}/,
    /(?<note>\s?\[[#*\w.-]{1,40}\]_)/,
    /\b(?<word>[A-Za-z0-9]{1,80})__?(?![\w])/,
    /\\(?<escaped>[\s\S]|$)/,
  ]
    .map((part) => part.source)
    .join("|"),
  "g",
);

/** Text of reStructuredText as HTML: marks, roles and link targets gone. Spec: …/restructuredtext.html#inline-markup */
export function inlineHtml(text: string, substitutions: Substitutions): string {
  let html = "";
  let from = 0;
  for (const match of text.matchAll(markup)) {
    html += escapeHtml(text.slice(from, match.index));
    html += escapeHtml(plain(match.groups ?? {}, match[0], substitutions));
    from = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(from));
}

function plain(groups: Record<string, string | undefined>, whole: string, substitutions: Substitutions): string {
  if (groups.name !== undefined) return substitutions.get(groups.name) ?? groups.name;
  if (groups.note !== undefined) return "";
  if (groups.escaped !== undefined) return /\s/.test(groups.escaped) ? "" : groups.escaped;
  if (groups.text !== undefined) return shown(groups.text, groups.role);
  return groups.literal ?? groups.strong ?? groups.emphasis ?? groups.word ?? whole;
}

/** `` text <target> `` shows its text; `~torch.nn.Linear` of a role its last part. */
function shown(text: string, role: string | undefined): string {
  const without = text.replace(/\s*<[^<>]*>$/, "").trim();
  if (without === "") return text.replace(/[<>]/g, "");
  return role !== undefined && without.startsWith("~")
    ? (without.split(".").at(-1) ?? without)
    : without.replace(/^!/, "");
}
