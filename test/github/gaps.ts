import { createHash, createPublicKey, createVerify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/**
 * Where `emulate` is kinder than GitHub, this is as strict: who may ask, how long a text may be, what is answered
 * when nothing changed, and what it does not know at all (reactions).
 */

/** An answer: a body as bytes, or a value as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

export function answer(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  const body = Buffer.from(JSON.stringify(value));
  return { status, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body };
}

const badCredentials = answer(401, { message: "Bad credentials", documentation_url: "https://docs.github.com/rest" });

/** Tokens that exist. Everything else is turned away, where `emulate` would take it for a seeded user. */
export class Tokens {
  readonly #known: Set<string>;
  /** Whose repositories the tokens of installations reach. */
  readonly #owners = new Map<string, string | undefined>();
  readonly #privateKey: string;

  constructor(known: readonly string[], privateKey: string) {
    this.#known = new Set(known);
    this.#privateKey = privateKey;
  }

  mint(token: string, owner: string | undefined): void {
    this.#known.add(token);
    this.#owners.set(token, owner);
  }

  ownerOf(headers: IncomingHttpHeaders): string | undefined {
    return this.#owners.get(tokenIn(headers) ?? "");
  }

  /** Ends the tokens of installations, as GitHub does after an hour. */
  expire(): void {
    for (const token of this.#known) if (token.startsWith("ghs_")) this.#known.delete(token);
  }

  refusal(headers: IncomingHttpHeaders, method: string): Answer | undefined {
    const token = tokenIn(headers);
    if (token === undefined) {
      return method === "GET" ? undefined : answer(401, { message: "Requires authentication" });
    }
    return this.#known.has(token) || this.#signed(token) ? undefined : badCredentials;
  }

  #signed(token: string): boolean {
    const [head, claims, signature] = token.split(".");
    if (!head || !claims || !signature) return false;
    const verify = createVerify("RSA-SHA256").update(`${head}.${claims}`);
    if (!verify.verify(createPublicKey(this.#privateKey), Buffer.from(signature, "base64url"))) return false;
    const { iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { iat: number; exp: number };
    const now = Date.now() / 1000;
    return iat <= now + 60 && exp > now && exp - iat <= 600 + 60;
  }
}

function tokenIn({ authorization }: IncomingHttpHeaders): string | undefined {
  return authorization?.replace(/^(?:bearer|token) /i, "");
}

interface Limit {
  readonly path: RegExp;
  readonly resource: string;
  readonly fields: Readonly<Record<string, number>>;
}

/** In characters: Unicode code points. */
const limits: readonly Limit[] = [
  { path: /\/issues(?:\/\d+)?$/, resource: "Issue", fields: { title: 256, body: 65_536 } },
  { path: /\/issues\/\d+\/comments$/, resource: "IssueComment", fields: { body: 65_536 } },
  { path: /\/labels(?:\/[^/]+)?$/, resource: "Label", fields: { name: 50, description: 100 } },
];

/** GitHub's 422 for texts that are too long. */
export function tooLong(method: string, path: string, body: unknown): Answer | undefined {
  if (method !== "POST" && method !== "PATCH") return undefined;
  const limit = limits.find((each) => each.path.test(path));
  if (!limit || typeof body !== "object" || body === null) return undefined;
  for (const [field, most] of Object.entries(limit.fields)) {
    const value = (body as Record<string, unknown>)[field];
    if (typeof value !== "string" || [...value].length <= most) continue;
    const message = `${field} is too long (maximum is ${most} characters)`;
    const errors = [{ resource: limit.resource, code: "custom", field, message }];
    return answer(422, { message: "Validation Failed", errors });
  }
  return undefined;
}

/** Gives a GET an ETag, and 304 to who has it. */
export function conditional(given: Answer, method: string, headers: IncomingHttpHeaders): Answer {
  if (method !== "GET" || given.status !== 200 || !given.body) return given;
  const etag = `W/"${createHash("sha256").update(given.body).digest("hex")}"`;
  if (headers["if-none-match"] === etag) return { status: 304, headers: { etag } };
  return { ...given, headers: { ...given.headers, etag } };
}

/** Of a tree with very many files GitHub lists only the first. */
export function truncated(given: Answer, most: number): Answer {
  if (given.status !== 200 || !given.body) return given;
  const told = JSON.parse(given.body.toString()) as { tree: readonly object[] };
  return told.tree.length <= most ? given : answer(200, { ...told, tree: told.tree.slice(0, most), truncated: true });
}

/** Annotations of check runs, by id: GitHub adds those of an edit to the ones that are there, `emulate` has them replace them. */
export class Annotations {
  readonly #known = new Map<string, readonly object[]>();

  /** Gives what is to be passed on for what was sent. */
  whole(method: string, path: string, body: unknown): Buffer | undefined {
    const [, id = ""] = /\/check-runs\/(\d+)$/.exec(path) ?? [];
    if (method !== "PATCH" || id === "") return undefined;
    const { output, ...rest } = body as { output?: object };
    const annotations = [...(this.#known.get(id) ?? []), ...annotationsIn(body)];
    return Buffer.from(JSON.stringify({ ...rest, output: { ...output, annotations } }));
  }

  /** Notes that what was sent was done. */
  keep(path: string, body: unknown, { status, body: given }: Answer): void {
    if (!/\/check-runs(?:\/\d+)?$/.test(path) || status >= 300 || !given) return;
    const { id } = JSON.parse(given.toString()) as { id?: number };
    if (id !== undefined) this.#known.set(`${id}`, [...(this.#known.get(`${id}`) ?? []), ...annotationsIn(body)]);
  }
}

function annotationsIn(body: unknown): readonly object[] {
  return (body as { output?: { annotations?: readonly object[] } } | undefined)?.output?.annotations ?? [];
}

export interface Reaction {
  readonly id: number;
  readonly path: string;
  readonly content: string;
}

/** Reactions to issues and comments, which `emulate` lacks. */
export function react(reactions: Reaction[], method: string, path: string, body: unknown): Answer | undefined {
  if (!/\/issues\/(?:comments\/)?\d+\/reactions$/.test(path)) return undefined;
  if (method === "GET")
    return answer(
      200,
      reactions.filter((each) => each.path === path),
    );
  if (method !== "POST") return undefined;
  const content = String((body as { content?: unknown } | undefined)?.content);
  const same = reactions.find((each) => each.path === path && each.content === content);
  if (same) return answer(200, same);
  const reaction = { id: reactions.length + 1, path, content };
  reactions.push(reaction);
  return answer(201, reaction);
}

/** Least first: what each role may. */
const parts = ["pull", "triage", "push", "maintain", "admin"] as const;

/** A person's permission as GitHub tells it: triage is called *read*, and only the parts of the role say more. */
export function permissionOf(path: string, given: Answer): Answer {
  if (!/\/collaborators\/[^/]+\/permission$/.test(path) || given.status !== 200 || !given.body) return given;
  const told = JSON.parse(given.body.toString()) as { permission: string; role_name: string; user: object };
  const rank = Math.max(0, parts.indexOf(told.permission as (typeof parts)[number]));
  const permission = ["read", "read", "write", "write", "admin"][rank];
  const permissions = Object.fromEntries(parts.map((part, index) => [part, index <= rank]));
  return answer(200, { ...told, permission, user: { ...told.user, permissions } });
}
