import { expect, test } from "vitest";
import { openStore } from "../../../../src/adapters/store/open.ts";
import { prepareSetUp } from "../../../../src/faces/app/set-up/set-up.ts";
import { newRepository } from "../../../../src/faces/app/webhooks/lifecycle.ts";
import { Failure } from "../../../../src/model/failure.ts";
import type { Fetch, RepositoryState } from "../../../../src/model/ports/index.ts";
import { readers } from "../../../../src/read/index.ts";
import { Hub } from "../../../stories/life/hub.ts";
import { type Kept, registryOf } from "../../../works/registry.ts";
import { sandboxHere } from "../config/sandbox-here.ts";

/** The set-up of a report that cites one work by the identifier of another. */

const works: readonly Kept[] = [
  {
    title: "The lift of tethered kites in steady wind",
    authors: ["Warta, Ida"],
    year: 2018,
    venue: "Lift",
    doi: "10.5555/kite.1",
  },
  {
    title: "Knots that hold wet lines under heavy load",
    authors: ["Narew, Ute"],
    year: 2015,
    venue: "Lift",
    doi: "10.5555/kite.2",
  },
];
const report = `# State of kites

Last audited: 2026-05-16.

Kites lift more than people think [1].

## References

1. Warta, I. (2018). The lift of tethered kites in steady wind. *Lift*. https://doi.org/10.5555/kite.2
2. Knot releases. https://github.com/example/knots/releases
`;
const clock = { now: () => Date.UTC(2026, 5, 1) };

async function drafted(fetch: Fetch | undefined): Promise<string> {
  const database = await openStore(":memory:");
  const hub = new Hub({ "README.md": report }, clock.now);
  const state = { ...newRepository({ id: 7, name: "example/report" }, 1, clock.now()), defaultBranch: "main" };
  await database.registry.revise(7, () => state);
  await prepareSetUp({
    ...{ state, store: database.repository(7), github: hub.app, clock, readers },
    ...{ link: () => undefined, sandbox: sandboxHere() },
    ...(fetch && { web: () => ({ fetch, readers, access: { githubToken: true }, answers: database.answers }) }),
  });
  const known = (await database.registry.repository(7)) as RepositoryState;
  await database.close();
  return known.setUp?.config?.files.find(({ path }) => path === "sources.yaml")?.text ?? "";
}

const ask = registryOf(works, ["Lift"]);
const answering: Fetch = {
  async get({ url }, { answers = [] } = {}) {
    const { status, body } = await ask(url);
    if (status !== 200 && !answers.includes(status)) throw new Failure("not-found", { status });
    const response = { url, status, headers: {}, body: new TextEncoder().encode(body), at: clock.now() };
    return { kind: "response", response, validators: {}, hash: "" };
  },
  githubAllowance: () => undefined,
  close: async () => {},
};

test("drafts the source of the work that is meant", async () => {
  expect(await drafted(answering)).toContain("10.5555/kite.1");
  expect(await drafted(answering)).not.toContain("10.5555/kite.2");
});

test("drafts it as it is written if no registry answers", async () => {
  const failing = { ...answering, get: () => Promise.reject(new Failure("timeout", {})) };
  for (const fetch of [failing, undefined]) expect(await drafted(fetch)).toContain("10.5555/kite.2");
});
