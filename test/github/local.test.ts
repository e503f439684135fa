import { createSign, generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./openapi.ts";
import { type LocalGitHub, type Recorded, startGitHub } from "./server.ts";

let local: LocalGitHub;
beforeAll(async () => {
  local = await startGitHub();
});
afterAll(() => local.close());

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${local.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${local.token}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, data: text === "" ? undefined : JSON.parse(text) };
}
const issues = "/repos/example/report/issues";

function signed(privateKey: string, iat: number, exp: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const head = `${part({ alg: "RS256", typ: "JWT" })}.${part({ iss: String(local.app.id), iat, exp })}`;
  return `${head}.${createSign("RSA-SHA256").update(head).sign(privateKey, "base64url")}`;
}

describe("the local GitHub is as strict as the real one", () => {
  test("with tokens", async () => {
    expect((await ask("GET", issues, undefined, { authorization: "Bearer nobody" })).status).toBe(401);
    expect((await ask("POST", issues, { title: "x" }, { authorization: "token ghs_made_up" })).status).toBe(401);
    const anonymous = await fetch(`${local.url}${issues}`, { method: "POST", body: "{}" });
    expect(anonymous.status).toBe(401);
    expect((await fetch(`${local.url}/repos/example/report`)).status).toBe(200);
  });

  test("with the App's signature and its time", async () => {
    const now = Math.floor(Date.now() / 1000);
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
      type: "pkcs1",
      format: "pem",
    });
    const app = async (key: string, from: number, to: number) =>
      (await ask("GET", "/app", undefined, { authorization: `Bearer ${signed(key, from, to)}` })).status;
    expect(await app(local.app.privateKey, now - 30, now + 500)).toBe(200);
    expect(await app(String(other), now - 30, now + 500)).toBe(401);
    expect(await app(local.app.privateKey, now - 900, now - 300)).toBe(401);
    expect(await app(local.app.privateKey, now, now + 3_600)).toBe(401);
  });

  test("with lengths, counted in code points", async () => {
    expect((await ask("POST", issues, { title: "x".repeat(257) })).status).toBe(422);
    expect((await ask("POST", issues, { title: "𝔸".repeat(256), body: "𝔸".repeat(65_536) })).status).toBe(201);
    const { status, data } = await ask("PATCH", `${issues}/1`, { body: "x".repeat(65_537) });
    expect(status).toBe(422);
    expect(data.errors[0].message).toBe("body is too long (maximum is 65536 characters)");
    expect((await ask("POST", `${issues}/1/comments`, { body: "x".repeat(65_537) })).status).toBe(422);
    expect((await ask("POST", "/repos/example/report/labels", { name: "x".repeat(51) })).status).toBe(422);
  });

  test("with unchanged answers", async () => {
    const { headers } = await ask("GET", "/repos/example/report/labels");
    const etag = headers.get("etag") ?? "";
    expect((await ask("GET", "/repos/example/report/labels", undefined, { "if-none-match": etag })).status).toBe(304);
    await ask("POST", "/repos/example/report/labels", { name: "new" });
    expect((await ask("GET", "/repos/example/report/labels", undefined, { "if-none-match": etag })).status).toBe(200);
  });
});

test("it knows reactions, once each", async () => {
  await ask("POST", issues, { title: "react" });
  expect((await ask("POST", `${issues}/1/reactions`, { content: "+1" })).status).toBe(201);
  expect((await ask("POST", `${issues}/1/reactions`, { content: "+1" })).status).toBe(200);
  expect((await ask("GET", `${issues}/1/reactions`)).data).toHaveLength(1);
});

test("it answers below /api/v3 too, and speaks of itself under its own address", async () => {
  const { data } = await ask("POST", `/api/v3${issues}`, { title: "enterprise" });
  expect(data.url).toBe(`${local.url}${issues}/${data.number}`);
  for (let count = 0; count < 3; count++) await ask("POST", issues, { title: "page" });
  expect((await ask("GET", `${issues}?per_page=2`)).headers.get("link")).toContain(`<${local.url}${issues}`);
});

test("it fails before or after it did what was asked, so many times", async () => {
  const count = async () => (await local.asPerson<unknown[]>("GET", "/issues?per_page=100")).length;
  const before = await count();
  local.fault({ match: /^POST .*\/issues$/, status: 502, when: "before", times: 2 });
  expect((await ask("POST", issues, { title: "a" })).status).toBe(502);
  expect((await ask("POST", issues, { title: "a" })).status).toBe(502);
  expect(await count()).toBe(before);
  local.fault({ match: /^POST .*\/issues$/, status: 502, when: "after" });
  expect((await ask("POST", issues, { title: "a" })).status).toBe(502);
  expect(await count()).toBe(before + 1);
  local.fault({ match: /^POST .*\/issues$/, when: "after" });
  await expect(ask("POST", issues, { title: "a" })).rejects.toThrow();
  expect(await count()).toBe(before + 2);
});

describe("a request is held against GitHub's own description", () => {
  const request = (more: Partial<Recorded>): Recorded => ({
    method: "POST",
    path: issues,
    query: {},
    body: { title: "x", labels: ["a"] },
    status: 201,
    ...more,
  });

  test.each<[string, Partial<Recorded>]>([
    ["an issue", {}],
    ["a list", { method: "GET", query: { state: "all", per_page: "100", page: "2" }, body: undefined }],
    ["a branch with a slash", { method: "GET", path: "/repos/a/b/git/ref/heads/one/two", body: undefined }],
    ["null where it may be", { method: "PATCH", path: `${issues}/1`, body: { body: null } }],
  ])("%s passes", (_, more) => {
    expect(violations(request(more))).toEqual([]);
  });

  test.each<[string, Partial<Recorded>, RegExp]>([
    ["an operation that does not exist", { path: "/repos/a/b/issue" }, /no such operation/],
    ["a method that does not exist", { method: "PUT" }, /no such operation/],
    ["a missing title", { body: { body: "x" } }, /must have required property 'title'/],
    ["a wrong type", { body: { title: "x", labels: "a" } }, /labels/],
    ["a word that nobody reads", { body: { title: "x", label: ["a"] } }, /body label is unknown/],
    ["no body", { body: undefined }, /the body is missing/],
    [
      "a number that is none",
      { method: "PATCH", path: `${issues}/one`, body: {} },
      /path issue_number must be integer/,
    ],
    ["a state that does not exist", { method: "GET", query: { state: "shut" }, body: undefined }, /query state/],
    ["an unknown query", { method: "GET", query: { stat: "all" }, body: undefined }, /query stat is unknown/],
    ["a body where none belongs", { method: "GET", body: {} }, /a body where none belongs/],
  ])("%s does not", (_, more, words) => {
    expect(violations(request(more)).join()).toMatch(words);
  });
});
