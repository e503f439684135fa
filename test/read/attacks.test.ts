import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { services } from "../../bench/hostile/services.ts";
import { Failure } from "../../src/model/failure.ts";
import { readers } from "../../src/read/index.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { response, source } from "./given.ts";

/** Tells what a reading holds, or why there is none. */
async function readingOf(kind: string, body: string, address?: string): Promise<string> {
  const reader = readers.get(kind) ?? expect.fail(`no kind ${kind}`);
  try {
    return JSON.stringify(await reader.read(response(body), source(reader, {}, address)));
  } catch (error) {
    if (error instanceof Failure && error.kind !== "internal") return error.message;
    throw error;
  }
}

describe("XML entity expansion", () => {
  const bombs = services.filter(({ name }) => name === "entities of entities");

  test("there is one for each kind that reads XML", () => {
    expect(new Set(bombs.map(({ kind }) => kind))).toEqual(
      new Set(["arxiv", "feed", "github-commits", "github-releases", "maven"]),
    );
  });

  test.each(bombs.map((bomb) => [bomb.about, bomb] as const))("%s: nothing is expanded", async (_, bomb) => {
    const begun = processorTime();
    expect(await readingOf(bomb.kind, bomb.make(2_000) as string)).not.toContain("lollol");
    expectTime(processorTime() - begun, 4_000);
  });
});

describe("file read through a parser", () => {
  const folder = mkdtempSync(join(tmpdir(), "recheck-file-"));
  const file = join(folder, "secret.txt");
  const canary = "canary-of-a-file-7f3a9c";
  writeFileSync(file, `${canary}\n`);
  afterAll(() => rmSync(folder, { recursive: true }));
  const url = pathToFileURL(file).href;
  const text = "The engine is read by everybody, and says so in some words.";
  const entity = (system: string) =>
    `<!DOCTYPE rss [<!ENTITY x SYSTEM "${system}">]><rss version="2.0"><channel><title>t</title><item><guid>1</guid><title>&x;</title></item></channel></rss>`;
  const md = "https://engine.example/a.md";
  const rst = "https://engine.example/a.rst";

  test("the file can be read", () => expect(readFileSync(file, "utf8")).toContain(canary));

  test.each<[name: string, kind: string, body: string, address?: string]>([
    ["an external entity", "feed", entity(url)],
    ["an external entity by its path", "feed", entity(file)],
    [
      "an external document type",
      "feed",
      `<!DOCTYPE rss SYSTEM "${url}"><rss version="2.0"><channel><title>t</title></channel></rss>`,
    ],
    ["a parameter entity", "arxiv", `<!DOCTYPE a [<!ENTITY % x SYSTEM "${url}"> %x;]><OAI-PMH></OAI-PMH>`],
    [
      "XInclude",
      "feed",
      `<rss version="2.0" xmlns:xi="http://www.w3.org/2001/XInclude"><channel><title>t</title><item><title><xi:include href="${url}" parse="text"/></title></item></channel></rss>`,
    ],
    [
      "a stylesheet",
      "feed",
      `<?xml-stylesheet type="text/xsl" href="${url}"?><rss version="2.0"><channel><title>t</title></channel></rss>`,
    ],
    [
      "a frame",
      "page",
      `<!doctype html><main><p>${text}</p><iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"></main>`,
    ],
    [
      "an import",
      "page",
      `<!doctype html><base href="${pathToFileURL(folder).href}/"><link rel="import" href="secret.txt"><main><p>${text}</p><img src="secret.txt"></main>`,
    ],
    [
      "a server-side include",
      "page",
      `<!doctype html><main><p>${text}</p><!--#include file="${file}" --><esi:include src="${url}"/></main>`,
    ],
    ["an include of reStructuredText", "text", `Engine\n======\n\n${text}\n\n.. include:: ${file}\n`, rst],
    ["a literal include", "text", `Engine\n======\n\n.. literalinclude:: ${file}\n\n${text}\n`, rst],
    ["raw text of a file", "text", `Engine\n======\n\n.. raw:: html\n   :file: ${file}\n\n${text}\n`, rst],
    ["raw text of an address", "text", `Engine\n======\n\n.. raw:: html\n   :url: ${url}\n\n${text}\n`, rst],
    ["a table of a file", "text", `Engine\n======\n\n.. csv-table:: a\n   :file: ${file}\n\n${text}\n`, rst],
    ["an include of MyST", "text", `# Engine\n\n\`\`\`{include} ${file}\n\`\`\`\n\n${text}\n`, md],
    [
      "an include of MyST that is literal",
      "text",
      `# Engine\n\n\`\`\`{literalinclude} ${file}\n\`\`\`\n\n${text}\n`,
      md,
    ],
    ["reStructuredText in MyST", "text", `# Engine\n\n\`\`\`{eval-rst}\n.. include:: ${file}\n\`\`\`\n\n${text}\n`, md],
    ["front matter", "text", `---\na: !!include ${file}\nb: !include ${file}\n---\n\n# Engine\n\n${text}\n`, md],
    [
      "a template",
      "text",
      `# Engine\n\n{% include "${file}" %} {{ include("${file}") }} <%= File.read("${file}") %>\n\n${text}\n`,
      md,
    ],
    [
      "a PDF's external stream",
      "pdf",
      `%PDF-1.7\n1 0 obj << /Length 0 /F (${file}) /FFilter /FlateDecode >>\nstream\n\nendstream endobj`,
    ],
    ["references of JSON", "json", JSON.stringify({ $ref: url, a: { $include: file } })],
  ])("%s reads none", async (_, kind, body, address) => {
    expect(await readingOf(kind, body, address)).not.toContain(canary);
  });
});
