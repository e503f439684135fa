import { expect, test } from "vitest";
import { parse } from "yaml";
import { Home, openWeb } from "./web.ts";

/** A link to lines of code is added as it is, and another one to the same file is another source. */

const page = "https://github.com/marsh/woods/blob";
const commit = "0123456789abcdef0123456789abcdef01234567";
const body = "// Woods\n\nexport const limit = 4;\n";

test("two links to lines of one file are two sources", async () => {
  const raw = "raw.githubusercontent.com/marsh/woods";
  const type = "text/plain; charset=utf-8";
  const web = await openWeb({
    [`${raw}/HEAD/src/woods.ts`]: { type, body },
    [`${raw}/${commit}/src/woods.ts`]: { type, body },
    [`${raw}/main/src/woods.ts`]: { type, body },
  });
  const home = new Home(web, "report: { title: Woods, audited: 2026-05-16 }\nsources: {}\n");
  try {
    for (const link of [`${page}/${commit}/src/woods.ts#L3`, `${page}/main/src/woods.ts#L1-L3`]) {
      const { code, out } = await home.add(link);
      expect(code, out).toBe(0);
    }
    const sources: object[] = Object.values(parse((await home.add(`${page}/${commit}/src/woods.ts#L3`)).yaml).sources);
    expect(sources.map((source) => Object.entries(source)[0])).toEqual([
      ["lines", `${page}/${commit}/src/woods.ts#L3`],
      ["lines", `${page}/main/src/woods.ts#L1-L3`],
    ]);
  } finally {
    home.remove();
    await web.close();
  }
});
