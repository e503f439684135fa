import type { Block } from "../../model/reading.ts";
import { blocksOfPlain } from "./plain.ts";

/**
 * Sources of manuals as plain text: paragraphs without comments, without the commands that only lay them out, and however
 * their lines are wrapped.
 */

type Rewrites = readonly (readonly [pattern: RegExp, by: string])[];

/** Spec: https://man.openbsd.org/roff.7, https://man.openbsd.org/man.7, https://man.openbsd.org/mdoc.7 */
const roff: Rewrites = [
  [/^[.'][ \t]*\\".*\n?/gm, ""],
  [/^\.[ \t]*S[HShs] "?([^"\n]*)"?$/gm, "\n$1\n\n"],
  [/^\.[ \t]*(?:[THL]?P|Pp|TQ|[BE][ld]|R[SE]|E[XE]|ad|br|fi|ft|hy|in|n[aefh]|sp|ta)(?![A-Za-z]).*$/gm, "\n"],
  [/^\.[ \t]*(?:IP|It)(?![A-Za-z])/gm, "\n"],
  [/^\.[ \t]*[A-Za-z]{1,3}(?![A-Za-z])(?:[ \t]*\n)?/gm, ""],
  [/\\(?:f(?:\[[^\]\n]{0,9}\]|\(..|.)|s[+-]?\d|[&|^/,%:])/g, ""],
  [/\\([- ])/g, "$1"],
];

/** Spec: https://www.gnu.org/software/texinfo/manual/texinfo/ */
const texinfo: Rewrites = [
  [/^@(?:c|comment|node|anchor|noindent|need|page|[a-z]{1,2}index|syn(?:code)?index)(?![a-z]).*\n?/gm, ""],
  [/^@(?:top|chapter|(?:sub)*section|(?:unnumbered|appendix)[a-z]*|[a-z]*heading) (.*)$/gm, "\n$1\n\n"],
  [
    /^@(?:end|[fv]?table|itemize|enumerate|(?:small)?(?:example|lisp|display|format)|quotation|group|menu)\b.*$/gm,
    "\n",
  ],
  [/^@itemx?(?![a-z])/gm, "\n"],
  [/@[a-z]+\{|(?<!@)\}/g, ""],
  [/@([@{}])/g, "$1"],
];

const blocksAfter = (rewrites: Rewrites) => (text: string) => {
  const plain = rewrites.reduce((rewritten, [pattern, by]) => rewritten.replace(pattern, by), text);
  return blocksOfPlain(plain.replace(/([^\n])\n[ \t]*(?=[^\s*])/g, "$1 "));
};

export const blocksOfRoff: (text: string) => Block[] = blocksAfter(roff);
export const blocksOfTexinfo: (text: string) => Block[] = blocksAfter(texinfo);
