import { describe, expect, test } from "vitest";
import { placeFrom, settingsFrom } from "../../src/faces/environment.ts";
import { userAgent } from "../../src/wire/addresses.ts";

describe("the web archive of the environment", () => {
  const wayback = "https://web.archive.org/web/";
  const keys = { ARCHIVE_ACCESS_KEY: "open", ARCHIVE_SECRET_KEY: "sesame" };
  const archive = (env: Readonly<Record<string, string>>) => settingsFrom(env).archive;

  test("is the Wayback Machine by default, which is asked and not written to", () => {
    expect(archive({})).toEqual({ timegate: wayback });
    expect(archive({ ...keys, RECHECK_ARCHIVE_SAVE: "no" })).toEqual({ timegate: wayback });
    expect(archive({ RECHECK_ARCHIVE: "none" })).toBeUndefined();
    expect(archive({ RECHECK_ARCHIVE: "https://arquivo.pt/wayback" })).toEqual({
      timegate: "https://arquivo.pt/wayback/",
    });
  });

  test("keeps pages if the operator says so, and has keys for it", () => {
    const save = { address: "https://web.archive.org/save/", accessKey: "open", secretKey: "sesame" };
    expect(archive({ ...keys, RECHECK_ARCHIVE_SAVE: "yes" })).toEqual({ timegate: wayback, save });
    const other = "https://archive.example/save/";
    expect(archive({ ...keys, RECHECK_ARCHIVE_SAVE: other })?.save).toEqual({ ...save, address: other });
  });

  test.each([
    [{ RECHECK_ARCHIVE: "the web" }, "RECHECK_ARCHIVE must be the address of a TimeGate, or none"],
    [{ RECHECK_ARCHIVE_SAVE: "yes" }, "RECHECK_ARCHIVE_SAVE needs ARCHIVE_ACCESS_KEY and ARCHIVE_SECRET_KEY"],
    [
      { ...keys, RECHECK_ARCHIVE_SAVE: "http://archive.example/save/" },
      "RECHECK_ARCHIVE_SAVE must be yes, no or an address that begins with https:",
    ],
  ])("%j is refused in one sentence, without its value", (env, says) => {
    expect(() => archive(env)).toThrow(says);
  });
});

test("the branch of a workflow's run is known on a branch only", () => {
  const branch = (ref?: string) => settingsFrom({ ...(ref !== undefined && { GITHUB_REF: ref }) }).run?.branch;
  expect(branch("refs/heads/feature/a-b")).toBe("feature/a-b");
  expect(["refs/pull/12/merge", "refs/tags/v1", "refs/heads/", "", undefined].map(branch)).toEqual(
    Array(5).fill(undefined),
  );
});

describe("the address of a database", () => {
  const data = (env: Readonly<Record<string, string>>) => settingsFrom(env).data;

  test("is the place of the store, with any folder named", () => {
    expect(data({ DATABASE_URL: " postgres://a@db/recheck ", RECHECK_DATA: "/data" })).toBe("postgres://a@db/recheck");
    expect(data({ RECHECK_DATA: "/data" })).toBe("/data");
  });

  test.each([
    "mysql://a:secret@db/recheck",
    "secret",
    "postgres://a:secret@db",
    "postgres://a:1/secret@db:5432/recheck",
  ])("%s is refused without being repeated", (address) => {
    expect(() => data({ DATABASE_URL: address })).toThrow(/^DATABASE_URL (?!.*secret)/);
  });

  test.each([
    ["ssl_mode=verify-full", /did you mean sslmode\?/],
    ["sslmode=verify-full&sslrootcrt=ca.pem", /did you mean sslrootcert\?/],
    ["sslmode=verify_full", /sslmode must be one of .*verify-full$/],
  ])("is refused where its TLS is misspelt: %s", (parameters, says) => {
    expect(() => data({ DATABASE_URL: `postgres://a@db/recheck?${parameters}` })).toThrow(says);
  });

  test.each([
    ["sslmode=require", "sslmode=verify-full"],
    ["a=b&sslmode=verify-ca&sslrootcert=ca.pem", "a=b&sslmode=verify-full&sslrootcert=ca.pem"],
    ["sslmode=require&uselibpqcompat=true", "sslmode=require&uselibpqcompat=true"],
    ["sslmode=no-verify&channel_binding=require", "sslmode=no-verify&channel_binding=require"],
  ])("%s is read as %s, and nothing warns of it", (parameters, read) => {
    expect(data({ DATABASE_URL: `postgres://a@db/recheck?${parameters}` })).toBe(`postgres://a@db/recheck?${read}`);
  });

  test("or a folder, is where the store is carried to", () => {
    expect(placeFrom("--to", " postgres://a@db/recheck ")).toBe("postgres://a@db/recheck");
    expect(placeFrom("--to", "../C:/data")).toBe("../C:/data");
  });

  test.each([
    "mysql://a:secret@db/recheck",
    "Postgres://a:secret@db/recheck",
    "postgres://a:sec/ret#secret@db:5432/recheck",
    "postgres://a:secret@db",
    ":memory:",
    " ",
  ])("%j is no place to carry the store to, and is not repeated", (place) => {
    expect(() => placeFrom("--to", place)).toThrow(/^--to (?!.*secret)/);
  });
});

test("the browser of the environment is an address, which is not repeated", () => {
  for (const browser of ["ws://127.0.0.1:9222/devtools/browser/1", "https://chrome.example?token=secret"])
    expect(settingsFrom({ RECHECK_BROWSER: browser }).browser).toBe(browser);
  expect(settingsFrom({}).browser).toBeUndefined();
  for (const wrong of ["chrome", "localhost:9222", "file:///usr/bin/chromium?token=secret"])
    expect(() => settingsFrom({ RECHECK_BROWSER: wrong })).toThrow(/^RECHECK_BROWSER must be an address (?!.*secret)/);
});

test("the contact of the environment is a mail address, and sent with requests", () => {
  expect(settingsFrom({ RECHECK_CONTACT: "marsh@example.org" }).contact).toBe("marsh@example.org");
  expect(userAgent({ report: {} }, "marsh@example.org")).toMatch(
    /^Recheck\/\S+ \(citation watcher; mailto:marsh@example\.org\)$/,
  );
  expect(() => settingsFrom({ RECHECK_CONTACT: "a\r\nb" })).toThrow(
    "RECHECK_CONTACT must be a mail address, such as name@example.org",
  );
});
