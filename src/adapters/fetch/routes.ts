import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, errors, Pool, fetch as send } from "undici";
import { codeOf } from "../../model/failure.ts";
import { addressRefusal, bareHost, guardedLookup, isOpen, type Ranges } from "./address.ts";
import { failureOfFetch, noAnswer } from "./exchange.ts";
import { isProxy, type ProxySettings, proxyAddresses } from "./proxy.ts";

export interface Route {
  readonly dispatcher: Dispatcher;
  /** The target of the connection, unless the dispatcher is a proxy's. */
  readonly origin: string;
  /** The addresses of proxies that may be in between; empty for a direct route. */
  readonly proxies: readonly URL[];
}

export type Routes = ReturnType<typeof createRoutes>;

/**
 * Connections are kept alive and use HTTP/1.1: with one request at a time per host there is nothing to multiplex.
 * Behind a proxy the proxy resolves names, so that the guard sees IP literals and well-known names only.
 */
export function createRoutes(settings: {
  readonly allowed?: Ranges;
  readonly connectTimeout: number;
  readonly lookup?: LookupFunction;
  readonly proxy?: ProxySettings;
  readonly origin?: (url: URL) => string | undefined;
}) {
  const { allowed, connectTimeout, lookup, proxy = {}, origin } = settings;
  const options = {
    connect: guardedConnector(allowed, connectTimeout, lookup),
    connectTimeout,
    allowH2: false,
    // One timer for the whole exchange replaces these.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 32 * 1024,
    // The next request follows after a second, or much later. A program that asks thousands of hosts a minute would
    // hold as many idle connections, and be refused the next one.
    keepAliveMaxTimeout: 4_000,
    connections: 1,
  };
  const straight = new Agent(options);
  // Many hosts may be mapped to one, and must not wait for each other.
  const local = origin && new Agent({ ...options, connections: null });
  const named = isProxy(proxy) ? proxyAddresses(proxy) : undefined;
  const proxied = named && new EnvHttpProxyAgent({ ...options, ...named, clientFactory: onceToProxy });
  const proxies = named ? addressesOf(named) : [];

  return {
    /** The route to a URL: direct, through a proxy, or to its mapped `origin`. */
    to(url: URL): Route {
      const mapped = origin?.(url);
      if (local && mapped !== undefined) return { dispatcher: local, origin: mapped, proxies: [] };
      return { dispatcher: proxied ?? straight, origin: url.origin, proxies };
    },
    async close() {
      await Promise.all([straight, proxied, local].map((agent) => agent?.destroy()));
    },
  };
}

/**
 * Opens sockets only to open addresses. Every connection is checked: after the look-up, and for IP literals, which Node does
 * not look up. One closed address among several refuses the name. Proxied connections do not come this way: the proxy resolves
 * names, and only `checkUrl` guards them.
 */
function guardedConnector(
  allowed: Ranges | undefined,
  timeout: number,
  lookup: LookupFunction = systemLookup,
): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(allowed, lookup), timeout, allowH2: false });
  return (options, callback) => {
    const host = bareHost(options.hostname);
    if (isIP(host) !== 0 && !isOpen(host, allowed)) return callback(addressRefusal(host), null);
    return connect(options, (...made) => {
      const [, socket] = made;
      if (socket) readInPieces(socket);
      callback(...made);
    });
  };
}

/** Bytes. */
const piece = 4 * 1024;

/**
 * Gives the parser an answer in small pieces. It makes an error object for every header beyond its limit in one piece.
 * With the 64 KB that a socket holds, these are thousands, which blocked all other work for 100 ms.
 */
function readInPieces(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    if (socket.destroyed) return null;
    return socket.readableLength > piece ? read(size ?? piece) : read(size);
  };
}

/**
 * Connects to a proxy once for each tunnel. If the proxy closes the connection without an answer, undici takes it for
 * an idle connection, and reconnects thousands of times a second until the request ends.
 */
function onceToProxy(origin: URL, options: object): Pool {
  const pool = new Pool(origin, options);
  const connect: (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool);
  const connectOnce = (options: Dispatcher.ConnectOptions) =>
    connect(options).catch((error: unknown) => {
      if (codeOf(error) !== "UND_ERR_SOCKET") throw error;
      throw new errors.RequestAbortedError(noAnswer);
    });
  return Object.assign(pool, { connect: connectOnce });
}

function addressesOf({ httpProxy, httpsProxy }: ReturnType<typeof proxyAddresses>): URL[] {
  return [httpProxy, httpsProxy].flatMap((address) => (address ? [new URL(address)] : []));
}

/** A `fetch` through the operator's proxies, for addresses that the operator chose; undefined without a proxy. */
export function proxiedFetch(proxy: ProxySettings = {}): typeof fetch | undefined {
  if (!isProxy(proxy)) return undefined;
  const named = proxyAddresses(proxy);
  const dispatcher = new EnvHttpProxyAgent({ ...named, allowH2: false, clientFactory: onceToProxy });
  const proxies = addressesOf(named);
  const through = (url: string, init?: object) =>
    send(url, { ...init, dispatcher }).catch((error: unknown) => {
      throw failureOfFetch(error, proxies);
    });
  return through as unknown as typeof fetch;
}
