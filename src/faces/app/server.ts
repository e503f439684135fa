import { once } from "node:events";
import { createServer, type Server as HttpServer, ServerResponse } from "node:http";
import { type Logger, type LoggerOptions, pino } from "pino";
import { Probot, Server } from "probot";
import { type Auth, isPrivateKey, pemOf } from "../../adapters/github/client.ts";
import type { Heartbeat } from "../../adapters/messages/post.ts";
import { inTime } from "../../model/concurrency.ts";
import { codeOf } from "../../model/failure.ts";
import type { Duration } from "../../model/time.ts";
import { type Instance, wireInstance } from "../../wire/instance.ts";
import { wire } from "../../wire/program.ts";
import { type Settings, WrongSetting } from "../../wire/settings.ts";
import { storeFile } from "../../wire/stores.ts";
import { wireHeartbeat } from "../../wire/web.ts";
import { type Environment, settingsFrom, withoutBlanks } from "../environment.ts";
import { createAppService } from "./app-service.ts";
import { createGate, isSigned, type WebhookSecrets } from "./bodies.ts";
import { answer503IfClosed, type RequestHandler, reportOf, reportsOf } from "./http.ts";
import { idsHere } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import { type ProbeParts, probesOf } from "./probes.ts";
import { createSandbox } from "./sandbox.ts";
import { createReportService, type Service } from "./service.ts";
import { createFront, createWorker, type Worker } from "./work.ts";

const webhookPath = "/api/github/webhooks";

export interface AppServer {
  readonly service: Service;
  readonly port: number;
  stop(): Promise<void>;
}

interface Serving {
  readonly repo?: string;
  readonly auth: Auth;
  readonly secrets: WebhookSecrets;
  readonly githubApi?: string;
  readonly host: string;
  readonly port: number;
  readonly metricsToken?: string;
}

export function createLog(level: string, write: (line: string) => void): Logger {
  // A webhook's text may be private or, unsigned, come from anybody.
  const webhook = ["err.event", "err.aggregateErrors"];
  const paths = [...personal, "err.request", "err.response", ...webhook];
  const hooks: LoggerOptions["hooks"] = {
    logMethod(given, method) {
      if (!isRoutine(given)) method.apply(this, given);
    },
  };
  return pino({ level, redact: { paths, remove: true }, hooks, mixin: idsHere }, { write });
}

/** Who sent a request: a reader of published pages is not recorded. */
const personal = ["req.headers", "req.remoteAddress", "req.remotePort"];

/** Answers to monitors, which ask every few seconds, and to readers of published pages. */
const unlogged = new WeakSet<object>();

function withoutLog(handler: RequestHandler): RequestHandler {
  return async (request, response) => {
    // The log comes with the end of the answer.
    unlogged.add(response);
    const isAnswered = await handler(request, response);
    if (!isAnswered) unlogged.delete(response);
    return isAnswered;
  };
}

function isRoutine([about]: readonly unknown[]): boolean {
  // Probot logs a port in use with its stack, and then throws it: its sentence comes at the end.
  if (about instanceof Error) return "syscall" in about && about.syscall === "listen";
  if (typeof about !== "object" || about === null || !("res" in about)) return false;
  const { res } = about;
  return res instanceof ServerResponse && res.statusCode < 500 && unlogged.has(res);
}

/**
 * The Probot server with its schedule. Serves every repository of the App's installations, each by the config in it; or the one
 * in RECHECK_REPO, from the local files. @throws WrongSetting if starting would be unsafe or useless
 */
export async function startServer(env: Environment, log: Logger, given: Partial<Settings> = {}): Promise<AppServer> {
  const { settings, metrics, hangUp } = prepareServer(env, log, given);
  const serving = servingFrom(withoutBlanks(env), settings);
  const served = await servedBy(serving, settings, { log, metrics });
  const { service, close } = served;
  service.onRound(metrics.round);
  const heartbeat = await wireHeartbeat(settings);
  if (heartbeat) service.onRound(beatAfter(heartbeat, log));
  try {
    const server = await serverOf(serving, served, log);
    const http = await listen(server, serving);
    await service.start();
    const stopAll = async () => {
      hangUp.abort();
      await stop(server, http, service, close);
      await heartbeat?.close();
    };
    return { service, port: serving.port, stop: stopAll };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The settings, with the ids and metrics of each request to GitHub, and a signal that ends all requests. */
function prepareServer(env: Environment, log: Logger, given: Partial<Settings>) {
  const hangUp = new AbortController();
  const settings = { ...settingsFrom(env), ...given };
  const metrics = createMetrics(settings.clock);
  const { audit } = settings.github ?? {};
  const withIds: typeof audit = audit && ((write) => audit({ ...write, ...idsHere() }));
  const github = { log, ...settings.github, audit: withIds, hangUp: hangUp.signal, onQuota: metrics.quota };
  return { settings: { ...settings, github }, metrics, hangUp };
}

function probesOfInstance(
  { registry, clock }: Pick<Instance, "registry" | "clock">,
  about: Omit<ProbeParts, "stored" | "backlog">,
) {
  const stored = () => registry.repository(0);
  return probesOf({ ...about, stored, backlog: () => registry.backlog(clock.now()) });
}

/** Reports each successful round to the heartbeat monitor. If that fails, it is logged once, and the round still succeeds. */
function beatAfter({ beat }: Heartbeat, log: Logger): Parameters<Service["onRound"]>[0] {
  let reported: string | undefined;
  return async (went) => {
    if (went === "badly") return;
    const why = await beat();
    if (why !== undefined && why !== reported) log.warn(`the heartbeat to RECHECK_HEARTBEAT failed: ${why}`);
    reported = why;
  };
}

/** Starts a worker, which shares the work of a server through its database. @throws WrongSetting | StoreProblem */
export async function startWorker(env: Environment, log: Logger, given: Partial<Settings> = {}): Promise<Worker> {
  const { settings, metrics, hangUp } = prepareServer(env, log, given);
  const { auth } = settings;
  if (!auth || !("appId" in auth)) throw new WrongSetting("set APP_ID and PRIVATE_KEY: the App of the server");
  const monitored = monitoredFrom(withoutBlanks(env));
  const onJobProblem = (error: unknown) => log.warn({ err: error }, "the queue has trouble");
  const instance = await wireInstance({ ...settings, auth, onJobProblem });
  const { jobs } = instance;
  if (!jobs) {
    await instance.close();
    throw new WrongSetting("set DATABASE_URL: a server whose store is a file does all work itself");
  }
  const sandbox = createSandbox(storeFile(settings.data), instance.workers);
  const worker = createWorker({ instance, jobs, sandbox, metrics }, log);
  let monitors: HttpServer | undefined;
  const close = async () => {
    monitors?.close();
    monitors?.closeAllConnections();
    await sandbox.close();
    await instance.close();
  };
  try {
    if (monitored) {
      const probes = probesOfInstance(instance, { service: worker, metrics, token: monitored.metricsToken });
      monitors = await listenTo(probes, monitored);
    }
    await worker.start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...worker,
    async stop() {
      hangUp.abort();
      await worker.stop();
      await close();
    },
  };
}

/** The address at which a worker answers monitors; undefined if there is none. @throws WrongSetting */
function monitoredFrom(env: Environment): Pick<Serving, "host" | "port" | "metricsToken"> | undefined {
  if (env.RECHECK_WORKER_PORT === undefined) return undefined;
  const port = portOf("RECHECK_WORKER_PORT", env.RECHECK_WORKER_PORT);
  return { host: hostOf(env), port, metricsToken: metricsTokenOf(env) };
}

/** Answers the monitors of a worker, and no other request. @throws WrongSetting */
async function listenTo(probes: RequestHandler, { host, port }: Pick<Serving, "host" | "port">): Promise<HttpServer> {
  const http = createServer(async (request, response) => {
    const isAnswered = await probes(request, response).catch(() => false);
    if (!isAnswered && !response.headersSent) response.writeHead(404).end();
  });
  try {
    await once(http.listen(port, host), "listening");
    return http;
  } catch (error) {
    throw notListening(error, { host, port }, "RECHECK_WORKER_PORT");
  }
}

interface Served {
  readonly service: Service;
  readonly listen: (app: Probot) => void;
  readonly probes: RequestHandler;
  readonly reports: RequestHandler;
  close(): Promise<void>;
}

async function servedBy(
  { repo, auth, metricsToken }: Serving,
  settings: Settings,
  { log, metrics }: { readonly log: Logger; readonly metrics: Metrics },
): Promise<Served> {
  if (repo === undefined && "appId" in auth) {
    const instance = await wireInstance({ ...settings, auth });
    const sandbox = createSandbox(storeFile(settings.data), instance.workers);
    const { jobs } = instance;
    const service = jobs
      ? createFront({ instance, jobs }, log, metrics)
      : createAppService(instance, sandbox, log, metrics);
    const probes = probesOfInstance(instance, { service, metrics, token: metricsToken });
    const listen = (app: Probot) =>
      app.onAny(({ id, name, payload }) => inTime(service.receive(id, name, payload), keptWithin, refuseLate));
    const close = async () => {
      await sandbox.close();
      await instance.close();
    };
    return { service, listen, probes, reports: reportsOf(instance, sandbox, service), close };
  }
  const program = await wire(settings);
  const service = createReportService(program, log, metrics);
  const stored = () => program.world.store.roster();
  const probes = probesOf({ service, metrics, stored, backlog: program.backlog, token: metricsToken });
  const listen = (app: Probot) =>
    app.on(["issues.closed", "issues.reopened", "issues.deleted", "issues.transferred"], ({ payload }) => {
      if (payload.repository.full_name.toLowerCase() === repo?.toLowerCase()) service.runForNews();
    });
  return { service, listen, probes, reports: reportOf(program, service), close: program.close };
}

/** GitHub waits for 10 s, and after 9 Octokit answers that a webhook was accepted, even if it was not. */
const keptWithin: Duration = 8_000;

/** GitHub sends a webhook again that was stored too late. @throws Error */
function refuseLate(): never {
  throw new Error("a webhook could not be stored in time; GitHub must send it again");
}

/** @throws WrongSetting */
function servingFrom(env: Environment, { repo, auth, githubApi }: Settings): Serving {
  if (auth === undefined) throw new WrongSetting("set GITHUB_TOKEN, or APP_ID and PRIVATE_KEY (see recheck register)");
  if ("token" in auth && repo === undefined) {
    throw new WrongSetting("set RECHECK_REPO to the report's repository, owner/name");
  }
  const secret = env.WEBHOOK_SECRET;
  if ("appId" in auth && secret === undefined) {
    throw new WrongSetting("set WEBHOOK_SECRET: without one, anybody could sign webhooks for this server");
  }
  if ("appId" in auth && !isPrivateKey(pemOf(auth.privateKey))) {
    throw new WrongSetting("PRIVATE_KEY is not an RSA private key in PEM, as GitHub gives it to the App");
  }
  // Without a secret, no webhook is accepted: none can be signed with this random one.
  const unknown = crypto.randomUUID();
  return {
    repo,
    auth,
    secrets: { secret: secret ?? unknown, previous: env.WEBHOOK_SECRET_PREVIOUS },
    githubApi,
    host: hostOf(env),
    port: portOf("PORT", env.PORT ?? "3000"),
    metricsToken: metricsTokenOf(env),
  };
}

function hostOf(env: Environment): string {
  return env.HOST ?? "localhost";
}

/** @throws WrongSetting */
function portOf(variable: string, port: string): number {
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new WrongSetting(`${variable} must be a number from 1 to 65535`);
  return Number(port);
}

/** @throws WrongSetting */
function metricsTokenOf(env: Environment): string | undefined {
  const token = env.RECHECK_METRICS_TOKEN;
  if (token !== undefined && token.length < 16)
    throw new WrongSetting("RECHECK_METRICS_TOKEN is shorter than 16 characters: it could be guessed");
  return token;
}

async function serverOf(serving: Serving, { listen, probes, reports }: Served, log: Logger): Promise<Server> {
  const { auth, secrets, githubApi, host, port } = serving;
  const identity =
    "appId" in auth ? { appId: auth.appId, privateKey: pemOf(auth.privateKey) } : { githubToken: auth.token };
  const withIdentity = Probot.defaults({ ...identity, secret: secrets.secret, baseUrl: githubApi, log });
  const server = new Server({
    Probot: limitBodies(withIdentity, secrets, log),
    webhookPath,
    port,
    host,
    log,
    enableStaticFiles: false,
  });
  await server.load((app, { addHandler }) => {
    listen(app);
    for (const handler of [probes, answer503IfClosed(reports)]) addHandler(withoutLog(handler));
  });
  return server;
}

/** Puts our limits in front of Probot, which would read any body to its end, from any sender. */
function limitBodies(Base: typeof Probot, secrets: WebhookSecrets, log: Logger): typeof Probot {
  // Probot writes two lines with stacks for each webhook of a stranger.
  const gate = createGate(webhookPath, (request, body) => {
    const isOurs = isSigned(request, body, secrets);
    if (!isOurs) log.warn("a webhook was refused: its signature does not match WEBHOOK_SECRET");
    return isOurs;
  });
  return class extends Base {
    override async getNodeMiddleware(...given: Parameters<Probot["getNodeMiddleware"]>) {
      const webhooks = await super.getNodeMiddleware(...given);
      const behind: typeof webhooks = async (request, response, next) =>
        (await gate(request, response)) || (await webhooks(request, response, next));
      return behind;
    }
  };
}

/** @throws WrongSetting if the operating system does not allow it */
async function listen(server: Server, serving: Serving): Promise<HttpServer> {
  try {
    return await server.start();
  } catch (error) {
    throw notListening(error, serving, "PORT");
  }
}

function notListening(error: unknown, { host, port }: Pick<Serving, "host" | "port">, variable: string): unknown {
  const code = codeOf(error);
  if (code === "EADDRINUSE") return new WrongSetting(`port ${port} is in use: set ${variable} to another one`);
  if (code.startsWith("E")) return new WrongSetting(`cannot listen on HOST ${host}, ${variable} ${port}: ${code}`);
  return error;
}

/** Takes no new request, lets running checks end, and closes the store last. */
async function stop(server: Server, http: HttpServer, service: Service, close: () => Promise<void>): Promise<void> {
  const closed = server.stop();
  await service.stop();
  http.closeAllConnections();
  await closed;
  await close();
}
