import { EnvHttpProxyAgent, fetch as send } from "undici";
import { isProxy, type ProxySettings, proxyAddresses } from "./roads.ts";

/**
 * A `fetch` that goes through the operator's proxies, for calls to an address of the operator's own choice: it is not
 * guarded. Undefined where no proxy is named.
 */
export function proxiedFetch(proxy: ProxySettings = {}): typeof fetch | undefined {
  if (!isProxy(proxy)) return undefined;
  const dispatcher = new EnvHttpProxyAgent(proxyAddresses(proxy));
  const through = (url: string, init?: object) => send(url, { ...init, dispatcher });
  return through as unknown as typeof fetch;
}
