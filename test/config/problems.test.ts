import { describe, expect, it } from "vitest";
import { readers } from "../../src/read/index.ts";
import { inputSize } from "../support/runs.ts";
import { sources, told, trigger } from "./valid.ts";

const once = (text: string, from: string, to: string) => {
  if (!text.includes(from)) throw new Error(`not in the text: ${from}`);
  return text.replace(from, () => to);
};

describe("a mistake in sources.yaml", () => {
  it("is not seen if there is none", () => expect(told()).toEqual([]));

  it("that leaves a source without a kind names some of all kinds", () => {
    const first = [...readers.keys()].slice(0, 12).join(", ");
    expect(told(once(sources, "    page: https://example.org/limits\n", ""))).toEqual([
      `sources.yaml:43:3  source "limits" needs a kind: one of ${first} and ${readers.size - 12} more`,
    ]);
  });

  it("is not an address that is there twice, read with other options", () => {
    const again = "  again:\n    page: https://example.org/limits\nunwatchable:";
    expect(told(once(sources, "unwatchable:", again))).toEqual([]);
  });
});

describe("a mistake in a trigger", () => {
  it("is a pattern without end", () => {
    expect(told(sources, once(trigger, "'\\b(95|96) g\\b'", "a".repeat(1001)))).toEqual([
      `triggers/delta.yaml:15:14  "matches" needs a pattern of at most 1,000 characters; this is "${"a".repeat(79)}…"`,
    ]);
  });

  it("is an empty file", () => {
    expect(told(sources, "# nothing yet\n")).toEqual([
      'triggers/delta.yaml:1:1  trigger "delta" needs keys with values; this is empty',
    ]);
  });
});

describe("consequences of one mistake", () => {
  it.each(["levels", "axes", "documents", "ratings", "products", "sources"])(
    "a misspelt %s is all that is reported",
    (key) => {
      const misspelt = key.replace(/s$/, "");
      const problems = told(once(sources, `${key}:`, `${misspelt === "axe" ? "axs" : misspelt}:`));
      expect(problems).toEqual([expect.stringContaining(`; did you mean "${key}"?`)]);
    },
  );

  it("a misspelt key's own content is checked as the intended one's", () => {
    expect(told(once(once(sources, "sources:\n", "source:\n"), "cites: [3]", "cites: three"))).toEqual([
      'sources.yaml:22:1  unknown key "source" in sources.yaml; did you mean "sources"?',
      'sources.yaml:26:12  "cites" needs a list such as [a, b]; this is "three"',
    ]);
  });

  it("a misspelt kind hides nothing else of its source", () => {
    expect(told(once(once(sources, "github-issue:", "github-isue:"), "state: open", "colour: red"))).toEqual([
      'sources.yaml:29:5  unknown key "github-isue" in source "wind-tracker"; did you mean "github-issue"?',
      expect.stringContaining('has no fact "colour"'),
    ]);
  });

  it("levels that are no list leave every level as it is", () => {
    expect(told(once(sources, "[Low, Medium, High]", "Low, Medium"))).toEqual([
      'sources.yaml:8:9  "levels" needs a list such as [a, b]; this is "Low, Medium"; did you mean "[Low, Medium]"?',
    ]);
  });

  it("a name that nothing has is reported once, with how often it is asked for", () => {
    expect(told(once(sources, "  spar: {", "  sparr: {"))).toEqual([
      'sources.yaml:25:16  no product named "spar" in sources.yaml, named here and in 2 more places; did you mean "sparr"?',
    ]);
  });
});

describe("many mistakes", () => {
  it("are reported all at once, in the order of the files", () => {
    const root = once(once(once(sources, "cites: [3]", "cite: [3]"), "#15", "15"), "{ feed: 1h }", "5");
    expect(told(root, once(trigger, "wind-tracker\n", "wind-traker\n"))).toEqual([
      'sources.yaml:21:11  "schedule" needs keys with values; this is 5',
      'sources.yaml:26:5  unknown key "cite" in source "spar-releases"; did you mean "cites"?',
      'sources.yaml:29:19  "github-issue" needs owner/name#number, e.g. pytorch/pytorch#150121; this is "example/wind15"',
      'triggers/delta.yaml:9:12  no source named "wind-traker" in sources.yaml; did you mean "wind-tracker"?',
    ]);
  });

  it("in sources.yaml as YAML leave its names out of the problems of triggers", () => {
    expect(told(`${sources}\n  - [`, once(trigger, "name:", "nam:"))).toEqual([
      "sources.yaml:54:5  this [ is not closed",
      'triggers/delta.yaml:1:1  unknown key "nam" in trigger "delta"; did you mean "name"?',
    ]);
  });

  it("of thousands of sources are reported without a search for each", () => {
    const count = inputSize(10_000, 3_000);
    const many = Array.from({ length: count }, (_, i) => `  s${i}:\n    pge: https://example.org/${i}\n`).join("");
    const problems = told(`report: { title: Kites, audited: 2026-05-16 }\nsources:\n${many}`, "");
    expect(problems).toHaveLength(count);
    expect(problems[0]).toBe('sources.yaml:4:5  unknown key "pge" in source "s0"; did you mean "page"?');
  });
});
