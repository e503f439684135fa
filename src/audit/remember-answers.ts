import type { Fetch, Fetched } from "../model/ports/index.ts";

const maxKeptBytes = 50_000_000;

/** The key of a request whose answer is kept; undefined for others. */
type Kept = (...request: Parameters<Fetch["get"]>) => string | undefined;

/** The record of a work: the check of a DOI and the check of its work both need it. DOIs ignore case. */
const recordOf: Kept = ({ url }) =>
  /^https:\/\/api\.(?:crossref|datacite)\.org\//.test(url) ? url.toLowerCase() : undefined;

/** Requests the records of works, and the answers that `kept` gives a key, only once each. */
export function rememberAnswers(fetch: Fetch, kept?: Kept): Fetch {
  const answers = new Map<string, Promise<Fetched>>();
  let bytes = 0;
  return {
    ...fetch,
    get(request, options) {
      const key = bytes > maxKeptBytes ? undefined : (recordOf(request, options) ?? kept?.(request, options));
      if (key === undefined) return fetch.get(request, options);
      const before = answers.get(key);
      if (before) return before;
      const asked = fetch.get(request, options);
      answers.set(key, asked);
      asked.then(
        (fetched) => {
          bytes += fetched.kind === "response" ? fetched.response.body.length : 0;
        },
        () => {},
      );
      return asked;
    },
  };
}
