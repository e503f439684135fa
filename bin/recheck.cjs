#!/usr/bin/env node
// The way in: plain enough for a Node of ten years ago, so that it can say which one is wanted.
var wanted = [22, 13];
var found = process.versions.node.split(".").map(Number);
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  process.stderr.write(
    "Recheck needs Node " + wanted.join(".") + " or newer; this is " + process.versions.node + ": https://nodejs.org/en/download\n",
  );
  process.exitCode = 1;
} else {
  // Node 22 warns at each start that its SQLite may change; what Recheck uses of it is tested on that Node.
  var emitWarning = process.emitWarning;
  process.emitWarning = function (warning) {
    if (!/^SQLite is an experimental feature/.test(warning)) emitWarning.apply(process, arguments);
  };
  // Node keeps what it made of the program's text in this user's cache, so that the next start need not make it again.
  var enable = require("module").enableCompileCache;
  var env = process.env;
  if (enable && !env.NODE_COMPILE_CACHE) {
    var cache = env.XDG_CACHE_HOME || env.LOCALAPPDATA || require("path").join(require("os").homedir(), ".cache");
    enable(require("path").join(cache, "recheck", "node"));
  }
  // The program's files lie beside each other: Node need not ask the file system for each of their names.
  var hooks = require("module").registerHooks;
  if (hooks) {
    hooks({
      resolve: function (name, from, next) {
        if (!/^\.\/[\w-]+\.js$/.test(name) || !from.parentURL) return next(name, from);
        return { url: new URL(name, from.parentURL).href, format: "module", shortCircuit: true };
      },
    });
  }
  import("../dist/main.js");
}
