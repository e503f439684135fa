export interface ProxySettings {
  readonly HTTP_PROXY?: string;
  readonly HTTPS_PROXY?: string;
  readonly NO_PROXY?: string;
}

export function isProxy({ HTTP_PROXY, HTTPS_PROXY }: ProxySettings): boolean {
  return Boolean(HTTP_PROXY || HTTPS_PROXY);
}

/** The options for undici. An empty string keeps it from reading the environment itself. */
export function proxyAddresses({ HTTP_PROXY, HTTPS_PROXY, NO_PROXY }: ProxySettings) {
  return {
    httpProxy: proxyAddress("HTTP_PROXY", HTTP_PROXY),
    httpsProxy: proxyAddress("HTTPS_PROXY", HTTPS_PROXY),
    noProxy: NO_PROXY ?? "",
    // Plain http goes to the proxy with its full address; https still goes through a tunnel.
    proxyTunnel: false,
  };
}

/** The error must not repeat the value: it may hold a password. */
function proxyAddress(name: string, value: string | undefined): string {
  if (!value) return "";
  const url = URL.parse(value.includes("://") ? value : `http://${value}`);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    throw new Error(`${name} is not the address of an HTTP proxy`);
  return url.href;
}
