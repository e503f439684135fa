import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { atom, lines, on, releases, replayed } from "../faces/cli/past.ts";
import { runs } from "../support/runs.ts";

/** What documents do over the years, each told with documents made up for it. */

const engine =
  "products: { engine: { name: Engine }, stack: { name: Stack, tags: ['stack-{version}'], phantom: ['6.0.1'] } }";
const api = "https://api.github.com/repos/acme/engine/releases?per_page=15";
const raw = (path: string) => `https://raw.githubusercontent.com/acme/engine/main/${path}`;
const released = on("release: engine");
const list = `${engine}\nsources: { releases: { github-releases: acme/engine, announces: engine } }`;
const base = [
  ["v1.1.0", -10],
  ["v1.0.0", -90],
] as const;

const filler = Array.from({ length: 12 }, (_, i) => `Paragraph ${i} tells at some length what this thing is good for.`);

describe("a version in the text of a document", () => {
  const script = (stable?: string) =>
    `var picked = {};\nconst labels = { lts: "LTS (1.0.1)"${stable ? `, stable: "Stable (${stable})"` : ""} };\n`;
  const quick = `${engine}\nsources: { script: { text: ${raw("quick.js")}, announces: engine, versions: 'Stable \\((\\d+\\.\\d+\\.\\d+)\\)' } }`;

  test("that appears after the first check is new", async () => {
    const past = {
      quick: {
        url: raw("quick.js"),
        said: [
          [0, script()],
          [48, script("1.2.0")],
          [200, script("1.3.0")],
        ] as const,
      },
    };
    expect(lines(await replayed(quick, released, past))).toEqual([
      "quick#2 t: engine 1.2.0",
      "quick#3 t: engine 1.3.0",
    ]);
  });

  test("that is away for a while is unknown, and no news when it is back", async () => {
    const said = [
      [0, script("1.2.0")],
      [48, script()],
      [90, script("1.2.0")],
      [150, script("1.3.0")],
      [300, script("1.2.0")],
      [400, script("1.3.0")],
    ] as const;
    const done = await replayed(quick, released, { quick: { url: raw("quick.js"), said } });
    expect(lines(done)).toEqual(["quick#4 t: engine 1.3.0"]);
    expect(done.unknown.get("quick")?.says).toMatch(/^nothing matches Stable/);
  });

  test("in a README is a release only if it is no nightly, and fires once though the line is corrected", async () => {
    const readme = (...wheels: string[]) =>
      `# Engine\n\n${wheels.map((wheel) => `    pip install engine_gpu${wheel}\n`).join("")}\n${filler.join("\n\n")}\n`;
    const sources = `${engine}\nsources: { readme: { text: ${raw("README.md")}, announces: engine, versions: '\\bengine_gpu(?:[~=]=|-)(\\d+\\.\\d+(?:\\.\\d+)?)' } }`;
    const said = [
      [0, readme("-1.1.0-cp311", "-1.2.0.dev-cp311")],
      [48, readme("-1.1.0-cp311", "-1.3.0.dev20250108-cp311")],
      [96, readme("==1.2.0", "-1.1.0-cp311", "-1.3.0.devyyyymmdd-cp311")],
      [144, readme("~=1.2.0", "-1.2.0-cp311", "-1.1-cp311", "-1.4.0.dev-cp311")],
      [192, readme("==1.2.0", "-1.3.0rc1-cp311")],
    ] as const;
    expect(lines(await replayed(sources, released, { readme: { url: raw("README.md"), said } }))).toEqual([
      "readme#3 t: engine 1.2.0",
    ]);
  });

  test("in notes written ahead: drafts, phantoms and templates are silent, and a version that flaps fires once", async () => {
    const notes = (heading: string, more = "") => `# ${heading}\n\n${more}\n\n${filler.join("\n\n")}\n`;
    const sources = `${engine}\nsources: { notes: { text: ${raw("RELEASE.md")}, announces: stack, versions: '(?m)^#{1,2} (?:ACME )?Stack (\\d+\\.\\d+(?:\\.\\d+)?)' } }`;
    const said = [
      [0, notes("Stack 6.0.0 release notes")],
      [48, notes("Stack 6.0.1 release notes")],
      [96, notes("Stack 6.0.2 release notes")],
      [144, notes("Stack 6.0.0 release notes", "A branch was merged back.")],
      [192, notes("Stack 6.0.2 release notes", "And again.")],
      [240, notes("Release notes", "## Stack X.Y.Z")],
      [288, notes("ACME Stack 6.1 release notes (mock-up)")],
      [336, notes("Stack 6.0.2 release notes")],
      [384, notes("Stack 6.1 release notes")],
      [385, notes("Stack 6.0.2 release notes")],
      [386, notes("Stack 6.1 release notes")],
      [480, notes("Stack 6.1.0 release notes")],
    ] as const;
    expect(lines(await replayed(sources, on("release: stack"), { notes: { url: raw("RELEASE.md"), said } }))).toEqual([
      "notes#3 t: stack 6.0.2",
      "notes#11 t: stack 6.1.0",
    ]);
  });
});

describe("a list", () => {
  const once = async (...said: (readonly [number, string])[]) =>
    lines(await replayed(list, released, { list: { url: api, said } }));

  test("fires once for a release, even if its entry changes afterwards", async () => {
    const edited = { name: "Engine 1.2.0", body: "Notes, written later." };
    expect(
      await once(
        [0, releases(...base)],
        [48, releases(["v1.2.0", 2], ...base)],
        [72, releases(["v1.2.0", 2, edited], ...base)],
        [96, releases(["v1.2.0", 3, edited], ...base)],
        [120, releases(...base)],
        [144, releases(["v1.2.0", 6], ...base)],
        [168, releases(...base, ["v1.2.0", 2])],
      ),
    ).toEqual(["list#2 t: engine 1.2.0"]);
  });

  test("fires for a fix of an old line, and is silent about drafts, candidates and entries that slide back into the window", async () => {
    expect(
      await once(
        [0, releases(...base)],
        [48, releases(["v2.0.0", 2, { draft: true }], ["v2.0.0-rc1", 1], ...base)],
        [72, releases(["v1.0.5", 3], ["v2.0.0-rc1", 1], ...base)],
        [96, releases(["v1.0.5", 3], ["v2.0.0-rc1", 1], ...base, ["v0.9.0", -400], ["v0.8.0", -500])],
        [120, releases(["v2.0.0", 5, { prerelease: true }], ["v1.0.5", 3], ...base)],
        [144, releases(["v2.0.0", 5], ["v1.0.5", 3], ...base)],
      ),
    ).toEqual(["list#3 t: engine 1.0.5", "list#6 t: engine 2.0.0"]);
  });

  test("fires for the releases and no more, in any order and window of the list", async () => {
    const tags = Array.from({ length: 12 }, (_, i) => [`v1.${i}.0`, i === 0 ? -10 : i * 2] as const);
    const views = fc.array(fc.record({ size: fc.integer({ min: 4, max: 12 }), order: fc.integer() }), {
      minLength: 24,
      maxLength: 24,
    });
    await fc.assert(
      fc.asyncProperty(views, async (checks) => {
        const said = checks.map(({ size, order }, i) => {
          const newest = tags
            .filter(([, at]) => at <= i)
            .reverse()
            .slice(0, size);
          const turned = newest.map((_, at) => newest[(at + Math.abs(order)) % newest.length] ?? (["", 0] as const));
          return [i * 24, releases(...turned)] as const;
        });
        const fired = await once(...said);
        expect(fired.map((line) => line.split(": ")[1])).toEqual(
          tags.slice(1).map(([tag]) => `engine ${tag.slice(1)}`),
        );
      }),
      { numRuns: runs(10) },
    );
  });

  test("by Atom lists tags of candidates and of other things", async () => {
    const feed = `${engine}\nsources: { feed: { feed: https://github.com/acme/engine/releases.atom, announces: engine } }`;
    const said = [
      [0, atom(...base)],
      [48, atom(["v1.2.0-rc1", 2], ...base)],
      [72, atom(["ciflow/trunk/1234", 3], ["v1.2.0-rc2", 3], ["v1.2.0-rc1", 2], ...base)],
      [96, atom(["v1.2.0", 4], ["v1.2.0-rc2", 3], ...base)],
    ] as const;
    const url = "https://github.com/acme/engine/releases.atom";
    expect(lines(await replayed(feed, released, { feed: { url, said } }))).toEqual(["feed#4 t: engine 1.2.0"]);
    expect(lines(await replayed(list, released, { feed: { url, said } }))).toEqual(["feed#4 t: engine 1.2.0"]);
  });

  test("of commits under two paths reports a commit once", async () => {
    const commits = (...ids: number[]) =>
      JSON.stringify(
        ids.map((id) => ({
          sha: String(id).padStart(40, "a"),
          commit: { message: `Kernel ${id}`, committer: { date: new Date(Date.UTC(2025, 0, id)).toISOString() } },
        })),
      );
    const sources =
      "sources: { one: { github-commits: acme/engine, path: kernels }, two: { github-commits: acme/engine, path: shaders } }";
    const at = (path: string) => `https://api.github.com/repos/acme/engine/commits?per_page=5&path=${path}`;
    const done = await replayed(sources, on("{ commit: one, not: '(?i)lint' }, { commit: two }"), {
      one: {
        url: at("kernels"),
        said: [
          [0, commits(1)],
          [48, commits(8, 1)],
        ],
      },
      two: {
        url: at("shaders/"),
        said: [
          [0, commits(1)],
          [49, commits(8, 1)],
        ],
      },
    });
    expect(lines(done).map((line) => line.replace(/a{20,}/, ""))).toEqual(["one#2 t: commit 8", "two#2 t: commit 8 +"]);
  });
});

describe("one release in several documents", () => {
  const three = `${engine}\nsources:
  releases: { github-releases: acme/engine, announces: engine }
  feed: { feed: https://engine.example/feed, announces: engine }
  data: { json: https://engine.example/versions.json, announces: engine, versions: '"stable": "([\\d.]+)"' }`;
  const post = (...titles: string[]) =>
    `<rss version="2.0"><channel><title>Blog</title>${titles.map((title, i) => `<item><title>${title}</title><guid>p${titles.length - i}</guid></item>`).join("")}</channel></rss>`;

  test("is one event: the first document with it fires, the others add to it", async () => {
    const done = await replayed(
      three,
      {
        t: "name: T\nratings: [a]\non: [{ release: engine }]",
        u: "name: U\nratings: [a]\non: [{ release: engine, bump: [major] }]",
      },
      {
        data: {
          url: "https://engine.example/versions.json",
          said: [
            [0, '{"stable": "1.1.0"}'],
            [90, '{"stable": "1.2"}'],
          ],
        },
        feed: {
          url: "https://engine.example/feed",
          said: [
            [0, post("Engine 1.1")],
            [50, post("Engine 1.2 Release Blog", "Engine 1.1")],
            [70, post("Tuning models on Engine 1.2", "Engine 1.2 Release Blog", "Engine 1.1")],
          ],
        },
        list: {
          url: api,
          said: [
            [0, releases(...base)],
            [48, releases(["v1.2.0", 2], ...base)],
          ],
        },
      },
    );
    expect(lines(done)).toEqual(["list#2 t: engine 1.2.0", "feed#2 t: engine 1.2.0 +", "data#2 t: engine 1.2.0 +"]);
  });

  test("fires though a document that begins later holds it already, and that one adds nothing old", async () => {
    const done = await replayed(three, released, {
      data: {
        url: "https://engine.example/versions.json",
        said: [
          [0, '{"stable": "1.1.0"}'],
          [240, '{"stable": "1.2.0"}'],
        ],
      },
      list: {
        url: api,
        said: [
          [200, releases(["v1.2.0", 5], ...base)],
          [300, releases(["v1.3.0", 12], ["v1.2.0", 5], ...base)],
        ],
      },
    });
    expect(lines(done)).toEqual(["list#1 t: engine 1.2.0", "data#2 t: engine 1.2.0 +", "list#2 t: engine 1.3.0"]);
  });
});

describe("a document", () => {
  const page = (...paragraphs: string[]) =>
    `<!doctype html><html lang="en"><head><title>Notes</title></head><body><main><h1>Notes</h1>${[...paragraphs, ...filler].map((text) => `<p>${text}</p>`).join("")}</main></body></html>`;
  const url = "https://docs.example/notes.html";
  const notes = `sources: { notes: { page: "${url}" } }`;

  test("that does not answer for a while is unknown; one that stays away is gone, and reported so once", async () => {
    const said = [
      [0, page("Calm.")],
      [48, 404],
      [72, page("Calm.")],
      [200, 404],
      [500, page("Calm.")],
    ] as const;
    const done = await replayed(notes, on("{ link: notes, when: [gone] }, { change: notes }"), {
      notes: { url, said },
    });
    expect(lines(done)).toEqual(["notes#4 t: notes gone"]);
    expect(done.unknown.get("notes")?.says).toBe("404, not found");
  });

  test.each([
    [
      "text",
      raw("README.md"),
      `# Engine\n\n${filler.join("\n\n")}\n`,
      `# Engine\n\n${filler.slice(0, 3).join("\n\n")}\n`,
    ],
    ["page", url, page("Calm."), page("Calm.").replace(/(<p>Paragraph [3-9].*)<\/main>/, "</main>")],
  ])("that was cut to a third is that document now when it stays so: a %s", async (kind, address, whole, short) => {
    const said = async (...versions: (readonly [number, string])[]) =>
      lines(
        await replayed(`sources: { notes: { ${kind}: "${address}" } }`, on("change: notes"), {
          notes: { url: address, said: versions },
        }),
      );
    expect(await said([0, whole], [48, short], [80, whole])).toEqual([]);
    expect(await said([0, whole], [48, short], [300, short])).toHaveLength(1);
  });

  test("that goes from one markup to another says the same", async () => {
    const rst = `Backend\n=======\n\n.. note::\n\n   ${filler[0]}\n\nUse \`\`fast()\`\` here.\n\n${filler.join("\n\n")}\n`;
    const markdown = `# Backend\n\n:::{note}\n${filler[0]}\n:::\n\nUse \`fast()\` here.\n\n${filler.join("\n\n")}\n`;
    for (const name of ["backend.md", "backend.rst"]) {
      const sources = `sources: { backend: { text: "${raw(name)}" } }`;
      const done = await replayed(sources, on("change: backend"), {
        backend: {
          url: raw(name),
          said: [
            [0, rst],
            [48, markdown],
            [96, rst],
          ],
        },
      });
      expect(lines(done)).toEqual([]);
    }
  });

  test("that alters a claim in the passage that changed fires once", async () => {
    const sources = `sources: { notes: { page: "${url}", claims: { memory: { says: 512 GB, value: 512 GB, of: memory, ratings: [a] } } } }`;
    const said = [
      [0, page("It has 512 GB of memory.")],
      [48, page("It has 256 GB of memory.")],
    ] as const;
    const done = await replayed(sources, on("{ change: notes, matches: memory }"), { notes: { url, said } });
    expect(done.firings.map((firing) => `${firing.rev} ${firing.trigger} ${firing.new}`)).toEqual(["2 t true"]);
  });

  test("whose passage gets a sentence more still says what it said", async () => {
    const readme = (more: string) =>
      `# Engine\n\n> [!NOTE]\n> ${more}We have proposed a native direction. Read the proposal.\n\n${filler.join("\n\n")}\n`;
    const claims = "claims: { proposed: { says: proposed, quote: we have proposed a native direction, ratings: [a] } }";
    const done = await replayed(
      `sources: { readme: { text: "${raw("README.md")}", ${claims} } }`,
      on("{ change: readme, matches: Next }"),
      {
        readme: {
          url: raw("README.md"),
          said: [
            [0, readme("")],
            [48, readme("Engine Next is announced. ")],
          ],
        },
      },
    );
    expect(done.firings.map(({ rev, trigger, new: isNew }) => [rev, trigger, isNew])).toEqual([[2, "t", true]]);
  });

  test("that announces a version by the row that it adds gives one event", async () => {
    const matrix = (...rows: string[]) =>
      `# Matrix\n\n| Stack | Torch |\n| --- | --- |\n${rows.map((row) => `| ${row} |\n`).join("")}\n${filler.join("\n\n")}\n`;
    const sources = `${engine}\nsources: { matrix: { text: "${raw("matrix.md")}", announces: stack, versions: '(?m)^\\| (\\d+\\.\\d+\\.\\d+) ' } }`;
    const said = [
      [0, matrix("6.1.0 | 2.3")],
      [48, matrix("6.2.0 | 2.4", "6.1.0 | 2.3")],
      [96, matrix("6.2.0 | 2.4, 2.5", "6.1.0 | 2.3")],
    ] as const;
    const done = await replayed(sources, on("{ release: stack }, { row: matrix, when: [added, changed] }"), {
      matrix: { url: raw("matrix.md"), said },
    });
    expect(
      done.firings.map(({ rev, event, new: isNew }) => `${rev} ${event.replace(/ [\da-f]{16}$/, "")} ${isNew}`),
    ).toEqual(["2 stack 6.2.0 true", "2 matrix changed false", "3 matrix changed true"]);
  });

  test("in plain text has tables under its headings", async () => {
    const text = (...rows: string[]) =>
      `Software versions\n${"This document tells which version to choose when a machine is created. ".repeat(2)}\n${rows.join("\n")}\n`;
    const sources = 'sources: { versions: { text: "https://docs.example/versions" } }';
    const said = [
      [0, text("JAX", "| chip | version |", "| v5 | jax-5 |")],
      [48, text("JAX", "| chip | version |", "| v5 | jax-6 |")],
      [96, text("PyTorch and JAX", "Use these for both.", "| chip | version |", "| v6 | alpha-6 |")],
    ] as const;
    const done = await replayed(sources, on("{ row: versions, under: PyTorch }"), {
      versions: { url: "https://docs.example/versions", said },
    });
    expect(done.firings.map(({ rev }) => rev)).toEqual([3]);
  });
});

describe("a repository", () => {
  const url = "https://api.github.com/repos/Acme/next";
  const repo = JSON.stringify({ full_name: "acme/next", private: false, archived: false });

  test("that becomes public is reported once, at once, and not when it flickers", async () => {
    const sources = "sources: { next: { github-repo: acme/next, at-audit: { public: no } } }";
    const said = [
      [0, 404],
      [200, repo],
      [202, 404],
      [204, repo],
      [600, repo.replace("false}", "true}")],
    ] as const;
    const done = await replayed(
      sources,
      on("{ fact: next, name: public, becomes: yes, awaited: true }, { fact: next, name: archived, becomes: yes }"),
      { next: { url, said } },
    );
    expect(lines(done)).toEqual(["next#2 t: next public yes", "next#5 t: next archived yes"]);
  });
});
