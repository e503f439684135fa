import { fetchWithBrowser } from "../adapters/browser/index.ts";
import { turns } from "../model/concurrency.ts";
import type { Browser, Fetch } from "../model/ports/index.ts";
import type { Settings } from "./settings.ts";

/** Pages that are open at once: each is a process of the browser. */
const pagesAtOnce = 2;

/** Makes a fetch open pages in the operator's browser, which all that get one from here share. */
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
