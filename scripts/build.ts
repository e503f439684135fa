/**
 * Writes dist/: the whole program as a few files that run on any Node that package.json allows. The published package, the
 * action and the container are made of them; nothing else needs to be installed. Programs of the tests can be named as well.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { build, type Plugin } from "esbuild";

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  options: { out: { type: "string", default: join(root, "dist") } },
  allowPositionals: true,
});

/**
 * The parts of undici that send requests: its index loads everything that a browser has, at each start. A name that is not
 * here is an error of the build. These parts use little of Node's `http` and, as no route allows HTTP/2, nothing of `http2`;
 * with either, Node would load its own undici as well.
 */
const partsOfUndici: Plugin = {
  name: "parts of undici",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "parts" }));
    onResolve({ filter: /^node:http2?$/ }, ({ path, importer }) =>
      /undici\/lib\/(?:core|dispatcher)\//.test(importer) ? { path, namespace: "parts" } : undefined,
    );
    onLoad({ filter: /^node:http$/, namespace: "parts" }, () => ({
      // Node's limit for the bytes of headers.
      contents: "exports.maxHeaderSize = 16_384; exports.IncomingMessage = class {};",
    }));
    // As undici has it for a Node without HTTP/2.
    onLoad({ filter: /^node:http2$/, namespace: "parts" }, () => ({ contents: "exports.constants = {};" }));
    onLoad({ filter: /^undici$/, namespace: "parts" }, () => ({
      contents: `
        import api from "undici/lib/api/index.js";
        import Dispatcher from "undici/lib/dispatcher/dispatcher.js";
        Object.assign(Dispatcher.prototype, api);
        export { default as Agent } from "undici/lib/dispatcher/agent.js";
        export { default as Pool } from "undici/lib/dispatcher/pool.js";
        export { default as EnvHttpProxyAgent } from "undici/lib/dispatcher/env-http-proxy-agent.js";
        export { default as buildConnector } from "undici/lib/core/connect.js";
        export { default as errors } from "undici/lib/core/errors.js";
        export const fetch = (...given) => require("undici/lib/web/fetch/index.js").fetch(...given);
        export const parseCookie = (line) => require("undici/lib/web/cookies/parse.js").parseSetCookie(line);
      `,
      resolveDir: root,
    }));
  },
};

rmSync(values.out, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    main: "src/faces/cli/main.ts",
    action: "src/faces/action.ts",
    "sandbox-thread": "src/faces/app/sandbox-thread.ts",
    worker: "src/faces/worker.ts",
    ...Object.fromEntries(positionals.map((path) => [basename(path, ".ts"), path])),
  },
  outdir: values.out,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.13",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  metafile: true,
  plugins: [partsOfUndici],
  // Some libraries are CommonJS and ask for parts of Node.
  banner: { js: 'import{createRequire as require_}from"node:module";const require=require_(import.meta.url);' },
});
writeFileSync(join(values.out, "licences.txt"), licences(Object.keys(metafile.inputs)));
// Marks the modules as ECMAScript modules, even if the folder is copied.
writeFileSync(join(values.out, "package.json"), '{ "type": "module" }\n');

/** The licence of every package that has a part in the bundle. */
function licences(files: readonly string[]): string {
  const folders = files.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  return [...new Set(folders)]
    .filter((folder) => existsSync(join(root, folder, "package.json")))
    .sort()
    .map((folder) => {
      const path = join(root, folder);
      const { name, version, license } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      const file = readdirSync(path).find((one) => /^(?:licen[cs]e|copying)(?:\.|-|$)/i.test(one));
      const text = file ? readFileSync(join(path, file), "utf8").trim() : "";
      return `${name} ${version}: ${license}\n\n${text}`;
    })
    .join(`\n\n${"-".repeat(80)}\n\n`);
}
