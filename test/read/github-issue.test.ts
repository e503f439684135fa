import { describe, expect, test } from "vitest";
import { githubIssue } from "../../src/read/kinds/github-issue.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

describe("github-issue", () => {
  test("reads state, title, labels in order, and the text with its checklist", async () => {
    expect(await reading(githubIssue, fixture("github-issue.json"))).toEqual({
      title: "Progress of the compiler on GPUs",
      facts: { state: "open", title: "Progress of the compiler on GPUs", labels: "backend, gpu, tracker" },
      blocks: [
        { path: [], kind: "heading", text: "State" },
        { path: ["State"], kind: "paragraph", text: "The compiler is an early prototype." },
        { path: ["State"], kind: "item", text: "[x] Reductions" },
        { path: ["State"], kind: "item", text: "[ ] Attention (#78)" },
        { path: ["State", "Attention (#78)"], kind: "item", text: "[x] forward" },
      ],
    });
  });

  test("an issue without text", async () => {
    const { blocks } = await reading(githubIssue, response('{"state":"closed","title":"t","body":null}'));
    expect(blocks).toEqual([]);
  });

  test("asks the API by number, and people go to the issue", () => {
    const one = source(githubIssue);
    expect(githubIssue.request(one, { githubToken: false }).url).toBe(
      "https://api.github.com/repos/pytorch/pytorch/issues/150121",
    );
    expect(githubIssue.page(one)).toBe("https://github.com/pytorch/pytorch/issues/150121");
  });

  test.each(["pytorch#150121", "a/b", "a/b#", "a/..#1"])("refuses the address %s", (address) => {
    const says = githubIssue.address.safeParse(address).error?.issues[0]?.message;
    expect(says).toBe("needs owner/name#number, e.g. pytorch/pytorch#150121");
  });

  test("a list is no issue", async () => {
    expect(await failure(githubIssue, "[]")).toBe("not well-formed GitHub issue");
  });
});
