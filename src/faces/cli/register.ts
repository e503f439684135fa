import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { html } from "hono/html";
import { parse } from "yaml";
import * as z from "zod";
import { failureOfFetch } from "../../adapters/fetch/exchange.ts";
import { proxiedFetch } from "../../adapters/fetch/routes.ts";
import { unwritableBecause } from "../../adapters/files/refused.ts";
import { Failure } from "../../model/failure.ts";
import { pageOfGitHub } from "../../wire/addresses.ts";
import { type Settings, WrongSetting } from "../../wire/settings.ts";
import { exits, type Terminal } from "./terminal.ts";

/**
 * Registers the GitHub App of the user's own server, by `recheck register https://recheck.example.org`: sends app.yml with
 * the server's address to GitHub, and writes the App's key and secrets to recheck.env.
 * Spec: https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */

export interface Order {
  readonly server: string;
  /** The organisation that will own the App; by default the account that registers it. */
  readonly organization?: string;
  readonly website: string;
  readonly api: string;
  /** The file that is written, with its secrets as variables of the environment. */
  readonly file: string;
  /** A `fetch` that uses a proxy; default: the global one. */
  readonly fetch?: typeof fetch;
}

export interface Registering {
  /** The address of the page, to be opened in a browser on this machine. */
  readonly page: string;
  /** Resolves once the file is written; `install`: the address for installing the App. */
  readonly registered: Promise<{ readonly install: string }>;
  close(): void;
}

const manifest = z.looseObject({ name: z.string(), hook_attributes: z.looseObject({}) });
/** A value for one line of `recheck.env`: a line end would begin another setting. */
const line = z.string().regex(/^[^\p{Cc}\u2028\u2029]*$/u);
const registered = z.object({
  id: z.number(),
  name: line,
  html_url: line,
  pem: z.string().regex(/^-----BEGIN [\w ]+-----[\w+/=\s]+-----END [\w ]+-----\s*$/),
  webhook_secret: z.string().regex(/^\S+$/),
});

/** Serves a page on this machine that links to GitHub, and to which GitHub redirects after the registration. @throws WrongSetting */
export async function register(order: Order): Promise<Registering> {
  const { server, organization, website, file } = order;
  const home = homeOf(server);
  if (organization !== undefined && !/^[\w-]+$/.test(organization)) {
    throw new WrongSetting("write the organisation as in its address on GitHub");
  }
  if (existsSync(file)) throw new WrongSetting(`${basename(file)} exists already: it may hold the only copy of a key`);
  // GitHub gives the key only once, so the file must be writable before anything is registered.
  const why = unwritableBecause(file);
  if (why !== undefined) throw new WrongSetting(`${file} cannot be written: ${why}`);
  const template = manifest.parse(parse(readFileSync(appManifest(), "utf8")));
  const state = randomBytes(16).toString("base64url");
  const owner = organization === undefined ? "" : `/organizations/${organization}`;
  const registration = Promise.withResolvers<{ install: string }>();

  const listener = createServer(async (request, response) => {
    // Otherwise a host name that resolves to this machine (DNS rebinding) would let the script of another site act as this page.
    if (`http://${request.headers.host}/` !== page) {
      return await show(response, 421, html`<p>This page is at ${page} only.</p>`);
    }
    const { pathname, searchParams } = URL.parse(request.url ?? "", page) ?? new URL("/elsewhere", page);
    const code = searchParams.get("code");
    if (pathname === "/") {
      const hook = { ...template.hook_attributes, url: `${home}/api/github/webhooks` };
      const filled = { ...template, url: home, hook_attributes: hook, redirect_url: `${page}registered` };
      return await show(response, 200, form(`${website}${owner}/settings/apps/new?state=${state}`, filled, home));
    }
    if (pathname !== "/registered") return await show(response, 404, html`<p>There is nothing here.</p>`);
    if (!code || searchParams.get("state") !== state) {
      return await show(response, 400, html`<p>This did not come from the page that was opened last.</p>`);
    }
    try {
      const install = await keep(code, order);
      await show(
        response,
        200,
        html`<p>Registered. Start the server, then <a href="${install}">install the App</a>.</p>`,
      );
      registration.resolve({ install });
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      await show(response, 502, html`<p>${why}</p><p><a href="/">Try again</a></p>`);
    }
  });
  await new Promise<void>((listening) => listener.listen(0, "127.0.0.1", listening));
  const page = `http://localhost:${(listener.address() as AddressInfo).port}/`;
  return {
    page,
    registered: registration.promise,
    close: () => {
      listener.closeAllConnections();
      listener.close();
    },
  };
}

/** `app.yml` lies beside `dist/` in the package, and at the top of the repository. */
function appManifest(): URL {
  const places = ["../app.yml", "../../../app.yml"].map((path) => new URL(path, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (!found) throw new Error("app.yml is missing from the installed program");
  return found;
}

function homeOf(server: string): string {
  const url = URL.parse(server);
  if (url?.protocol !== "https:" || !url.hostname.includes(".")) {
    throw new WrongSetting("give the public URL of the server, such as https://recheck.example.org");
  }
  return `${url.origin}${url.pathname}`.replace(/\/$/, "");
}

type Page = ReturnType<typeof html>;

function form(to: string, filled: { readonly name: string }, home: string): Page {
  return html`<h1>Register ${filled.name} as a GitHub App</h1>
<p>For the server at ${home}. GitHub lets you choose another name, and leads back here.</p>
<form action="${to}" method="post"><button name="manifest" value="${JSON.stringify(filled)}">Register it on GitHub</button></form>`;
}

async function show(response: ServerResponse, status: number, content: Page): Promise<void> {
  const page =
    await html`<!doctype html><html lang="en"><meta charset="utf-8"><title>Recheck</title><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${content}</html>`;
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      // No other page may show this one in a frame, to redirect a click to its button. Browsers keep no copy of it.
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    })
    .end(String(page));
}

/** Time limit for GitHub's answer, in ms: a person is waiting. */
const maxTime = 30_000;

/** Exchanges the code, which works once, for the App's credentials. Returns the address for installing the App. */
async function keep(code: string, { api, file, fetch: send = fetch }: Order): Promise<string> {
  const deadline = { signal: AbortSignal.timeout(maxTime), after: maxTime };
  const answer = await send(`${api}/app-manifests/${encodeURIComponent(code)}/conversions`, {
    method: "POST",
    headers: { accept: "application/vnd.github+json" },
    signal: deadline.signal,
  }).catch((error: unknown) => {
    const failed = failureOfFetch(error, [], deadline);
    throw failed instanceof Failure ? new Error(`GitHub could not be asked for the key: ${failed.message}.`) : failed;
  });
  if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to the code that it gave.`);
  const { id, name, html_url, pem, webhook_secret } = registered.parse(await answer.json());
  const lines = [
    `# ${name}: ${html_url}`,
    `APP_ID=${id}`,
    `WEBHOOK_SECRET=${webhook_secret}`,
    `PRIVATE_KEY=${pem.trim().split(/\s*\n/).join("\\n")}`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
  return `${html_url}/installations/new`;
}

/** `recheck register URL`: one page on this machine that leads to GitHub and back. @throws WrongSetting */
export async function registerCommand(
  server: string,
  options: { readonly organization?: string },
  { githubApi, fetch: { proxy } }: Settings,
  out: Terminal,
): Promise<number> {
  const registering = await register({
    server,
    organization: options.organization,
    website: pageOfGitHub(githubApi).origin,
    api: githubApi ?? "https://api.github.com",
    file: "recheck.env",
    fetch: proxiedFetch(proxy),
  });
  out.line(`Open ${registering.page} in a browser on this machine.`);
  const { install } = await registering.registered;
  out.line("recheck.env holds the App's id, key and secret. Keep it private: it gives full control of the App.");
  out.line(`Install it: ${install}`);
  registering.close();
  return exits.done;
}
