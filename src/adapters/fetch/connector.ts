import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
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
    return connect(options, (...made) => {
      const [, socket] = made;
      if (socket) readInPieces(socket);
      callback(...made);
    });
  };
}

/** Bytes; the parser of answers is given as many at once. */
const piece = 4 * 1024;

/**
 * The parser makes an error for every header beyond its limit until the bytes at hand are used up: of the 64 KB that a
 * socket has, thousands, which held up all others for 100 ms. What comes after the first one is not read.
 */
function readInPieces(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    if (socket.destroyed) return null;
    return socket.readableLength > piece ? read(size ?? piece) : read(size);
  };
}
