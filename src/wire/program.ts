import { readFile } from "node:fs/promises";
import { posix, relative, resolve, sep } from "node:path";
import { checkoutOf, pathWithin } from "../adapters/files/checkout.ts";
import { type ConfigFile, NoConfig } from "../adapters/files/config.ts";
import type { RepositoryGitHub } from "../adapters/github/index.ts";
import { closing } from "../model/closing.ts";
import type { Config } from "../model/config.ts";
import type { Backlog, Courier, Store } from "../model/ports/index.ts";
import type { Edition } from "../publish/edition.ts";
import type { Outbox } from "../recheck/run.ts";
import type { ReportFile } from "../report/index.ts";
import type { MessageRun } from "../status/messages/send.ts";
import type { World } from "../watch/check.ts";
import { pageLink, pageOfReport, userAgent } from "./addresses.ts";
import { configOf, loadConfigAt } from "./config.ts";
import { nobody, type Settings } from "./settings.ts";
import { openStored, openToWrite } from "./stores.ts";
import { wireWeb } from "./web.ts";

export interface Program {
  readonly world: World;
  /** Everything that updates on GitHub need. */
  readonly outbox: Outbox;
  /** Undefined if no repository or no credentials are given. */
  readonly github?: RepositoryGitHub;
  /** Everything that messages need; undefined if config has no channel for them. */
  readonly messages?: MessageRun;
  /** All files of the report, if config names one. @throws UnreadReport */
  readonly report: (() => Promise<readonly ReportFile[]>) | undefined;
  backlog(): Promise<Backlog>;
  close(): Promise<void>;
}

/** Picks the adapters for one report. */
export async function wire(settings: Settings): Promise<Program> {
  const { clock } = settings;
  const { config, files } = await loadConfigAt(settings.config, clock.now());
  const { store, hosts, answers, registry, close } = await openToWrite(settings);
  if (settings.keep?.names !== undefined) await registry.forgetPeople({ before: clock.now() - settings.keep.names });
  const web = await wireWeb(settings, config, hosts);
  const { fetch, access, archive, github, workers } = web;
  const courier = config.channels.size > 0 ? await messengerFor(settings, config) : undefined;
  const repository = pageOfReport(settings);
  const { text } = config.report;
  const outbox: Outbox = {
    config,
    store,
    clock,
    github,
    link: await pageLink(),
    ...(await filesIn(settings, config, files)),
  };
  return {
    world: { config, clock, fetch, store, readers: web.readers, access, archive, workers, answers },
    outbox: {
      ...outbox,
      ...(github && { recover: async () => (await import("../recheck/recover.ts")).recover(outbox, github) }),
    },
    github,
    messages: courier && { config, store, clock, courier, link: outbox.link, files: outbox.files, repository },
    report:
      text === undefined
        ? undefined
        : async () => {
            const { reportOnDisk } = await import("./disk.ts");
            return await reportOnDisk(text, (await checkoutOf(settings.config)) ?? settings.config);
          },
    backlog: () => registry.backlog(clock.now()),
    async close() {
      await web.close();
      await courier?.close();
      await close();
    },
  };
}

export async function messengerFor({ fetch, clock, receivers = nobody }: Settings, config: Config): Promise<Courier> {
  const { createCourier } = await import("../adapters/messages/courier.ts");
  return createCourier({ ...fetch, clock, userAgent: userAgent(config), receivers });
}

/** Everything that is published of a report, from the store. @throws ConfigProblems | NoConfig | StoreProblem */
export async function editionFrom(settings: Settings): Promise<Edition> {
  const config = await configOf(settings);
  await using stored = closing(await openStored(settings));
  return await editionIn(stored.store, config, settings);
}

/** The edition from a store that is already open. */
export async function editionIn(store: Store, config: Config, settings: Settings): Promise<Edition> {
  const repository = pageOfReport(settings);
  const { editionOf } = await import("../publish/edition.ts");
  return await editionOf({ config, store, at: settings.clock.now(), link: await pageLink(), repository });
}

/** What is needed to find lines of the report, for a config on this machine; empty for a config that only a server has. */
export async function reportShownBy(settings: Settings): Promise<Pick<Outbox, "files" | "link">> {
  try {
    const { config, files } = await loadConfigAt(settings.config);
    if (config.report.text === undefined) return {};
    return { link: await pageLink(), ...(await filesIn(settings, config, files)) };
  } catch (error) {
    if (error instanceof NoConfig) return {};
    throw error;
  }
}

/** The files that people edit themselves, by their paths in the checkout, and their pages on the checked-out branch. */
async function filesIn(
  settings: Settings,
  config: Config,
  files: readonly ConfigFile[],
): Promise<Pick<Outbox, "files" | "page">> {
  const { pageOfFile } = await import("../recheck/issue/answer-help.ts");
  const file = files.find(({ path }) => path === "sources.yaml");
  if (!file) return {};
  const [repository, root] = [pageOfReport(settings), await checkoutOf(settings.config)];
  const folder = root === undefined ? "" : relative(root, resolve(settings.config)).split(sep).join("/");
  const sources = { path: posix.join(folder, file.path), text: new TextDecoder().decode(file.text) };
  const { text: path } = config.report;
  const isOnGitHub = repository !== undefined && root !== undefined;
  return {
    ...(isOnGitHub && { page: (file) => pageOfFile(repository, file, settings.run?.branch) }),
    async files() {
      if (path === undefined) return { sources };
      const place = pathWithin(root ?? settings.config, path);
      const text = await place.then((file) => readFile(file, "utf8")).catch(() => undefined);
      return { sources, text: text === undefined ? undefined : { path, text } };
    },
  };
}
