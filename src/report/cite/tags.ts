import type { ReportFile } from "../index.ts";

/**
 * Replaces tags of citations by what they are defined as in any of the files: `@tag:Owl` by `@doi:10.1000/182`.
 * Spec: https://manubot.org/docs/citations.html
 */
export function withTags<T extends ReportFile>(files: readonly T[]): readonly T[] {
  const defined = new Map(
    files.flatMap(({ text }) => [...text.matchAll(definition)].map(([, tag = "", id = ""]) => [tag, id] as const)),
  );
  if (defined.size === 0) return files;
  return files.map((file) => ({
    ...file,
    text: file.text.replace(tagged, (whole, tag: string) => (defined.has(tag) ? `@${defined.get(tag)}` : whole)),
  }));
}

const definition = /^\[@([\w:.-]{1,100})\]:[ \t]{0,9}([a-z]{2,10}:\S{1,300})[ \t]*$/gm;
const tagged = /(?<=[[\s(;-])@([\w:.-]{0,99}\w)(?!\]:)/g;
