import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { blobAt } from "../../../src/adapters/github/files.ts";
import { openRoom, type Room, released, report, sources } from "./room.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
});

afterEach(() => room.close());

const branch = "recheck/tensor-1";
const high = "/recheck change tensor/maturity High because it is public";

/** What the pull request makes of a file that a person committed. */
async function answered(): Promise<string> {
  await room.fire(released(room.now));
  await room.tend();
  await room.say(high);
  await room.tend();
  return (await room.pulls())[0]?.body ?? "";
}

describe("a file that is not plain UTF-8", () => {
  test("in Latin-1 is left as it is, and edited by hand", async () => {
    await room.commit("report.md", Buffer.from(report.replace("# Boards", "# Bretter für Köche"), "latin1"));
    expect(await answered()).toContain(
      "- [ ] Edit `report.md` by hand: it is not in UTF-8, so an edit would damage it.",
    );
    const { bytes } = await room.entry("report.md", branch);
    expect(bytes.toString("latin1")).toContain("# Bretter für Köche");
    expect((await room.entry("sources.yaml", branch)).bytes.toString()).toContain("level: High");
  });

  test("keeps its byte order mark and its line ends", async () => {
    const marked = `\uFEFF${report.replaceAll("\n", "\r\n")}`;
    await room.commit("report.md", Buffer.from(marked));
    await room.commit("sources.yaml", Buffer.from(`\uFEFF${sources}`));
    await room.refresh();
    await answered();
    const { bytes } = await room.entry("report.md", branch);
    expect(bytes.toString()).toBe(marked.replace("| Tensor Board | Medium |", "| Tensor Board | High |"));
    const config = (await room.entry("sources.yaml", branch)).bytes.toString();
    expect(config.startsWith("\uFEFFreport:")).toBe(true);
    expect(config).toContain("level: High");
  });

  test("keeps its mode", async () => {
    await room.commit("report.md", Buffer.from(report), "100755");
    await answered();
    const { bytes, mode } = await room.entry("report.md", branch);
    expect([mode, bytes.includes("| Tensor Board | High |")]).toEqual(["100755", true]);
  });

  test("is not written over if it is a link to another", async () => {
    await room.commit("report.md", Buffer.from("docs/elsewhere.md"), "120000");
    expect(await answered()).toContain("Edit `report.md` by hand: it is a symbolic link.");
    const { bytes, mode } = await room.entry("report.md", branch);
    expect([mode, bytes.toString()]).toEqual(["120000", "docs/elsewhere.md"]);
  });

  test("is not taken for whole if a proxy cut it", async () => {
    const content = Buffer.from(report).subarray(0, 20).toString("base64");
    const call = async <T>(_does: string, _route: string, _parameters: object, schema: z.ZodType<T>) =>
      schema.parse({ content, encoding: "base64" });
    const { sha } = await shaOf(report);
    await expect(blobAt(call, sha)).rejects.toMatchObject({ kind: "unavailable" });
    await expect(room.hub.editable(["report.md"], "main")).resolves.toEqual(new Map([["report.md", { text: report }]]));
  });
});

/** As git names it. */
async function shaOf(text: string): Promise<{ sha: string }> {
  return await room.local.asPerson("POST", "/git/blobs", { content: text, encoding: "utf-8" });
}
