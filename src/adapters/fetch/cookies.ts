import { parseCookie } from "undici";

/** Bytes of all cookies that a host gets back, at most. */
const most = 2_000;

/** The cookies of one chain of redirects. Each host gets only its own cookies back. They are dropped after the chain. */
export class Cookies {
  readonly #byHost = new Map<string, Map<string, string>>();

  /** Stores cookies of a response. Returns whether the host will now get different ones. */
  take({ host }: URL, lines: readonly string[]): boolean {
    const before = this.of(host);
    const cookies = this.#byHost.get(host) ?? new Map<string, string>();
    for (const line of lines) {
      const { name = "", value = "", maxAge } = parseCookie(line) ?? {};
      if (maxAge !== undefined && maxAge <= 0) cookies.delete(name);
      // A header holds printable ASCII only.
      else if (/^[!-~]+$/.test(name + value) && sizeOf(cookies) + name.length + value.length < most)
        cookies.set(name, value);
    }
    this.#byHost.set(host, cookies);
    return this.of(host) !== before;
  }

  of(host: string): string | undefined {
    const own = [...(this.#byHost.get(host) ?? [])].map(([name, value]) => `${name}=${value}`);
    return own.length > 0 ? own.join("; ") : undefined;
  }
}

function sizeOf(cookies: ReadonlyMap<string, string>): number {
  return [...cookies].reduce((sum, [name, value]) => sum + name.length + value.length + 3, 0);
}
