import { expect, test } from "vitest";
import { ratedBy } from "./rated.ts";

const table = "\n\n| Feature | Kite | Owl | Elm |\n|-|-|-|-|\n| Read | ✅ | ❌ | ✅ |\n| Write | ✅ | ✅ | ❌ |\n\n";

test("each table of the same things below another heading is rated, even if the lowest headings are equal", () => {
  const text = `# Status\n\n## Shore\n\n### V1${table}### V2${table}## Sea\n\n### V1${table}### V2${table}`;
  const { ratings } = ratedBy(text);
  expect(Object.keys(ratings)).toHaveLength(24);
  expect(Object.keys(ratings).filter((names) => names.endsWith("Read | Owl"))).toEqual([
    "Read | Owl",
    "V2: Read | Owl",
    "Sea: Read | Owl",
    "Sea: V2: Read | Owl",
  ]);
});

test("a table written twice below one heading is rated once", () => {
  expect(Object.keys(ratedBy(`# Status\n\n## Shore${table}${table}`).ratings)).toHaveLength(6);
});
