import { describe, expect, test } from "vitest";
import { pageOf } from "../../src/read/html/html.ts";
import { text, told } from "./builds.ts";

/** Texts of which most stands in links, and which are no menus. */

const page = (within: string) =>
  `<div class="top"><a href="/">Engine</a></div><div><h1>Engine</h1>${text}${within}</div>`;
const texts = (within: string) => pageOf(page(within)).blocks.map((block) => block.text);
const link = (name: string, title = name) => `<a href="${name}.html">${title}</a>`;
const typed = (name: string, after = "") => `<span class="kind">${link(name)}${after}</span>`;

describe("most of it in links, a page reads", () => {
  test.each<[what: string, html: string, read: string]>([
    [
      "a signature whose types are links",
      `<div class="signature"><span>fun </span>${link("restart")}(${link("Piston")}, ${link("Crank")}): ${link("Engine")}</div>`,
      "fun restart(Piston, Crank): Engine",
    ],
    [
      "a list that a sentence announces",
      `<p>These are the engines that others have built with it so far:</p><ul>${["Piston", "Crank"].map((name) => `<li>${link(name)} by ${link("Ada")}</li>`).join("")}</ul>`,
      "Piston by Ada",
    ],
    [
      "a list that a sentence without a paragraph announces",
      `These are the engines that others have built with it so far:<p></p><ol>${["Piston", "Crank"].map((name) => `<li>${link(name)}</li>`).join("")}</ol>`,
      "Crank",
    ],
    [
      "lists under headings of their own, all announced by a sentence",
      `<p>These are the engines that others have built with it so far:</p>${["Piston", "Crank"].map((name) => `<div><h3>Of ${name}</h3><ul><li>${link(name)}</li><li>${link(`${name} 2`)}</li></ul></div>`).join("")}`,
      "Crank 2",
    ],
    [
      "lists within the entries of a list that a sentence in a box announces",
      `<div><p>These are the engines that others have built with it so far:</p></div><div><ul>${["Steam", "Oil"].map((kind) => `<li><p>With ${kind}</p><div><ul>${["Piston", "Crank"].map((name) => `<li>${link(`${kind} ${name}`)}</li>`).join("")}</ul></div></li>`).join("")}</ul></div>`,
      "Oil Crank",
    ],
    [
      "cards with a title, a paragraph and buttons",
      ["Piston", "Crank"]
        .map(
          (name) =>
            `<div><div><h3>${name}</h3><p>Of steel</p>${link(name, "Preview the part")}${link(name, "Download the drawing")}</div></div>`,
        )
        .join(""),
      "Of steel",
    ],
    [
      "a section between others of the text",
      ["Piston", "Crank"]
        .map((name) => `<section><h2>${name}</h2><p>It moves in ${link("Engine")}s.</p></section>`)
        .join(
          `<section><h2>Makers</h2><ul>${["Ada", "Grace", "Mary"].map((name) => `<li>${link(name)}</li>`).join("")}</ul></section>`,
        ),
      "Grace",
    ],
    [
      "a cell whose words are links, beside other cells",
      `<table><tr><td><span>${link("#piston", "§")}${link("Piston")} ${link("Manual of pistons")}</span></td><td>Yes</td></tr></table>`,
      "Piston Manual of pistons | Yes",
    ],
    [
      "pages with their titles and authors, all in links",
      `<div>${Array.from({ length: 20 }, (_, i) => `<div>${link(`p${i}`, `<h2>Piston ${i}</h2><p>Ada</p>`)}${link(`p${i}`, '<img src="a.png">')}</div>`).join("")}</div>`,
      "Piston 19",
    ],
    [
      "the type that a signature ends with",
      `<h4><span class="name">restart</span>(speed)<span class="result">: ${link("Engine")}[${link("Piston")}]</span></h4>`,
      "restart(speed): Engine[Piston]",
    ],
    [
      "the values that a name may have",
      `<table class="decls"><tr><td>enum</td><td>${link("EngineState")} { ${["Idling", "Running", "Stalled"].map((name, i) => `${link(name)} = ${i}`).join(", ")} }</td></tr></table>`,
      "enum | EngineState { Idling = 0, Running = 1, Stalled = 2 }",
    ],
    [
      "definitions in code",
      `<ul class="definitions"><li><code>Speed : ${link("engine-speed")}</code></li><li><code>Oil : ${link("engine-oil")}</code></li></ul>`,
      "Speed : engine-speed",
    ],
    [
      "a declaration under its heading",
      `<ul class="blocks"><li><h4>fast</h4><pre>static ${link("EngineSpeeds")}&lt;${link("EngineNames")}&gt; fast</pre></li></ul>`,
      "static EngineSpeeds<EngineNames> fast",
    ],
    [
      "a line of a listing",
      `<div class="listing"><div class="line">${link("EngineBuilder")}&amp; ${link("startTheEngine")}(is);</div></div>`,
      "EngineBuilder& startTheEngine(is);",
    ],
    [
      "a sentence",
      `<div class="block">Turns a ${link("LogicalEngine")} into a ${link("PhysicalEngine")}.</div>`,
      "Turns a LogicalEngine into a PhysicalEngine.",
    ],
    [
      "a table with a headed column of links",
      `<div class="summary"><table><tr><th>Class</th></tr>${["Intake", "Valve", "Piston"].map((name) => `<tr><td>${link(name)}</td></tr>`).join("")}</table></div>`,
      "Valve",
    ],
    [
      "what to see as well",
      `<dl class="see"><dt>See</dt><dd>${link("Intake")}, ${link("Valve")}</dd></dl>`,
      "Intake, Valve",
    ],
    [
      "a name at the places that links lead to",
      `<ul><li><div><code><a name="/f1"></a><a name="/f2" class="anchor"></a><a href="#/f1">restart(from:to:)</a></code></div></li></ul>`,
      "restart(from:to:)",
    ],
    [
      "a heading with nothing below it yet",
      `<div class="section" id="gearbox"><h2><a href="#id1">Gearbox</a><a href="#gearbox" title="Permalink">¶</a></h2></div>`,
      "Gearbox",
    ],
    [
      "a type that is called like the way to the code",
      `<pre>public static ${link("Source", "Source")} of(${link("File")} file)</pre>`,
      "public static Source of(File file)",
    ],
    [
      "what a class is for, below many links to those that build on it",
      `<ul class="blocks"><li><dl><dt>Built on it:</dt><dd>${["Diesel", "Petrol", "Steam", "Electric", "Hybrid", "Rotary", "Radial"].map((name) => link(`${name}EngineOfTheMill`)).join(", ")}</dd></dl>
      <pre>public interface Engine</pre><div>Drives a ${link("Wheel")}.</div></li></ul>`,
      "Drives a Wheel.",
    ],
    [
      "a line of a listing that is drawn without its element",
      `<div class="fragment"><div class="line">${link("EngineState")} ${link("EngineRestart")}( ${link("EngineContext")} * engine,</div></div>`,
      "EngineState EngineRestart( EngineContext * engine,",
    ],
    [
      "addresses that are spelled out",
      `<ul>${["engine", "wheels"].map((name) => `<li><a href="https://forge.example/${name}">https://forge.example/${name}</a></li>`).join("")}</ul>`,
      "https://forge.example/wheels",
    ],
    [
      "addresses that are spelled out, each below what it is for",
      `<div class="list">${["Engine", "Wheels"].map((name) => `<p>${name}</p><p><a href="https://forge.example/tools/${name}">https://forge.example/tools/${name}</a></p>`).join("")}</div>`,
      "https://forge.example/tools/Wheels",
    ],
    [
      "a declaration in the entry of a list, behind its modifiers",
      `<ol><li><span class="modifiers">final class</span> <span class="symbol">${link("RichEngine")} extends ${link("Engine")}</span></li></ol>`,
      "final class RichEngine extends Engine",
    ],
    [
      "a declaration behind a note about its place",
      `<div class="row"><div class="symbol">@${link("Target")}(allowed = [${["CLASS", "PROPERTY", "FUNCTION", "CONSTRUCTOR"].map((name) => link(`EngineTarget.${name}`)).join(", ")}]) annotation class ${link("Greased")}</div></div>`,
      "@Target(allowed = [EngineTarget.CLASS, EngineTarget.PROPERTY, EngineTarget.FUNCTION, EngineTarget.CONSTRUCTOR]) annotation class Greased",
    ],
    [
      "files to fetch, each with its signature and checksum",
      `<ul><li>Source: ${["engine-2.1.tar.gz", "engine.asc", "engine.sha512"].map((file) => `<a href="https://forge.example/get/${file}">${file}</a>`).join(" ")}</li></ul>`,
      "Source: engine-2.1.tar.gz engine.asc engine.sha512",
    ],
  ])("%s", (_, html, read) => {
    expect(texts(html)).toContain(read);
  });

  test("and reports when a type in it changed", () => {
    const signature = (type: string) =>
      page(`<h4><span class="name">restart</span>(speed)${typed(type, `: ${link("Whole")}`)}</h4>`);
    expect(told(signature("Engine"), signature("Motor"))).toHaveLength(1);
  });
});

describe("as before, a page does not read", () => {
  const names = ["Intake", "Valve", "Piston", "Crank"];
  test.each<[what: string, html: string]>([
    ["a menu", `<div class="box"><ul>${names.map((name) => `<li>${link(name)}</li>`).join("")}</ul></div>`],
    ["a menu of functions", `<div class="box">${names.map((name) => link(name, `${name}()`)).join(" | ")}</div>`],
    [
      "a menu with numbers",
      `<div class="box">${names.map((name) => `${link(name, `Parts of the ${name}`)} (4)`).join(" ")}</div>`,
    ],
    ["links in a row beside others", `<div>${names.map((name) => `<span>${link(name)}</span>`).join(" · ")}</div>`],
    [
      "a menu with a file to fetch among pages",
      `<div class="box"><a href="engine.zip">Download</a> ${names.map((name) => link(name)).join(" ")}</div>`,
    ],
    ["who made it", `<div class="end">Made with ${link("engine-documents")} and ${link("engine-pictures")}.</div>`],
  ])("%s", (_, html) => {
    expect(texts(html)).toEqual(texts(""));
  });
});

test("a list right below a longer paragraph is read on a page without a main part, and one below a shorter one is not", () => {
  const list = `<ul>${["Drawings of pistons", "Drawings of cranks", "Questions and answers"].map((name) => `<li>${link(name)}</li>`).join("")}</ul>`;
  const parts = (above: string) =>
    `<section><h1>Engine</h1></section><section>${text}</section><section><h2>Others</h2><p>${above}</p> ${list}</section>`;
  const read = (above: string) => pageOf(parts(above)).blocks.map((block) => block.text);
  expect(read("Others built engines, too. They answer questions, and they are glad of more drawings.")).toContain(
    "Questions and answers",
  );
  expect(read("Others built engines, too.")).not.toContain("Questions and answers");
});
