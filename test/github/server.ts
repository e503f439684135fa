import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createEmulator } from "emulate";
import type { Clock } from "../../src/model/ports/index.ts";
import { type Fault, Front, hookPath, type Recorded } from "./front.ts";
import { type Reaction, Tokens } from "./gaps.ts";
import { Hooks, type Sent } from "./hooks.ts";
import { type Ask, lastHead, mergePull } from "./merge.ts";
import { type Ask as AskServer, listenerAt, straightTo } from "./straight.ts";

/**
 * A GitHub on this machine: `emulate` behind a small proxy that closes its gaps (see `github-gaps.ts`), records what
 * was asked, and can fail before or after it did what was asked. For the demo and for tests; needs no network.
 */

export type { Recorded } from "./front.ts";

export interface LocalGitHub {
  /** The base address of its API; `url + "/api/v3"` works as well, as on GitHub Enterprise. */
  readonly url: string;
  /** Reaches it from this process, without a connection. */
  readonly fetch: typeof fetch;
  readonly repo: string;
  /** Of a person who may write. */
  readonly token: string;
  readonly app: { readonly id: number; readonly privateKey: string; readonly installation: number };
  readonly requests: readonly Recorded[];
  readonly reactions: readonly Reaction[];
  fault(fault: Fault): void;
  /** Nothing fails any more, and what was held back is answered. */
  mend(): void;
  /** Requests that are being answered, without those that are held back. */
  readonly busy: number;
  /** Gives the repository another name: `owner/name`, of the same owner. From then on it is only there. */
  rename(name: string): Promise<void>;
  /** Gives it to another owner. From then on it is only there. */
  transfer(owner: string): Promise<void>;
  /** The repositories that the installation reaches from now on. */
  reach(...repositories: string[]): void;
  /** From now on only so many files of a tree are listed at once. */
  list(most: number): void;
  /** The organisation defines these types of issues. */
  defineTypes(...names: string[]): void;
  /** Ends the installation's tokens. */
  expireTokens(): void;
  /**
   * Does what a person would do in a browser; not recorded. Paths below the repository: `/issues/1`. `where`: another one
   * than the first.
   */
  asPerson<T = unknown>(method: string, path: string, body?: unknown, who?: Person, where?: string): Promise<T>;
  /** Deletes an issue, as only a person in a browser can; tells nobody. */
  deleteIssue(where: string, number: number): void;
  /** Webhooks that were sent, in order. */
  readonly sent: readonly Sent[];
  /** Sends a webhook of the App's installation, as GitHub would; with an `id` that was sent before, once more. */
  send(event: string, payload: object, id?: string): Promise<void>;
  /** From then on webhooks get lost, or do not any more. */
  loseWebhooks(lost: boolean): void;
  /** Once every webhook that was sent has been answered. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export interface LocalGitHubOptions {
  /** `owner/name`; the owner is an organisation. */
  readonly repo?: string;
  /** Further repositories, of the same owner or of one of `owners`. */
  readonly others?: readonly string[];
  /** Further organisations that have installed the App; their installations are numbered on. */
  readonly owners?: readonly string[];
  /** The repository has no commit yet. */
  readonly empty?: boolean;
  readonly port?: number;
  /** By which the installations' tokens live for an hour; this machine's unless told. */
  readonly clock?: Clock;
  /** Where events are delivered, signed. */
  readonly webhook?: { readonly url: string; readonly secret: string };
}

/** Who may administer the repository, who may triage its issues, and who may only read. */
export type Person = "author" | "reviewer" | "reader";
const people: readonly Person[] = ["author", "reviewer", "reader"];
const tokenOf = (who: Person): string => `${who}-token`;
const token = tokenOf("author");
const appId = 4711;
const installation = 100;

let key: string | undefined;

/** The same for every GitHub of a process: making one takes longer than all else that a GitHub needs to start. */
function keyOfTheApp(): string {
  key ??= generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey;
  return key;
}

export async function startGitHub(options: LocalGitHubOptions = {}): Promise<LocalGitHub> {
  let repo = options.repo ?? "example/report";
  const privateKey = keyOfTheApp();
  const hooks = new Hooks(options.webhook, options.clock);
  const proxy = new Front(new Tokens(people.map(tokenOf), privateKey), hooks, options.clock);
  const url = await proxy.listen(options.port ?? 0);
  const repos = [repo, ...(options.others ?? [])];
  proxy.repositories = repos;
  proxy.owners = ownersOf(repos, options);
  const hook = options.webhook && `${url}${hookPath}`;
  const emulator = await createEmulator({ service: "github", port: 0, seed: seed(repos, privateKey, options, hook) });
  // A name would be looked up at each connection.
  proxy.upstream = emulator.url.replace("localhost", "127.0.0.1");
  const straight = straightTo(await listenerAt(proxy.upstream), new URL(proxy.upstream).host);
  proxy.askUpstream = straight;
  const placeOf = (name: string): string => `/repos/${name}`;
  const askAs = async <T>(at: string, method: string, path: string, body: unknown, who: Person): Promise<T> => {
    try {
      return await asPerson(straight, at, method, path, body, who);
    } finally {
      if (method !== "GET") proxy.isWritten = true;
    }
  };
  for (const each of repos)
    await askAs(placeOf(each), "PUT", "/collaborators/reviewer", { permission: "triage" }, "author");
  const moved = (name: string): void => {
    proxy.repositories = proxy.repositories.map((one) => (one === repo ? name : one));
    repo = name;
  };
  return {
    url,
    fetch: proxy.fetch,
    get repo() {
      return repo;
    },
    token,
    app: { id: appId, privateKey, installation },
    requests: proxy.requests,
    reactions: proxy.reactions,
    fault: (fault) => proxy.faults.push({ fault, left: fault.times ?? 1 }),
    mend: () => proxy.mend(),
    get busy() {
      return proxy.busy;
    },
    defineTypes: (...names) => {
      proxy.issueTypes = names;
    },
    list: (most) => {
      proxy.listed = most;
    },
    reach: (...repositories) => {
      proxy.repositories = repositories;
    },
    rename: async (name) => {
      await askAs(placeOf(repo), "PATCH", "", { name: name.split("/")[1] }, "author");
      moved(name);
    },
    transfer: async (owner) => {
      await askAs(placeOf(repo), "POST", "/transfer", { new_owner: owner }, "author");
      moved(`${owner}/${repo.split("/")[1]}`);
    },
    deleteIssue: (where, number) => void proxy.deleted.add(`${where}#${number}`),
    expireTokens: () => proxy.tokens.expire(),
    sent: hooks.sent,
    send: (event, payload, id = randomUUID()) =>
      hooks.deliver({ id, event, payload: { installation: { id: installation }, ...payload } }),
    loseWebhooks: (lost) => {
      hooks.lost = lost;
    },
    settled: async () => {
      await proxy.heard();
      await hooks.settled();
    },
    asPerson: async (method, path, body, who = "author", where = repo) => {
      const at = placeOf(where);
      const [, issue] = /^\/issues\/(\d+)$/.exec(path) ?? [];
      if (issue !== undefined && method === "PATCH") {
        const { body: before } = await askAs<{ body: string | null }>(at, "GET", path, undefined, "author");
        hooks.remember(where, Number(issue), before ?? "");
      }
      const [, comment] = /^\/issues\/comments\/(\d+)$/.exec(path) ?? [];
      if (comment !== undefined && method === "PATCH") proxy.edited.add(Number(comment));
      const [, pull, merges] = /^\/pulls\/(\d+)(\/merge)?$/.exec(path) ?? [];
      const does = () => askAs<never>(at, method, path, body ?? {}, who);
      const ask: Ask = (method, path, body) => askAs(at, method, path, body, who);
      if (pull !== undefined && method !== "GET") proxy.heads.set(Number(pull), await lastHead(ask, Number(pull)));
      if (merges === undefined) return await askAs(at, method, path, body, who);
      return (await hooks.hold(
        () => mergePull(ask, Number(pull), does),
        () => proxy.heard(),
      )) as never;
    },
    close: async () => {
      await hooks.settled();
      await proxy.close();
      await emulator.close();
    },
  };
}

/** Who has installed the App, by the number of the installation. */
function ownersOf(repos: readonly string[], { owners = [] }: LocalGitHubOptions): ReadonlyMap<number, string> {
  return new Map([repos[0]?.split("/")[0] ?? "", ...owners].map((owner, i) => [installation + i, owner]));
}

function seed(repos: readonly string[], privateKey: string, options: LocalGitHubOptions, hook: string | undefined) {
  const { empty = false } = options;
  const owners = [...ownersOf(repos, options)];
  return {
    tokens: Object.fromEntries(people.map((login) => [tokenOf(login), { login, scopes: ["repo", "user"] }])),
    github: {
      users: people.map((login) => ({ login })),
      orgs: owners.map(([, login]) => ({ login, members: [{ login: "author", role: "admin" }] })),
      repos: repos.map((repo) => ({
        owner: repo.split("/")[0],
        name: repo.split("/")[1],
        auto_init: !(empty && repo === repos[0]),
      })),
      apps: [
        {
          app_id: appId,
          slug: "recheck",
          name: "Recheck",
          private_key: privateKey,
          permissions: {
            contents: "write",
            issues: "write",
            checks: "write",
            pull_requests: "write",
            metadata: "read",
          },
          events: ["issues", "issue_comment", "push", "pull_request", "installation"],
          installations: owners.map(([id, account]) => ({ installation_id: id, account, repository_selection: "all" })),
          ...(hook ? { webhook_url: hook } : {}),
        },
      ],
    },
  };
}

async function asPerson<T>(
  ask: AskServer,
  at: string,
  method: string,
  path: string,
  sent: unknown,
  who: Person,
): Promise<T> {
  const headers = { authorization: `Bearer ${tokenOf(who)}`, "content-type": "application/json" };
  const { status, body } = await ask(method, at + path, headers, Buffer.from(JSON.stringify(sent) ?? ""));
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${body}`);
  return (status === 204 ? undefined : JSON.parse(body.toString())) as T;
}

/** The variables of a server on this machine that is the App of this GitHub. */
export function environmentOf(
  local: LocalGitHub,
  { secret, data, port }: { readonly secret: string; readonly data: string; readonly port: number },
): Record<string, string> {
  return {
    APP_ID: String(local.app.id),
    PRIVATE_KEY: local.app.privateKey,
    WEBHOOK_SECRET: secret,
    RECHECK_DATA: data,
    GITHUB_API_URL: local.url,
    PORT: String(port),
    HOST: "127.0.0.1",
    RECHECK_ALLOW_ADDRESSES: "127.0.0.0/8",
  };
}
