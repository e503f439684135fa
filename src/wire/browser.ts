import { fetchWithBrowser } from "../adapters/browser/index.ts";
import { turns } from "../model/concurrency.ts";
import type { Browser, Fetch } from "../model/ports/index.ts";
import type { Settings } from "./settings.ts";

/** Pages that are open at once: each is a process of the browser. */
const pagesAtOnce = 2;

/** Wraps a fetch so that it can open pages in the operator's browser. All fetches wrapped by one result share the browser. */
export function browserFetch({ browser }: Settings): (fetch: Fetch) => Fetch {
  let shared: Promise<Browser> | undefined;
  const open = async () => {
    if (browser === undefined) return undefined;
    shared ??= import("../adapters/browser/page.ts").then(({ createBrowser }) => createBrowser(browser));
    return await shared;
  };
  const inTurn = turns(pagesAtOnce);
  return (fetch) => fetchWithBrowser(fetch, inTurn, open);
}
