import { writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { migrate, migrations } from "../../../src/adapters/store/migrations.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { check, evidence, firing, kept, sighting, snapshot, watch } from "./samples.ts";

/**
 * A process that is killed while it writes: `commit` keeps look after check and prints the number of each that was
 * acknowledged; `migrate` is killed by its own second migration, half-way.
 */

const [what, path] = process.argv.slice(2) as [string, string];
const say = (text: unknown) => writeSync(1, `${text}\n`);

if (what === "commit") {
  const store = (await openStore(path)).repository("lab/report");
  const [before] = await store.watches();
  for (let number = (before?.checks ?? 0) + 1; ; number++) {
    await store.commit((tx) =>
      tx.keep(
        kept("a", {
          watch: watch("a", { checks: number }),
          check: check("a", number),
          memory: String(number),
          snapshot: snapshot("a", number, "text ".repeat(number % 5_000)),
          claims: [{ claim: "a/x", status: "altered", since: number }],
          events: [sighting(`e ${number}`, "a")],
          firings: [
            firing("t", `e ${number}`, { evidence: [evidence("a", number), evidence("a", number, { part: "also" })] }),
          ],
        }),
      ),
    );
    say(number);
  }
}

if (what === "hold") {
  await openStore(path);
  say("open");
  setInterval(() => {}, 1_000);
}

if (what === "migrate") {
  const database = new DatabaseSync(path);
  migrate(database, path, [
    ...migrations,
    (half) => {
      half.exec("alter table firing rename column weight to strength; delete from evidence");
      say("half-way");
      process.kill(process.pid, "SIGKILL");
    },
  ]);
}
