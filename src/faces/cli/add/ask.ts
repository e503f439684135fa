import { type Sight, see, type Target, type Web } from "../../../audit/see.ts";
import type { Check } from "../../../model/check.ts";
import type { Fetch, Fetched } from "../../../model/ports/index.ts";
import type { Source } from "../../../model/source.ts";
import { check, type World } from "../../../watch/check.ts";
import { settle } from "../../../watch/scan.ts";
import type { Tried } from "./proposal.ts";
import { givesNow } from "./propose.ts";

/** Checks for one address to be added, at most: one request each, besides robots.txt, redirects and a text that a page names. */
const most = 6;

/** Checks candidates with their readers, up to a polite number. */
export class Prober {
  readonly web: Web;
  readonly tried: Tried[] = [];

  constructor(web: Web) {
    this.web = web;
  }

  get spent(): boolean {
    return this.tried.length >= most;
  }

  async check(candidate: Target): Promise<Sight> {
    const sight = await see(candidate, this.web);
    const { failure, reading } = sight;
    const says = failure?.message ?? (reading ? givesNow(reading) : "");
    if (failure?.kind === "no-browser") return sight;
    this.tried.push({ kind: candidate.kind, address: candidate.address, says, seen: failure === undefined });
    return sight;
  }
}

/** Answers from the response that was shown, without another request: the first check keeps the same content. */
export function cacheAnswers(fetch: Fetch): Fetch {
  const answers = new Map<string, Promise<Fetched>>();
  return {
    get(request, options) {
      const key = JSON.stringify([request.url, request.accept, request.browser, options.answers]);
      const before = answers.get(key);
      if (before) return before;
      const answer = fetch.get(request, { ...options, validators: undefined });
      answers.set(key, answer);
      return answer;
    },
    githubAllowance: () => fetch.githubAllowance(),
    close: () => fetch.close(),
  };
}

/** Runs the first check of a source that is now in the config. It is stored like a check of a scan. */
export async function firstCheck(source: Source, world: World): Promise<Check> {
  const before = (await world.store.watches()).find((watch) => watch.source === source.id);
  const checked = await check(source, before, world);
  if (checked.outcome === "failed") await settle(source, before, checked, world);
  if (checked.outcome === "unchanged") await world.store.touch([checked.watch]);
  return checked.check;
}
