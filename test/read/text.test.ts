import { describe, expect, test } from "vitest";
import type { Block, BlockKind } from "../../src/model/reading.ts";
import { textFile as text } from "../../src/read/kinds/text.ts";
import { failure, fixture, reading, response, source } from "./given.ts";

const at =
  (...path: string[]) =>
  (kind: BlockKind, text: string, header?: string): Block => ({ path, kind, text, ...(header && { header }) });

const read = (name: string) => text.read(fixture(name), source(text, {}, `https://engine.example/${name}?x=1`));
const blocksOf = async (body: string, address: string, type = "text/plain; charset=utf-8") =>
  (await text.read(response(body, { headers: { "content-type": type } }), source(text, {}, address))).blocks ?? [];

describe("text", () => {
  test("says of a file without its last line end that it may have been cut off", async () => {
    const of = async (body: string) => await text.read(response(body), source(text, {}, "https://engine.example/a.md"));
    expect(await of("# Engine\n\nIt runs.\n")).not.toHaveProperty("unclosed");
    expect(await of("# Engine\n\nIt ru")).toHaveProperty("unclosed", true);
  });

  test("reads Markdown: front matter, HTML in it, alerts, tasks, tables and MyST", async () => {
    const top = at();
    const engine = at("Engine");
    const install = at("Engine", "Install");
    const status = at("Engine", "Status");
    expect(await read("text.md")).toEqual({
      title: "Engine",
      region: "markdown",
      blocks: [
        top("value", "releases[].cycle: 2.4"),
        top("value", "title: Engine"),
        top("heading", "Engine"),
        {
          ...engine(
            "paragraph",
            "Runs models on any GPU, see the guide. Returns Promise<object> or a Promise<object> of it.",
          ),
          code: "the guide\nPromise<object>",
        },
        engine("heading", "Install"),
        install("quote", "Experimental on Windows."),
        install("item", "Get a wheel:"),
        install("code", "pip install engine"),
        install("item", "Import it"),
        install("row", "GPU | state"),
        install("row", "CUDA | ✅", "GPU | state"),
        install("row", "MPS | beta", "GPU | state"),
        install("paragraph", "Needs Python 3.12."),
        install("quote", "Fast start"),
        install("quote", "Use the cache."),
        engine("heading", "Status"),
        status("row", "Part | Version"),
        status("row", "core | 2.4.0", "Part | Version"),
      ],
    });
  });

  test("names the entry of a change in front matter, and reads what is no data by lines", async () => {
    const front = async (fields: string) =>
      (await blocksOf(`---\n${fields}\n---\n\n# Mill\n`, "https://a.example/a.md")).slice(0, -1);
    expect(await front("crew:\n  - name: Ada\n    role: miller\n  - name: Bo\n    role: baker")).toEqual([
      at()("value", "crew[Ada]: name: Ada; role: miller"),
      at()("value", "crew[Bo]: name: Bo; role: baker"),
    ]);
    const lines = await blocksOf("---\ntitle: Mill\n---\n---\nOpen: daily\n---\n", "https://a.example/a.md");
    expect(lines.map(({ kind }) => kind)).toEqual(["value", "heading"]);
    expect(await front("title: a: b\nprice: 3")).toEqual([at()("code", "title: a: b"), at()("code", "price: 3")]);
  });

  test("reads reStructuredText: sections, roles, directives, tables", async () => {
    const page = at("Installing Engine");
    const steps = at("Installing Engine", "Steps");
    expect(await read("text.rst")).toEqual({
      title: "Installing Engine",
      region: "rst",
      blocks: [
        at()("heading", "Installing Engine"),
        page("paragraph", "Docker is the recommended way for 2.4; see the guide and its site."),
        page("heading", "Steps"),
        steps("item", "get a wheel:"),
        steps("code", "pip install engine"),
        steps("item", "import it"),
        steps("quote", "Needs Python 3.12."),
        steps("paragraph", "Ubuntu"),
        steps("paragraph", "Use apt."),
        steps("paragraph", "Support"),
        steps("row", "GPU | State"),
        steps("row", "MI300 | full", "GPU | State"),
        steps("row", "Name | Since"),
        steps("row", "flex | 2.3", "Name | Since"),
        steps("row", " | 2.4", "Name | Since"),
        steps("paragraph", "Mirrors exist."),
      ],
    });
  });

  test.each([
    ["csv", 'Stack,6.3,6.2\n"Systems, all","a ""b""",c\n'],
    ["tsv", 'Stack\t6.3\t6.2\nSystems, all\ta "b"\tc\n'],
  ])("reads a table of %s by rows", async (extension, body) => {
    const header = "Stack | 6.3 | 6.2";
    expect(await blocksOf(body, `https://x.example/matrix.${extension}`)).toEqual([
      { path: [], kind: "row", text: header },
      { path: [], kind: "row", text: 'Systems, all | a "b" | c', header },
    ]);
  });

  test.each([
    ["YAML", "kites:\n  - name: Comet\n    since: 1.10 # at last\n  - {name: Delta, since: 2}\n", "kites.yaml"],
    ["JSON", '{"kites": [{"name": "Comet", "since": "1.10"}, {"since": 2, "name": "Delta"}]}', "kites.json"],
    ["XML", "<kites><k name='Comet' since='1.10'/>\n<k><since>2</since><name>Delta</name></k></kites>", "kites.xml"],
    ["several documents of YAML", "- kites: [{name: Comet, since: 1.10}]\n---\nno list\n", "kites.yml"],
  ])("says of each value in %s whose it is, and keeps its digits", async (_, body, file) => {
    const [first = ""] = (await blocksOf(body, `https://x.example/${file}`)).map(({ text }) => text);
    expect(first).toMatch(/kites(?:\.k)?\[Comet\]: name: Comet; since: 1\.10$/);
  });

  test.each([
    ["a template", "name: {{ kite }}\nprice: 2\n", ["name: {{ kite }}", "price: 2"]],
    ["only remarks", "# none\n", ["# none"]],
    ["one text", "none\n", ["none"]],
    ["a key that is there twice", "price: 2\nprice: 3\n", ["price: 2", "price: 3"]],
    ["an alias within its own list", "a: &a [*a]\n", ["a: &a [*a]"]],
    ["quotes that do not end, in time", '"'.repeat(200_000), ['"'.repeat(1_000)]],
    ["elements within elements, in time", "<a>".repeat(300_000), ["<a>".repeat(334).slice(0, 1_000)]],
    ["aliases that multiply", `a: &a [1]\nb: [${"*a, ".repeat(200)}*a]\n`.slice(0, 300), ["a: &a [1]"]],
  ])("reads YAML and XML that is no data by its lines: %s", async (_, body, texts) => {
    expect((await blocksOf(body, "https://x.example/kites.yaml")).map(({ text }) => text)).toEqual(
      expect.arrayContaining(texts),
    );
  });

  test("reads XML without remarks, and prose in it as one text", async () => {
    const body =
      "<?xml version='1.0'?><!-- old -->\n<kite id='a'><p unit='m'>2</p><note>Not <b>two</b>.</note><x/></kite>";
    const blocks = await blocksOf(body, "https://x.example/kite.xml");
    expect(blocks.map(({ text }) => text)).toEqual([
      "kite.id: a",
      "kite.note: Not two.",
      "kite.p.text: 2",
      "kite.p.unit: m",
    ]);
  });

  test.each([
    [
      "a name of more words before its version",
      "- {version: 2, artifactId: sail}",
      "[sail]: artifactId: sail; version: 2",
    ],
    [
      "its own name before one that it refers to",
      "- {title: Comet, maker_name: Ada}",
      "[Comet]: maker_name: Ada; title: Comet",
    ],
    ["none of its members, if it is a set", "- {sail: , rope: }", "[]: rope, sail"],
    ["its version, if nothing else does", "- {version: 2, paid: yes}", "[2]: paid: yes; version: 2"],
  ])("an entry is named by %s", async (_, body, text) => {
    expect((await blocksOf(body, "https://x.example/kites.yaml")).map((block) => block.text)).toEqual([text]);
  });

  test("columns of one length, one of them of names, are rows", async () => {
    const of = async (body: string) =>
      (await blocksOf(body, "https://x.example/kites.json")).map((block) => block.text);
    expect(await of('{"kites": {"names": ["Comet", "Delta"], "prices": [1, 2]}}')).toEqual([
      "kites[]: names: Comet; prices: 1",
      "kites[]: names: Delta; prices: 2",
    ]);
    expect(await of('{"os": ["a", "b"], "python": [3, 4]}')).toEqual([
      "os[]: a",
      "os[]: b",
      "python[]: 3",
      "python[]: 4",
    ]);
  });

  test("a key that JSON repeats has its last value", async () => {
    const blocks = await blocksOf('{"price": 2, "price": 3, "name": "Comet"}', "https://x.example/kites.json");
    expect(blocks.map(({ text }) => text)).toEqual(["name: Comet", "price: 3"]);
  });

  test("a line of TOML says to which section it belongs, and to which of several", async () => {
    const body =
      'v = 1\n[kite] # small\nprice = 1\n\n[[boat]]\nname = "Ada"\nprice = 2\n[[boat]]\nname = "Bo"\nprice = 2\n';
    expect((await blocksOf(body, "https://x.example/a.toml")).map(({ text }) => text)).toEqual([
      "v = 1",
      "[kite] # small",
      "[kite] price = 1",
      "[[boat]]",
      '[boat] name = "Ada"',
      '[boat: name = "Ada"] price = 2',
      "[[boat]]",
      '[boat] name = "Bo"',
      '[boat: name = "Bo"] price = 2',
    ]);
  });

  test("a line of BibTeX says to which entry it belongs", async () => {
    const body = "@misc{lee2020,\n  title = {Kites},\n}\n@misc{ada,\n  title = {Sails} }\n@misc{bo, title = {Tails}}\n";
    expect((await blocksOf(body, "https://x.example/refs.bib")).map(({ text }) => text)).toEqual([
      "@misc{lee2020,",
      "[lee2020] title = {Kites},",
      "[lee2020] }",
      "@misc{ada,",
      "[ada] title = {Sails} }",
      "@misc{bo, title = {Tails}}",
    ]);
  });

  test("a variable within a text of YAML makes it no template", async () => {
    const body = "job: run {{ kite }}\nuser: deploy\n";
    expect((await blocksOf(body, "https://x.example/a.yaml")).map(({ kind }) => kind)).toEqual(["value", "value"]);
  });

  test("reads 60,000 keys of one mapping in time", async () => {
    const body = Array.from({ length: 60_000 }, (_, i) => `k${i}: v`).join("\n");
    expect(await blocksOf(body, "https://x.example/kites.yaml")).toHaveLength(60_000);
  });

  test("reads a table with semicolons, whose figures may have commas", async () => {
    const blocks = await blocksOf("name;price\nComet;2,50\n", "https://x.example/kites.csv");
    expect(blocks.map(({ text }) => text)).toEqual(["name | price", "Comet | 2,50"]);
  });

  test("reads AsciiDoc as its readers see it: headings without anchors, code as a whole, tables by rows", async () => {
    const body =
      "= Engine\n\n[[backends]]\n== Backends\n\nSee link:https://x.example/a[the list].\n// a remark\n\n" +
      "----\npip install engine\n\nengine run\n----\n\n|===\n|GPU |State\n\n|MI300 |full\n|===\n";
    const under = at("Engine", "Backends");
    expect(await blocksOf(body, "https://x.example/backends.adoc")).toEqual([
      at()("heading", "Engine"),
      at("Engine")("heading", "Backends"),
      under("paragraph", "See the list."),
      under("code", "pip install engine engine run"),
      under("row", "GPU | State"),
      under("row", "MI300 | full", "GPU | State"),
    ]);
  });

  test("reads a notebook's text, code and printed results, and nothing else of the file", async () => {
    const cells = [
      { cell_type: "markdown", metadata: { id: "a1" }, source: ["# Speed\n", "\n", "It is *fast*."] },
      {
        ...{ cell_type: "code", execution_count: 3, source: "run()" },
        outputs: [
          { output_type: "stream", text: ["12 tokens\n"] },
          { output_type: "execute_result", data: { "text/plain": ["0.93"], "text/html": "<b>0.93</b>" } },
          { output_type: "display_data", data: { "image/png": "iVBORw0KGgo=" } },
        ],
      },
    ];
    const under = at("Speed");
    expect(await blocksOf(JSON.stringify({ cells, nbformat: 4 }, null, 1), "https://x.example/speed.ipynb")).toEqual([
      at()("heading", "Speed"),
      under("paragraph", "It is fast."),
      under("code", "run()"),
      under("code", "12 tokens"),
      under("code", "0.93"),
    ]);
  });

  test("reads a notebook of the time when its cells were in worksheets, with its raw texts", async () => {
    const cells = [
      { cell_type: "heading", level: 2, source: ["Speed"] },
      { cell_type: "markdown", source: ["It is *fast*."] },
      { cell_type: "raw", source: ["It is :ref:`light`."] },
      { cell_type: "code", input: ["run()"], outputs: [{ output_type: "pyout", text: ["0.93"], png: "iVBORw0KGgo=" }] },
    ];
    const body = JSON.stringify({ metadata: {}, nbformat: 3, worksheets: [{ cells }] });
    expect((await blocksOf(body, "https://x.example/speed.ipynb")).map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "heading Speed",
      "paragraph It is fast.",
      "code It is :ref:`light`.",
      "code run()",
      "code 0.93",
    ]);
  });

  test("a revision of AsciiDoc is read as its readers see it, on a line of its own or as attributes", async () => {
    const blocksUnder = async (head: string) =>
      (await blocksOf(`= Mill\nA. Miller\n${head}\n\nMill {revnumber} is here.\n`, "https://x.example/mill.adoc")).map(
        ({ text }) => text,
      );
    expect((await blocksUnder("v1.3, 2026-03-04")).slice(1)).toEqual([
      "A. Miller v1.3, 2026-03-04",
      "Mill 1.3 is here.",
    ]);
    expect((await blocksUnder(":toc:\n:revnumber: 1.3\n:revdate: 2026-03-04")).slice(2)).toEqual([
      ...[":revnumber: 1.3", ":revdate: 2026-03-04", "Mill 1.3 is here."],
    ]);
  });

  test("callouts of AsciiDoc are entries of a list, and their marks in code are left out", async () => {
    const body = "= Mill\n\n----\nstone: 2 <1>\nsieve: 3 # <2>\nsort(List<1>)\n----\n<1> The stone.\n<.> The sieve.\n";
    const blocks = await blocksOf(body, "https://x.example/mill.adoc");
    expect(blocks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      ...["heading: Mill", "code: stone: 2 sieve: 3 sort(List<1>)", "item: The stone.", "item: The sieve."],
    ]);
  });

  test("plain text: wrapped lines are one paragraph, sentences of a line each and entries of a list are not", async () => {
    const texts = async (body: string) =>
      (await blocksOf(body, "https://x.example/notes.txt")).map(({ kind, text }) => `${kind}: ${text}`);
    expect(await texts("Machines\nIt has much memory.\nIt costs little.\n")).toEqual([
      "heading: Machines",
      "paragraph: It has much memory.",
      "paragraph: It costs little.",
    ]);
    expect(await texts("It has much memory,\nand costs little. It\nis fast.\n")).toEqual([
      "paragraph: It has much memory, and costs little. It is fast.",
    ]);
    expect(await texts("The versions are:\n- a-1, which\n  is old\n- b-2\n3. c\n")).toEqual([
      "paragraph: The versions are:",
      "item: a-1, which is old",
      "item: b-2",
      "item: c",
    ]);
  });

  test("plain text: the lines of a list are not joined, but what is indented below one is", async () => {
    const texts = async (body: string) => (await blocksOf(body, "https://x.example/stock.txt")).map(({ text }) => text);
    expect(await texts("# stock\nrye==1.2\nwheat==2.0.1\noats\n")).toEqual([
      "# stock",
      "rye==1.2",
      "wheat==2.0.1",
      "oats",
    ]);
    expect(await texts("Ada Roe\nCy Ode\nBartholomew Ng\nDi Po\n")).toEqual([
      "Ada Roe",
      "Cy Ode",
      "Bartholomew Ng",
      "Di Po",
    ]);
    expect(await texts("rye==1.2 \\\n    --hash=sha256:1f2e \\\n    --hash=sha256:2f2e\nwheat==2.0\n")).toEqual([
      "rye==1.2 \\ --hash=sha256:1f2e \\ --hash=sha256:2f2e",
      "wheat==2.0",
    ]);
  });

  test("a document that was converted, and kept its name, reads the same", async () => {
    const rst = [
      ...[
        ".. _notes:",
        "",
        "Backend",
        "=======",
        "",
        "The ``fast`` device,",
        "see the `guide <https://x.example/g>`_.",
        "",
      ],
      ...[".. note::", "", "   Not all of it works.", "", ".. list-table::", "   :header-rows: 1", ""],
      ...["   * - Variable", "     - Meaning", "   * - ``FAST``", "     - Chooses kernels.", ""],
    ].join("\n");
    const markdown = [
      ...["(notes)=", "", "# Backend", "", "The `fast` device,", "see the [guide](https://x.example/g).", ""],
      ...[":::{note}", "Not all of it works.", ":::", ""],
      ...["| Variable | Meaning |", "| --- | --- |", "| `FAST` | Chooses kernels. |", ""],
    ].join("\n");
    for (const address of ["https://x.example/notes.rst", "https://x.example/notes.md", "https://x.example/notes"]) {
      const texts = async (body: string) => (await blocksOf(body, address)).map((block) => block.text);
      expect(await texts(rst)).toEqual(await texts(markdown));
      expect(await texts(rst)).toContain("FAST | Chooses kernels.");
    }
  });

  test("reads YAML by values and plain text by paragraphs and rows", async () => {
    const line = at();
    const under = at("Runtime versions");
    expect((await read("text.yml")).blocks).toEqual([line("value", "cuda[]: 12.8"), line("value", "cuda[]: 13.0")]);
    expect(await blocksOf("# as {{ name }}\nname: mill\n", "https://x.example/a.yaml")).toEqual([
      line("value", "name: mill"),
    ]);
    expect((await read("text.txt")).blocks).toEqual([
      line("heading", "Runtime versions"),
      under("paragraph", "Use these versions, which are kept for a year after their release."),
      under("row", "accelerator | runtime"),
      under("row", "v5p | v2-alpha", "accelerator | runtime"),
    ]);
  });

  test.each([
    [
      "a line above a longer one, where lines are paragraphs",
      `${"Prose. ".repeat(20)}\nVersions\nThey are these.`,
      "Versions",
    ],
    ["a line by itself above a paragraph", "Versions\n\nThey are these.", "Versions"],
    ["nothing that ends like a sentence", "They are these:\n\nThey are those.", undefined],
    ["nothing that begins in the middle of one", "and others\n\nThey are those.", undefined],
    ["no line of a list", `${"Prose. ".repeat(20)}\nOne\nTwo\nThree`, undefined],
    ["no lines that are wrapped", "Versions of\nthese are all\n\nThey are these.", undefined],
    ["not the last line", "They are these.\n\nImprint", undefined],
  ])("a heading of plain text: %s", async (_, text, heading) => {
    const blocks = await blocksOf(text, "https://x.example/notes.txt");
    expect(blocks.filter(({ kind }) => kind === "heading").map((block) => block.text)).toEqual(
      heading ? [heading] : [],
    );
    expect(blocks.at(-1)?.path).toEqual(heading ? [heading] : []);
  });

  test.each([
    ["the address", "# a", "https://x.example/README.md", "text/plain", "heading"],
    ["the address below .txt", "# a", "https://x.example/guide.md.txt", "text/plain", "heading"],
    ["the content type", "# a", "https://x.example/guide", "text/markdown", "heading"],
    ["its checks: Markdown", "intro\n\n## a\n", "https://x.example/guide", "text/plain", "paragraph heading"],
    ["its checks: rst", "intro\n=====\n\nb\n", "https://x.example/guide", "text/plain", "heading paragraph"],
    ["nothing", "a\n\n  b\n", "https://x.example/guide", "text/plain", "paragraph paragraph"],
    ["the address of code", "# a", "https://x.example/x.yaml", "text/plain", "code"],
    [
      "the address of a header",
      "// Copyright\n#define A 1\nint a;",
      "https://x.example/kite.h",
      "text/plain",
      "code code code",
    ],
    ["the name of a file", "FROM a\nRUN b \\\n  c", "https://x.example/Dockerfile", "text/plain", "code code code"],
    ["the type of a table", "a,b\n1,2\n", "https://x.example/export", "text/csv", "row row"],
    ["the type of code", "// a\nb()", "https://x.example/x", "application/javascript", "code code"],
  ])("knows the format by %s", async (_, body, address, type, kinds) => {
    expect((await blocksOf(body, address, type))?.map(({ kind }) => kind).join(" ")).toBe(kinds);
  });

  const formatOf = async (body: string, region?: string, address = "https://x.example/guide") =>
    (await text.read(response(body), source(text, {}, address), region ? { region } : {})).region;

  test.each([
    ["prose without a sign", "It runs.", "plain"],
    ["a heading", "# Engine\n\nIt runs.", "markdown"],
    ["comments right above settings", "# Licence: MIT\n\n# Base\nFROM mill:2\n\n# End\n", "plain"],
    ["a directive, with any text beside it", "# Engine\n\n.. note::\n\n   It runs.", "rst"],
    ["more signs of the other format", "# Engine\n\n```\nrun\n```\n\n.. note::\n\n   It runs.", "markdown"],
    ["roles", "See :ref:`engine` and :doc:`start`.", "rst"],
  ])("weighs all signs of a format: %s", async (_, body, format) => {
    expect(await formatOf(body)).toBe(format);
  });

  test("keeps the format of the last reading while it is plausible", async () => {
    expect(await formatOf("It runs.\n\n# 1 of them fast", "plain")).toBe("plain");
    expect(await formatOf("It runs.", "markdown")).toBe("markdown");
    expect(await formatOf("Engine\n------\n\nIt runs.", "markdown")).toBe("markdown");
    expect(await formatOf("# Engine\n\n```\nrun\n```", "plain")).toBe("markdown");
    expect(await formatOf(".. note::\n\n   See :ref:`it`.", "markdown")).toBe("rst");
    expect(await formatOf("a: 1", "markdown", "https://x.example/a.yaml")).toBe("data");
  });

  test.each([
    [
      "Markdown",
      "https://x.example/a.md",
      "See [](../install/guide.md#steps) and [](#limits).",
      "See guide and limits.",
    ],
    [
      "MyST",
      "https://x.example/a.md",
      "See {doc}`/install/guide` and {ref}`the limits <limits>`.",
      "See guide and the limits.",
    ],
    [
      "rst",
      "https://x.example/a.rst",
      "See :doc:`/install/guide` and :ref:`the limits <limits>`.",
      "See guide and the limits.",
    ],
  ])("a reference without words of its own shows the last part of its target: %s", async (_, address, body, shown) => {
    expect((await blocksOf(body, address)).map((block) => block.text)).toEqual([shown]);
  });

  const under = async (body: string, address = "https://x.example/a.md") =>
    (await blocksOf(body, address)).map(({ path, text }) => `${path.join(" › ")}: ${text}`);

  test("a bold line above a paragraph, a list or a table is its heading, until the next one or a heading", async () => {
    const body =
      "# Engine\n\n**Limits:**\n\nFour gears.\n\n- No more.\n\n**Oil**\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n## Use\n\nTurn it.";
    expect(await under(body)).toEqual([
      ": Engine",
      "Engine: Limits:",
      "Engine › Limits: Four gears.",
      "Engine › Limits: No more.",
      "Engine: Oil",
      "Engine › Oil: a | b",
      "Engine › Oil: 1 | 2",
      "Engine: Use",
      "Engine › Use: Turn it.",
    ]);
    expect(await under("**Limits**\n\nFour gears.", "https://x.example/a.rst")).toEqual([
      ": Limits",
      "Limits: Four gears.",
    ]);
  });

  test.each([
    ["a sentence that is stressed", "**Do not touch it.**\n\nIt is hot."],
    ["a bold word within a line", "**Limits** of it\n\nFour gears."],
    ["an entry of a list", "- **Limits**\n\n  Four gears."],
    ["a bold line above a heading", "**Limits**\n\n# Engine\n\nIt runs."],
  ])("%s is a heading of nothing", async (_, body) => {
    expect((await blocksOf(body, "https://x.example/a.md")).flatMap(({ path }) => path)).not.toContain(
      /touch/.test(body) ? "Do not touch it." : "Limits",
    );
  });

  test("an entry is the heading of those within it, and a term that of its description", async () => {
    const list =
      "# Engine\n\n- **Fuel**:\n  - Oil\n    - of rape\n  - [ ] Coal\n    - black\n- Made in winter.\n  - Ice\n\n  More.";
    expect(await under(list)).toEqual([
      ": Engine",
      "Engine: Fuel:",
      "Engine › Fuel: Oil",
      "Engine › Fuel › Oil: of rape",
      "Engine › Fuel: [ ] Coal",
      "Engine › Fuel › Coal: black",
      "Engine: Made in winter.",
      "Engine: Ice",
      "Engine: More.",
    ]);
    const terms =
      "<h1>Engine</h1><dl><div><dt>Free</dt><dd>1 gear<dl><dt>Colour</dt><dd>red</dd></dl></dd><dd>1 pipe</dd></div><dt>Paid</dt><dd>2 gears</dd></dl>\n\nDone.";
    expect(await under(terms)).toEqual([
      ": Engine",
      "Engine: Free",
      "Engine › Free: 1 gear",
      "Engine › Free: Colour",
      "Engine › Free › Colour: red",
      "Engine › Free: 1 pipe",
      "Engine: Paid",
      "Engine › Paid: 2 gears",
      "Engine: Done.",
    ]);
  });

  test("text that is struck out is left out", async () => {
    const body = "- ~~Engines for trains~~\n- Engines for ~~cars~~ ships";
    expect((await blocksOf(body, "https://x.example/a.md")).map(({ text }) => text)).toEqual(["Engines for ships"]);
  });

  test("a change in minified code is a change of one place", async () => {
    const code = (n: number) => Array.from({ length: 300 }, (_, i) => `var v${i}={a:"${i === 150 ? n : i}"};`).join("");
    const [before = [], after = []] = await Promise.all([1, 2].map((n) => blocksOf(code(n), "https://x.example/a.js")));
    expect(before.length).toBeGreaterThan(30);
    expect(after.filter((block, i) => block.text !== before[i]?.text)).toHaveLength(1);
  });

  test.each([
    ["a link's target", "see [it](https://a.example)", "see [it](https://b.example?x=1)"],
    ["an image's address", "a ![b](https://a.example/1.svg) c", "a ![b](https://a.example/2.svg) c"],
    ["a comment", "a\n\n<!-- one -->\n\nb", "a\n\n<!-- two -->\n\nb"],
    ["marks", "a **b** c", "a __b__ c"],
    ["line ends", "a\r\nb\r\n", "a\nb\n"],
    ["how it is wrapped", "a b\nc d\n", "a\nb c\nd"],
    ["another bullet", "* a\n* b", "- a\n- b"],
    ["another underline", "a\n===", "# a"],
  ])("%s is no content", async (_, before, after) => {
    const address = "https://x.example/a.md";
    expect(await blocksOf(after, address)).toEqual(await blocksOf(before, address));
  });

  test("announces versions", async () => {
    const { items, blocks } = await reading(text, response("# News\n\nv2.4 and v2.3, v2.4"), {
      versions: "v\\d\\.\\d",
    });
    expect(items?.map(({ version }) => version)).toEqual(["v2.4", "v2.3"]);
    expect(blocks).toHaveLength(2);
  });

  test("announces no version in a comment of Markdown, which nobody sees", async () => {
    const versions = "v(\\d\\.\\d)";
    const ids = async (written: string) =>
      (await reading(text, response(written), { versions })).items?.map(({ id }) => id);
    expect(await ids("# News\n\n<!--\n## v2.5 - 2027-01-02\n\n## v2.6\n-->\n\n## v2.4")).toEqual(["2.4"]);
    expect(await ids("<!-- one --> v2.3\n\n  <!-- a\n<!-- v2.5 -->\n# v2.4")).toEqual(["2.3", "2.4"]);
    expect(await ids("# v2.4\n\nReads `<!--` again.\n\n# v2.3")).toEqual(["2.4", "2.3"]);
  });

  test.each([
    ["HTML", "<!doctype html><html><body>x</body></html>", "HTML where a text file was expected"],
    ["nothing", "\n\n", "an empty answer"],
    ["only a comment", "<!-- a -->", "an empty answer"],
    ["more than 5 MB in one line", "word ".repeat(1_000_001), "larger than 5 MB"],
    ["bytes", "\0\u0001\u0002\u0003".repeat(100), "unreadable character encoding"],
  ])("refuses %s", async (_, body, says) => {
    expect(await failure(text, body)).toBe(says);
  });

  const at200 = async (body: string, name: string, type = "text/plain; charset=utf-8") => {
    const from = response(body, { headers: { "content-type": type } });
    try {
      await text.read(from, source(text, {}, `https://x.example/${name}`));
      return "read";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const long = "It runs models on any GPU. ".repeat(80);

  test.each([
    ["JSON for Markdown", '{"a": 1}', "README.md", "application/json; charset=utf-8", "application/json"],
    ["an interface's error", '{"title": "Gone"}', "a.rst", "application/problem+json", "application/problem+json"],
    ["XML for YAML", "<Error><Code>NoSuchKey</Code></Error>", "a.yaml", "application/xml", "application/xml"],
    ["JSON for a plain text", '{"a": 1}', "a.txt", "application/json", "application/json"],
    ["a picture", long, "guide", "image/png", "image/png"],
    ["a PDF", long, "a.txt", "application/pdf", "application/pdf"],
  ])("refuses %s by its type", async (_, body, name, type, found) => {
    expect(await at200(body, name, type)).toContain(`${found} where a text file was expected`);
  });

  test.each([
    ["404: Not Found", "README.md", "a page that says it does not exist"],
    ["# Not found\n", "README.md", "a page that says it does not exist"],
    ["Service Unavailable\n\nTry again later.", "notes", "an error page"],
    ['{"error": "rate limit exceeded"}', "data.json", "an error page"],
    ['{"message": "Not Found", "status": "404"}', "data.json", "a page that says it does not exist"],
    ['{"errors": [{"detail": "no"}]}', "data", "an error page"],
    ["Retry later\n", "notes", "an error page"],
    [
      "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
      "notes",
      "an error page",
    ],
    ['{"message": "Limited", "documentation_url": "https://engine.example/rest"}', "data.json", "an error page"],
    ['<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', "data", "an error page"],
  ])("takes %j for an error that came with 200", async (body, name, says) => {
    expect(await at200(body, name)).toBe(says);
  });

  test.each([
    ["a type that says nothing", "# Engine\n\nIt runs.", "README.md", "application/octet-stream"],
    [
      "words for an interface",
      JSON.stringify(
        Object.fromEntries("ok cancel save open close error retry help quit".split(" ").map((w) => [w, w])),
      ),
      "en.json",
      "application/json",
    ],
    ["JSON where it is JSON", '{"error": null, "version": "2.4"}', "data.json", "application/json"],
    ["JSON where no ending tells", '{"version": "2.4"}', "data", "application/json"],
    ["XML where it is XML", "<versions><one>2.4</one></versions>", "data.xml", "text/xml"],
    ["JSON with a message of its own", '{"message": "Engines run.", "version": 2}', "data.json", "application/json"],
    ["a heading on limits", `# Rate limits\n\n${long}`, "limits.md", "text/plain"],
    ["a long text on errors", `404: Not Found\n\n${long}`, "errors.md", "text/plain"],
    ["a line on errors below another", "# Engine\n\n404 is sent where nothing is.", "README.md", "text/plain"],
  ])("reads %s", async (_, body, name, type) => {
    expect(await at200(body, name, type)).toBe("read");
  });

  test.each([
    ["a line break between quotation marks", 'a,b\n1,"two\nlines"\n3,4\n', ["a | b", "1 | two lines", "3 | 4"]],
    ["inches", 'disk,"5"\n5" disk,a\n3" disk,b\n', ["disk | 5", '5" disk | a', '3" disk | b']],
    [
      "a mark that nothing closes",
      `a,b\n1,"two\n${"3,4\n".repeat(60)}`,
      ["a | b", '1 | "two', ...Array(60).fill("3 | 4")],
    ],
    ["tabs in a cell", "a,b\n1,x\ty\n", ["a | b", "1 | x y"]],
    ["tabs between cells", 'a\tb\n5"\tc, d\n', ["a | b", '5" | c, d']],
  ])("a table of %s keeps its rows", async (_, table, rows) => {
    expect((await blocksOf(table, "https://x.example/a.csv"))?.map((block) => block.text)).toEqual(rows);
  });

  test.each([
    ["<Canvas of={Stories.Primary} />", []],
    ["<Canvas of={() => 1} />", ["<Canvas of={() => 1} />"]],
    ['<video src="a.mp4" controls />', []],
    ["<iframe src='https://x.example'/>", []],
    ["<object>", []],
    ["<video>\n\nYour browser plays none.\n\n</video>", []],
  ])("the text behind %s is read", async (element, instead) => {
    const blocks = await blocksOf(`# A\n\n${element}\n\nIt supports 19.\n`, "https://x.example/a.mdx");
    expect(blocks?.map((block) => block.text)).toEqual(["A", ...instead, "It supports 19."]);
  });

  test.each([
    [
      "a manual page",
      "mill.1.in",
      '.\\" Copyright 2024\n.TH MILL 1\n.SH NAME\nmill\n.TP 4\n.B \\-f\nGrinds\nthe\n.Fl x\n.Nm\n\\fIgrain\\fR.\n.Bl -tag -width 9\n',
      '.\\" Copyright 2026\n.TH MILL 1\n.SH "NAME"\nmill\n.TP\n.B -f\nGrinds the\n.Fl x\n\\fBgrain\\fP.\n.Bl -tag -width indent\n',
      ["MILL 1", "NAME", "mill", "-f Grinds the x grain."],
    ],
    [
      "Texinfo",
      "mill.texi",
      "@c Copyright 2024\n@node Top\n@appendixsec Use\n@table @code\n@item -f\n@cindex grain\nGrinds\n@var{grain} @@.\n@end table\n",
      "@c Copyright 2026\n@heading Use\n@table @samp\n@item -f\nGrinds @emph{grain} @@.\n@end table\n",
      ["Use", "-f Grinds grain @."],
    ],
  ])("reads %s without comments and layout", async (_, name, before, after, shown) => {
    for (const source of [before, after])
      expect((await blocksOf(source, `https://x.example/${name}`))?.map(({ text }) => text)).toEqual(shown);
  });

  test("Markdown may begin with HTML", async () => {
    const html = '<!doctype html>\n<h1 align="center">Engine</h1>\n\nRuns *models*.';
    const blocks = await blocksOf(html, "https://x.example/README.md");
    expect(blocks?.map((block) => block.text)).toEqual(["Engine", "Runs models."]);
  });
});
