import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Firing } from "../../../src/model/firing.ts";
import { updatePulls } from "../../../src/recheck/answer/update-pulls.ts";
import { presentFiles } from "../../../src/recheck/answer/write-pull.ts";
import { sync } from "../../../src/recheck/sync.ts";
import { evidence } from "../samples.ts";
import { openRoom, type Room, report, sources } from "./room.ts";

let room: Room;

const says = "A Tensor board costs $29";
const priced = sources.replace(
  '{ page: "https://tensor.example/docs" }',
  () => `
    page: "https://tensor.example/docs"
    claims:
      price: { says: ${says}, value: $29, of: Tensor board, ratings: [tensor/maturity] }
      loose: { says: A vector board costs $9, value: $9, of: vector board }`,
);
const text = `${report}\n${says} [1].\n\nA vector board costs $9.\n`;

function dearer(from: string, to: string, claim = "tensor-docs/price", trigger = "tensor"): Firing {
  const change = {
    kind: "claim",
    claim,
    from: from === "$29" || from === "$9" ? "supported" : "altered",
    to: "altered",
  } as const;
  const board = claim.endsWith("price") ? "A Tensor board" : "A vector board";
  const texts = { before: `${board} costs ${from}.`, after: `${board} costs ${to}.` };
  const piece = evidence("tensor-docs", { seen: room.now, part: "claim", claim, change: { ...change, ...texts } });
  const event = { key: `${claim} altered ${to}` };
  return { trigger, event, weight: "contrary", seen: room.now, fired: room.now, evidence: [piece] };
}

/** Brings GitHub up to date, with the files that issues show. */
async function tend(): Promise<void> {
  const repository = await room.repository();
  await updatePulls(repository);
  await sync({ ...repository, commands: true, files: () => presentFiles(repository) });
}

beforeEach(async () => {
  room = await openRoom({ sources: priced });
  await room.write("report.md", text);
  await room.fire(dearer("$29", "$39"));
  await tend();
});

afterEach(() => room.close());

const body = async () => (await room.issue()).body;
const answers = async () => (await room.store.answers()).map(({ rating, level, by }) => [rating, level, by]);
const replies = async () => {
  await tend();
  const all = (await room.comments()).filter((one) => one.body.includes("recheck:reply"));
  return all.map((one) => one.body.split("\n\n").at(-1));
};
const branch = async (path: string) => room.text(path, (await room.pulls()).at(-1)?.head.ref);

test("one pull request corrects the sentence and its claim, and nothing else", async () => {
  expect(await body()).toContain(`\n- ${says}\n+ ${says.replace("29", "39")}\n`);
  await room.tick("Correct the sentence");
  await tend();
  const [pull, ...more] = await room.pulls();
  expect([pull?.title, more]).toEqual(["Answer recheck #1 (Tensor): 1 sentence corrected", []]);
  expect(await branch("report.md")).toBe(text.replace("$29", "$39"));
  expect(await branch("sources.yaml")).toBe(priced.replaceAll("$29", "$39"));
  expect(await body()).toContain(
    `- “${says.replace("$", "\\$")}”: corrected to **\\$39**, by \`author\` on 2026-11-20\n`,
  );
  expect(await body()).not.toContain("recheck:do accept");

  await room.merge(2);
  await room.hearOf(2);
  await room.refresh();
  await tend();
  expect((await room.issue()).state).toBe("open");
  expect(await body()).toContain("**Is this rating still right?** Tensor Board · Maturity **Medium**");
});

test("with an answer about the rating, merging it closes the issue", async () => {
  await room.say("/recheck accept");
  await room.say("/recheck keep");
  await tend();
  expect((await room.pulls())[0]?.title).toBe("Answer recheck #1 (Tensor): 1 sentence corrected, 1 kept");
  await room.merge(2);
  await room.hearOf(2);
  await room.refresh();
  await tend();
  expect(await room.issue()).toMatchObject({ state: "closed", state_reason: "completed" });
  expect(await body()).toContain("Closed on 2026-11-20: 1 sentence corrected, 1 rating kept, answered by `author`.");
});

test("a claim without ratings closes with its correction", async () => {
  await room.fire(dearer("$9", "$8", "tensor-docs/loose", "claims"));
  await tend();
  await room.say("/recheck accept", "author", 2);
  await tend();
  expect(await branch("report.md")).toContain("A vector board costs $8.");
  await room.merge(3);
  await room.hearOf(3);
  await room.refresh();
  await tend();
  expect((await room.issue(2)).state).toBe("closed");
});

test("a stranger, a second time and words behind it change nothing", async () => {
  await room.say("/recheck accept", "reader");
  await room.say("/recheck accept the price");
  expect(await answers()).toEqual([]);
  expect(await replies()).toEqual([
    expect.stringContaining("needs triage access or more"),
    "`/recheck accept` accepts every suggested correction: write nothing after it.",
  ]);
  await room.say("/recheck accept because it is so");
  await tend();
  await room.say("/recheck accept");
  expect((await replies()).at(-1)).toBe("Nothing was changed. The correction is accepted already: merge #2.");
  expect(await answers()).toEqual([["claim tensor-docs/price", "$39", "author"]]);
});

test("the page changes again: the new figure is offered, and accepted into the same pull request", async () => {
  await room.say("/recheck accept");
  await tend();
  room.now += 60_000;
  await room.fire(dearer("$39", "$45"));
  await tend();
  expect(await body()).toContain("has said **\\$45** since");
  expect(await branch("report.md")).toContain("$39");
  // The event is asked about first; then the pull request is written again.
  await tend();
  expect((await room.pulls())[0]?.body).toContain(
    "`tensor/maturity` and the correction of `tensor-docs/price` are not answered since something new was seen",
  );
  await room.say("/recheck accept");
  await tend();
  expect(await room.pulls()).toHaveLength(1);
  expect([await branch("report.md"), await branch("sources.yaml")]).toEqual([
    text.replace("$29", "$45"),
    priced.replaceAll("$29", "$45"),
  ]);
});

test("the pull request is closed and its branch deleted: the correction is offered again", async () => {
  await room.say("/recheck accept");
  await tend();
  await room.closePull(2);
  await room.hearOf(2);
  await tend();
  expect(await room.text("report.md", "recheck/tensor-1")).toBeUndefined();
  expect((await replies()).at(-1)).toContain("its answer is withdrawn: the correction of `tensor-docs/price` is open");
  expect(await body()).toContain("recheck:do accept");
  await room.say("/recheck accept");
  await tend();
  expect((await room.pulls()).map(({ state, head }) => [state, head.ref])).toEqual([
    ["closed", "recheck/tensor-1"],
    ["open", "recheck/tensor-1-2"],
  ]);
});

test("the report has changed since: nothing is overwritten, and the reason is given", async () => {
  await room.write("report.md", text.replace(says, "Boards are for sale"));
  await room.say("/recheck accept");
  expect((await replies()).at(-1)).toBe(
    "Nothing was changed. There is no correction to accept, because no sentence of `report.md` has the words of the claim: edit the report and its claim by hand.",
  );
  expect(await body()).toContain("No edit is offered, because no sentence of `report.md` has the words of the claim");
  expect(await room.pulls()).toEqual([]);
});

test("the report changes after it was accepted: the pull request says what is left to people", async () => {
  await room.say("/recheck accept");
  await room.write("report.md", text.replace(says, "Boards are for sale"));
  await tend();
  expect(await room.pulls()).toEqual([]);
  expect(await body()).toContain(
    "- [ ] Correct `tensor-docs/price` by hand: no sentence of `report.md` has the words of the claim.",
  );
});

describe("an address that moved for good", () => {
  const now = "https://tensor.example/guide";
  const cited = `${text}\n1. https://tensor.example/docs#boards\n`;

  async function move(trigger: string): Promise<void> {
    const change = { kind: "link", to: "moved", address: now } as const;
    const piece = evidence("tensor-docs", { seen: room.now, part: "on", change });
    const event = { key: `tensor-docs moved ${now}` };
    await room.write("report.md", cited);
    await room.fire({ trigger, event, weight: "routine", seen: room.now, fired: room.now, evidence: [piece] });
    await tend();
  }

  test("alone is replaced in the report and in config by one pull request, whose merge closes the issue", async () => {
    await move("claims");
    expect((await room.issue(2)).body).toContain("Cite the new address as below: `/recheck accept`");
    await room.say("/recheck accept", "author", 2);
    await tend();
    expect((await room.pulls())[0]?.title).toBe("Answer recheck #2 (Claims): 1 address replaced");
    expect(await branch("report.md")).toBe(cited.replace("https://tensor.example/docs", now));
    expect(await branch("sources.yaml")).toBe(priced.replace("https://tensor.example/docs", now));
    const { body } = await room.issue(2);
    expect(body).not.toContain("recheck:do accept");
    expect(body).toContain("tensor-docs: cited at its new address, by `author` on 2026-11-20");

    await room.merge(3);
    await room.hearOf(3);
    await room.refresh();
    await tend();
    expect(await room.issue(2)).toMatchObject({ state: "closed", state_reason: "completed" });
    expect((await room.issue(2)).body).toContain("Closed on 2026-11-20: 1 address replaced, answered by `author`.");
  });

  test("is replaced together with the figure of a sentence", async () => {
    await move("tensor");
    await room.tick("Correct the sentence and its claim, and cite the new address");
    await tend();
    expect((await room.pulls())[0]?.title).toBe("Answer recheck #1 (Tensor): 1 sentence corrected, 1 address replaced");
    const both = (before: string) => before.replaceAll("$29", "$39").replace("https://tensor.example/docs", now);
    expect([await branch("report.md"), await branch("sources.yaml")]).toEqual([both(cited), both(priced)]);
  });
});
