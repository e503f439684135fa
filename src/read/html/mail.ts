import type { Element } from "domhandler";

/**
 * The address behind a delivery network's e-mail obfuscation, else undefined. The markup carries the address as hex
 * bytes, each combined with the first; the key changes at every response, the address does not.
 */
export function mailOf(element: Element): string | undefined {
  const hidden =
    element.attribs["data-cfemail"] ?? element.attribs.href?.match(/\/cdn-cgi\/l\/email-protection#([0-9a-f]+)$/)?.[1];
  if (!hidden || hidden.length > 600 || !/^(?:[0-9a-f]{2}){4,}$/.test(hidden)) return undefined;
  const bytes = Uint8Array.fromHex(hidden);
  const key = bytes[0] ?? 0;
  return new TextDecoder().decode(bytes.slice(1).map((byte) => byte ^ key));
}
