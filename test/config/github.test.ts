import { describe, expect, it } from "vitest";
import { config, sources, told } from "./valid.ts";

const smallest = "report: { title: Kites, audited: 2026-05-16 }\n";
/** With more of the report, and more at the top. */
const written = (report: string, more = "") =>
  `${sources.replace("  audited: 2026-05-16\n", () => `  audited: 2026-05-16\n${report}`)}${more}`;
const problems = (report: string, more = "") => told(written(report, more));

describe("settings for GitHub", () => {
  it("is its default if it is missing", () => {
    const { report, overview, limits } = config(smallest, "");
    expect({ report, overview, limits }).toEqual({
      report: { title: "Kites", audited: Date.UTC(2026, 4, 16) },
      overview: true,
      limits: { contentsAnHour: 20, rechecksAnHour: 2 },
    });
  });

  it("is taken as it is written", () => {
    const report = "  text: docs/The report.md\n  log: CHANGES.md\n";
    const more = "overview: no\nlimits: { contents-an-hour: 60, rechecks-an-hour: 5 }\n";
    const parsed = config(written(report, more));
    expect(parsed.report).toMatchObject({
      text: "docs/The report.md",
      log: "CHANGES.md",
    });
    expect(parsed.overview).toBe(false);
    expect(parsed.limits).toEqual({ contentsAnHour: 60, rechecksAnHour: 5 });
    expect(config(written("", "limits: { rechecks-an-hour: 9 }\n")).limits).toEqual({
      contentsAnHour: 20,
      rechecksAnHour: 9,
    });
  });
});

describe("the path of a file", () => {
  it.each([
    "../secrets.md",
    "/etc/passwd",
    "docs//report.md",
    "docs/./report.md",
    "docs/",
    ".git/config",
    ".GIT/config",
    "docs\\report.md",
    "c:report.md",
    "*.md",
    " report.md",
    "a\u202eb.md",
  ])("is not %j", (path) => {
    const needs = `"text" needs the path of a file in the repository, such as docs/report.md; this is `;
    expect(problems(`  text: ${JSON.stringify(path)}\n`)).toEqual([
      expect.stringContaining(`sources.yaml:6:9  ${needs}`),
    ]);
  });

  it("is cut to the size of a message", () => {
    expect(problems(`  log: ${"a".repeat(256)}\n`)).toEqual([
      `sources.yaml:6:8  "log" needs the path of a file in the repository, such as docs/report.md; this is "${"a".repeat(79)}…"`,
    ]);
  });
});

describe("a mistake in the settings for GitHub", () => {
  it.each<[string, string, string, string]>([
    [
      "a file that is a number",
      "  text: 5\n",
      "",
      '6:9  "text" needs the path of a file in the repository, such as docs/report.md; this is 5',
    ],
    ["a misspelt key", "  lgo: log.md\n", "", '6:3  unknown key "lgo" in report; did you mean "log"?'],
    [
      "a channel of two kinds",
      "",
      "notify: { team: { slack: weekly, teams: weekly } }\n",
      '53:17  "team" holds slack and teams; it needs one of webhook, slack, discord, teams, email',
    ],
    [
      "a moment of a message that there is not, among others",
      "",
      "notify: { team: { slack: [contrary, daily] } }\n",
      '53:37  "slack" needs contrary, weekly or monthly; this is "daily"',
    ],
    [
      "two digests on one channel",
      "",
      "notify: { team: { slack: [weekly, monthly] } }\n",
      '53:26  "slack" has two digests; keep weekly or monthly',
    ],
    [
      "quiet hours without a zone",
      "",
      'notify: { team: { slack: weekly, quiet: "22:00-07:00" } }\n',
      '53:41  "quiet" needs hours and a time zone such as "22:00-07:00 Europe/Berlin"; this is "22:00-07:00"',
    ],
    [
      "quiet hours in no zone",
      "",
      'notify: { team: { slack: weekly, quiet: "22:00-07:00 Europe/Berlni" } }\n',
      '53:41  "quiet" needs an existing time zone, such as Europe/Berlin; this is "22:00-07:00 Europe/Berlni"',
    ],
    ["an overview that may be", "", "overview: maybe\n", '53:11  "overview" needs yes or no; this is "maybe"'],
    [
      "an overview in another YAML",
      "",
      "overview: false\n",
      '53:11  "overview" needs yes or no; this is false; did you mean "no"?',
    ],
    [
      "a misspelt limit",
      "",
      "limits: { content-an-hour: 5 }\n",
      '53:11  unknown key "content-an-hour" in limits; did you mean "contents-an-hour"?',
    ],
    [
      "a limit of nothing",
      "",
      "limits: { rechecks-an-hour: 0 }\n",
      '53:29  "rechecks-an-hour" needs at least 1; this is 0',
    ],
    [
      "a limit beyond GitHub's",
      "",
      "limits: { contents-an-hour: 500 }\n",
      '53:29  "contents-an-hour" needs at most 400; this is 500',
    ],
    [
      "half a recheck",
      "",
      "limits: { rechecks-an-hour: 1.5 }\n",
      '53:29  "rechecks-an-hour" needs a whole number; this is 1.5',
    ],
    ["limits in words", "", "limits: none\n", '53:9  "limits" needs keys with values; this is "none"'],
  ])("%s", (_, report, more, expected) => {
    expect(problems(report, more)).toEqual([`sources.yaml:${expected}`]);
  });
});
