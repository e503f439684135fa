import type { Logger } from "pino";
import { Probot, Server } from "probot";
import { type Settings, wire } from "../../wire.ts";
import { type Environment, settingsFrom, WrongSetting } from "../environment.ts";
import { createService, type Service } from "./service.ts";

export interface Running {
  readonly service: Service;
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * The Probot server with its schedule. Serves the one repository in RECHECK_REPO from the local files.
 * @throws WrongSetting where starting would be unsafe or useless
 */
export async function startServer(env: Environment, log: Logger, given: Partial<Settings> = {}): Promise<Running> {
  const settings = { ...settingsFrom(env), ...given };
  const { auth, githubApi } = settings;
  if (settings.repo === undefined) throw new WrongSetting("set RECHECK_REPO to the report's repository, owner/name");
  if (auth === undefined) throw new WrongSetting("set APP_ID and PRIVATE_KEY (an App), or GITHUB_TOKEN");
  const secret = env.WEBHOOK_SECRET?.trim();
  if ("appId" in auth && !secret) {
    throw new WrongSetting("set WEBHOOK_SECRET: without one, anybody could sign webhooks for this server");
  }
  const program = await wire(settings);
  const service = createService(program, log);
  const identity = "appId" in auth ? { appId: auth.appId, privateKey: auth.privateKey } : { githubToken: auth.token };
  const server = new Server({
    Probot: Probot.defaults({ ...identity, secret: secret ?? crypto.randomUUID(), baseUrl: githubApi, log }),
    port: Number(env.PORT ?? 3000),
    host: env.HOST ?? "localhost",
    log,
  });
  await server.load((app, { addHandler }) => {
    app.on(["issues.closed", "issues.reopened", "issues.deleted"], () => void service.run());
    addHandler((request, response) => {
      if (request.url !== "/health") return false;
      const health = service.health();
      response.writeHead(health.ok ? 200 : 503, { "content-type": "application/json" }).end(JSON.stringify(health));
      return true;
    });
  });
  await server.start();
  await service.start();
  return {
    service,
    port: server.port,
    async stop() {
      await server.stop();
      await service.stop();
      await program.close();
    },
  };
}
