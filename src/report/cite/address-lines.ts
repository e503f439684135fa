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

/** The ends of an address that may contain white space: in links of Markdown or HTML. */
const enclosed = /<(https?:[^<>\n]{1,1000})>|"(https?:[^"\n]{1,1000})"/gi;

/** All addresses that a line of any format may cite, in the form in which they are watched. */
function addressesOf(line: string): string[] {
  const text = decodeHTMLStrict(line.replace(/\\(?=[!-/:-@[-`{-~])/g, ""));
  const links = [...text.matchAll(enclosed)].flatMap(([, angled, quoted]) => angled ?? quoted ?? []);
  const all = [...links, ...addressesIn(text)].flatMap((one) => webAddress(one) ?? []);
  return [...all, ...identifiersIn(text)].map(withoutFragment);
}

/** The address of the page without the part of it: the same page is on several lines. */
export function withoutFragment(address: string): string {
  return address.replace(/#.*/s, "");
}
