import { RequestError } from "octokit";
import { afterEach, describe, expect, test } from "vitest";
import { problemOf } from "../../src/adapters/github/call.ts";
import { bytesWithoutSecrets, keepSecret, withoutSecrets } from "../../src/adapters/secrets.ts";
import { keepSecretsOf } from "../../src/faces/environment.ts";
import { closeAll, fetching, page, response, web } from "./fetch/local-web.ts";

afterEach(closeAll);

/** A word that stands nowhere else. */
const canary = (name: string): string => `canary-${name.toLowerCase().replaceAll("_", "-")}-5ag7`;

describe("our own secrets", () => {
  const key = ["-----BEGIN RSA PRIVATE KEY-----", "MIIEowIBAAKCAQEAcanary5ag7line1", "MIIEowIBAAKCAQEAcanary5ag7line2"];
  const environment = {
    ...Object.fromEntries(
      [
        "GITHUB_TOKEN",
        "GITHUB_COM_TOKEN",
        "WEBHOOK_SECRET",
        "ARCHIVE_ACCESS_KEY",
        "ARCHIVE_SECRET_KEY",
        "RECHECK_METRICS_TOKEN",
        "PGPASSWORD",
        "RECHECK_NOTIFY_TEAM_SECRET",
      ].map((name) => [name, canary(name)]),
    ),
    PRIVATE_KEY: key.join("\\n"),
    RECHECK_SMTP_URL: `smtps://user:${encodeURIComponent(`${canary("SMTP")}/+`)}@mail.example.org`,
    HTTPS_PROXY: `http://user:${canary("PROXY")}@proxy.example.org:3128`,
    DATABASE_URL: `postgres://user:${canary("DATABASE")}@db.example.org/recheck`,
    RECHECK_HEARTBEAT: `https://watch.example.org/${canary("HEARTBEAT")}`,
    RECHECK_NOTIFY_CHAT: `https://hooks.example.org/services/${canary("CHAT")}?a=1`,
    RECHECK_NOTIFY_MAIL: "team@example.org",
    RECHECK_REPO: "owner/repository",
  };
  keepSecretsOf(environment);

  test.each(Object.entries(environment).filter(([, value]) => /5ag7/.test(value)))(
    "of %s are in no text",
    (name, value) => {
      const told = withoutSecrets(`It failed with "${value}", and said: ${value}.`);
      expect(told, name).not.toContain("5ag7");
      expect(told).toMatch(/^It failed with ".*\[secret\].*", and said: .*\[secret\].*\.$/s);
    },
  );

  test("are not shown in the spelling of JSON either, which logs and answers are written in", () => {
    const secret = 'canary"quoted\\5ag7';
    keepSecret(secret);
    for (const text of [secret, JSON.stringify(secret), JSON.stringify({ said: `it is ${secret}` })])
      expect(withoutSecrets(text)).not.toMatch(/5ag7|canary/);
  });

  test("are in none as HTTP and SMTP send them either", () => {
    for (const sent of [`user:${canary("PROXY")}`, `user:${canary("SMTP")}/+`, `${canary("SMTP")}/+`])
      expect(withoutSecrets(`sent: ${Buffer.from(sent).toString("base64")}`)).toBe("sent: [secret]");
    expect(withoutSecrets(`${canary("SMTP")}/+`)).toBe("[secret]");
  });

  test("are no addresses of people, names of repositories or short words", () => {
    keepSecret("token");
    const text = "team@example.org, owner/repository, a token";
    expect(withoutSecrets(text)).toBe(text);
  });

  test("that end by themselves are forgotten once there are very many, those of the operator never", () => {
    for (let n = 0; n < 300; n++) keepSecret(`ghs_passing5ag7${n} `, true);
    expect(withoutSecrets("ghs_passing5ag7299 ghs_passing5ag70 ")).toBe("[secret]ghs_passing5ag70 ");
    expect(withoutSecrets(canary("GITHUB_TOKEN"))).toBe("[secret]");
  });

  test("are cut out whole if one begins with another, with any signs in them", () => {
    for (const secret of ["canary.5ag7", "canary.5ag7(longer)+$", "canary[5ag7]|^*?{2}\\"]) keepSecret(secret);
    expect(withoutSecrets("canary.5ag7 canary.5ag7(longer)+$ canary[5ag7]|^*?{2}\\ canary-5ag8")).toBe(
      "[secret] [secret] [secret] canary-5ag8",
    );
  });

  test("are cut out of bytes, and all other bytes stay as they are", () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(canary("GITHUB_TOKEN")), Buffer.from("é")]);
    expect(bytesWithoutSecrets(bytes)).toEqual(
      Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from("[secret]"), Buffer.from("é")]),
    );
    const clean = Buffer.from("nothing");
    expect(bytesWithoutSecrets(clean)).toBe(clean);
  });

  test("that a source repeats are in nothing of its answer that is kept", async () => {
    const local = await web((request, answer) => {
      const { authorization = "" } = request.headers;
      page(answer, `You sent ${authorization}.`, { "x-you-sent": authorization });
    });
    const fetch = fetching({ githubApi: local.origin, githubToken: async () => canary("GITHUB_TOKEN") });
    const got = await response(fetch, { url: "https://api.github.com/repos/octo/demo", githubApi: true });
    expect(local.seen[0]?.headers.authorization).toContain("5ag7");
    expect(Buffer.from(got.response.body).toString()).toBe("You sent Bearer [secret].");
    expect(got.response.headers["x-you-sent"]).toBe("Bearer [secret]");
  });

  test("that GitHub repeats are in no problem of ours", () => {
    const error = new RequestError("refused", 422, {
      request: { method: "POST", url: "https://api.github.com/x", headers: {} },
      response: {
        ...{ status: 422, url: "https://api.github.com/x", headers: {} },
        data: { message: `Bad token ${canary("GITHUB_TOKEN")}`, errors: [{ message: canary("WEBHOOK_SECRET") }] },
      },
    });
    expect(problemOf(error, { doing: "open an issue", repo: "a/b" }, 0).message).toBe(
      "GitHub refused to open an issue (422): Bad token [secret]; [secret]",
    );
  });
});
