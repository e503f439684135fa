import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../src/model/config.ts";
import { Failure } from "../../src/model/failure.ts";
import type { Source } from "../../src/model/source.ts";
import { readers } from "../../src/read/index.ts";
import { type RecheckIssue, renderIssue } from "../../src/recheck/issue/body.ts";
import { questionOf } from "../../src/recheck/issue/section.ts";
import { configOf } from "./config-of.ts";
import { type Answer, openWorld } from "./world-of.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The shipped watch list. */
function shipped(): Config {
  const triggers = readdirSync(join(root, "triggers")).map((name) => [
    name.replace(".yaml", ""),
    read(`triggers/${name}`),
  ]);
  return configOf(read("sources.yaml"), Object.fromEntries(triggers));
}

const tpu7x = "https://docs.cloud.google.com/tpu/docs/tpu7x.md.txt";
const page = (start: string, frameworks: string) =>
  `# TPU7x (Ironwood)\n\n${start} To get access to TPU7x, contact your account team.\n\n## Frameworks\n\n${frameworks}\n`;
const torchtpu = "https://api.github.com/repos/google-pytorch/torch_tpu";
const pytorch = JSON.stringify({ private: false, archived: false, full_name: "google-pytorch/torch_tpu" });

const urlOf = (source: Source) => readers.get(source.kind)?.request(source, { githubToken: true }).url ?? "";

/** The recheck of TPU as it comes to be: a page that is rewritten, and a repository that becomes public. */
export async function tpuRecheck(): Promise<RecheckIssue> {
  const config = shipped();
  const down = new Failure("status", { status: 503 });
  const web = new Map<string, Answer>([
    ...[...config.sources.values()].map((source): [string, Answer] => [urlOf(source), down]),
    [
      tpu7x,
      page("To use TPU7x, you must use Google Kubernetes Engine (GKE).", "You can use the JAX framework on TPU7x."),
    ],
    [torchtpu, pytorch.replace("false", "true")],
  ]);
  const world = await openWorld(config, web);
  try {
    await world.scanAt(Date.UTC(2026, 4, 16, 6));
    const after = "TPU7x can be used from Compute Engine or from Google Kubernetes Engine (GKE).";
    web.set(tpu7x, page(after, "You can use the JAX and PyTorch frameworks on TPU7x."));
    await world.scanAt(Date.UTC(2026, 5, 1, 6));
    await world.scanAt(Date.UTC(2026, 5, 1, 12));
    web.set(torchtpu, pytorch);
    await world.scanAt(Date.UTC(2026, 8, 21, 6));
    const firings = (await world.store.firings()).filter(({ trigger }) => trigger === "tpu");
    const claims = await world.store.claims();
    const link = (source: Source) => readers.get(source.kind)?.page(source);
    const recheck = { trigger: "tpu", marker: "585909d215e8b48034", opened: 0, state: "planned" } as const;
    const state = { firings, rechecks: [], claims, answers: [], archived: [] };
    return renderIssue(questionOf(recheck, firings, state, { config, link }));
  } finally {
    await world.close();
  }
}
