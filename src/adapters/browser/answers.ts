import { Failure, mayPass } from "../../model/failure.ts";
import type { Fetch, Response } from "../../model/ports/index.ts";
import { isSameSite } from "../../read/shared/address.ts";
import { browserFailure } from "./connection.ts";

/** A request of a page, paused before it leaves the browser: https://chromedevtools.github.io/devtools-protocol/tot/Fetch */
export interface Asked {
  readonly url: string;
  readonly method: string;
  readonly accept?: string;
  /** `Document`, `Script`, `XHR` … */
  readonly type: string;
}

/** The answer to a request of a page; undefined if it is refused. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly location?: string;
}

export interface Allowance {
  readonly requests: number;
  /** Bytes of all answers together, decompressed. */
  readonly bytes: number;
}

const nothing = new Uint8Array();

/** A transparent image of one pixel. */
const picture = Buffer.from("R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==", "base64");

/** Answers the requests of one page, each address once. Images and styles get an empty answer. */
export class Answers {
  readonly #page: string;
  readonly #fetch: Fetch;
  readonly #known = new Map<string, Promise<Answer | undefined>>();
  #left: Allowance;
  pending = 0;
  /** The reason why the page cannot be read as visitors see it. */
  failure: Failure | undefined;

  /** `response`: the page itself. */
  constructor(response: Response, fetch: Fetch, allowance: Allowance) {
    this.#page = response.url;
    this.#fetch = fetch;
    this.#left = allowance;
    this.#known.set(response.url, Promise.resolve(answerOf(response)));
  }

  get asked(): number {
    return this.#known.size;
  }

  async to({ url, method, accept, type }: Asked): Promise<Answer | undefined> {
    if (type === "Preflight") return { status: 204, type: "text/plain", body: nothing };
    if (method !== "GET") return undefined;
    if (type === "Stylesheet") return { status: 200, type: "text/css", body: nothing };
    if (type === "Image") return { status: 200, type: "image/gif", body: picture };
    const isFrame = type === "Document" && URL.parse(url)?.origin === new URL(this.#page).origin;
    if (!isFrame && !["Script", "XHR", "Fetch"].includes(type)) return undefined;
    const answer = await this.#get(url.replace(/#.*/s, ""), accept);
    return isFrame && !/html|^text\/plain/.test(answer?.type ?? "") ? undefined : answer;
  }

  #get(url: string, accept: string | undefined): Promise<Answer | undefined> {
    const sharedAnswer = this.#known.get(url);
    if (sharedAnswer) return sharedAnswer;
    const { requests, bytes } = this.#left;
    if (requests <= 0 || bytes <= 0) {
      this.failure ??= browserFailure("the page asks for too much");
      return Promise.resolve(undefined);
    }
    this.#left = { requests: requests - 1, bytes };
    this.pending++;
    const answer = this.#fetched(url, accept).finally(() => void this.pending--);
    this.#known.set(url, answer);
    return answer;
  }

  async #fetched(url: string, accept: string | undefined): Promise<Answer | undefined> {
    try {
      const fetched = await this.#fetch.get({ url, ...(accept !== undefined && { accept }) }, { robots: true });
      if (fetched.kind !== "response") return undefined;
      const { response } = fetched;
      this.#left = { ...this.#left, bytes: this.#left.bytes - response.body.length };
      if (response.url === url) return answerOf(response);
      this.#known.set(response.url, Promise.resolve(answerOf(response)));
      return { status: 302, type: "text/plain", body: nothing, location: response.url };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const status = Number(error.facts.status ?? 0);
      if (error.kind === "deferred") this.failure ??= error;
      else if ((mayPass(error) || error.kind === "too-large") && isSameSite(url, this.#page))
        this.failure ??= browserFailure(`a part of the page did not come (${error.message})`, error);
      return status >= 200 ? { status, type: "text/plain", body: nothing } : undefined;
    }
  }
}

function answerOf({ status, headers, body }: Response): Answer {
  return { status, type: headers["content-type"] ?? "text/html", body };
}
