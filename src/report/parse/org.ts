/** An Org file as Markdown. */
export interface OrgMarkdown {
  readonly markdown: string;
  /** `#+TITLE: …` and other keywords, keys in lower case. */
  readonly front: ReadonlyMap<string, string>;
}

const picture = /\.(?:svg|png|jpe?g|gif|webp)(?:[?#].*)?$/i;

/** Org mode as Markdown, line by line. Spec: https://orgmode.org/worg/org-syntax.html */
export function orgMarkdown(text: string): OrgMarkdown {
  const front = new Map<string, string>();
  const lines: string[] = [];
  /** The end of the current block or drawer, which is skipped. */
  let until: RegExp | undefined;
  /** How many rows of the current table were written, without its rule. */
  let rows = 0;
  let isRuled = false;
  for (const line of text.split("\n")) {
    if (until) {
      if (until.test(line)) until = undefined;
      continue;
    }
    const [, key = "", value = ""] = /^\s*#\+(\w[\w-]{0,40}):?(?:\s+(\S.*)?)?$/.exec(line) ?? [];
    const isTable = /^\s*\|/.test(line);
    if (!isTable) rows = 0;
    if (/^begin_(?:src|example|export|comment)$/i.test(key)) until = /^\s*#\+end_/i;
    else if (/^\s*:(?:properties|logbook):\s*$/i.test(line)) until = /^\s*:end:\s*$/i;
    else if (/^html$/i.test(key)) lines.push(value);
    else if (key !== "") front.set(key.toLowerCase(), value.trim().replace(/(?<=^|\s)([=~])(\S[^=~]{0,100})\1/g, "$2"));
    else if (isTable) {
      const isRule = /^\s*\|-[-+|]*\s*$/.test(line);
      if (rows === 0) lines.push("");
      if (rows === 0) isRuled = false;
      if (rows === 1 && !isRuled) {
        const columns = (lines.at(-1) ?? "").replace(/\\\|/g, "").split("|").length - 2;
        lines.push(`|${"-|".repeat(Math.max(1, columns))}`);
        isRuled = true;
      }
      if (isRule) continue;
      lines.push(inlineMarkdown(line.trim()));
      rows++;
    } else if (!/^\s*#(?:\s|$)/.test(line)) lines.push(lineOf(line));
  }
  return { markdown: lines.join("\n"), front };
}

/** A heading without state and tags, a footnote, or any other line. */
function lineOf(line: string): string {
  const [, stars = "", heading = ""] = /^(\*+)\s+(?:(?:TODO|DONE)\s+)?(?:\[#[A-Z]\]\s+)?(\S.*)?$/.exec(line) ?? [];
  if (stars !== "") {
    const name = heading.replace(/(?<!\s)\s+:[\p{L}\p{N}_@#%:]{1,100}:\s*$/u, "");
    return `\n${"#".repeat(Math.min(6, stars.length))} ${inlineMarkdown(name)}\n`;
  }
  return inlineMarkdown(line.replace(/^\[fn:([\w-]{1,60})\]\s+/, "[^$1]: "));
}

function inlineMarkdown(text: string): string {
  return text
    .replace(/(?<=^|[\s('"|{-])([=~])(\S(?:[^=~\n]{0,300}\S)?)\1(?=$|[\s)'"|}.,:;!?-])/g, "`$2`")
    .replace(/(?<=^|[\s('"|{-])\*(\S(?:[^*\n]{0,300}\S)?)\*(?=$|[\s)'"|}.,:;!?-])/g, "**$1**")
    .replace(/\[fn:([\w-]{1,60})\]/g, "[^$1]")
    .replace(/\[\[([^[\]\n]{1,1000})\](?:\[([^[\]\n]{1,500})\])?\]/g, (_, target: string, label: string | undefined) =>
      linkMarkdown(target, label),
    );
}

/** A link to the web; other links become their label. */
function linkMarkdown(target: string, label: string | undefined): string {
  if (!/^https?:\/\//i.test(target)) return label ?? target.replace(/^(?:\*|#|file:|id:)/, "");
  if (label === undefined) return picture.test(target) ? `![](${target})` : `<${target}>`;
  return `[${picture.test(label) ? `![](${label.replace(/^file:/, "")})` : label}](<${target}>)`;
}
