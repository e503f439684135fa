import { lookup as systemLookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { Failure } from "../../model/failure.ts";

export type Ranges = BlockList;

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and the metadata address of one cloud outside it. */
const special = [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24",
  "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
  "168.63.129.16/32",
  // Within 2000::/3: protocol assignments with Teredo, documentation, and 6to4, which carries an IPv4 address.
  "2001::/23 2001:db8::/32 2002::/16 3fff::/20",
].join(" ");

/** https://www.iana.org/assignments/ipv6-address-space: all global unicast. NAT64 and mapped IPv4 are outside it. */
const unicast = "2000::/3";

let known: { readonly closed: Ranges; readonly globalIPv6: Ranges } | undefined;

/** Built at the first connection, because many commands make none. */
function knownRanges() {
  known ??= { closed: parseRanges(special), globalIPv6: parseRanges(unicast) };
  return known;
}

/** Names of closed addresses. If a proxy resolves names, only these can be checked. */
const closedNames: ReadonlyMap<string, string> = new Map([
  ["localhost", "127.0.0.1"],
  ["metadata.google.internal", "169.254.169.254"],
]);

/** Ranges between commas or white space: `10.0.0.0/8, fd00::/8 192.168.1.7`. @throws Error that names the entry */
export function parseRanges(text: string): Ranges {
  const list = new BlockList();
  for (const entry of text.split(/[\s,]+/)) {
    if (entry === "") continue;
    const [address = "", prefix, ...rest] = entry.split("/");
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (family === 0 || rest.length > 0 || bits < 0 || bits > most)
      throw new Error(`"${entry}" is not an address range; write it like 10.0.0.0/8 or fd00::/8`);
    list.addSubnet(address, bits, family === 6 ? "ipv6" : "ipv4");
  }
  return list;
}

/** Whether a socket may be opened to this IP address. A mapped IPv4 address (`::ffff:…`) is never public. */
export function isOpen(address: string, allowed?: Ranges): boolean {
  const bare = address.split("%", 1)[0] ?? "";
  const family = isIP(bare);
  if (family === 0) return false;
  const type = family === 6 ? "ipv6" : "ipv4";
  if (allowed?.check(bare, type)) return true;
  const { closed, globalIPv6 } = knownRanges();
  return !closed.check(bare, type) && (family === 4 || globalIPv6.check(bare, type));
}

/** Host of a URL without the brackets of IPv6 and the dot of the root. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/**
 * Refuses addresses that can be judged without a DNS lookup: other schemes, credentials, private IP literals (`URL`
 * normalises their other spellings), `localhost`, and ports of other services. @throws Failure refused-address
 */
export function checkUrl(url: URL, allowed?: Ranges): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new Failure("refused-address", { address: url.protocol.slice(0, -1), why: "only http and https are read" });
  const host = bareHost(url.hostname);
  if (url.username !== "" || url.password !== "")
    throw new Failure("refused-address", { address: host, why: "the address holds credentials" });
  if (badPorts.has(Number(url.port)))
    throw new Failure("refused-address", { address: url.host, why: `port ${url.port} is not one of the web` });
  const named = host.endsWith(".localhost") ? "127.0.0.1" : closedNames.get(host);
  const literal = named ?? (isIP(host) === 0 ? undefined : host);
  if (literal !== undefined && !isOpen(literal, allowed)) throw addressRefusal(host);
}

/** Mail, shells, databases and other services. Source: https://fetch.spec.whatwg.org/#port-blocking; 6379 is Redis, 11211 Memcached. */
const badPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3306, 3659, 4045, 4190, 5060,
  5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211,
]);

/** The IP address is only in the cause: a public issue must not reveal names of an intranet. */
export function addressRefusal(host: string, address?: string): Failure {
  const cause = address === undefined ? undefined : new Error(`${host} resolves to ${address}`);
  return new Failure("refused-address", { address: host }, cause);
}

/** A look-up that returns only open addresses. One closed address among several refuses the name. */
export function guardedLookup(allowed: Ranges | undefined, lookup: LookupFunction = systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found, family) => {
      if (error) return callback(error, []);
      const addresses = Array.isArray(found) ? found : [{ address: found, family: family ?? isIP(found) }];
      const bad = addresses.find(({ address }) => !isOpen(address, allowed));
      if (bad) return callback(addressRefusal(hostname, bad.address), []);
      const first = addresses[0];
      if (!first) return callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
