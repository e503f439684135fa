import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { bareHost, guardedLookup, isOpen, type Ranges, refused } from "./address.ts";

/**
 * Opens sockets to open addresses only, checked on every connection: after the look-up, and for IP literals, for
 * which Node never looks up. One closed address among several refuses the name. Connections through a proxy do not
 * come this way: the proxy resolves names, and only `checkUrl` stands before it.
 */
export function guardedConnector(
  allowed: Ranges | undefined,
  timeout: number,
  lookup: LookupFunction = systemLookup,
): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(allowed, lookup), timeout, allowH2: false });
  return (options, callback) => {
    const host = bareHost(options.hostname);
    if (isIP(host) !== 0 && !isOpen(host, allowed)) return callback(refused(host), null);
    return connect(options, callback);
  };
}
