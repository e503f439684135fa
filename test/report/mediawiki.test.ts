import { describe, expect, test } from "vitest";
import { readers } from "../../src/read/index.ts";
import { draft } from "../../src/report/index.ts";
import { reportTextOf } from "../../src/report/parse/report-text.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { citedBy, ratedBy } from "./rated.ts";

describe("a report in the markup of a wiki", () => {
  test("links have their targets and labels; code and comments have none", () => {
    const text = `= Kites compared =
'''Box''' flies, see [https://box.example/a the ''box'' kite], [[Wind|the wind]] and https://plain.example/.
<!-- [https://comment.example/ old] -->
<pre>curl https://code.example/</pre>
[[File:Kite.png|thumb|A kite of [https://pic.example/ Lee]]]
* first
** [https://deep.example/ Deep]
# [//bare.example/x Bare]
# [[https://creole.example/x|as in Creole]]
{{Infobox|url=https://infobox.example/}}
[[Category:Kites]]
`;
    expect(citedBy(text, "a.mediawiki")).toEqual({
      "https://box.example/a": "the box kite",
      "https://plain.example/": "plain.example",
      "https://pic.example/": "Lee",
      "https://deep.example/": "Deep",
      "https://bare.example/x": "Bare",
      "https://creole.example/x": "as in Creole",
    });
    const { parts } = reportTextOf("a.wiki", text);
    expect(parts[0]).toMatchObject({ kind: "heading", level: 1, text: "Kites compared" });
    expect(parts.filter(({ kind }) => kind === "item").map(({ depth }) => depth)).toEqual([1, 2, 1, 1]);
    expect(parts.map((part) => part.text).join("|")).not.toMatch(/thumb|Category|\[\[/);
    expect(parts[1]?.text).toContain("Box flies, see the box kite, the wind and");
  });

  test("notes are its references, by the numbers that its readers see", () => {
    const text = `== Flight ==
It flies.<ref name="lee">{{cite web |url=https://lee.example/p |title=Kites in storms |author=Lee |date=2020}}</ref> It lands.<ref>See [https://kim.example/ Kim].</ref> Both are so.<ref name=lee />

== References ==
<references />
`;
    expect(citedBy(text, "a.mediawiki")).toEqual({
      "https://lee.example/p": "Kites in storms, Lee, 2020 1",
      "https://kim.example/": "See Kim 2",
    });
  });

  test("its tables rate, by words, by templates, and with attributes and spans", () => {
    const text = `{| class="wikitable sortable"
|+ Comparison of kites
|-
! scope="col" | Feature !! Box
! style="width:3em" | Delta
! Sled
|-
! Day
| {{Yes}} || {{No}} || style="background:#fdd" | {{Partial|by noon}}
|-
| Night
| colspan="2" | {{Yes|since 2020}}
| No
|-
| Rain || Yes || ?
| Partial
|}
`;
    expect(ratedBy(text, "a.mediawiki")).toEqual({
      levels: ["No", "Partial", "Yes"],
      ratings: {
        "Day | Box": "Yes",
        "Day | Delta": "No",
        "Day | Sled": "Partial",
        "Night | Box": "Yes",
        "Night | Delta": "Yes",
        "Night | Sled": "No",
        "Rain | Box": "Yes",
        "Rain | Sled": "Partial",
      },
    });
  });

  test.each([
    "<!--",
    "<ref>",
    "<ref name=a",
    "{{",
    "{{a|",
    "[[",
    "[[a|",
    "[http://a ",
    "{|\n",
    "|-\n",
    "* ",
    "''",
    "<pre>",
    "=",
  ])("many %j take time that grows with their number", (mark) => {
    const started = processorTime();
    draft({ path: "a.mediawiki", text: mark.repeat(20_000) }, { at: Date.parse("2026-06-01"), readers });
    expectTime(processorTime() - started, 3_000);
  });

  test.each([
    ["what may be attributes of a cell", `{|\n| ${"size=".repeat(19)}"\n|}`],
    ["spaces behind the sign of a heading", `= Box${" ".repeat(60_000)}kites`],
  ])("%s take time that grows with their number", (_, text) => {
    const started = processorTime();
    reportTextOf("a.mediawiki", text);
    expectTime(processorTime() - started, 1_000);
  });
});
