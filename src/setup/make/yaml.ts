import { plain } from "../find/words.ts";

/** Words that YAML 1.2 takes for something else than text (https://yaml.org/spec/1.2.2/#103-core-schema). */
const reserved = /^(?:null|true|false)$/i;
const safe = /^[A-Za-z](?:[\w ./+()-]*[\w./+)-])?$/;
const safeAddress = /^https?:\/\/(?:[\w.-]+:\d+\/)?[\w./?=&%~+;@()-]*[\w/=)-]$/;
const safeTime = /^(?:\d{4}-\d{2}-\d{2}|[1-9]\d{0,4}[mhdw])$/;

/** Text as a YAML value on one line: as it is where that is safe, else between double quotes, as JSON has them. */
export function scalar(text: string): string {
  const line = plain(text, 1_200);
  if ((safe.test(line) && !reserved.test(line)) || safeAddress.test(line) || safeTime.test(line)) return line;
  return JSON.stringify(line);
}

export function list(values: readonly (string | number)[]): string {
  return `[${values.map((value) => (typeof value === "number" ? String(value) : scalar(value))).join(", ")}]`;
}

/** A comment: nothing in it can begin another line. */
export function comment(text: string, indent = ""): string {
  return `${indent}# ${plain(text, 1_200)}`;
}
