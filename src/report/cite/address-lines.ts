import { decodeHTMLStrict } from "entities/decode";
import { addressesIn } from "../../read/text/bare-addresses.ts";
import { identifiersIn, webAddress } from "./addresses.ts";

/** The line on which a text first has an address, from 1; undefined if it is not written in one piece. */
export function addressLines(text: string): (address: string) => number | undefined {
  const lines = text.split("\n");
  let written: ReadonlyMap<string, number> | undefined;
  return (address) => {
    written ??= new Map(lines.flatMap((line, i) => addressesOf(line).map((one) => [one, i + 1] as const)).reverse());
    const bare = address.replace(/^https?:\/\//, "").replace(/\/$/, "");
    const begins = written.get(withoutFragment(address)) ?? lines.findIndex((line) => line.includes(bare)) + 1;
    return begins === 0 ? undefined : begins;
  };
}

/** Where an address with white space in it may begin and end: of a link in Markdown or HTML. */
const enclosed = /<(https?:[^<>\n]{1,1000})>|"(https?:[^"\n]{1,1000})"/gi;

/** All that a line of any format may cite, however it is written there, as it is watched. */
function addressesOf(line: string): string[] {
  const text = decodeHTMLStrict(line.replace(/\\(?=[!-/:-@[-`{-~])/g, ""));
  const links = [...text.matchAll(enclosed)].flatMap(([, angled, quoted]) => angled ?? quoted ?? []);
  const all = [...links, ...addressesIn(text)].flatMap((one) => webAddress(one) ?? []);
  return [...all, ...identifiersIn(text)].map(withoutFragment);
}

/** No line has another part of the same page. */
export function withoutFragment(address: string): string {
  return address.replace(/#.*/s, "");
}
