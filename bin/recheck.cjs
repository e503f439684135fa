#!/usr/bin/env node
// The way in: plain enough for a Node of ten years ago, so that it can say which one is wanted.
var wanted = [22, 13];
var found = process.versions.node.split(".").map(Number);
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  process.stderr.write(
    "Recheck needs Node " + wanted.join(".") + " or newer; this is " + process.versions.node + ": https://nodejs.org/en/download\n",
  );
  process.exitCode = 1;
} else if (!require("fs").existsSync(__dirname + "/../dist/main.js")) {
  process.stderr.write(
    "This copy of Recheck is not built. Install a release, or run `npm ci && npm run build` in a clone.\n",
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
    var fs = require("fs");
    var join = require("path").join;
    var cache = env.XDG_CACHE_HOME || env.LOCALAPPDATA || join(require("os").homedir(), ".cache");
    var all = join(cache, "recheck", "node");
    var own = join(all, require("../package.json").version);
    if (!fs.existsSync(own)) forgetOld(fs, join, all);
    enable(own);
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

// Where a version begins its folder, those that earlier ones began more than a month ago are of use to few.
function forgetOld(fs, join, all) {
  try {
    fs.readdirSync(all).forEach(function (name) {
      var old = Date.now() - fs.statSync(join(all, name)).mtimeMs > 31 * 24 * 3600 * 1000;
      if (old) fs.rmSync(join(all, name), { recursive: true, force: true });
    });
  } catch (_) {
    // There is none yet, or it is not ours to write.
  }
}
