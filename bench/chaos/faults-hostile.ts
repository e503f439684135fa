import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { dirname, join } from "node:path";
import { many } from "../hostile/input.ts";
import type { Dice } from "./dice.ts";
import type { Fault } from "./faults.ts";
import { lagging, lists, rewritten } from "./faults-github.ts";
import { type Ended, settle } from "./program.ts";
import type { Place, World } from "./worlds.ts";

/** Deliberate acts of people who may propose a change, comment, or intercept the connection to the web. */

const hour = 3_600_000;

/** No host of these reports exists. */
const noHost = 3;

/** A command, and the fault in its ending. */
interface Run {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  judge(ended: Ended): string | undefined;
  end?(): void;
}

/** Runs a command on files of its own, beside all else. */
function command(name: string, prepare: (world: World, dice: Dice, folder: string) => Run | Promise<Run>): Fault {
  return {
    name: `hostile: ${name}`,
    begin(world, dice) {
      const folder = join(world.folder, `hostile-${dice.below(1e9)}`);
      mkdirSync(folder);
      return async () => {
        const { args, env, judge, end } = await prepare(world, dice, folder);
        const program = world.beside(args, { RECHECK_DATA: join(folder, "data"), RECHECK_ARCHIVE: "none", ...env });
        await settle(program, world.isBusy, hour);
        // It has nothing left to wait for, but its end takes some real time.
        const late = setTimeout(() => program.kill("SIGKILL"), 30_000);
        const wrong = judge(await program.ended);
        clearTimeout(late);
        if (wrong !== undefined) world.wrongs.push(`${name}: ${wrong}`);
        end?.();
        rmSync(folder, { recursive: true, force: true });
      };
    },
  };
}

/** Layouts that took the square or the cube of their length. */
const layouts: Readonly<Record<string, string>> = {
  "report.md": `# R\n\n${many("\n", 160_000)}\nA vessel holds 7 litres [a](https://a.example/).\n`,
  "README.md": `# R\n\n${many(" \r\n", 160_000)}\nA vessel holds 7 litres [a](https://a.example/).\n`,
  "report.adoc": `= R\n\n|===\n|a${many("\n", 8_000)}b |c\n|===\n\nA vessel holds 7 litres https://a.example/[a].\n`,
};

const givenUp = /took (?:too long|more than)|too much/;

type Files = Readonly<Record<string, string>>;

/** A commit of a fork that no branch leads to, as the head of a pull request. */
async function propose({ github }: World, place: Place, files: Files, mode: "100644" | "120000"): Promise<void> {
  type Sha = { readonly sha: string };
  const ask = <T>(method: string, path: string, body?: unknown) =>
    github.asPerson<T>(method, path, body, "author", place.repo);
  const { object } = await ask<{ object: Sha }>("GET", "/git/ref/heads/main");
  const { tree: before } = await ask<{ tree: Sha }>("GET", `/git/commits/${object.sha}`);
  const tree = Object.entries(files).map(([path, content]) => ({ path, mode, type: "blob", content }));
  const made = await ask<Sha>("POST", "/git/trees", { base_tree: before.sha, tree });
  const commit = { message: "Propose", tree: made.sha, parents: [object.sha] };
  const { sha } = await ask<Sha>("POST", "/git/commits", commit);
  await github.send("pull_request", {
    action: "opened",
    installation: { id: github.app.installation + (place.repo.startsWith("south/") ? 1 : 0) },
    repository: { id: place.id, full_name: place.repo, private: false },
    pull_request: {
      number: 78,
      merged: false,
      head: { ref: "proposal", sha, repo: { id: 999_999 } },
      base: { ref: "main", sha: object.sha, repo: { id: place.id } },
    },
  });
}

/** All text that the App wrote. */
const written = ({ github }: World): string[] =>
  github.requests.flatMap(({ method, body }) => (method === "GET" ? [] : [JSON.stringify(body) ?? ""]));

/** A stranger sees the issue before its maker knows of it, and gives a command there. */
function copied(name: string, lag: boolean): Fault {
  return {
    name: `hostile: ${name}`,
    weight: 3,
    begin(world, dice) {
      const { github, places } = world;
      if (lag) github.fault({ match: lists, when: "after", change: lagging, times: 20 });
      const copy = async (path: string, made: { readonly title: string; readonly body: string }) => {
        const place = places.find(({ names }) => names.some((one) => path.includes(`/${one}/`)));
        if (!place) return;
        const of = async <T>(path: string, body: object) =>
          await github.asPerson<T>("POST", path, body, "reader", place.repo);
        const { number } = await of<{ number: number }>("/issues", { title: made.title, body: made.body });
        const words = dice.one(["/recheck help", "/recheck keep", "/recheck dismiss because it is noise"]);
        const { id } = await of<{ id: number }>(`/issues/${number}/comments`, { body: words });
        world.strangers.push({ place, issue: number, comment: id });
      };
      github.fault({
        match: /^POST \/repos\/.*\/issues$/,
        when: "after",
        times: 1 + dice.below(2),
        change: (given) => {
          const made = JSON.parse(given.body?.toString() ?? "{}");
          if (given.status === 201) world.work(copy(`${new URL(made.url).pathname}/`, made));
          return rewritten(given, (text) => text.slice(0, text.length / 2));
        },
      });
      return () => github.mend();
    },
  };
}

/** A proxy that breaks off every requested tunnel, in its way. */
function proxy(name: string, breakOff: (socket: Socket) => void): Fault {
  return command(name, async (_, __, folder) => {
    const hosts = ["a1", "a2", "a3"];
    let connections = 0;
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    server.on("connection", () => void connections++);
    server.on("connect", (_, socket: Socket) => breakOff(socket.on("error", () => {})));
    const sources = hosts.map((host) => `  ${host}: { page: "https://${host}.example/" }\n`);
    writeFileSync(
      join(folder, "sources.yaml"),
      `report: { title: R, audited: 2026-05-16 }\nsources:\n${sources.join("")}`,
    );
    return {
      args: ["scan", "--all", "--config", folder],
      env: { HTTPS_PROXY: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
      judge: ({ code, out, err }) => {
        // The rules of a site, and its page.
        if (connections > 2 * hosts.length) return `the proxy was connected to ${connections} times`;
        return connections === 0 || code === 70 ? `ended with ${code}: ${out}${err}`.slice(0, 400) : undefined;
      },
      end: () => server.close(),
    };
  });
}

const secret = "OTHER_SECRET=canary-of-this-machine";

/** Writes a secret beside a folder, and returns its path or one at which the same secret is. */
function canary(dice: Dice, folder: string): string {
  const file = `${folder}.secret`;
  writeFileSync(file, `${secret} : [\n`);
  return dice.in(2) ? file : "/proc/self/environ";
}

const withSecret = { OTHER_SECRET: "canary-of-this-machine" };
const isTold = ({ out, err }: Ended): string | undefined =>
  (out + err).includes("canary-of-this-machine") ? "a file outside of it is told of" : undefined;

export const hostileFaults: readonly Fault[] = [
  {
    name: "hostile: a pull request with a report of line ends",
    only: "server",
    async begin(world, dice) {
      const path = dice.one(Object.keys(layouts));
      await propose(world, dice.one(world.places), { [path]: layouts[path] ?? "" }, "100644");
      return () => {
        const wrong = written(world).find((text) => text.includes("check") && givenUp.test(text));
        if (wrong !== undefined) world.wrongs.push(`the check of a report was given up: ${wrong.slice(0, 300)}`);
      };
    },
  },
  command("the draft of a report of line ends", (_, dice, folder) => {
    const path = dice.one(Object.keys(layouts));
    writeFileSync(join(folder, path), layouts[path] ?? "");
    return {
      args: ["init", join(folder, path), "--dry-run", "--config", folder],
      judge: ({ code, out, err }) =>
        code === noHost && !givenUp.test(out + err) ? undefined : `${path}: ended with ${code}: ${err.slice(0, 300)}`,
    };
  }),
  copied("an issue is copied while its maker does not know of it", false),
  copied("an issue is copied while lists lag behind", true),
  {
    name: "hostile: a pull request with links out of the repository",
    only: "server",
    async begin(world, dice) {
      const path = dice.one(["sources.yaml", "triggers/list.yaml", "README.md"]);
      const leads = canary(dice, join(world.folder, `link-${dice.below(1e9)}`));
      await propose(world, dice.one(world.places), { [path]: leads }, "120000");
      return () => {
        const said = [...written(world), world.server?.said() ?? ""].join("\n");
        if (said.includes("canary-of-this-machine")) world.wrongs.push("a link of a pull request was followed");
      };
    },
  },
  command("config that is a link out of its checkout", (_, dice, folder) => {
    const path = join(folder, dice.one(["sources.yaml", "triggers/list.yaml"]));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(join(folder, "sources.yaml"), "report: { title: R, audited: 2026-05-16 }\nsources: {}\n");
    rmSync(path, { force: true });
    symlinkSync(canary(dice, folder), path);
    return { args: ["validate", "--config", folder], env: withSecret, judge: isTold };
  }),
  command("a report that is a link out of its checkout", (_, dice, folder) => {
    const page = '  a: { page: "https://a.example/" }\n';
    writeFileSync(
      join(folder, "sources.yaml"),
      `report: { title: R, audited: 2026-05-16, text: notes.md }\nsources:\n${page}`,
    );
    symlinkSync(canary(dice, folder), join(folder, "notes.md"));
    return { args: ["claims", "--config", folder], env: withSecret, judge: isTold };
  }),
  proxy("a proxy that ends tunnels", (socket) => socket.end()),
  proxy("a proxy that destroys tunnels", (socket) => socket.destroy()),
];
