import type { Server as HttpServer } from "node:http";
import type { Logger } from "pino";
import { Probot, Server } from "probot";
import { type Auth, isPrivateKey, pemOf } from "../../adapters/github/client.ts";
import { type Settings, storeFile, wire, wireInstance } from "../../wire.ts";
import { type Environment, settingsFrom, WrongSetting } from "../environment.ts";
import { createAppService } from "./app-service.ts";
import { createGate } from "./bodies.ts";
import { type RequestHandler, reportOf, reportsOf } from "./http.ts";
import { createSandbox } from "./sandbox.ts";
import { createReportService, type Service } from "./service.ts";

const webhookPath = "/api/github/webhooks";

export interface Running {
  readonly service: Service;
  readonly port: number;
  stop(): Promise<void>;
}

/** The server's own settings, beside those of every command. */
interface Serving {
  /** The one repository to be served from local files. */
  readonly repo?: string;
  readonly auth: Auth;
  readonly secret: string;
  readonly githubApi?: string;
  readonly host: string;
  readonly port: number;
}

/**
 * The Probot server with its schedule. Serves every repository of the App's installations, each by the config in it; or
 * the one in RECHECK_REPO, from the local files.
 * @throws WrongSetting where starting would be unsafe or useless
 */
export async function startServer(env: Environment, log: Logger, given: Partial<Settings> = {}): Promise<Running> {
  const hangUp = new AbortController();
  const from = { ...settingsFrom(env), ...given };
  const settings = { ...from, github: { ...from.github, hangUp: hangUp.signal } };
  const serving = servingFrom(env, settings);
  const served = await servedBy(serving, settings, log);
  const { service, close } = served;
  try {
    const server = await serverOf(serving, served, log);
    const http = await listen(server, serving);
    await service.start();
    const stopAll = async () => {
      hangUp.abort();
      await stop(server, http, service, close);
    };
    return { service, port: serving.port, stop: stopAll };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The service, and how requests reach it. */
interface Served {
  readonly service: Service;
  readonly hear: (app: Probot) => void;
  /** Answers for what is published. */
  readonly reports: RequestHandler;
  close(): Promise<void>;
}

async function servedBy({ repo, auth }: Serving, settings: Settings, log: Logger): Promise<Served> {
  if (repo === undefined && "appId" in auth) {
    const instance = await wireInstance({ ...settings, auth });
    const sandbox = createSandbox(storeFile(settings.data));
    const service = createAppService(instance, sandbox, log);
    const hear = (app: Probot) => app.onAny(({ id, name, payload }) => service.receive(id, name, payload));
    const close = async () => {
      await sandbox.close();
      await instance.close();
    };
    return { service, hear, reports: reportsOf(instance, sandbox, service), close };
  }
  const program = await wire(settings);
  const service = createReportService(program, log);
  const hear = (app: Probot) =>
    app.on(["issues.closed", "issues.reopened", "issues.deleted", "issues.transferred"], ({ payload }) => {
      if (payload.repository.full_name.toLowerCase() === repo?.toLowerCase()) void service.run();
    });
  return { service, hear, reports: reportOf(program, service), close: program.close };
}

/** @throws WrongSetting */
function servingFrom(env: Environment, { repo, auth, githubApi }: Settings): Serving {
  if (auth === undefined) throw new WrongSetting("set APP_ID and PRIVATE_KEY (an App), or GITHUB_TOKEN");
  if ("token" in auth && repo === undefined) {
    throw new WrongSetting("set RECHECK_REPO to the report's repository, owner/name");
  }
  const secret = env.WEBHOOK_SECRET?.trim();
  if ("appId" in auth && !secret) {
    throw new WrongSetting("set WEBHOOK_SECRET: without one, anybody could sign webhooks for this server");
  }
  if ("appId" in auth && !isPrivateKey(pemOf(auth.privateKey))) {
    throw new WrongSetting("PRIVATE_KEY is not an RSA private key in PEM, as GitHub gives it to the App");
  }
  const port = env.PORT?.trim() || "3000";
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new WrongSetting("PORT is a number from 1 to 65535");
  }
  // Nobody knows it: a server without a secret takes no webhook at all.
  const unknown = crypto.randomUUID();
  return {
    repo,
    auth,
    secret: secret || unknown,
    githubApi,
    host: env.HOST?.trim() || "localhost",
    port: Number(port),
  };
}

async function serverOf(serving: Serving, { service, hear, reports }: Served, log: Logger): Promise<Server> {
  const { auth, secret, githubApi, host, port } = serving;
  const identity =
    "appId" in auth ? { appId: auth.appId, privateKey: pemOf(auth.privateKey) } : { githubToken: auth.token };
  const server = new Server({
    Probot: gated(Probot.defaults({ ...identity, secret, baseUrl: githubApi, log })),
    webhookPath,
    port,
    host,
    log,
    enableStaticFiles: false,
  });
  await server.load((app, { addHandler }) => {
    hear(app);
    addHandler((request, response) => {
      if (request.url !== "/health") return false;
      const health = service.health();
      response.writeHead(health.ok ? 200 : 503, { "content-type": "application/json" }).end(JSON.stringify(health));
      return true;
    });
    addHandler(reports);
  });
  return server;
}

/** Probot's middleware is what answers first: before it a body is read to its end, whoever sent it. */
function gated(Base: typeof Probot): typeof Probot {
  const gate = createGate(webhookPath);
  return class extends Base {
    override async getNodeMiddleware(...given: Parameters<Probot["getNodeMiddleware"]>) {
      const webhooks = await super.getNodeMiddleware(...given);
      const behind: typeof webhooks = async (request, response, next) =>
        (await gate(request, response)) || (await webhooks(request, response, next));
      return behind;
    }
  };
}

/** @throws WrongSetting where the operating system does not let us */
async function listen(server: Server, { host, port }: Serving): Promise<HttpServer> {
  try {
    return await server.start();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "EADDRINUSE") throw new WrongSetting(`port ${port} is in use: set PORT to another one`);
    if (code.startsWith("E")) throw new WrongSetting(`cannot listen on HOST ${host}, PORT ${port}: ${code}`);
    throw error;
  }
}

/** Takes no new request, lets the looks under way end, and closes the store last. */
async function stop(server: Server, http: HttpServer, service: Service, close: () => Promise<void>): Promise<void> {
  const closed = server.stop();
  await service.stop();
  http.closeAllConnections();
  await closed;
  await close();
}
