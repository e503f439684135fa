import type { Fetch, Fetched } from "../model/ports/index.ts";

/** Bytes of answers that are kept, at most. */
const maxKeptBytes = 50_000_000;

/** The name of a request whose answer is kept; undefined if it is not kept. */
type Kept = (...request: Parameters<Fetch["get"]>) => string | undefined;

/** The record of a work: those who check a DOI and those who check its work need it. Letters of a DOI have no case. */
const recordOf: Kept = ({ url }) =>
  /^https:\/\/api\.(?:crossref|datacite)\.org\//.test(url) ? url.toLowerCase() : undefined;

/** The same fetch, which remembers the records of works and the answers that `kept` names: each is asked for once. */
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
