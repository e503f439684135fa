import { describe, expect, test } from "vitest";
import { openWeb } from "../faces/cli/add/web.ts";
import { violations } from "../github/openapi.ts";
import { endInstance, issuesOf, type LocalIssue, startInstanceWith } from "../support/instance.ts";
import { localArchive, timegate } from "../support/local-archive.ts";

/** A draft that is merged as it is: addresses of the web as reports cite them, answered on this machine. */

const day = 86_400_000;

const report = `# State of Engines

Last audited: 2026-05-16.

| Engine | Maturity | Memory |
|---|---|---|
| Big Engine | Medium | High |
| Small Wheels | Low | Medium |

The Big Engine runs [1], has up to 128 GB [2], and is at 3.0 [3]. Small Wheels do not turn yet [4].

## What would change our mind

| Engine | Confidence | Volatility | Recheck trigger |
|---|---|---|---|
| Big Engine | Medium | High | A release of Big Engine; a change of its specification |
| Small Wheels | High | Low | Small Wheels leaves beta |

## References

1. Big Engine blog. https://blog.big-engine.example.org/feed/
2. Big Engine specification. https://docs.big-engine.example.org/spec
3. Big Engine releases. https://github.com/example/big-engine/releases
4. Small Wheels road map. https://walled.example.net/road-map
`;

const posts = (titles: Readonly<Record<string, string>>) => ({
  type: "application/rss+xml",
  body: `<?xml version="1.0"?><rss version="2.0"><channel><title>Big Engine</title>${Object.entries(titles)
    .map(
      ([title, at]) =>
        `<item><title>${title}</title><guid>${title}</guid><pubDate>${new Date(at).toUTCString()}</pubDate></item>`,
    )
    .join("")}</channel></rss>`,
});

const releases = (tags: Readonly<Record<string, string>>) => ({
  type: "application/atom+xml",
  body: `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Release notes</title>${Object.entries(
    tags,
  )
    .map(
      ([tag, at]) =>
        `<entry><id>tag:github.com,2008:Repository/1/${tag}</id><updated>${at}T00:00:00Z</updated><title>${tag}</title><link rel="alternate" href="https://github.com/example/big-engine/releases/tag/${tag}"/></entry>`,
    )
    .join("")}</feed>`,
});

const spec = (memory: string) => ({
  body: `<title>Big Engine</title><main><h1>Big Engine specification</h1><h2>Memory</h2><p>The Big Engine has up to ${memory} of memory in all configurations sold today.</p><p>It is made for long journeys with heavy loads.</p></main>`,
});

test("a draft that is merged untouched watches what the report cites, and asks when it moves", async () => {
  const blog = "blog.big-engine.example.org/feed/";
  const page = "docs.big-engine.example.org/spec";
  const atom = "github.com/example/big-engine/releases.atom";
  const wall = "walled.example.net/road-map";
  const answers = {
    [blog]: posts({ "A road test": "2026-06-01" }),
    [page]: spec("128 GB"),
    [atom]: releases({ "v3.0.0": "2026-04-01", "v3.1.0": "2026-07-01" }),
    [wall]: { status: 403, body: "no" },
  };
  const web = await openWeb(answers);
  const it = await startInstanceWith({ web });
  const issues = () => issuesOf(it);
  const bodyOf = async (title: string) => (await issues()).find((one) => one.title.startsWith(title))?.body ?? "";
  /** Addresses that were asked for since, but for the archive that has no copy of them. */
  const asked = () => [...new Set(web.asked)].filter((address) => !address.startsWith("web.archive.org/")).sort();
  const days = async (count: number) => {
    web.asked.length = 0;
    it.pass(count * day);
    await it.run();
    return asked();
  };

  try {
    // Installed: every address that the report cites is drafted, and checked.
    await it.serve({ "README.md": report });
    // The audit of the report also asks whether a cited repository is archived.
    expect(asked()).toEqual(["api.github.com/repos/example/big-engine", blog, page, atom, wall]);
    const [setUp, ...others] = await it.local.asPerson<LocalIssue[]>("GET", "/pulls?state=all");
    if (!setUp) throw new Error("no pull request to set up");
    expect([setUp.title, setUp.state, others]).toEqual(["Set up Recheck", "open", []]);
    expect(setUp.body).toContain("4 references, 4 distinct addresses; 4 ratings (Low, Medium, High); 3 triggers");
    // What refuses to be read cannot be watched, and says why on the branch.
    expect(setUp.body).toContain("holds 3 sources, 4 ratings, 3 triggers, 1 reference that cannot be watched.");
    expect(setUp.body).toContain("3 sources. All of them could be read.");
    expect(setUp.body).toContain("would have asked **2 times** in the last half year.");
    expect(setUp.body).toContain("**0 events against the report, 2 for your information, 0 without effect.**");
    expect(setUp.body).toContain("1 confirmed by the sources today. `sources.yaml` on this branch holds 1 claim:");
    expect(setUp.body).toContain("- The Big Engine runs, has up to 128 GB, and is at 3.0.");
    expect(await issues()).toEqual([]);

    // Merged as it is: the watch begins with what was seen just now, and nothing is asked of anybody twice.
    web.asked.length = 0;
    await it.local.asPerson("PUT", `/pulls/${setUp.number}/merge`, {});
    await it.run();
    expect(asked()).toEqual([]);
    expect((await issues()).map(({ title }) => title)).toEqual([
      expect.stringMatching(/^Catch up: \d+ events? since/),
      "Recheck overview",
    ]);
    expect(await bodyOf("Catch up")).toContain("big-engine 3.1.0 released");
    expect(await bodyOf("Catch up")).toContain("new entry `A road test`");

    // The first scan checks these very addresses. Where nothing moved, nobody is asked.
    expect(await days(2)).toEqual([blog, page, atom]);
    expect(await issues()).toHaveLength(2);

    // A new version at one of them, a new post at another, and other words at the third are asked about in one issue.
    const tomorrow = new Date(it.now() + day).toISOString().slice(0, 10);
    answers[atom] = releases({ "v3.1.0": "2026-07-01", "v4.0.0": tomorrow });
    expect(await days(2)).toEqual([blog, page, atom]);
    const [, , recheck, ...more] = await issues();
    expect([recheck?.title, recheck?.state, more]).toEqual([
      "big-engine 4.0.0 released; is “Big Engine” still right?",
      "open",
      [],
    ]);
    expect(recheck?.body).toContain("**Are these 2 ratings still right?** Big Engine · ");
    answers[blog] = posts({ "A road test": "2026-06-01", "More memory": new Date(it.now() + day).toISOString() });
    answers[page] = spec("192 GB");
    await days(2);
    await days(1);
    const body = (await issues())[2]?.body ?? "";
    expect(body).toContain("new entry `More memory`");
    expect(body).toMatch(/^- .*128 GB/m);
    expect(body).toMatch(/^\+ .*192 GB/m);
    // What a sentence of the report says is not so any more.
    expect(body).toContain("“The Big Engine runs, has up to 128 GB, and is at 3.0”");
    expect(body).toContain("has said **192 GB** since ");
    expect(await issues()).toHaveLength(3);
    expect(it.log()).not.toContain('"level":50');
    expect(it.local.requests.flatMap(violations)).toEqual([]);
  } finally {
    await it.close();
    await web.close();
  }
});

describe("claims that only the page of the audit proves", () => {
  const audit = Date.UTC(2026, 4, 16);
  const answers = {
    "blog.big-engine.example.org/feed/": posts({ "A road test": "2026-06-01" }),
    "docs.big-engine.example.org/spec": spec("192 GB"),
    "github.com/example/big-engine/releases.atom": releases({ "v3.0.0": "2026-04-01", "v3.1.0": "2026-07-01" }),
    "walled.example.net/road-map": { status: 403, body: "no" },
  };

  /** Installed where an archive has the page of May, or is `spoilt`; the set-up pull request, and what follows its merge. */
  async function install(spoil: (archive: ReturnType<typeof localArchive>) => void = () => {}) {
    const archive = localArchive();
    archive.copies.set("https://docs.big-engine.example.org/spec", [
      { at: audit - 2 * day, body: spec("128 GB").body },
    ]);
    spoil(archive);
    const web = await openWeb(answers, 0, archive);
    const it = await startInstanceWith({ web, timegate });
    try {
      await it.serve({ "README.md": report });
      const [setUp] = await it.local.asPerson<LocalIssue[]>("GET", "/pulls?state=all");
      if (!setUp) throw new Error("no pull request to set up");
      const before = await issuesOf(it);
      await it.local.asPerson("PUT", `/pulls/${setUp.number}/merge`, {});
      await it.run();
      archive.fault = undefined;
      it.pass(2 * day);
      await it.run();
      const after = await issuesOf(it);
      expect(it.log()).not.toContain('"level":50');
      return { setUp: setUp.body, before, after };
    } finally {
      await endInstance(it);
      await web.close();
    }
  }

  test("is claimed in the set-up pull request, and contrary at the first scan", async () => {
    const { setUp, before, after } = await install();
    expect(setUp).toContain("0 confirmed by the sources today, 1 more by their state at the audit");
    expect(setUp).toContain("`sources.yaml` on this branch holds 1 claim:");
    expect(setUp).toContain("- The Big Engine runs, has up to 128 GB, and is at 3.0.");
    expect(before).toEqual([]);
    const recheck = after.find(({ title }) => title.includes("192 GB"));
    expect(recheck?.body).toContain("Big Engine specification [2] has said **192 GB** since ");
    expect(recheck?.body).toMatch(/^- .*128 GB/m);
    expect(recheck?.body).toMatch(/^\+ .*192 GB/m);
    expect(recheck?.body).toContain("changed since 2026-05-14");
    expect(after.filter(({ body }) => /not found/i.test(body))).toEqual([]);
  });

  test.each<readonly [string, Parameters<typeof install>[0]]>([
    ["is down", (archive) => (archive.fault = (request) => request.socket.destroy() && true)],
    ["has nothing", (archive) => archive.copies.clear()],
  ])(
    "is left out where the archive %s; the pull request comes all the same",
    async (_, spoil) => {
      const { setUp, after } = await install(spoil);
      expect(setUp).toContain("0 confirmed by the sources today.");
      // It is not known since when, but that the page says otherwise today.
      expect(setUp).toContain("**1 thing in this report is out of date:**");
      expect(setUp).toContain("`README.md:10`: Big Engine specification \\[2\\] says `192 GB`; the report says 128 GB");
      expect(setUp).toContain("`sources.yaml` on this branch holds 1 claim:");
      expect(after.map(({ title }) => title)).toContain(
        "Big Engine specification [2] says 192 GB; the report says 128 GB",
      );
    },
    60_000,
  );
});
