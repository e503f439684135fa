import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { WrongUsage } from "../../../../src/faces/cli/terminal.ts";
import { Home, json, type LocalWeb, openWeb, page, prose } from "./web.ts";

const article = (about: string) => page(about, "", `<h1>${about}</h1>${prose(about)}`);
const answers = {
  "kites.example/box": article("Box kites"),
  "kites.example/delta": article("Delta kites"),
  "api.crossref.org/v1/works/10.1000%2Fkites": json({ message: { DOI: "10.1000/kites", title: ["Kites"] } }),
};
const bib = `@misc{box2026, title = {Box kites}, url = {https://kites.example/box}}
@article{kites, title = {Kites}, doi = {10.1000/kites}}
@misc{again, title = {Box kites, again}, url = {https://kites.example/box}}
@misc{gone, title = {Gone}, url = {https://kites.example/gone}}
@book{paper, title = {On paper}, isbn = {978-3-16-148410-0}}
@misc{open, title = {Not closed}
`;

let web: LocalWeb;
let home: Home;
let file: string;
beforeAll(async () => {
  web = await openWeb(answers);
});
afterAll(() => web.close());
beforeEach(() => {
  home = new Home(web, "report: { title: Kites, audited: 2026-05-16 }\nsources: {}\n");
  file = join(home.folder, "refs.bib");
  writeFileSync(file, bib);
});
afterEach(() => home.remove());

describe("add of a file of references", () => {
  test("writes each that can be watched under its key, in one go, and asks for nothing twice", async () => {
    const { code, out, yaml, asked } = await home.add(file);
    expect(code, out).toBe(0);
    const { sources } = parse(yaml) as { sources: Record<string, object> };
    expect(Object.entries(sources)).toEqual([
      ["box2026", expect.objectContaining({ page: "https://kites.example/box" })],
      ["kites", expect.objectContaining({ doi: "10.1000/kites" })],
    ]);
    expect(new Set(asked).size).toBe(asked.length);
    expect(out.split("\n")).toEqual([
      expect.stringMatching(/^✔ +\S+refs\.bib:1 +box2026 +page: https:\/\/kites\.example\/box$/),
      expect.stringMatching(/^✔ +\S+refs\.bib:2 +kites +doi: 10\.1000\/kites$/),
      expect.stringMatching(/refs\.bib:3 {2}Box kites, again: this is watched already, by the source "box2026"/),
      expect.stringMatching(/refs\.bib:4 {2}Gone: it could not be read as page: 404, not found$/),
      expect.stringMatching(
        /refs\.bib:5 {2}On paper \(ISBN 978-3-16-148410-0\): it has no address that can be checked/,
      ),
      expect.stringMatching(/refs\.bib:6: entry open is not closed$/),
      "",
      // The program is called as this run was.
      expect.stringMatching(/^✔ 2 sources of 5 references added to sources\.yaml; \S.* scan does their first check\.$/),
    ]);
  });

  test("writes nothing on a dry run, and gives programs all of it", async () => {
    const { code, out, yaml } = await home.add(file, { dryRun: true, json: true });
    expect([code, yaml]).toEqual([0, "report: { title: Kites, audited: 2026-05-16 }\nsources: {}\n"]);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ written: false, later: 0, added: [{ line: 1 }, { line: 2 }] });
    expect(told.diff).toContain("+");
  });

  test("leaves references that it had no time for, and says so", async () => {
    const many = Array.from({ length: 40 }, (_, i) => `@misc{k${i}, title={K}, url={https://kites.example/${i}}}`);
    writeFileSync(file, many.join("\n"));
    const slow = {
      ...article("Kites"),
      meanwhile: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150),
    };
    for (const i of many.keys()) Object.assign(answers, { [`kites.example/${i}`]: slow });
    const { code, out } = await home.add(file, { minutes: "0.02" });
    expect(code, out).toBe(0);
    expect(out).toMatch(/Time ran out before \d+ references could be checked; use --minutes 10 for more\./);
  });

  test("has a sentence for each file that it refuses", async () => {
    await expect(home.add(file, { id: "one" })).rejects.toThrow(/--id is for a single address, and .* has many/);
    writeFileSync(file, "@misc{a b}\n");
    await expect(home.add(file)).rejects.toThrow(/contains no reference\n.*refs\.bib:1: entry a: a comma is missing/);
    writeFileSync(file, Array.from({ length: 501 }, (_, i) => `@misc{k${i}, title={K}}`).join("\n"));
    await expect(home.add(file)).rejects.toThrow("has 501 references, and at most 500 can be added at once: split it");
    writeFileSync(file, Buffer.alloc(10_000_001, "%"));
    await expect(home.add(file)).rejects.toBeInstanceOf(WrongUsage);
    writeFileSync(file, "@book{paper, title = {On paper}}\n");
    expect(await home.add(file)).toMatchObject({ code: 1, out: expect.stringContaining("Nothing was written.") });
  });
});
