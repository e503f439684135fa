import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duration, Instant } from "../../model.ts";
import { GitHubProblem, type RepositoryState } from "../../ports.ts";
import { type Edition, editionOf } from "../../publish/edition.ts";
import { addressOf } from "../../recheck/link.ts";
import { type Aside, parseAside } from "../../repository/aside.ts";
import type { Instance, Program } from "../../wire.ts";
import { isRead, redirect, refuse, send } from "./reply.ts";
import type { Service } from "./service.ts";
import { createShelf, type Shelf } from "./shelf.ts";

/** Answers a request for what is published. False where it is none. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/** A report that everybody may see. */
interface Shown {
  readonly id: string;
  /** Another one once its config is another one. */
  readonly stamp: string;
  edition(): Promise<Edition>;
}

const minute: Duration = 60_000;

/** Serves the public repositories of an App, each under `/reports/<owner>/<name>/`. */
export function reportsOf(instance: Instance, aside: Aside, service: Pick<Service, "health">): Answering {
  const { registry, clock } = instance;
  const shelf = createShelf(clock);
  const find = findIn(instance);
  return async (request, response) => {
    const path = pathOf(request);
    if (path !== "/reports" && !path.startsWith("/reports/")) return false;
    const [, name, file] = /^\/reports\/([\w.-]+\/[\w.-]+)(?:\/(.*))?$/.exec(path) ?? [];
    const id = name === undefined ? undefined : await find(name);
    // It may have been made private since it was found.
    const state = id === undefined ? undefined : await registry.repository(id);
    const shown =
      state && name?.toLowerCase() === state.name.toLowerCase() ? shownOf(state, instance, aside) : undefined;
    if (!shown) refuse(request, response, 404, "No report is published here.");
    else if (file === undefined) redirect(response, `${path.slice(path.lastIndexOf("/") + 1)}/`);
    else await answer({ request, response, shelf, service }, shown, file);
    return true;
  };
}

/** The number of a repository by its name, as they were a minute ago at most. */
function findIn({ registry, clock }: Instance): (name: string) => Promise<number | undefined> {
  let known: { readonly at: Instant; readonly ids: Promise<ReadonlyMap<string, number>> } | undefined;
  return async (name) => {
    const now = clock.now();
    if (!known || now < known.at || now - known.at >= minute) {
      const ids = registry.repositories().then((all) => new Map(all.map((one) => [one.name.toLowerCase(), one.id])));
      known = { at: now, ids };
      ids.catch(() => {
        known = undefined;
      });
    }
    return (await known.ids).get(name.toLowerCase());
  };
}

/** Nothing is shown of a repository that is not watched, or not known to be public. */
function shownOf(state: RepositoryState, instance: Instance, aside: Aside): Shown | undefined {
  const { readers, link, clock } = instance;
  const { config: files, public: isPublic, standing, name, web } = state;
  if (isPublic !== true || standing !== "active" || !files) return undefined;
  return {
    id: String(state.id),
    stamp: files.commit,
    edition: async () => {
      const { config } = await parseAside(aside, files);
      if (!config) throw new Error(`the config of ${name} that is in use is not valid`);
      const repository = web ?? `https://github.com/${name}`;
      return await editionOf({ config, store: instance.store(state), readers, at: clock.now(), link, repository });
    },
  };
}

/** Serves the one repository of a server that has a config of its own, under `/`. */
export function reportOf({ world, outbox, github }: Program, service: Pick<Service, "health">): Answering {
  const { config, store, readers, clock } = world;
  const { link = addressOf } = outbox;
  const shelf = createShelf(clock);
  const ask = facts(github, clock.now);
  return async (request, response) => {
    const path = pathOf(request);
    // Webhooks are the App's, whatever becomes of them.
    if (!path.startsWith("/") || path.startsWith("/api/")) return false;
    const found = await ask();
    if (!found?.public) {
      refuse(request, response, 404, "No report is published here.");
      return true;
    }
    const edition = () => editionOf({ config, store, readers, at: clock.now(), link, repository: found.web });
    await answer({ request, response, shelf, service }, { id: "", stamp: "", edition }, path.slice(1));
    return true;
  };
}

/** What GitHub says of the repository, as it was a minute ago at most; undefined where it does not say. */
function facts(github: Program["github"], now: () => Instant) {
  let known: { readonly at: Instant; readonly told: Promise<Pick<Facts, "public" | "web"> | undefined> } | undefined;
  return async () => {
    if (!known || now() < known.at || now() - known.at >= minute) {
      const told = (github?.facts() ?? Promise.resolve(undefined)).catch((error: unknown) => {
        if (error instanceof GitHubProblem) return undefined;
        throw error;
      });
      known = { at: now(), told };
    }
    return await known.told;
  };
}

type Facts = Awaited<ReturnType<NonNullable<Program["github"]>["facts"]>>;

interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly shelf: Shelf;
  readonly service: Pick<Service, "health">;
}

async function answer({ request, response, shelf, service }: Asked, report: Shown, file: string): Promise<void> {
  const path = file === "" ? "index.html" : file;
  // Whatever a run has changed shows at once.
  const stamp = `${report.stamp} ${service.health().lastRun}`;
  const sheet = await shelf.sheet(report.id, stamp, path, report.edition);
  if (!sheet) refuse(request, response, 404, "There is no such file.");
  else if (!isRead(request)) refuse(request, response, 405, "This can only be read.");
  else send(request, response, path, sheet);
}

/** As it was asked for: nothing is decoded, so that nothing can be spelt otherwise. */
function pathOf({ url = "/" }: IncomingMessage): string {
  return url.replace(/[?#].*$/s, "");
}
