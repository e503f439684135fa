import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressKey, pageKey } from "../../src/model/source.ts";

const name = fc.stringMatching(/^[a-z]{1,8}$/);
const page = fc.record({ host: name, path: fc.array(name, { maxLength: 3 }), query: fc.option(name) });
const addressOf = ({ host, path, query }: { host: string; path: string[]; query: string | null }) =>
  `https://${host}.example.org/${path.join("/")}${query === null ? "" : `?${query}=1`}`;
/** Other spellings of an address without a query. */
const respell: readonly ((address: string) => string)[] = [
  (address) => address.replace("https:", "http:"),
  (address) => address.replace("https:", "HTTPS:"),
  (address) => address.replace(".org", ".org:443"),
  (address) => address.replace(/\/?$/, "/"),
  (address) => `${address}#part`,
];
const respellForPeople: readonly ((address: string) => string)[] = [
  (address) => address.replace("://", "://www."),
  (address) => address.replace(/\/?$/, "/index.html"),
  (address) => `${address}?utm_source=mail`,
];
const plain = page.map((one) => addressOf({ ...one, query: null }));

describe("two addresses of one page have one key", () => {
  test.each([
    ["certainly", addressKey, respell],
    ["for people", pageKey, [...respell, ...respellForPeople]],
  ])("%s", (_, key, spellings) => {
    fc.assert(
      fc.property(plain, fc.constantFrom(...spellings), (address, spell) => {
        expect(key(spell(address))).toBe(key(address));
      }),
    );
  });

  test("a key is that of another page only if the page is the same", () => {
    fc.assert(
      fc.property(page, page, (one, other) => {
        const isSame = addressOf(one) === addressOf(other);
        expect(addressKey(addressOf(one)) === addressKey(addressOf(other))).toBe(isSame);
        expect(pageKey(addressOf(one)) === pageKey(addressOf(other))).toBe(isSame);
      }),
    );
  });

  test("www. counts if two sources may be of two sites", () => {
    expect(addressKey("https://www.example.org/")).not.toBe(addressKey("https://example.org/"));
  });

  test("names that are no URLs differ only by more than case", () => {
    expect(pageKey("Acme/Engine")).toBe(pageKey("acme/engine"));
    expect(addressKey("Acme/Engine")).toBe("acme/engine");
  });
});
