/**
 * Letters of an address in a text: all but those that none holds as it is, the punctuation of Chinese and Japanese
 * included, and 「を」, which follows the address that a Japanese sentence names and is in no word. A DOI may hold a part between angle brackets, `49:8<693::AID-ASI4>3.0.CO;2-O`. Spec:
 * https://url.spec.whatwg.org/#url-writing, https://www.niso.org/publications/ansiniso-z3956-1996-r2002 (SICI)
 */
const letter = /[^\s<>"`{}|\\^。，、；：！？（）「」『』【】《》〈〉を]|<[^\s<>"/:]{0,40}:[^\s<>"/]{1,40}>(?=\d\.\d)/
  .source;

/** As many of them as one address may have. */
export const letters = `(?:${letter}){1,2000}`;

/** An address in a text, with the punctuation that follows it. */
export const bareAddress = new RegExp(`https?://${letters}`, "i");

const shape = new RegExp(bareAddress, "gi");
const here = new RegExp(bareAddress, "iy");

/** The web addresses in a text, as they are written, without the punctuation that follows them. */
export function addressesIn(text: string): string[] {
  return [...text.matchAll(shape)].map(([written]) => trimmed(written));
}

/** The address that begins at this place of a text; empty if none does. */
export function addressAt(text: string, at: number): string {
  here.lastIndex = at;
  return trimmed(here.exec(text)?.[0] ?? "");
}

/** A text with something else in place of its addresses. */
export function replacingAddresses(text: string, by: (address: string) => string): string {
  return text.replace(shape, (written) => {
    const address = trimmed(written);
    return by(address) + written.slice(address.length);
  });
}

/** Up to a bracket that closes one around the address, `[[https://kite.example][Kites]]`, or the end of a sentence. */
export function trimmed(written: string): string {
  let address = written.slice(0, unopened(written));
  for (;;) {
    const last = address.at(-1) ?? "";
    const asks = last === "?" && address.indexOf("?") < address.length - 1;
    if (asks || !/[.,:;!?'*_…”’»~]/.test(last)) return address;
    address = address.slice(0, -1);
  }
}

function unopened(text: string): number {
  let [square, round] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    square += text[at] === "[" ? 1 : text[at] === "]" ? -1 : 0;
    round += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0;
    if (square < 0 || round < 0) return at;
  }
  return text.length;
}
