import { describe, expect, test } from "vitest";
import { draftFrom } from "../../src/onboard/report-files.ts";
import { readers } from "../../src/read/index.ts";
import { draft, type ReportFile } from "../../src/report/index.ts";

/** A repository of so many files that not all can be checked. */

const drafted = async (report: ReportFile) => draft(report, { at: Date.UTC(2026, 10, 20), readers });
const cites = (count: number) =>
  `# A page\n\n## References\n\n${Array.from({ length: count }, (_, i) => `${i + 1}. One. https://s${i}.example/\n`).join("")}`;

/** What is asked of a repository with these files, and how many bytes of them. `sizes`: where the tree says another one. */
function repository(files: ReadonlyMap<string, string>, whole = true, sizes: Readonly<Record<string, number>> = {}) {
  const asked: string[] = [];
  let bytes = 0;
  const sizeOf = (path: string) => sizes[path] ?? files.get(path)?.length ?? 0;
  const github = {
    tree: async () => {
      asked.push("tree");
      return { files: [...files.keys()].map((path) => ({ path, size: sizeOf(path), sha: path })), whole };
    },
    text: async (path: string) => {
      asked.push(path);
      bytes += sizeOf(path);
      return files.get(path);
    },
    changed: async (path: string) => {
      asked.push(`changed ${path}`);
      return Date.UTC(2026, 4, 16);
    },
  };
  return { asked, github, bytes: () => bytes };
}

function many(count: number, more: Readonly<Record<string, string>>): Map<string, string> {
  const pages = Array.from({ length: count }, (_, i): [string, string] => [
    i % 2 ? `docs/page${i}.md` : `page${i}.html`,
    `${"x".repeat(500 + (i % 300))} https://x${i}.example/`,
  ]);
  return new Map([...pages, ...Object.entries(more)]);
}

describe.each([600, 5_000])("of %i pages", (count) => {
  test("no more than 20 are read, the README and files named like a report among them", async () => {
    const more = { "README.md": cites(2), "docs/report-2026.md": cites(9), "wiki/deep/down.md": cites(50) };
    const { asked, github } = repository(many(count, more));
    const { best, unread } = await draftFrom(github, "c", drafted);
    expect(asked).toHaveLength(22);
    expect(asked.slice(0, 3)).toEqual(["tree", "README.md", "docs/report-2026.md"]);
    expect(asked.at(-1)).toBe("changed docs/report-2026.md");
    expect(best?.found).toMatchObject({ path: "docs/report-2026.md", references: 9, audited: Date.UTC(2026, 4, 16) });
    expect(unread).toEqual({ pages: count + 3 - 20 });
  });

  test("no more than 5 MB are read, if they are large", async () => {
    const files = many(count, { "README.md": cites(2) });
    const sizes = Object.fromEntries([...files.keys()].map((path) => [path, path === "README.md" ? 200 : 900_000]));
    const { asked, github, bytes } = repository(files, true, sizes);
    const { unread } = await draftFrom(github, "c", drafted);
    expect(bytes()).toBe(4_500_200);
    expect(asked.filter((path) => /^(?:docs\/)?page/.test(path))).toHaveLength(5);
    expect(unread).toEqual({ pages: count - 5 });
  });
});

test("a page that is too large is passed over for smaller ones, and reported", async () => {
  const files = new Map([
    ["README.md", cites(2)],
    ["huge.html", cites(9)],
    ["small.md", cites(3)],
  ]);
  const { asked, github } = repository(files, true, { "huge.html": 2_000_001 });
  expect((await draftFrom(github, "c", drafted)).unread).toEqual({ pages: 1 });
  expect(asked).toEqual(["tree", "README.md", "small.md", "changed small.md"]);
});

test("if all was checked, nothing is said; if GitHub did not list all, that is", async () => {
  const files = new Map([
    ["README.md", cites(2)],
    ["LICENSE.md", "x"],
    [".github/note.md", "x"],
    ["src/main.ts", "x"],
  ]);
  expect(await draftFrom(repository(files).github, "c", drafted)).not.toHaveProperty("unread");
  const { unread } = await draftFrom(repository(files, false).github, "c", drafted);
  expect(unread).toEqual({ pages: 0, unlisted: true });
});

test("a report may lie at any depth; its index is read before a figure, and templates, tests and vendored files never", async () => {
  const files = new Map([
    ["README.md", "Hello."],
    ["content/2026/survey/chapters/index.qmd", cites(9)],
    ["content/2026/survey/figures/fig-1.html", cites(2)],
    ["docs/adr/template/ISSUE_TEMPLATE.md", cites(20)],
    ["vendor/lib/README.md", cites(20)],
    ["test/fixtures/report.md", cites(20)],
  ]);
  const { asked, github } = repository(files);
  const { best, unread } = await draftFrom(github, "c", drafted);
  expect(asked.slice(0, -1)).toEqual([
    "tree",
    "README.md",
    "content/2026/survey/chapters/index.qmd",
    "content/2026/survey/figures/fig-1.html",
  ]);
  expect(best?.found.path).toBe("content/2026/survey/chapters/index.qmd");
  expect(unread).toBeUndefined();
});

test("a radar that is kept as data is read as the report; other data is not", async () => {
  const files = new Map([
    ["README.md", "# App\n\n[demo](https://demo.example/)"],
    ["package.json", "{}"],
    [
      "data/tech-radar.json",
      '[{"name":"Tide","ring":"Adopt"},{"name":"Ebb","ring":"Hold"},{"name":"Flow","ring":"Trial"}]',
    ],
  ]);
  const { asked, github } = repository(files);
  const { best } = await draftFrom(github, "c", drafted);
  expect(best?.found).toMatchObject({ path: "data/tech-radar.json", ratings: 3 });
  expect(asked).not.toContain("package.json");
});

test("a folder without pages names its data", async () => {
  const files = new Map(
    ["2025.csv", "2026.csv"].map((path) => [path, "name,ring\nTide,Adopt\nEbb,Hold\nFlow,Trial\n"]),
  );
  const named = { folder: "", limits: { chapters: 10, pages: 10, bytes: 1_000_000 } };
  const { best, unread } = await draftFrom(repository(files).github, "c", drafted, named);
  expect(best).toBeUndefined();
  expect(unread?.says).toEqual([
    "2 files of data were left out because of their names (2025.csv, 2026.csv): name the file itself to read it.",
  ]);
});

test("a report that states its day is drafted once, and its last commit is not asked for", async () => {
  const { asked, github } = repository(new Map([["README.md", `Audited on 2026-03-02.\n\n${cites(2)}`]]));
  let drafts = 0;
  const counting: typeof drafted = (report) => {
    drafts++;
    return drafted(report);
  };
  const { best } = await draftFrom(github, "c", counting);
  expect(best?.found.audited).toBe(Date.UTC(2026, 2, 2));
  expect([asked, drafts]).toEqual([["tree", "README.md"], 1]);
});
