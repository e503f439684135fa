import { createPublicKey, createSign, createVerify, generateKeyPairSync } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseEnv } from "node:util";
import { load } from "cheerio";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";
import { pemOf } from "../../../src/adapters/github/client.ts";
import { type Order, type Registering, register } from "../../../src/faces/cli/register.ts";
import { pageOfGitHub, pageOfReport } from "../../../src/wire/addresses.ts";
import { violations } from "../../github/openapi.ts";
import { freePort } from "../../support/free-port.ts";

const appYaml = readFileSync(join(import.meta.dirname, "..", "..", "..", "app.yml"), "utf8");
const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

let folder: string;
let github: { readonly url: string; readonly asked: string[]; answer: { status: number; body: object }; close(): void };
let open: Registering | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "recheck-register-"));
  github = await startGitHub();
});

afterEach(() => {
  open?.close();
  open = undefined;
  github.close();
  rmSync(folder, { recursive: true });
});

/** The one address of GitHub's API that is asked. */
async function startGitHub(): Promise<typeof github> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { status, body } = own.answer;
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const registered = {
    id: 4711,
    name: "Recheck of ours",
    html_url: "https://github.com/apps/recheck-of-ours",
    pem: privateKey,
    webhook_secret: "5ec7e7",
  };
  const own = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: { status: 201, body: registered },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return own;
}

const file = () => join(folder, "recheck.env");

async function begin(order: Partial<Order> = {}): Promise<Registering> {
  open = await register({
    server: "https://recheck.example.org/",
    website: "https://github.com",
    api: github.url,
    file: file(),
    ...order,
  });
  return open;
}

/** What the page would send to GitHub, and where. */
async function sent({ page }: Registering): Promise<{ to: URL; method: string; manifest: Record<string, unknown> }> {
  const $ = load(await (await fetch(page)).text());
  const form = $("form");
  return {
    to: new URL(form.attr("action") ?? ""),
    method: form.attr("method") ?? "",
    manifest: JSON.parse($("button[name=manifest]").attr("value") ?? ""),
  };
}

/** As GitHub leads a person back, once the App is created. */
async function back(registering: Registering, code = "a-code", state?: string): Promise<Response> {
  const { to, manifest } = await sent(registering);
  const address = new URL(String(manifest.redirect_url));
  address.searchParams.set("code", code);
  address.searchParams.set("state", state ?? to.searchParams.get("state") ?? "");
  return await fetch(address);
}

describe("registering the App", () => {
  test("gives GitHub app.yml, with the server's address in it", async () => {
    const registering = await begin();
    const { to, method, manifest } = await sent(registering);
    expect(registering.page).toMatch(/^http:\/\/localhost:\d+\/$/);
    expect([method, to.origin + to.pathname]).toEqual(["post", "https://github.com/settings/apps/new"]);
    expect(to.searchParams.get("state")).toMatch(/^[\w-]{20,}$/);
    expect(manifest).toEqual({
      ...parse(appYaml),
      url: "https://recheck.example.org",
      hook_attributes: { url: "https://recheck.example.org/api/github/webhooks", active: true },
      redirect_url: `${registering.page}registered`,
    });
  });

  test("keeps GitHub's answer for it, as the server reads it", async () => {
    const registering = await begin();
    const page = await back(registering);
    expect(page.status).toBe(200);
    expect(load(await page.text())("a").attr("href")).toBe("https://github.com/apps/recheck-of-ours/installations/new");
    expect(await registering.registered).toEqual({
      install: "https://github.com/apps/recheck-of-ours/installations/new",
    });
    expect(github.asked).toEqual(["POST /app-manifests/a-code/conversions"]);
    expect(
      violations({
        method: "POST",
        path: "/app-manifests/a-code/conversions",
        query: {},
        body: undefined,
        status: 201,
      }),
    ).toEqual([]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    const { PRIVATE_KEY = "", ...others } = parseEnv(readFileSync(file(), "utf8"));
    expect(others).toEqual({ APP_ID: "4711", WEBHOOK_SECRET: "5ec7e7" });
    const signature = createSign("RSA-SHA256").update("us").sign(pemOf(PRIVATE_KEY));
    expect(createVerify("RSA-SHA256").update("us").verify(createPublicKey(publicKey), signature)).toBe(true);
  });

  test("writes each variable on a line of its own, without quotes, as containers read it", async () => {
    const registering = await begin();
    await back(registering);
    const lines = readFileSync(file(), "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe("# Recheck of ours: https://github.com/apps/recheck-of-ours");
    expect(lines.slice(1).map((line) => line.split("=", 1)[0])).toEqual(["APP_ID", "WEBHOOK_SECRET", "PRIVATE_KEY"]);
    expect(lines.join("")).not.toMatch(/["']/);
  });

  test.each([{ name: "Ours\nWEBHOOK_SECRET=evil" }, { html_url: "https://github.com/apps/a\r\nAPP_ID=1" }])(
    "writes no file if an answer would add lines to it: %j",
    async (more) => {
      github.answer.body = { ...github.answer.body, ...more };
      expect((await back(await begin())).status).toBe(502);
      expect(existsSync(file())).toBe(false);
    },
  );

  test("for an organisation, or with a GitHub of one's own", async () => {
    const { to } = await sent(
      await begin({ organization: "some-org", website: pageOfGitHub("https://github.example.com/api/v3").origin }),
    );
    expect(to.origin + to.pathname).toBe("https://github.example.com/organizations/some-org/settings/apps/new");
  });

  test("a GitHub is opened at its own address, and so are the repositories there", () => {
    expect(pageOfGitHub("https://api.tenant.ghe.com").href).toBe("https://tenant.ghe.com/");
    expect(pageOfReport({ repo: "owl/elm", githubApi: "https://api.tenant.ghe.com" })).toBe(
      "https://tenant.ghe.com/owl/elm",
    );
    expect(pageOfGitHub(undefined).href).toBe("https://github.com/");
  });

  test("takes no code that another page sent", async () => {
    const registering = await begin();
    expect((await back(registering, "a-code", "another-state")).status).toBe(400);
    expect((await fetch(`${registering.page}registered`)).status).toBe(400);
    expect((await fetch(`${registering.page}elsewhere`)).status).toBe(404);
    expect(github.asked).toEqual([]);
    expect((await back(registering)).status).toBe(200);
  });

  test("DNS rebinding: answers under its own name only, and in no frame", async () => {
    const registering = await begin();
    const { port } = new URL(registering.page);
    const asked = async (host: string) => {
      const got = Promise.withResolvers<IncomingMessage>();
      request({ host: "127.0.0.1", port, path: "/", headers: { host } }, got.resolve).once("error", got.reject).end();
      const answer = await got.promise;
      return { status: answer.statusCode, headers: answer.headers, text: await text(answer) };
    };
    for (const host of [`rebound.example.org:${port}`, "localhost", `127.0.0.1:${port}`, `localhost:${port}.example`]) {
      const { status, text } = await asked(host);
      expect([status, text.includes("state=")], host).toEqual([421, false]);
    }
    const own = await asked(`localhost:${port}`);
    expect([own.status, own.text.includes("state=")]).toEqual([200, true]);
    expect(own.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(own.headers["x-frame-options"]).toBe("DENY");
  });

  test("says when GitHub does not know the code, and can be begun again", async () => {
    const registering = await begin();
    const { answer } = github;
    github.answer = { status: 404, body: { message: "Not Found" } };
    const page = await back(registering);
    expect([page.status, await page.text()]).toEqual([502, expect.stringContaining("GitHub answered 404")]);
    github.answer = answer;
    expect((await back(registering, "another/code")).status).toBe(200);
    expect(github.asked[1]).toBe("POST /app-manifests/another%2Fcode/conversions");
  });

  test("says why GitHub could not be asked, and can be begun again", async () => {
    const closed = await begin({ api: `http://127.0.0.1:${await freePort()}` });
    const page = await back(closed);
    expect(page.status).toBe(502);
    expect(
      load(await page.text())("p")
        .first()
        .text(),
    ).toBe("GitHub could not be asked for the key: no connection: refused.");
    closed.close();
    const late = AbortSignal.abort(new DOMException("", "TimeoutError"));
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(late);
    const silent = await begin({ fetch: async (_, init) => Promise.reject(init?.signal?.reason) });
    const waited = await back(silent);
    timeout.mockRestore();
    expect(await waited.text()).toContain("GitHub could not be asked for the key: timed out after 30 s.");
    expect(existsSync(file())).toBe(false);
  });

  test("writes over no key that is there, and asks for an address that GitHub can reach", async () => {
    writeFileSync(file(), "APP_ID=1\n");
    await expect(begin()).rejects.toThrow("recheck.env exists already");
    rmSync(file());
    const nowhere = join(file(), "recheck.env");
    await expect(begin({ file: nowhere })).rejects.toThrow(`${nowhere} cannot be written: there is no such folder`);
    for (const server of ["", "recheck.example.org", "http://recheck.example.org", "https://localhost:3000"]) {
      await expect(begin({ server }), server).rejects.toThrow("give the public URL of the server");
    }
    await expect(begin({ organization: "some org" })).rejects.toThrow("organisation");
  });
});
