import { expect } from "vitest";
import { createGitHub, type RepositoryGitHub } from "../../../src/adapters/github/index.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { readConfig } from "../../../src/config/files.ts";
import { parseConfig } from "../../../src/config/index.ts";
import type { Condition } from "../../../src/model/condition.ts";
import type { Config } from "../../../src/model/config.ts";
import type { Firing } from "../../../src/model/firing.ts";
import type { RepositoryState, Store } from "../../../src/model/ports/index.ts";
import { readers } from "../../../src/read/index.ts";
import { handleEdit } from "../../../src/recheck/answer/boxes.ts";
import { handleComment } from "../../../src/recheck/answer/comment.ts";
import { handlePull } from "../../../src/recheck/answer/pulls.ts";
import type { StoreUpdate, WatchedRepository } from "../../../src/recheck/answer/repository.ts";
import { updatePulls } from "../../../src/recheck/answer/update-pulls.ts";
import { addressOf } from "../../../src/recheck/issue/question.ts";
import type { SyncResult } from "../../../src/recheck/run.ts";
import { sync } from "../../../src/recheck/sync.ts";
import { sandboxHere } from "../../faces/app/config/sandbox-here.ts";
import { violations } from "../../github/openapi.ts";
import { type LocalGitHub, type Person, startGitHub } from "../../github/server.ts";
import { evidence } from "../samples.ts";

export const sources = `report: { title: Boards, audited: 2026-05-16, text: report.md, log: reviews.md }
levels: [Low, Medium, High]
axes: [board, area]
names: { tensor: Tensor Board, maturity: Maturity }
ratings:
  # as of May
  tensor/maturity: Medium # it runs
  tensor/compile: { level: Low, owners: [author] }
  vector/maturity: High
conclusions:
  training: { text: Train on vector, rests-on: [tensor/maturity] }
products:
  loom: { name: Loom }
sources:
  loom-releases: { github-releases: loom/loom, announces: loom }
  tensor-docs: { page: "https://tensor.example/docs" }
`;
const tensor = `name: Tensor
ratings: [tensor/maturity, tensor/compile]
on:
  - release: loom
also:
  - change: tensor-docs
`;
const vector = "name: Vector\nratings: [vector/maturity]\non:\n  - change: tensor-docs\n";
export const report = `# Boards

| board | Maturity | compile |
|---|---|---|
| Tensor Board | Medium | Low |
| vector | High | High |
`;

export interface Room {
  readonly local: LocalGitHub;
  readonly store: Store;
  readonly hub: RepositoryGitHub;
  now: number;
  /** As it stands now. */
  repository(): Promise<WatchedRepository>;
  fire(...firings: Firing[]): Promise<void>;
  /** Brings GitHub up to date. */
  tend(): Promise<SyncResult>;
  /** Somebody writes a comment, which is heard. Its id. */
  say(body: string, who?: Person, issue?: number): Promise<number>;
  /** A comment that is there is heard, once more. */
  hear(comment: number, body: string, by: string, more?: { bot?: boolean; issue?: number }): Promise<void>;
  tick(words: string, who?: Person, issue?: number): Promise<void>;
  merge(pull: number): Promise<void>;
  closePull(pull: number): Promise<void>;
  /** Its branch is restored first, as GitHub wants it. */
  reopenPull(pull: number): Promise<void>;
  hearOf(pull: number): Promise<void>;
  /** The default branch's config is read again. Config until then. */
  refresh(): Promise<Config>;
  /** A person commits a file as it is, byte for byte; `mode`: git's, an ordinary file's unless told. */
  commit(path: string, bytes: Buffer, mode?: string): Promise<void>;
  /** The bytes and the mode of a file on a branch. */
  entry(path: string, branch: string): Promise<{ bytes: Buffer; mode: string }>;
  /** A person commits to a branch. */
  write(path: string, text: string, branch?: string): Promise<void>;
  text(path: string, ref?: string): Promise<string | undefined>;
  issue(
    number?: number,
  ): Promise<{ state: string; body: string; state_reason?: string; assignees: { login: string }[] }>;
  comments(issue?: number): Promise<{ body: string; user: { login: string } }[]>;
  pulls(): Promise<LocalPull[]>;
  /** Expects that all that was asked of GitHub is described there. */
  close(): Promise<void>;
}

export interface LocalPull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: string;
  readonly merged_at: string | null;
  readonly head: { readonly ref: string; readonly sha: string };
}

export interface RoomOptions {
  readonly folder?: "" | ".github/recheck";
  readonly sources?: string;
}

/** A repository with config, its report and its log, served by the App. */
export async function openRoom({ folder = "", sources: written = sources }: RoomOptions = {}): Promise<Room> {
  const database = await openStore(":memory:");
  const time = { now: Date.parse("2026-11-20T10:00:00Z") };
  const clock = { now: () => time.now };
  const local = await startGitHub({ clock });
  const auth = { appId: local.app.id, privateKey: local.app.privateKey };
  const hub = createGitHub({ repo: local.repo, auth, baseUrl: local.url, fetch: local.fetch, clock, patience: false });
  const at = (path: string) => (folder === "" ? path : `${folder}/${path}`);
  const [first, { id }] = [await hub.commit("main"), await hub.facts()];
  const store = database.repository(id);
  await hub.push({
    branch: "main",
    parent: first?.sha ?? "",
    message: "Begin",
    files: [
      { path: at("sources.yaml"), text: written },
      { path: at("triggers/tensor.yaml"), text: tensor },
      { path: at("triggers/vector.yaml"), text: vector },
      { path: "report.md", text: report },
    ],
  });

  async function state(): Promise<RepositoryState> {
    const found = await database.registry.repository(id);
    if (!found) throw new Error("no repository");
    return found;
  }
  /** Read once for each state of the files: most of what a room asks for needs it, and reading takes longest. */
  let last: { readonly files: string; readonly config: Config } | undefined;
  async function config(): Promise<Config> {
    const texts = (await state()).config?.files ?? [];
    const files = JSON.stringify(texts);
    if (last?.files === files) return last.config;
    const parsed = parseConfig(texts, readers);
    if (!parsed.config) throw new Error(JSON.stringify(parsed.problems));
    last = { files, config: parsed.config };
    return parsed.config;
  }
  async function read(): Promise<void> {
    const found = await readConfig(hub, (await hub.commit("main"))?.sha ?? "");
    const kept = { ...(await state()), ...(found && { config: found }) };
    await database.registry.revise(id, () => kept);
  }
  async function keep(keeping: StoreUpdate): Promise<void> {
    await store.commit(keeping);
  }

  const active = { standing: "active", since: time.now, stale: false, defaultBranch: "main" } as const;
  const known = { id, name: local.repo, installation: local.app.installation, ...active };
  await database.registry.revise(id, () => known);
  await read();
  const room: Room = {
    local,
    store,
    hub,
    get now() {
      return time.now;
    },
    set now(at) {
      time.now = at;
    },
    async repository() {
      const link = addressOf;
      const sandbox = sandboxHere(store);
      return { state: await state(), config: await config(), store, github: hub, clock, readers, link, sandbox };
    },
    fire: (...firings) => store.commit((tx) => tx.fire(firings)),
    async tend() {
      const repository = await room.repository();
      await updatePulls(repository);
      return await sync({ ...repository, commands: true });
    },
    async say(body, who = "author", issue = 1) {
      room.now += 1_000;
      const { id: comment } = await local.asPerson<{ id: number }>("POST", `/issues/${issue}/comments`, { body }, who);
      await room.hear(comment, body, who, { issue });
      return comment;
    },
    async hear(comment, body, by, { bot = false, issue = 1 } = {}) {
      const news = { kind: "comment", issue, comment, body, by, bot } as const;
      await keep(await handleComment(await room.repository(), news, room.now));
    },
    async tick(words, who = "author", issue = 1) {
      room.now += 1_000;
      const before = (await room.issue(issue)).body;
      const after = before.replace(new RegExp(`- \\[ \\] (<!-- recheck:do [^>]*>[^\\n]*${words})`), "- [x] $1");
      if (after === before) throw new Error(`no box "${words}"`);
      await local.asPerson("PATCH", `/issues/${issue}`, { body: after });
      const news = { kind: "edited", issue, before, after, by: who, bot: false } as const;
      await keep(await handleEdit(await room.repository(), news, room.now));
    },
    async merge(pull) {
      await local.asPerson("PUT", `/pulls/${pull}/merge`, {});
    },
    async closePull(pull) {
      await local.asPerson("PATCH", `/pulls/${pull}`, { state: "closed" });
    },
    async reopenPull(pull) {
      const { head } = await local.asPerson<LocalPull>("GET", `/pulls/${pull}`);
      if (!(await hub.commit(head.ref))) {
        await local.asPerson("POST", "/git/refs", { ref: `refs/heads/${head.ref}`, sha: head.sha });
      }
      await local.asPerson("PATCH", `/pulls/${pull}`, { state: "open" });
    },
    async hearOf(pull) {
      room.now += 1_000;
      const { head } = await local.asPerson<LocalPull>("GET", `/pulls/${pull}`);
      await keep(await handlePull(await room.repository(), { number: pull, branch: head.ref }));
    },
    async refresh() {
      const before = await config();
      await read();
      return before;
    },
    async commit(path, bytes, mode = "100644") {
      const body = { content: bytes.toString("base64"), encoding: "base64" };
      const blob = await local.asPerson<HasSha>("POST", "/git/blobs", body);
      const parent = (await hub.commit("main"))?.sha ?? "";
      const entry = { path, mode, type: "blob", sha: blob.sha };
      const base = await local.asPerson<{ tree: HasSha }>("GET", `/git/commits/${parent}`);
      const tree = await local.asPerson<HasSha>("POST", "/git/trees", { base_tree: base.tree.sha, tree: [entry] });
      const commit = { message: "By hand", tree: tree.sha, parents: [parent] };
      const made = await local.asPerson<HasSha>("POST", "/git/commits", commit);
      await local.asPerson("PATCH", "/git/refs/heads/main", { sha: made.sha });
    },
    async entry(path, branch) {
      const { tree } = await local.asPerson<{ tree: { path: string; mode: string; sha: string }[] }>(
        "GET",
        `/git/trees/${encodeURIComponent(branch)}?recursive=1`,
      );
      const found = tree.find((one) => one.path === path);
      const blob = await local.asPerson<{ content: string }>("GET", `/git/blobs/${found?.sha}`);
      return { bytes: Buffer.from(blob.content, "base64"), mode: found?.mode ?? "" };
    },
    async write(path, text, branch = "main") {
      const parent = (await hub.commit(branch))?.sha ?? "";
      await hub.push({ branch, parent, message: "By hand", files: [{ path, text }] });
    },
    text: (path, ref = "main") => hub.text(path, ref),
    issue: (number = 1) => local.asPerson("GET", `/issues/${number}`),
    comments: (number = 1) => local.asPerson("GET", `/issues/${number}/comments`),
    pulls: () => local.asPerson("GET", "/pulls?state=all&direction=asc"),
    async close() {
      await database.close();
      await local.close();
      expect(local.requests.flatMap(violations)).toEqual([]);
    },
  };
  return room;
}

let count = 0;

interface HasSha {
  readonly sha: string;
}

/** Loom 2.13 was released: the tensor ratings are asked about. */
export function released(at: number, version = "2.13.0"): Firing {
  const event = { key: `loom ${version}`, product: "loom", version };
  const change = { kind: "item-added", item: { id: version, title: `Loom ${version}` } } as const;
  const told = [evidence("loom-releases", { seen: at, change, condition: release })];
  return { trigger: "tensor", event, weight: "routine", seen: at, fired: at, evidence: told };
}

/** As the trigger has it. */
const release: Condition = {
  kind: "release",
  products: ["loom"],
  bump: ["major", "minor", "patch"],
  pre: "no",
  sources: [],
};

/** The vector's page changed. */
export function changed(at: number): Firing {
  count += 1;
  const key = `tensor-docs changed ${count}`;
  return {
    trigger: "vector",
    event: { key },
    weight: "routine",
    seen: at,
    fired: at,
    evidence: [evidence("tensor-docs", { seen: at })],
  };
}

/** Something that no rating rests on. */
export function loose(at: number): Firing {
  const change = { kind: "claim", claim: "tensor-docs/loose", from: "supported", to: "gone" } as const;
  const told = evidence("tensor-docs", { seen: at, part: "claim", claim: "tensor-docs/loose", change });
  return { ...changed(at), trigger: "claims", weight: "contrary", evidence: [told] };
}
